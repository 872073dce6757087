"""The tables of a large field that are played: a sample in which all bots sit equally often."""

import hashlib
from collections.abc import Sequence

import numpy as np

from arena.stats.figures import Lineup


def draw_tables(
    tables: Sequence[Lineup], number: int, drawn: Sequence[Lineup] = ()
) -> list[Lineup]:
    """A sample of `number` tables, all of one size, in the order in which they are drawn.

    Each draw takes the table whose bots have sat least so far; among equals the one whose pairs
    have met least, then the first by the hash of its names. So no bot sits two times more than
    another if the tables allow it, pairs are nearly as even, and the same tables always give the
    same sample.

    Tables `drawn` before stay as long as their bots do. If bots have come since and `number`
    leaves no room, more are drawn until each newcomer sits as often as the least seated of the
    others.
    """
    candidates = sorted(tables, key=_hash)
    there = set(candidates)
    chosen = [table for table in drawn if table in there]
    kept = set(chosen)
    names = sorted({bot for table in candidates for bot in table})
    place = {bot: number for number, bot in enumerate(names)}
    seats = np.array([[place[bot] for bot in table] for table in candidates], np.int64)
    free = np.array([table not in kept for table in candidates], bool)
    used = np.zeros(len(names), np.int64)
    met = np.zeros((len(names), len(names)), np.int64)

    def count(table: Sequence[int]) -> None:
        used[np.array(table)] += 1
        met[np.ix_(table, table)] += 1

    for table in chosen:
        count([place[bot] for bot in table])
    new = (used == 0) & bool(chosen)
    share = int(used[~new].min()) if chosen else 0
    while free.any():
        able = free
        if len(chosen) >= number:
            able = free & (new & (used < share))[seats].any(axis=1)
        if not able.any():
            break
        pairs = met[seats[:, :, None], seats[:, None, :]].sum(axis=(1, 2))
        cost = used[seats].sum(axis=1) * _MANY + pairs
        best = int(np.where(able, cost, np.iinfo(np.int64).max).argmin())
        free[best] = False
        chosen.append(candidates[best])
        count(seats[best].tolist())
    return chosen


_MANY = 1 << 32
"""A number larger than the pairs of a table can ever have met."""


def _hash(table: Lineup) -> bytes:
    return hashlib.sha256("\n".join(table).encode()).digest()
