"""Every two bots against each other: in the sets both sat in, and by all sets."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from arena.stats.figures import HeadToHead
from arena.stats.floats import Floats
from arena.stats.sets import LeagueSets, differences
from arena.stats.strengths import Strengths, gap_between, gap_from


def crosstable(
    league: LeagueSets, names: Sequence[str], estimate: Strengths, session: int = 1
) -> tuple[HeadToHead, ...]:
    """All pairs, in the order of the field. `session` is the number of deals of a set.

    A gap in the sets both sat in is the mean of the differences by set; its variance is that
    of the differences around the means of lineups, times G / (G - T) of these sets.
    """
    total = league.by_pair(lambda it: it.of_lineups(differences(it.stakes)))
    squares = league.by_pair(lambda it: it.of_lineups(differences(it.residuals) ** 2))
    unequal = _unequal(league)
    pairs: list[HeadToHead] = []
    for one, other in combinations(range(len(names)), 2):
        sets, gap = int(league.met[one, other]), None
        free = sets - int(league.lineups[one, other])
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


def identical_pairs(league: LeagueSets) -> list[tuple[int, int, int]]:
    """The pairs of bots that made the same in every set both sat in, with the number of these."""
    same = np.argwhere(np.triu((league.met > 0) & (_unequal(league) == 0), 1))
    return [(int(one), int(other), int(league.met[one, other])) for one, other in same]


def _unequal(league: LeagueSets) -> Floats:
    """The sets of every two bots in which they did not make the same."""
    return league.by_pair(lambda it: it.of_lineups(np.abs(np.sign(differences(it.stakes)))))
