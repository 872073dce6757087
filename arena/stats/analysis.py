"""Every two bots against each other, and all else computed from sets apart from the standings."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

import numpy as np

from arena.stats.company import companies
from arena.stats.figures import Analysis, HeadToHead
from arena.stats.roles import roles, seat_table
from arena.stats.sets import Block, Floats, LeagueSets, differences, league_sets, sets_among
from arena.stats.strengths import Strengths, gap_between, gap_from, means, strengths


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


def analysis(
    blocks: Sequence[Block],
    everyone: Sequence[str],
    session: int = 1,
    among: Collection[str] | None = None,
    authors: Mapping[str, str] = {},
) -> Analysis:
    """The analysis of some blocks of a field; `session` is the number of deals of a set.

    If it is `among` some bots only, it uses the sets in which these met each other and leaves out
    everything that compares the others. A bot without one of the `authors` is its own.
    """
    sets = [block.stakes for block in blocks if block.stakes is not None]
    bots = everyone
    if among is not None:
        places = [place for place, bot in enumerate(everyone) if bot in among]
        bots, sets = [everyone[place] for place in places], sets_among(sets, places)
    league = league_sets(sets, len(bots))
    ordered = means(league) if league.is_equal else strengths(league)
    shown = {*bots, None}
    return Analysis(
        bots=tuple(bots),
        pairs=crosstable(league, bots, ordered, session),
        roles=tuple(each for each in roles(blocks, everyone) if each.bot in shown),
        seats=tuple(each for each in seat_table(blocks, everyone) if each.bot in shown),
        company=companies(league, [authors.get(bot, bot) for bot in bots]),
    )
