"""Every two bots against each other: in the sets both sat in, and by all sets."""

from collections.abc import Sequence

import numpy as np

from arena.stats.figures import HeadToHead
from arena.stats.floats import Floats, cleared
from arena.stats.sets import SetBlock, by_pair, lineup_residuals, stacks, together
from arena.stats.strengths import Strengths, gap_between, gap_from


def crosstable(
    blocks: Sequence[SetBlock], names: Sequence[str], estimate: Strengths, session: int = 1
) -> tuple[HeadToHead, ...]:
    """All pairs, in the order of the field. `session` is the number of deals of a set.

    A gap in the sets both sat in is the mean of the differences by set; its variance is that
    of the differences around the means of lineups, times G / (G - T) of these sets.
    """
    bots = len(names)
    count = together(blocks, bots)
    lineups = np.zeros((bots, bots), np.int64)
    for lineup in {block.bots for block in blocks if len(block.stakes)}:
        lineups[np.ix_(lineup, lineup)] += 1
    total, unequal, squares = (np.zeros((bots, bots)) for _ in range(3))
    for stack in stacks(blocks):
        gaps = _apart(stack.stakes)
        total += by_pair(stack.bots, gaps, bots)
        unequal += by_pair(stack.bots, np.abs(np.sign(gaps)), bots)
        squares += by_pair(stack.bots, _apart(lineup_residuals(stack)) ** 2, bots)
    pairs: list[HeadToHead] = []
    for i in range(bots):
        for j in range(i + 1, bots):
            sets, free = int(count[i, j]), int(count[i, j] - lineups[i, j])
            met = None
            if sets:
                variance = squares[i, j] / sets / free if free else 0.0
                met = gap_from(float(total[i, j] / sets), float(variance), free, sets)
            pairs.append(
                HeadToHead(
                    names[i],
                    names[j],
                    sets,
                    sets * session,
                    met,
                    gap_between(estimate, i, j),
                    sets > 0 and not unequal[i, j],
                )
            )
    return tuple(pairs)


def identical_pairs(blocks: Sequence[SetBlock], bots: int) -> list[tuple[int, int, int]]:
    """The pairs of bots that made the same in every set both sat in, and the number of those sets.

    Pairs come in order. This takes memory only for the pairs that met.
    """
    keys, counts, unequal = [], [], []
    for stack in stacks(blocks):
        size = stack.bots.shape[1]
        for one in range(size):
            for other in range(one + 1, size):
                low = np.minimum(stack.bots[:, one], stack.bots[:, other])
                pair = low * bots + np.maximum(stack.bots[:, one], stack.bots[:, other])
                found, place, sets = np.unique(pair, return_inverse=True, return_counts=True)
                gaps = cleared(stack.stakes[:, one] - stack.stakes[:, other])
                keys.append(found)
                counts.append(sets)
                unequal.append(np.bincount(place, gaps != 0))
    if not keys:
        return []
    pairs, place = np.unique(np.concatenate(keys), return_inverse=True)
    sets = np.bincount(place, np.concatenate(counts)).astype(np.int64)
    same = np.bincount(place, np.concatenate(unequal)) == 0
    return [
        (int(pair // bots), int(pair % bots), int(number))
        for pair, number in zip(pairs[same], sets[same], strict=True)
    ]


def _apart(values: Floats) -> Floats:
    """The differences of every two bots at a table, sets by bots by bots."""
    return cleared(values[:, :, None] - values[:, None, :])
