"""Measures how long each bot took to answer, from the logs alone."""

from collections.abc import Iterable
from typing import Final

import msgspec
import numpy as np

from arena.match.log import log_lines
from arena.record.store import Store
from arena.stats.figures import Lineup, Times


def times_by_seat(log: bytes, seats: int) -> list[list[int]]:
    """Return the microseconds of each seat's answers in a match. Raises `ValueError`."""
    by_seat: list[list[int]] = [[] for _ in range(seats)]
    for line in log_lines(log)[1:]:
        for seat, _, microseconds in _DECODER.decode(line).steps:
            if seat < 0:
                raise ValueError("a log has no such seat")
            by_seat[seat].append(microseconds)
    return by_seat


class _Deal(msgspec.Struct, frozen=True):
    """The fields read from a log's line: seat, answer and microseconds of each step."""

    steps: list[tuple[int, str | None, int]] = []


_DECODER: Final = msgspec.json.Decoder(_Deal)


def read_times(store: Store) -> tuple[Times, ...]:
    """Return the times of all bots of a record. Raises `ArenaError`."""
    with store.reading():
        return measure_times(store.logs())


def measure_times(matches: Iterable[tuple[Lineup, bytes]]) -> tuple[Times, ...]:
    """Return a line for each bot, by name, from the bots by seat and the log of every match."""
    spent: dict[str, list[np.ndarray[tuple[int], np.dtype[np.int64]]]] = {}
    for bots, log in matches:
        for bot, taken in zip(bots, times_by_seat(log, len(bots)), strict=True):
            spent.setdefault(bot, []).append(np.array(taken, np.int64))
    lines: list[Times] = []
    for bot, parts in sorted(spent.items()):
        all_of_it = np.concatenate(parts)
        if len(all_of_it):
            middle, late, most = (np.percentile(all_of_it, [50, 95, 100]) / 1e6).tolist()
            lines.append(Times(bot, len(all_of_it), middle, late, most))
    return tuple(lines)
