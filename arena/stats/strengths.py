"""Strengths of bots in stakes per deal and plain means, with covariances clustered by set."""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from arena.stats.figures import Gap
from arena.stats.intervals import MIN_SETS, anytime_half_width, half_width, t_below
from arena.stats.sets import Floats, Ints, LeagueSets, Stack, round_noise, zero_small

MIN_SETS_IN_MEAN: Final = 30
"""The fewest sets with which a bot counts in the mean of a field: fewer would shake all others."""


class Strengths(msgspec.Struct, frozen=True):
    """Estimates in stakes per deal, by the bots' places in the field.

    `covariance` includes the correction for the fitted parameters; it is nan between bots that
    never met, directly or through others, and where no degree of freedom is left. `values` are nan
    for a bot without sets. `free` are the degrees of freedom in a bot's part, `part` numbers the
    parts, and `sets` counts a bot's own.
    """

    values: Floats
    covariance: Floats
    free: Ints
    part: Ints
    sets: Ints


def strengths(league: LeagueSets) -> Strengths:
    """Adjusted strengths: least squares of `x_si = θ_i - mean θ of the seats`, Σθ = 0 in each part.

    x_si is the result of bot i in set s. The comparison is fair even if bots did not meet the same
    others equally often. Sandwich covariance, clustered by set: see `fitted_degrees`.
    """
    inverse = centred_inverse(league.by_pair(_information), league.part)
    values = inverse @ league.by_bot(lambda it: it.of_lineups(_centred(it.stakes)))
    meat = league.by_pair(lambda it: it.scatter(_centred(it.stakes - it.of_sets(values[it.bots]))))
    return _estimate(values, inverse @ meat @ inverse, *fitted_degrees(league), league)


def means(league: LeagueSets) -> Strengths:
    """Plain means of the stakes per deal.

    The schedule is fixed and the deals are random, so the spread is that of the sets of each lineup
    around the lineup's own mean: with G sets of T lineups, G - T degrees of freedom.
    """
    total = league.by_bot(lambda it: it.of_lineups(it.stakes))
    meat = league.by_pair(lambda it: it.scatter(it.residuals))
    sets = np.maximum(np.diag(league.met), 1)
    free = league.groups - league.tables
    factor = league.groups / np.maximum(free, 1)
    return _estimate(total / sets, meat / np.outer(sets, sets), factor, free, league)


def fitted_degrees(league: LeagueSets) -> tuple[Floats, Ints]:
    """The factor of a sandwich covariance and its degrees of freedom, for each part.

    Of N results, n - 1 are spent on the parameters of n bots, which makes the residuals smaller:
    the factor is N / (N - n + 1). With G sets the quantiles of Student's t with G - n degrees give
    intervals that hold (`python -m benchmarks coverage`).
    """
    bots = np.bincount(league.part[league.part >= 0], minlength=len(league.groups))
    factor = league.results / np.maximum(league.results - bots + 1, 1)
    return factor, np.maximum(league.groups - bots, 0).astype(np.int64)


def centred_inverse(information: Floats, part: Ints) -> Floats:
    """The pseudo-inverse of an information matrix that is known up to a constant in each part.

    With P, the projection on the means of parts, it is `inv(I + P) - P`, P being scaled to the size
    of the information. Rows of bots without a part are 0.
    """
    inverse = np.zeros_like(information)
    known = np.flatnonzero(part >= 0)
    if len(known):
        block = np.ix_(known, known)
        same = part[known, None] == part[known]
        means = same / same.sum(axis=1)
        scale = float(np.trace(information[block])) / len(known)
        inverse[block] = np.linalg.inv(information[block] + scale * means) - means / scale
    return inverse


