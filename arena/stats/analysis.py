"""Every two bots against each other, and all else computed from sets apart from the standings."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from arena.stats.figures import IMPROBABLE, Analysis, Company, HeadToHead
from arena.stats.intervals import MIN_SETS, anytime_half_width, anytime_p_values, t_quantile
from arena.stats.roles import roles, seat_table
from arena.stats.sets import (
    Block,
    Floats,
    Ints,
    LeagueSets,
    differences,
    league_sets,
    round_noise,
    sets_among,
    zero_small,
)
from arena.stats.strengths import Strengths, gap_between, gap_from, means, strengths

_MEDIAN: Final = 0.4549
"""The median of the square of a standard normal number."""


def companies(league: LeagueSets, authors: Sequence[str]) -> tuple[Company, ...]:
    """Every two authors whose bots met, the least probable first; `authors` has that of each bot.

    The chance holds at all interim looks at once and for all pairs, as far as honest pairs differ
    normally.
    """
    people = sorted(set(authors))
    person = np.array([people.index(author) for author in authors], np.int64)
    sets, gains, variances = _gains(league, person, len(people))
    met = np.argwhere(sets > 0)
    chances = np.ones_like(gains)
    enough = sets >= MIN_SETS
    if enough.any():
        chances[enough] = _chances(gains[enough], variances[enough], sets[enough])
    pairs = [
        Company(
            people[one if gains[one, other] < 0 else other],
            people[other if gains[one, other] < 0 else one],
            int(sets[one, other]),
            round_noise(abs(float(gains[one, other]))),
            anytime_half_width(float(sets[one, other]), float(variances[one, other])),
            round_noise(float(chances[one, other])),
        )
        for one, other in met
    ]
    return tuple(sorted(pairs, key=lambda each: (each.chance, -each.stakes_per_deal)))


def _gains(league: LeagueSets, person: Ints, people: int) -> tuple[Floats, Floats, Floats]:
    """For authors i < j: their sets together, the mean gain of i on j, and its variance."""
    values = strengths(league).values
    sets, total, squares = (np.zeros(people * people) for _ in range(3))
    for stack in league.stacks:
        beyond = stack.stakes - stack.of_sets(values[stack.bots])
        authors = np.repeat(person[stack.bots], stack.counts, axis=0)
        for one, other in combinations(range(stack.bots.shape[1]), 2):
            apart = authors[:, one] != authors[:, other]
            first, second = authors[apart, one], authors[apart, other]
            gain = (beyond[apart, one] - beyond[apart, other]) * np.where(first < second, 1.0, -1.0)
            pair = np.minimum(first, second) * people + np.maximum(first, second)
            sets += np.bincount(pair, minlength=len(sets))
            total += np.bincount(pair, gain, len(sets))
            squares += np.bincount(pair, gain**2, len(sets))
    mean = zero_small(total / np.maximum(sets, 1))
    spread = zero_small(squares / np.maximum(sets, 1) - mean**2)
    variance = np.maximum(spread, 0.0) / np.maximum(sets - 1, 1)
    shape = (people, people)
    return sets.reshape(shape), mean.reshape(shape), variance.reshape(shape)


def _chances(gains: Floats, variances: Floats, sets: Floats) -> Floats:
    """For each pair the level at which it would differ from honest ones at some look.

    Half of the level is for an honest pair that is further apart than the others suggest, half for
    the luck of the sets.
    """
    pairs = len(gains)
    most = t_quantile(pairs, 1 - IMPROBABLE / 4 / pairs) * _style(gains, variances)
    beyond = np.maximum(np.abs(gains) - most, 0.0)
    return np.minimum(2 * pairs * anytime_p_values(beyond, variances, sets), 1.0)


def _style(gains: Floats, variances: Floats) -> float:
    """The spread of honest pairs in stakes a deal, as most of them show it.

    With it the median of all gains, squared and in units of their variances, is that of normal
    numbers: a few helpers hardly move a median.
    """

    def median(square: float) -> float:
        return float(np.median(gains**2 / np.maximum(variances + square, 1e-12)))

    low, high = 0.0, float((gains**2).max()) / _MEDIAN
    if median(low) <= _MEDIAN:
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if median(middle) > _MEDIAN else (low, middle)
    return float(np.sqrt(high))


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
