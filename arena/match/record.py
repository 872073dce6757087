"""The record of a match: its results, its log, and the bots' stderr."""

from typing import TYPE_CHECKING, Final

import msgspec

from arena.match.commands import Fault
from arena.zole.deal import Seat
from arena.zole.state import Game

if TYPE_CHECKING:
    from arena.match.log import LoggedFailure


class DealFault(msgspec.Struct, frozen=True):
    """A fault and the deal of the match in which it happened."""

    deal: int
    fault: Fault


NOT_READY: Final = "in place of ready: "
"""The beginning of a fault's detail where a bot's first line was no `ready`: it plays no more."""

RESTARTED: Final = "; restarted for the next deal"
"""The end of a fault's detail after which a bot that ended plays on, with a new process."""

ENDING: Final = ("exited", "flooded", "resource", "unready")
"""The kinds of faults after which a bot plays no more."""


def ends_program(fault: "Fault | LoggedFailure") -> bool:
    """Whether a bot plays no more after a fault, so that it forfeits the rest of the match."""
    ended = fault.kind in ENDING or fault.detail.startswith(NOT_READY)
    return ended and not fault.detail.endswith(RESTARTED)


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

    def counted_faults(self) -> list[tuple[DealFault, int]]:
        """The faults that count, each with the number of further deals forfeited because of it.

        Once a bot plays no more, `faults` has an entry in each of the remaining deals, too.
        """
        found: dict[tuple[int, int], tuple[DealFault, set[int]]] = {}
        for number, entry in enumerate(self.faults):
            key = (entry.fault.seat, -1) if ends_program(entry.fault) else (0, number)
            found.setdefault(key, (entry, set()))[1].add(entry.deal)
        return [(entry, len(deals) - 1) for entry, deals in found.values()]


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
