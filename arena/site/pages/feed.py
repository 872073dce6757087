"""The feed of a site, in the format Atom (RFC 4287)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from xml.etree import ElementTree

import msgspec

from arena.base.harmless import harmless_lines

_ATOM: Final = "http://www.w3.org/2005/Atom"


class FeedEntry(msgspec.Struct, frozen=True):
    """An entry: where it can be read on the site, its moment, its title, its text as HTML."""

    path: str
    at: float
    title: str
    text: str


def atom_feed(title: str, address: str, language: str, entries: Sequence[FeedEntry]) -> bytes:
    """Return a feed with its entries, the newest first."""
    ElementTree.register_namespace("", _ATOM)
    ordered = sorted(entries, key=lambda each: -each.at)
    feed = ElementTree.Element(_tag("feed"), {"xml:lang": language})
    _add(feed, "id", f"{address}/feed.atom")
    _add(feed, "title", title)
    _add(feed, "updated", _moment(ordered[0].at if ordered else 0.0))
    ElementTree.SubElement(feed, _tag("link"), rel="self", href=f"{address}/feed.atom")
    ElementTree.SubElement(feed, _tag("link"), href=f"{address}/")
    _add(ElementTree.SubElement(feed, _tag("author")), "name", title)
    for each in ordered:
        entry = ElementTree.SubElement(feed, _tag("entry"))
        _add(entry, "id", f"{address}{each.path}")
        _add(entry, "title", each.title)
        _add(entry, "updated", _moment(each.at))
        ElementTree.SubElement(entry, _tag("link"), href=f"{address}{each.path}")
        _add(entry, "content", each.text).set("type", "html")
    made: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return made


def _add(to: ElementTree.Element, name: str, text: str) -> ElementTree.Element:
    found = ElementTree.SubElement(to, _tag(name))
    found.text = harmless_lines(text)
    return found


def _tag(name: str) -> str:
    return f"{{{_ATOM}}}{name}"


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
