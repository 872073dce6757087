"""The tables of a record, and the values that its rows are read as."""

import hashlib
import os
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from arena import __version__
from arena.base.database import FileKind
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.record import Course, DealFault, MatchRecord, Results
from arena.stats.figures import Lineup
from arena.stats.sets import Played
from arena.zole.state import GAMES

if TYPE_CHECKING:
    from arena.league.outcomes import StoredOutcome

FORMAT: Final = "8"
"""The format that is written, and the only one that opens."""

SCHEMA: Final = """
CREATE TABLE league (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    lineup TEXT NOT NULL,
    seating INTEGER NOT NULL,
    first INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    seats TEXT NOT NULL,
    payments BLOB NOT NULL,
    courses BLOB NOT NULL,
    disqualified TEXT NOT NULL,
    decisions INTEGER NOT NULL,
    isolation TEXT NOT NULL,
    held_s TEXT NOT NULL,
    faults TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (lineup, seating, first)
) STRICT;
CREATE TABLE logs (
    match INTEGER PRIMARY KEY REFERENCES matches,
    log BLOB NOT NULL,
    stderr TEXT NOT NULL
) STRICT;
CREATE TABLE submissions (
    name TEXT PRIMARY KEY,
    submission TEXT NOT NULL
) STRICT;
CREATE TABLE voids (
    lineup TEXT NOT NULL,
    seating INTEGER NOT NULL,
    first INTEGER NOT NULL,
    detail TEXT NOT NULL
) STRICT;
CREATE TABLE ledger (
    number INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
"""

RECORD: Final[FileKind] = FileKind(
    noun="record",
    whole="the record of a league",
    schema=SCHEMA,
    facts="league",
    format=FORMAT,
    if_damaged="continue from an earlier copy of it",
    if_full="what was stored before is safe; make room and run the same command again",
)


class Facts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The facts about a league. `identity` is what all copies of its record have in common.

    New deals come from the last of the `seeds`. An open league has one, its season's secret, from
    which the seeds of its orders follow; a record of logs has none, and the site that they are
    from. A league is for `practice` if its seed was given, and so is public. `resumed` are the
    benched bots for which `arena resume` has asked, each once.
    """

    arena: str = __version__
    identity: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    terms: Terms
    seeds: tuple[str, ...]
    practice: bool = False
    season: int = 1
    resumed: tuple[str, ...] = ()
    site: str | None = None


def first_facts(league: Path | None, terms: Terms, seed: str, practice: bool) -> Facts:
    """Return the facts of a new record. `league` is the path of its file or of the record."""
    place = None if league is None else league.resolve().with_suffix("")
    identity = hashlib.sha256(os.fsencode(f"{place}\n{seed}")).hexdigest()[:32]
    return Facts(identity=identity, terms=terms, seeds=(seed,), practice=practice)


SqlRow = tuple[Any, ...]
"""A row as `sqlite3` gives it."""

COLUMNS: Final = (
    "lineup, first, deals, seating, payments, courses, disqualified, seats, seed, decisions,"
    " isolation, held_s, faults"
)
"""The columns of a match, in the order of `encode_match`."""

_TEXTS: Final = msgspec.json.Decoder(tuple[str, ...])
_SEATS: Final = msgspec.json.Decoder(tuple[int, ...])
_SECONDS: Final = msgspec.json.Decoder(tuple[float, ...])
_FAULTS: Final = msgspec.json.Decoder(tuple[DealFault, ...])

_STAKES: Final = np.iinfo(np.int16)


class MatchRow(Played, frozen=True):
    """A stored match without its log and its bots' stderr. `number` is that in the record."""

    seats: tuple[str, ...]
    seed: int
    decisions: int
    isolation: str
    held_s: tuple[float, ...]
    faults: tuple[DealFault, ...]
    number: int

    @property
    def spec(self) -> MatchSpec:
        """The match as it was scheduled."""
        return MatchSpec(self.lineup, self.first, self.deals, self.seating, self.seats, self.seed)

    @property
    def results(self) -> Results:
        """The results of its deals."""
        return Results(
            payments=tuple(map(tuple, self.payments.tolist())),
            courses=tuple(map(_course, self.courses.tolist())),
            faults=self.faults,
            disqualified=self.disqualified,
            decisions=self.decisions,
        )

    @property
    def outline(self) -> MatchOutline:
        """The match as people see it in a list."""
        return outline_match(self.number, self.seats, self.first, self.results, self.isolation)

    @property
    def outcome(self) -> "StoredOutcome":
        """The part of it that a draw may know."""
        ended = Counter(
            self.seats[entry.fault.seat]
            for entry in self.faults
            if entry.fault.kind in ("exited", "unready")
        )
        played = len(self.payments)
        gone = tuple(bot for bot, deals in ended.items() if deals >= played)
        from arena.league.outcomes import StoredOutcome  # only an open league draws

        return StoredOutcome(
            self.lineup,
            self.first,
            played,
            self.number,
            self.seats,
            self.disqualified,
            self.held_s,
            gone,
        )

    def record(self, log: bytes, stderr: str) -> MatchRecord:
        """The match in full, with its log and the bots' stderr as stored."""
        return MatchRecord(
            results=self.results,
            log=log,
            stderr=_TEXTS.decode(stderr),
            isolation=self.isolation,
            held_s=self.held_s,
        )


