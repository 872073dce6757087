"""Encodes and decodes the rows of a record's tables."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from arena.league.outcomes import StoredOutcome
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.match.record import Course, DealFault, MatchRecord, Results
from arena.stats.figures import Lineup
from arena.stats.sets import Played
from arena.zole.state import GAMES

SqlRow = tuple[Any, ...]
"""A row as `sqlite3` gives it."""

_TEXTS: Final = msgspec.json.Decoder(tuple[str, ...])
_SEATS: Final = msgspec.json.Decoder(tuple[int, ...])
_SECONDS: Final = msgspec.json.Decoder(tuple[float, ...])

_STAKES: Final = np.iinfo(np.int16)


class VoidMatch(msgspec.Struct, frozen=True):
    """A match void by the arena's own fault, and why."""

    lineup: Lineup
    seating: int
    first: int
    why: str


def outline_match(
    number: int, bots: tuple[str, ...], first: int, results: Results, isolation: str
) -> MatchOutline:
    """Return the outline of a match given in full."""
    return MatchOutline(
        match=number,
        bots=bots,
        first=first,
        deals=len(results.payments),
        stakes=_sums(results.payments, len(bots)),
        faults=len(results.counted_faults()),
        disqualified=results.disqualified,
        decisions=results.decisions,
        isolation=isolation,
    )


MATCH: Final = (
    "lineup, seating, first, deals, seed, seats, payments, courses, disqualified, decisions,"
    " isolation, held_s"
)
"""The columns of `encode_match`, in its order."""

PLAYED: Final = "lineup, seating, first, deals, payments, courses, disqualified, seats"
"""The columns of `decode_played`, in its order."""

OUTLINE: Final = "id, seats, first, payments, disqualified, decisions, isolation"
"""The columns of `decode_outline`, in its order, before the number of faults."""


OUTCOME: Final = "id, lineup, first, seats, courses, disqualified, held_s"
"""The columns of `decode_outcome`, in its order."""


def encode_match(spec: MatchSpec, record: MatchRecord) -> SqlRow:
    """Return the row of a match. Raises `OverflowError` for stakes beyond 16 bits."""
    results = record.results
    return (
        encode_json(spec.lineup),
        spec.seating,
        spec.first,
        spec.deals,
        spec.seed,
        encode_json(spec.seats),
        _payments_blob(results.payments),
        np.array([course_row(course) for course in results.courses], "i1").tobytes(),
        encode_json(results.disqualified),
        results.decisions,
        record.isolation,
        encode_json(record.held_s),
    )


def decode_match(row: SqlRow, faults: tuple[DealFault, ...]) -> tuple[MatchSpec, MatchRecord]:
    """Return a match from the columns `MATCH`, its log and stderr.

    Its faults have rows of their own.
    """
    lineup, seating, first, deals, seed, seats, payments, courses, out, decisions, *rest = row
    isolation, held, log, stderr = rest
    spec = MatchSpec(
        lineup=decode_names(lineup),
        seating=seating,
        seats=decode_names(seats),
        first=first,
        deals=deals,
        seed=seed,
    )
    players = len(spec.seats)
    results = Results(
        payments=_payments_from(payments, players),
        courses=tuple(map(_course_from, _table(courses, "i1", 3).tolist())),
        faults=faults,
        disqualified=_SEATS.decode(out),
        decisions=decisions,
    )
    return spec, MatchRecord(
        results=results,
        log=log,
        stderr=_TEXTS.decode(stderr),
        isolation=isolation,
        held_s=_SECONDS.decode(held),
    )


def decode_played(row: SqlRow) -> Played:
    """Return a match as standings need it, from the columns `PLAYED`."""
    lineup, seating, first, deals, payments, courses, out, seats = row
    players = len(decode_names(seats))
    return Played(
        lineup=decode_names(lineup),
        seating=seating,
        first=first,
        deals=deals,
        payments=_table(payments, "<i2", players),
        courses=_table(courses, "i1", 3),
        disqualified=_SEATS.decode(out),
    )


def decode_outline(row: SqlRow) -> MatchOutline:
    """Return the outline of a match from the columns `OUTLINE` and the number of its faults."""
    number, seats, first, payments, out, decisions, isolation, faults = row
    bots = decode_names(seats)
    paid = _payments_from(payments, len(bots))
    return MatchOutline(
        match=number,
        bots=bots,
        first=first,
        deals=len(paid),
        stakes=_sums(paid, len(bots)),
        faults=faults,
        disqualified=_SEATS.decode(out),
        decisions=decisions,
        isolation=isolation,
    )


def decode_outcome(row: SqlRow, ended: Iterable[SqlRow]) -> StoredOutcome:
    """Return the part of a match that a draw may know, from the columns `OUTCOME`.

    `ended` has each bot that ended or was never ready, with the number of such deals.
    """
    number, lineup, first, seats, courses, out, held = row
    bots, played = decode_names(seats), len(_table(courses, "i1", 3))
    return StoredOutcome(
        number=number,
        lineup=decode_names(lineup),
        first=first,
        seats=bots,
        deals=played,
        disqualified=_SEATS.decode(out),
        held_s=_SECONDS.decode(held),
        gone=tuple(bot for bot, deals in ended if deals >= played),
    )


@lru_cache(4096)
def decode_names(text: str) -> tuple[str, ...]:
    """Return the bots of a lineup, or by seat; the same few come again and again."""
    return _TEXTS.decode(text)


def decode_fault(text: str) -> DealFault:
    """Return a fault with its deal."""
    return msgspec.json.decode(text, type=DealFault)


def encode_json(value: object) -> str:
    """Return a value as the JSON text that rows and facts store."""
    return msgspec.json.encode(value).decode()


def _payments_blob(payments: tuple[tuple[int, ...], ...]) -> bytes:
    stakes = np.array(payments, np.int64)
    if stakes.size and not _STAKES.min <= stakes.min() <= stakes.max() <= _STAKES.max:
        raise OverflowError(f"stakes from {stakes.min()} to {stakes.max()} do not fit 16 bits")
    return stakes.astype("<i2").tobytes()


def _payments_from(blob: bytes, players: int) -> tuple[tuple[int, ...], ...]:
    """Return stakes by deal and seat."""
    return tuple(map(tuple, _table(blob, "<i2", players).tolist()))


def _table(blob: bytes, kind: str, columns: int) -> npt.NDArray[Any]:
    return np.frombuffer(blob, kind).reshape(-1, columns)


def _sums(payments: tuple[tuple[int, ...], ...], seats: int) -> tuple[int, ...]:
    """Return each seat's stakes in all deals."""
    return tuple(map(sum, zip(*payments, strict=True))) or (0,) * seats


def course_row(course: Course) -> tuple[int, int, int]:
    """Return a course as three numbers, which `Played` explains."""
    declarer = -1 if course.declarer is None else course.declarer
    contract = -1 if course.contract is None else GAMES.index(course.contract)
    return course.dealer, declarer, contract


def _course_from(numbers: list[int]) -> Course:
    dealer, declarer, contract = numbers
    return Course(
        dealer,
        GAMES[contract] if 0 <= contract < len(GAMES) else None,
        None if declarer < 0 else declarer,
    )
