"""The record of a match: its results, its log, and the bots' stderr."""

import msgspec

from arena.match.commands import Fault
from arena.zole.deal import Seat
from arena.zole.state import Game


class DealFault(msgspec.Struct, frozen=True):
    """A fault and the deal of the match in which it happened."""

    deal: int
    fault: Fault


class Course(msgspec.Struct, frozen=True):
    """The dealer, the contract and the declarer of a deal.

    There is no declarer in a table game or if the cards were thrown in, and no contract if a fault
    ended the deal before there was one.
    """

    dealer: Seat
    contract: Game | None
    declarer: Seat | None


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a match's deals, all of which follow from the log.

    `payments` are stakes by deal and seat; fewer than the plan's deals only if a seat was
    disqualified. `courses` has one entry per deal played.
    """

    payments: tuple[tuple[int, ...], ...]
    courses: tuple[Course, ...]
    faults: tuple[DealFault, ...]
    disqualified: tuple[Seat, ...]
    decisions: int


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the arena keeps of a match.

    `log` is gzip-compressed JSON lines, `stderr` the head and tail of each seat's. `isolation` is
    the sandbox's level. `held_s` are the seconds for which the match was played, divided among the
    seats as the time that they took for their answers; empty if they were not measured.
    """

    results: Results
    log: bytes
    stderr: tuple[str, ...]
    isolation: str
    held_s: tuple[float, ...] = ()
