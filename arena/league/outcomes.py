"""What the draw of an open league may know of a stored match: never who won it."""

import msgspec

from arena.match.wire import FaultKind
from arena.stats.blocks import Lineup
from arena.zole.deal import Seat


class Outcome(msgspec.Struct, frozen=True):
    """A stored match without its results, by its number in the record.

    `faults` has each bot with each kind of its faults once; `processor_s` are the processor seconds
    of each seat's programs, none where they were not measured.
    """

    number: int
    lineup: Lineup
    seating: int
    seats: tuple[str, ...]
    first: int
    disqualified: tuple[Seat, ...]
    faults: tuple[tuple[str, FaultKind], ...]
    processor_s: tuple[float, ...]
