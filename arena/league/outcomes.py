"""Outcomes of stored matches, as far as the draw of an open league may know them: not who won."""

from arena.stats.figures import DealRun
from arena.zole.deal import Seat


class StoredOutcome(DealRun, frozen=True):
    """A stored match without its results, by its number in the record.

    `first` is that of its order, `deals` the number of those that have results; `held_s` are the
    seconds for which each seat held the match's lane, empty if they were not measured. The programs
    of bots that were `gone` had ended, or were never ready, in every deal.
    """

    number: int
    seats: tuple[str, ...]
    disqualified: tuple[Seat, ...]
    held_s: tuple[float, ...] = ()
    gone: tuple[str, ...] = ()