def relative_to(estimate: Strengths, field: Sequence[int]) -> Strengths:
    """The estimates relative to the mean of a field in each part, of the part if it has none of it.

    The mean is that of the bots with at least `MIN_SETS_IN_MEAN` sets, if they are two and at least
    half; else of all.
    """
    values, covariance = estimate.values.copy(), estimate.covariance.copy()
    for number in range(estimate.part.max(initial=-1) + 1):
        members = np.flatnonzero(estimate.part == number)
        counts = np.isin(members, field)
        if not counts.any():
            counts = ~counts
        known = counts & (estimate.sets[members] >= MIN_SETS_IN_MEAN)
        if known.sum() >= max(2, counts.sum() / 2):
            counts = known
        weight = counts / counts.sum()
        block = np.ix_(members, members)
        with_mean = covariance[block] @ weight
        covariance[block] += weight @ with_mean - with_mean[:, None] - with_mean
        values[members] -= weight @ values[members]
    return msgspec.structs.replace(estimate, values=values, covariance=covariance)


def select(estimate: Strengths, bots: Sequence[int]) -> Strengths:
    """The estimates of some bots only, in an order."""
    chosen = np.array(bots, np.int64)
    return Strengths(
        estimate.values[chosen],
        estimate.covariance[np.ix_(chosen, chosen)],
        estimate.free[chosen],
        estimate.part[chosen],
        estimate.sets[chosen],
    )


def plus_minus(estimate: Strengths, bot: int) -> float | None:
    """Half the 95 % interval of a bot; None if there are too few sets."""
    free = int(estimate.free[bot])
    if free < 1 or estimate.sets[bot] < MIN_SETS:
        return None
    return half_width(free, float(estimate.covariance[bot, bot]))


def anytime_plus_minus(estimate: Strengths, bot: int) -> float | None:
    """Half the interval of a bot that holds at 95 % at all looks together; None with few sets."""
    if estimate.free[bot] < 1:
        return None
    return anytime_half_width(float(estimate.sets[bot]), float(estimate.covariance[bot, bot]))


def gap_between(estimate: Strengths, one: int, other: int) -> Gap | None:
    """The difference of two bots, from the full covariance; None if they were never compared."""
    if estimate.part[one] != estimate.part[other] or estimate.part[one] < 0:
        return None
    sets = int(min(estimate.sets[one], estimate.sets[other]))
    stakes = float(estimate.values[one] - estimate.values[other])
    variance = float(variance_between(estimate.covariance, one, other))
    return gap_from(stakes, variance, int(estimate.free[one]), sets)


def gap_from(stakes: float, variance: float, free: int, sets: int) -> Gap:
    """A gap from its variance, with the degrees of freedom of that, over a number of sets."""
    stakes = round_noise(stakes)
    if free < 1 or sets < MIN_SETS:
        return Gap(stakes, None, None)
    error = float(zero_small(np.sqrt(variance)))
    if not error:
        return Gap(stakes, 0.0, None if stakes == 0 else float(stakes > 0))
    return Gap(stakes, half_width(free, variance), float(t_below(free, stakes / error)))


def variance_between(covariance: Floats, one: Ints | int, other: Ints | int) -> Floats:
    """The variance of the difference of two estimates, or of many such pairs.

    Noise is removed from the variance, for its root would be far larger.
    """
    alone = covariance[one, one] + covariance[other, other]
    return zero_small(alone - 2 * covariance[one, other], alone)


def _estimate(
    values: Floats, covariance: Floats, factor: Floats, free: Ints, league: LeagueSets
) -> Strengths:
    """The estimate; `covariance` lacks the `factor`, which, like `free`, is by part."""
    part = league.part
    factors, degrees = np.append(factor, 0.0)[part], np.append(free, 0)[part]
    known = (part[:, None] == part) & (degrees > 0)
    return Strengths(
        np.where(part < 0, np.nan, values),
        np.where(known, covariance * factors, np.nan),
        degrees,
        part,
        np.diag(league.met),
    )


def _information(stack: Stack) -> Floats:
    size = stack.bots.shape[1]
    return np.asarray(stack.counts[:, None, None] * (np.eye(size) - 1 / size), np.float64)


def _centred(values: Floats) -> Floats:
    return np.asarray(values - values.mean(axis=1, keepdims=True), np.float64)
