"""Ratings: pairwise Bradley-Terry over sets as Elo, with errors clustered by set."""

from math import log
from typing import Final, Literal

import msgspec
import numpy as np

from arena.stats.intervals import MIN_SETS, half_width
from arena.stats.sets import Flags, Floats, LeagueSets, Stack, differences, strong_groups
from arena.stats.strengths import centred_inverse, fitted_degrees

ELO: Final = 400 / log(10)
"""Elo points in one unit of log odds: a rating of 400 more wins ten times as often."""

MEAN: Final = 1500.0

Bound = Literal[">", "<", "~"]


class Rating(msgspec.Struct, frozen=True):
    """A bot's Elo and the half width of its 95 % interval.

    `bound` is set if results are so one-sided that the likelihood has no maximum: the Elo is
    then what it would be had half a set gone the other way, without an interval. `>`: the bot lost
    nothing to some that it beat, `<`: the other way round, `~`: both.
    """

    elo: float
    pm: float | None
    bound: Bound | None = None


def ratings(league: LeagueSets) -> list[Rating | None]:
    """Maximum likelihood ratings of each bot of the field, None for one without sets.

    A bot scores 1, 1/2 or 0 against another by the sign of the difference of their stakes over a
    set. Bots that never met, directly or through others, are rated separately, each part around
    `MEAN`. Intervals have the factor and the degrees of freedom of `fitted_degrees`.
    """
    bots = len(league.part)
    scores = league.by_pair(lambda it: it.of_lineups(_results(it)))
    np.fill_diagonal(scores, 0.0)
    theta = np.zeros(bots)
    bounds: list[Bound | None] = [None] * bots
    for members in league.parts:
        own = scores[np.ix_(members, members)]
        group = strong_groups(own > 0)
        apart = group[:, None] != group
        conceded = np.where(apart & (own.T > 0) & (own == 0), 0.5, 0.0)
        theta[members] = _maximum(own + conceded - conceded.T)
        if group.any():
            for bot, bound in zip(members, _bounds(own > 0, apart), strict=True):
                bounds[bot] = bound
    expected = _expected(theta)

    def errors(stack: Stack) -> Floats:
        likely = expected[stack.bots[:, :, None], stack.bots[:, None, :]].sum(axis=2)
        return stack.scatter(_results(stack).sum(axis=2) - stack.of_sets(likely))

    meat = league.by_pair(errors)
    bread = centred_inverse(_information(scores + scores.T, expected), league.part)
    factor, free = (np.append(each, 0)[league.part] for each in fitted_degrees(league))
    variances = ELO**2 * factor * np.diag(bread @ meat @ bread)
    rated: list[Rating | None] = [None] * bots
    for bot in np.flatnonzero(league.part >= 0):
        half = None
        if bounds[bot] is None and free[bot] > 0 and league.met[bot, bot] >= MIN_SETS:
            half = half_width(int(free[bot]), float(variances[bot]))
        rated[bot] = Rating(MEAN + ELO * float(theta[bot]), half, bounds[bot])
    return rated


def _results(stack: Stack) -> Floats:
    """1, 1/2 or 0 for each bot of a table against each other, set by set."""
    return np.asarray((np.sign(differences(stack.stakes)) + 1) / 2, np.float64)


def _bounds(beat: Flags, apart: Flags) -> list[Bound | None]:
    pairs = np.column_stack([(apart & each).any(axis=1) for each in (beat, beat.T)])
    return ["~" if one == other else ">" if one else "<" for one, other in pairs]


def _maximum(own: Floats) -> Floats:
    """Newton's method on the log likelihood; the mean of the result is 0."""
    games = own + own.T
    theta, whole = np.zeros(len(own)), np.zeros(len(own), np.int64)
    for _ in range(100):
        expected = _expected(theta)
        gradient = (own - games * expected).sum(axis=1)
        step = centred_inverse(_information(games, expected), whole) @ gradient
        theta += step * min(1.0, 2.0 / max(1e-300, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-12:
            break
    return np.asarray(theta - theta.mean(), np.float64)


def _expected(theta: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(theta[None, :] - theta[:, None])))


def _information(games: Floats, expected: Floats) -> Floats:
    weight = games * expected * expected.T
    return np.asarray(np.diag(weight.sum(axis=1)) - weight, np.float64)
