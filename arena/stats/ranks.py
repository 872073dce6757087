"""The ranks that the sets leave open for a bot."""

from collections.abc import Callable

import numpy as np

from arena.stats.figures import SIGNIFICANCE
from arena.stats.floats import Flags, Floats, cleared
from arena.stats.sets import FEWEST
from arena.stats.significance import each_t_below, holm_adjusted
from arena.stats.strengths import Strengths, variance_between

Chances = Callable[[Floats, Floats, Floats], Floats]
"""The chance of each difference by luck, from the values, the variances and a third number."""


def rank_ranges(
    estimate: Strengths, at_all_times: Chances | None = None
) -> list[tuple[int, int] | None]:
    """The best and the worst rank of each bot in its part, None for a bot without sets.

    A bot ranks below each that is better and above each that is worse, by Holm's procedure over all
    differences of two bots. All ranges of a league are right at once at least 95 times in 100. With
    chances that hold `at_all_times`, by the sets of the bot with fewer, so do the ranges.
    """
    found: list[tuple[int, int] | None] = [None] * len(estimate.values)
    better = _better(estimate, at_all_times)
    for bot, part in enumerate(estimate.part):
        if part >= 0:
            best = 1 + int(better[:, bot].sum())
            worst = int((estimate.part == part).sum() - better[bot].sum())
            found[bot] = best, worst
    return found


def _better(estimate: Strengths, at_all_times: Chances | None) -> Flags:
    """`[i, j]`: whether i is better than j beyond doubt."""
    one, other = np.triu_indices(len(estimate.values), 1)
    compared = (
        (estimate.part[one] == estimate.part[other])
        & (estimate.free[one] > 0)
        & (np.minimum(estimate.sets[one], estimate.sets[other]) >= FEWEST)
    )
    one, other = one[compared], other[compared]
    cov = estimate.covariance
    gaps = cleared(estimate.values[one] - estimate.values[other])
    variances = variance_between(cov, one, other)
    if at_all_times is None:
        chances = _chances(gaps, variances, estimate.free[one].astype(np.float64))
    else:
        sets = np.minimum(estimate.sets[one], estimate.sets[other])
        chances = at_all_times(gaps, variances, sets.astype(np.float64))
    told = holm_adjusted(chances) <= SIGNIFICANCE
    better = np.zeros(cov.shape, np.bool_)
    better[one[told & (gaps > 0)], other[told & (gaps > 0)]] = True
    better[other[told & (gaps < 0)], one[told & (gaps < 0)]] = True
    return better


def _chances(gaps: Floats, variances: Floats, free: Floats) -> Floats:
    """The chance of each difference by luck, in either direction; Student's t."""
    errors = cleared(np.sqrt(variances))
    flat = errors == 0
    chances = 2 * each_t_below(free, -np.abs(gaps) / np.where(flat, 1.0, errors))
    return np.where(flat, np.where(gaps == 0, 1.0, 0.0), chances)
