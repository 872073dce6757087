"""What is kept of a match: its results, its log, and what the bots wrote to stderr."""

import msgspec

from arena.match.commands import Fault
from arena.zole.deal import Seat
from arena.zole.state import Game


class DealFault(msgspec.Struct, frozen=True):
    """A fault and the deal of the match in which it came."""

    deal: int
    fault: Fault


class Course(msgspec.Struct, frozen=True):
    """Who dealt a deal, what was played, and who declared it.

    There is no declarer at the table and where the cards were thrown in, and no contract where a
    fault ended the deal before there was one.
    """

    dealer: Seat
    contract: Game | None
    declarer: Seat | None


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """What the deals of a match came to: all of it follows from the log.

    `payments` are stakes by deal and seat; shorter than the plan's deals only where a seat was
    disqualified. `courses` are one for each of these deals.
    """

    payments: tuple[tuple[int, ...], ...]
    courses: tuple[Course, ...]
    faults: tuple[DealFault, ...]
    disqualified: tuple[Seat, ...]
    decisions: int


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept of a match.

    `log` is gzip-compressed JSON lines, `stderr` each seat's, head and tail; `isolation` is the
    sandbox's level.
    """

    results: Results
    log: bytes
    stderr: tuple[str, ...]
    isolation: str
