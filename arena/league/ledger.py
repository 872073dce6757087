"""The ledger of an open league: an append-only chain of lines that decide its draws and deals.

A line's text is a JSON object, `{"at": …, "entry": {"type": …, …}}`; its hash is the SHA-256 of the
hash before (64 zeros before the first line), a newline and the text. So the hash of the last line
tells whether anything before it has been changed.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, Literal

import msgspec

from arena.stats.figures import Lineup

BEFORE_THE_FIRST: Final = "0" * 64
"""The hash that the first line takes for that of the line before it."""

MOMENT_FORM: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00\Z")
"""The form of moments: `datetime.now(UTC).isoformat(timespec="seconds")`."""


_DIGEST: Final = re.compile(r"[0-9a-f]{64}\Z")


def is_digest(text: str) -> bool:
    """Whether a text is a SHA-256 in hexadecimal digits, and so names nothing else."""
    return _DIGEST.match(text) is not None


class _Entry(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, omit_defaults=True):
    """The base of all entries; its tag in JSON is the class's name in lower case."""


class Committed(_Entry, frozen=True):
    """The SHA-256 of an epoch's secret, published while the epoch before it has yet to begin."""

    epoch: int
    commitment: str


class Begun(_Entry, frozen=True):
    """An epoch begins; `field` is the `field_digest` of the bots that play.

    `draw` is the number of the draw that makes its orders. Ledgers without it are of the first.
    """

    epoch: int
    field: str
    draw: int = 1


class Revealed(_Entry, frozen=True):
    """The secret of an epoch whose orders have all been played."""

    epoch: int
    secret: str


class Joined(_Entry, frozen=True):
    """A bot enters the field; `content` is its hash, a `house` bot is one of the arena's own.

    `inviter` is another author, whose guest the bot's author is. An `organiser` bot is named in the
    league's file; all others were submitted.
    """

    bot: str
    content: str
    author: str
    house: bool
    inviter: str = ""
    organiser: bool = False


class Left(_Entry, frozen=True):
    """A bot leaves the field; orders under way are finished."""

    bot: str
    why: Literal["replaced", "withdrawn"]


class Benched(_Entry, frozen=True):
    """A bot gets no orders until it is resumed; `why` in words.

    `organiser` says that the organiser decided it; else it follows from the matches.
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
    epoch: int
    known: int
    kind: Literal["table", "final"]


class Closed(_Entry, frozen=True):
    """The season takes no more bots; `final` has the bots of its final, best first."""

    season: int
    final: tuple[str, ...]


class Sealed(_Entry, frozen=True):
    """The season is over and nothing follows."""

    season: int


Entry = (
    Committed
    | Begun
    | Revealed
    | Joined
    | Left
    | Benched
    | Resumed
    | Teamed
    | Ordered
    | Closed
    | Sealed
)


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
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()


def read_line(text: str) -> Dated:
    """Read a line. Raises `ValueError` for one that no arena has written."""
    found = _DECODER.decode(text)
    if msgspec.json.encode(found).decode() != text:
        raise ValueError("it is not written as the arena writes")
    if not MOMENT_FORM.match(found.at):
        raise ValueError(f"{found.at:.30} is not a time")
    return found


def moment(at: str) -> float:
    """A moment of the ledger in seconds since 1970."""
    return datetime.fromisoformat(at).timestamp()


def chain_flaw(lines: Iterable[Line], before: Line | None = None) -> str | None:
    """The reason why these lines do not continue the chain from `before`; None if they do."""
    number, known = (0, BEFORE_THE_FIRST) if before is None else (before.number, before.hash)
    for line in lines:
        number += 1
        if line.number != number:
            return f"line {number} of the ledger is missing"
        if line.hash != line_hash(known, line.text):
            return f"line {number} of the ledger does not follow from the lines before it"
        known = line.hash
        try:
            read_line(line.text)
        except ValueError as error:
            return f"line {number} of the ledger: {error}"
    return None


def field_digest(bots: Mapping[str, str]) -> str:
    """The digest of a field: the SHA-256 of a line for each bot, `NAME\\0CONTENT\\n`, sorted."""
    lines = sorted(f"{name}\0{content}\n" for name, content in bots.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def epoch_seed(secret: str, field: str) -> str:
    """The seed of an epoch, from its secret and the digest of the field at its start."""
    return hashlib.sha256(f"zole epoch 1\n{secret}\n{field}".encode()).hexdigest()


def practice_secret(seed: str, epoch: int) -> str:
    """The secret of an epoch of a practice league, which follows from the seed that was given."""
    return hashlib.sha256(f"zole epoch\n{seed}\n{epoch}".encode()).hexdigest()
