"""Measures how long each bot took to answer, from the logs alone."""

from array import array

import numpy as np

from arena.match.log import read_log
from arena.record.store import Store
from arena.stats.figures import Times


def times_by_seat(log: bytes, seats: int) -> list[list[int]]:
    """Return the microseconds of each seat's answers in a match. Raises `Unfaithful`."""
    by_seat: list[list[int]] = [[] for _ in range(seats)]
    for deal in read_log(log)[1]:
        for seat, _, microseconds in deal.steps:
            by_seat[seat].append(microseconds)
    return by_seat


def read_times(store: Store) -> tuple[Times, ...]:
    """Return a line for each bot of a record, by name. Raises `ArenaError`."""
    spent: dict[str, array[int]] = {}
    with store.reading():
        for bots, log in store.logs():
            for bot, taken in zip(bots, times_by_seat(log, len(bots)), strict=True):
                spent.setdefault(bot, array("q")).extend(taken)
    lines: list[Times] = []
    for bot, answers in sorted(spent.items()):
        if answers:
            middle, late, most = (np.percentile(answers, [50, 95, 100]) / 1e6).tolist()
            lines.append(Times(bot, len(answers), middle, late, most))
    return tuple(lines)
