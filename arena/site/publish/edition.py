"""Puts together the next version of what is published."""

import gzip
from typing import Final

import msgspec

from arena.site.documents.play import ShownDeal
from arena.site.publish.table import Counts
from arena.site.published import News, Published

MADE: Final = "made"
"""The key of the part that is published, which is for the publisher alone."""

_PACKING: Final = 5
"""The level of gzip: higher ones save little and take twice the time."""


class PublishedPart(msgspec.Struct, frozen=True):
    """The part of a record that is published, up to a match and a line of the ledger.

    `waiting` says that a season is over but not all of its orders are shown yet.
    """

    record: str
    matches: int = 0
    lines: int = 0
    hash: str = ""
    counts: Counts = Counts()
    shows: tuple[ShownDeal, ...] = ()
    waiting: bool = False


class Edition:
    """The documents and rows that the next version changes."""

    def __init__(self) -> None:
        self._puts: dict[str, bytes] = {}
        self._rows: dict[tuple[str, int], bytes] = {}

    def put(self, key: str, document: object) -> None:
        """Put a document in place of the one under its key."""
        self._puts[key] = msgspec.json.encode(document)

    def put_packed(self, key: str, document: bytes) -> None:
        """Put a document that is large, and is read as `gzip` packs it."""
        self._puts[key] = gzip.compress(document, _PACKING, mtime=0)

    def add(self, name: str, number: int, row: object) -> None:
        """Put a row into a list."""
        self._rows[name, number] = msgspec.json.encode(row)

    def write(self, news: News, part: PublishedPart) -> None:
        """Write all of it as a version, and begin the next edition."""
        for key, data in self._puts.items():
            news.put(key, data)
        for (name, number), data in self._rows.items():
            news.add(name, number, data)
        news.put(MADE, msgspec.json.encode(part))
        self._puts, self._rows = {}, {}


def published_part(published: Published) -> PublishedPart | None:
    """Return the part that is published; None if nothing is."""
    found = published.document(MADE)
    return None if found is None else msgspec.json.decode(found.data, type=PublishedPart)
