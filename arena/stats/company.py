"""What the bots of two authors gave each other beyond what their strengths explain.

Who wants a friend's bot to win can lose to it on purpose. Where the two sit together, the friend
then gains more on the helper than their strengths say. Honest bots differ in this as well, since
some styles suit others: how much, is estimated from all pairs, and only what is beyond that counts.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from arena.stats.figures import IMPROBABLE, Company
from arena.stats.intervals import MIN_SETS, anytime_half_width, anytime_p_values, t_quantile
from arena.stats.sets import Floats, Ints, LeagueSets, round_noise, zero_small
from arena.stats.strengths import strengths

_MEDIAN: Final = 0.4549
"""The median of the square of a standard normal number."""


def companies(league: LeagueSets, authors: Sequence[str]) -> tuple[Company, ...]:
    """Every two authors whose bots met, the least probable first; `authors` has that of each bot.

    The chance holds at all looks at once and for all pairs, as far as honest pairs differ normally.
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
    return tuple(sorted(pairs, key=lambda each: (each.chance, -each.stakes)))


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
    """For each pair the level at which it would be told from honest ones at some look.

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