class VoidMatch(msgspec.Struct, frozen=True):
    """A match void by the arena's own fault, and why."""

    lineup: Lineup
    seating: int
    first: int
    why: str


def outline_match(
    number: int, bots: tuple[str, ...], first: int, results: Results, isolation: str
) -> MatchOutline:
    """Return the outline of a match."""
    return MatchOutline(
        match=number,
        bots=bots,
        first=first,
        deals=len(results.payments),
        stakes=tuple(map(sum, zip(*results.payments, strict=True))) or (0,) * len(bots),
        faults=len(results.counted_faults()),
        disqualified=results.disqualified,
        decisions=results.decisions,
        isolation=isolation,
    )


def encode_match(spec: MatchSpec, record: MatchRecord) -> SqlRow:
    """Return the `COLUMNS` of a match. Raises `OverflowError` for stakes beyond 16 bits."""
    results = record.results
    stakes = np.array(results.payments, np.int64)
    if stakes.size and not _STAKES.min <= stakes.min() <= stakes.max() <= _STAKES.max:
        raise OverflowError(f"stakes from {stakes.min()} to {stakes.max()} do not fit 16 bits")
    return (
        encode_json(spec.lineup),
        spec.first,
        spec.deals,
        spec.seating,
        stakes.astype("<i2").tobytes(),
        np.array([_course_row(course) for course in results.courses], "i1").tobytes(),
        encode_json(results.disqualified),
        encode_json(spec.seats),
        spec.seed,
        results.decisions,
        record.isolation,
        encode_json(record.held_s),
        encode_json(results.faults),
    )


def decode_match(number: int, row: SqlRow) -> MatchRow:
    """Return a match from its `COLUMNS`."""
    lineup, first, deals, seating, payments, courses, out, names, *same, held, faults = row
    seed, decisions, isolation = same
    seats = decode_names(names)
    return MatchRow(
        lineup=decode_names(lineup),
        first=first,
        deals=deals,
        seating=seating,
        payments=_table(payments, "<i2", len(seats)),
        courses=_table(courses, "i1", 3),
        disqualified=_SEATS.decode(out),
        seats=seats,
        seed=seed,
        decisions=decisions,
        isolation=isolation,
        held_s=_SECONDS.decode(held),
        faults=decode_faults(faults),
        number=number,
    )


@lru_cache(4096)
def decode_names(text: str) -> tuple[str, ...]:
    """Return the bots of a lineup, or by seat; the same few come again and again."""
    return _TEXTS.decode(text)


def decode_faults(text: str) -> tuple[DealFault, ...]:
    """Return the faults of a match, in the order of its log."""
    return _FAULTS.decode(text)


def encode_json(value: object) -> str:
    """Return a value as the JSON text that rows and facts store."""
    return msgspec.json.encode(value).decode()


def _table(blob: bytes, kind: str, columns: int) -> npt.NDArray[Any]:
    return np.frombuffer(blob, kind).reshape(-1, columns)


def _course_row(course: Course) -> tuple[int, int, int]:
    declarer = -1 if course.declarer is None else course.declarer
    contract = -1 if course.contract is None else GAMES.index(course.contract)
    return course.dealer, declarer, contract


def _course(numbers: list[int]) -> Course:
    dealer, declarer, contract = numbers
    return Course(
        dealer,
        GAMES[contract] if 0 <= contract < len(GAMES) else None,
        None if declarer < 0 else declarer,
    )
