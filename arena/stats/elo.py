"""Ratings: pairwise Bradley-Terry over sets as Elo, with errors clustered by deal."""

from collections.abc import Sequence
from math import log

import msgspec
import numpy as np

from arena.stats.floats import Floats, Ints, cleared
from arena.stats.sets import (
    FEWEST,
    SetBlock,
    Stack,
    by_pair,
    groups,
    parts,
    stacks,
    t_quantile,
    together,
    within,
)
from arena.stats.strengths import pseudo_inverse

ELO = 400 / log(10)
"""Elo points in one unit of log odds: a rating of 400 more wins ten times as often."""

MEAN = 1500.0


class Rating(msgspec.Struct, frozen=True):
    """A bot's Elo and the half width of its 95 % interval.

    `bound` is set if results are so one-sided that the likelihood has no maximum: the Elo is
    then what it would be had half a set gone the other way, without an interval. `>`: the bot lost
    nothing to some that it beat, `<`: the other way round, `~`: both.
    """

    elo: float
    plus_minus: float | None
    bound: str | None = None


class Ratings(msgspec.Struct, frozen=True):
    """The rating of each bot of the field, None for one without sets, and their covariance.

    `covariance` is in Elo squared and includes the factor G / (G - T); nan between bots that never
    met, directly or through others, and where ratings are bounds.
    """

    each: list[Rating | None]
    covariance: Floats


def ratings(blocks: Sequence[SetBlock], bots: int) -> Ratings:
    """Maximum likelihood ratings from the results of sets.

    A bot scores 1, 1/2 or 0 against another by the sign of the difference of their stakes over a
    set. Bots that never met, directly or through others, are rated apart, each group around `MEAN`.
    """
    found = Ratings([None] * bots, np.full((bots, bots), np.nan))
    for part in parts(blocks, bots):
        if len(part) < 2:
            continue
        each, covariance = _rate(within(blocks, part), len(part))
        for bot, rating in zip(part, each, strict=True):
            found.each[bot] = rating
        found.covariance[np.ix_(part, part)] = covariance
    return found


def _rate(blocks: Sequence[SetBlock], bots: int) -> tuple[list[Rating], Floats]:
    """Ratings and covariance of bots that are connected by sets."""
    results = [(stack, _results(stack)) for stack in stacks(blocks)]
    scores = np.sum([by_pair(stack.bots, result, bots) for stack, result in results], axis=0)
    np.fill_diagonal(scores, 0.0)
    nothing = np.full((bots, bots), np.nan)
    part = groups(scores > 0)
    if part.any():
        return _bounds(scores, part), nothing
    theta = _maximum(scores)
    quantile = t_quantile(blocks)
    if quantile is None:
        return [Rating(MEAN + ELO * float(value), None) for value in theta], nothing
    covariance = ELO**2 * quantile[1] * _sandwich(theta, scores + scores.T, results)
    sets = np.diag(together(blocks, bots))
    each = [
        Rating(
            MEAN + ELO * float(theta[i]),
            quantile[0] * float(np.sqrt(max(covariance[i, i], 0.0))) if sets[i] >= FEWEST else None,
        )
        for i in range(bots)
    ]
    return each, covariance


def _results(stack: Stack) -> Floats:
    """The score of each bot against each other in each set, sets by bots by bots."""
    gaps = cleared(stack.stakes[:, :, None] - stack.stakes[:, None, :])
    return np.asarray((np.sign(gaps) + 1) / 2, np.float64)


def _bounds(own: Floats, part: Ints) -> list[Rating]:
    """Ratings if some bots won everything against others: bounds, not estimates."""
    apart = part[:, None] != part[None, :]
    conceded = np.where(apart & (own.T > 0) & (own == 0), 0.5, 0.0)
    theta = _maximum(own + conceded - conceded.T)
    beaten = (apart & (own.T > 0)).any(axis=1)
    beats = (apart & (own > 0)).any(axis=1)
    ratings: list[Rating] = []
    for i in range(len(own)):
        sign = "~" if bool(beats[i]) is bool(beaten[i]) else ">" if beats[i] else "<"
        ratings.append(Rating(MEAN + ELO * float(theta[i]), None, sign))
    return ratings


def _maximum(own: Floats) -> Floats:
    """Newton's method on the log likelihood; the mean of the result is 0."""
    games = own + own.T
    theta = np.zeros(len(own))
    for _ in range(100):
        expected = _expected(theta)
        gradient = (own - games * expected).sum(axis=1)
        step = pseudo_inverse(_information(games, expected)) @ gradient
        theta += step * min(1.0, 2.0 / max(1e-300, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-12:
            break
    return np.asarray(theta - theta.mean(), np.float64)


def _expected(theta: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(theta[None, :] - theta[:, None])))


def _information(games: Floats, expected: Floats) -> Floats:
    weight = games * expected * expected.T
    information: Floats = np.diag(weight.sum(axis=1)) - weight
    return information


def _sandwich(theta: Floats, games: Floats, results: Sequence[tuple[Stack, Floats]]) -> Floats:
    """The sandwich covariance in log odds, clustered by set, before the factor G / (G - T)."""
    expected = _expected(theta)
    meat = np.zeros_like(expected)
    for stack, result in results:
        surprise = result - expected[stack.bots[:, :, None], stack.bots[:, None, :]]
        scores = surprise.sum(axis=2)
        meat += by_pair(stack.bots, scores[:, :, None] * scores[:, None, :], len(theta))
    bread = pseudo_inverse(_information(games, expected))
    return np.asarray(bread @ meat @ bread, np.float64)
