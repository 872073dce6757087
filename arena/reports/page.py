"""The page that replays a match in a browser: with the match in it, it needs no network."""

import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import msgspec

import arena
from arena.base.harmless import harmless_values
from arena.match.projection import essentials
from arena.match.replay import SeenMatch
from arena.reports.language import Saying

if TYPE_CHECKING:
    from arena.reports.page_review import PageReview

PAGE: Final = Path(arena.__file__).parent / "viewer" / "page.html"
MARKER: Final = "@MATCH@"

# JSON has none of these outside its strings, so each may be written as JSON's own escape
_ESCAPED: Final = str.maketrans({each: f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"})


# What JSON has in which a text may not be harmless: more than printed ASCII and escaped quotes.
_DOUBTFUL: Final = re.compile(rb'[^ -~]|\\[^"\\]')


class Link(msgspec.Struct, frozen=True):
    """The way from a replay to the page that links to it: that page's name, and its address."""

    words: str
    address: str


def relative_address(*parts: str) -> str:
    """The address of a file by its path from the page that links to it."""
    return quote(os.fsencode("/".join(parts)))


def commands_note(league: str) -> Saying:
    """The folder in which a page's commands work: they name a league's file without one."""
    return Saying("commands-for", {"league": league})


def replay_document(
    match: SeenMatch, back: Link | None = None, review: "PageReview | None" = None
) -> bytes:
    """What the page shows, as JSON."""
    parts = {"match": essentials(match), "back": back, "review": review}
    found = msgspec.json.encode(parts)
    if not _DOUBTFUL.search(found):
        return found
    return msgspec.json.encode(harmless_values(msgspec.to_builtins(parts)))


def replay_page(
    match: SeenMatch, back: Link | None = None, review: "PageReview | None" = None
) -> str:
    """The whole page. No text of the match can end the element that holds it, or turn others."""
    return _page(replay_document(match, back, review).decode().translate(_ESCAPED))


@cache
def shared_page() -> str:
    """The page of any match, whose document it fetches from its own path with `.json`."""
    return _page("null")


def _page(document: str) -> str:
    return PAGE.read_text(encoding="utf-8").replace(MARKER, document)
