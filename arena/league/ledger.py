"""The ledger of an open league: an append-only chain of lines that decide its draws and deals.

A line's text is a JSON object, `{"at":…,"entry":{"type":…,…}}`; its hash is the SHA-256 of the
hash before (64 zeros before the first line), a newline and the entry as it stands in the text. So
the hash of the last line shows whether any entry before it has been changed. The moment is left
out, so that a practice league always has the same hashes, draws and deals.
"""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import Final, Literal

import msgspec

from arena.stats.figures import Lineup

BEFORE_THE_FIRST: Final = "0" * 64
"""The hash that the first line takes for that of the line before it."""

_ENTRY_AT: Final = len('{"at":"2026-01-01T00:00:00+00:00","entry":')
"""The place in a line's text at which its entry begins; the text ends one character behind it."""


class _Entry(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, omit_defaults=True):
    """The base of all entries; its tag in JSON is the class's name in lower case."""


class Committed(_Entry, frozen=True):
    """The SHA-256 of the season's secret, written down before anything else."""

    commitment: str


class Joined(_Entry, frozen=True):
    """A bot enters the field; `content` is its hash, a `house` bot is one of the arena's own.

    An `organiser` bot is named in the league's file; all others were submitted.
    """

    bot: str
    content: str
    author: str
    house: bool
    organiser: bool = False


class Left(_Entry, frozen=True):
    """A bot leaves the field; orders under way are finished."""

    bot: str
    why: Literal["replaced", "withdrawn"]


class Benched(_Entry, frozen=True):
    """A bot gets no orders until it is resumed; `why` in words.

    `organiser` is set if the organiser decided it; else it follows from the matches.
    """

    bot: str
    why: str
    organiser: bool = False


class Resumed(_Entry, frozen=True):
    """A benched bot gets orders again; only an `organiser` resumes a bot that one has benched."""

    bot: str
    organiser: bool = False


class Teamed(_Entry, frozen=True):
    """The authors that the organiser has put into teams, from now on; they share no table."""

    teams: tuple[tuple[str, ...], ...]


class Ordered(_Entry, frozen=True):
    """A table that is to be played: `deals` from the deal `first` on, in all seatings.

    Orders are numbered from 1. `first` is the number of deals that earlier orders gave this lineup;
    `known` is the highest number of a match stored when the order was drawn, 0 before the first.
    """

    order: int
    lineup: Lineup
    first: int
    deals: int
    known: int
    kind: Literal["table", "final"]


class Closed(_Entry, frozen=True):
    """The season takes no more bots; `final` has the bots of its final, best first."""

    season: int
    final: tuple[str, ...]


class Sealed(_Entry, frozen=True):
    """The season is over and nothing follows; all its orders have been played."""

    season: int
    secret: str


Entry = Committed | Joined | Left | Benched | Resumed | Teamed | Ordered | Closed | Sealed


class Dated(msgspec.Struct, frozen=True):
    """An entry and when it was written, in UTC."""

    at: str
    entry: Entry


class Line(msgspec.Struct, frozen=True):
    """A line of the ledger, numbered from 1."""

    number: int
    text: str
    hash: str


_DECODER: Final = msgspec.json.Decoder(Dated)


def lines_after(last: Line | None, at: str, entries: Iterable[Entry]) -> list[Line]:
    """The lines of some entries, all written at one moment, that follow the `last` one."""
    begin, before = (0, BEFORE_THE_FIRST) if last is None else (last.number, last.hash)
    found: list[Line] = []
    for number, entry in enumerate(entries, begin + 1):
        text = msgspec.json.encode(Dated(at, entry)).decode()
        before = line_hash(before, text)
        found.append(Line(number, text, before))
    return found


def line_hash(before: str, text: str) -> str:
    """The hash of a line, from the hash of the line before it."""
    return hashlib.sha256(f"{before}\n{text[_ENTRY_AT:-1]}".encode()).hexdigest()


def read_line(text: str) -> Dated:
    """Read a line. Raises `ValueError` for one that no arena has written."""
    return _DECODER.decode(text)


def moment(at: str) -> float:
    """A moment of the ledger in seconds since 1970."""
    return datetime.fromisoformat(at).timestamp()


def chain_flaw(lines: Iterable[Line]) -> str | None:
    """The reason why these lines are not a whole ledger, or a changed one; None if they are."""
    before = BEFORE_THE_FIRST
    for number, line in enumerate(lines, 1):
        before = line_hash(before, line.text)
        if line.number != number or line.hash != before:
            return f"line {number} of the ledger does not follow from the lines before it"
    return None


def order_seed(secret: str, line_hash: str) -> str:
    """The seed of an order's deals, from the season's secret and the hash of the order's line."""
    return hashlib.sha256(f"zole seed 1\n{secret}\n{line_hash}".encode()).hexdigest()
