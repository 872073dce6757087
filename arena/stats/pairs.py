"""Every two bots against each other: in the sets both sat in, and by all sets."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from arena.stats.figures import HeadToHead
from arena.stats.floats import Floats, zero_small
from arena.stats.sets import SetBlock, by_pair, schedule, stacks
from arena.stats.strengths import Strengths, gap_between, gap_from


def crosstable(
    blocks: Sequence[SetBlock], names: Sequence[str], estimate: Strengths, session: int = 1
) -> tuple[HeadToHead, ...]:
    """All pairs, in the order of the field. `session` is the number of deals of a set.

    A gap in the sets both sat in is the mean of the differences by set; its variance is that
    of the differences around the means of lineups, times G / (G - T) of these sets.
    """
    bots, stacked = len(names), stacks(blocks)
    met = schedule(stacked, bots)
    total, unequal, squares = (np.zeros((bots, bots)) for _ in range(3))
    for stack in stacked:
        gaps = _differences(stack.stakes)
        total += by_pair(stack.bots, stack.of_lineups(gaps), bots)
        unequal += by_pair(stack.bots, stack.of_lineups(np.abs(np.sign(gaps))), bots)
        squares += by_pair(stack.bots, stack.of_lineups(_differences(stack.residuals) ** 2), bots)
    pairs: list[HeadToHead] = []
    for one, other in combinations(range(bots), 2):
        sets, gap = int(met.sets[one, other]), None
        free = sets - int(met.lineups[one, other])
        if sets:
            variance = float(squares[one, other]) / sets / max(free, 1)
            gap = gap_from(float(total[one, other]) / sets, variance, free, sets)
        pairs.append(
            HeadToHead(
                names[one],
                names[other],
                sets,
                sets * session,
                gap,
                gap_between(estimate, one, other),
                sets > 0 and not unequal[one, other],
            )
        )
    return tuple(pairs)


def identical_pairs(blocks: Sequence[SetBlock], bots: int) -> list[tuple[int, int, int]]:
    """The pairs of bots that made the same in every set both sat in, with the number of these."""
    stacked = stacks(blocks)
    sets, unequal = schedule(stacked, bots).sets, np.zeros((bots, bots))
    for stack in stacked:
        gaps = np.abs(np.sign(_differences(stack.stakes)))
        unequal += by_pair(stack.bots, stack.of_lineups(gaps), bots)
    same = np.argwhere(np.triu((sets > 0) & (unequal == 0), 1))
    return [(int(one), int(other), int(sets[one, other])) for one, other in same]


def _differences(values: Floats) -> Floats:
    """The differences of every two bots at a table, sets by bots by bots."""
    return zero_small(values[:, :, None] - values[:, None, :])
