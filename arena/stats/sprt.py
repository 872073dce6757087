"""A sequential test of whether one bot is better than another, looked at set by set."""

from math import ceil, exp, log, sqrt
from typing import Final, Literal

import msgspec
import numpy as np

from arena.stats.floats import DUST, Floats, is_dust, settled
from arena.stats.sets import FEWEST
from arena.stats.significance import t_point

FIRST_LOOK: Final = 20
"""Sets before which nothing is decided: fewer give too poor an estimate of the variance."""

SAME: Final = 200
"""Equal sets that end a test of bots that have never differed.

By the rule of three they then differ in fewer than 1.5 % of all sets, with 95 % confidence. A bot
that was better by 0.10 stakes per deal all the same would have to win 6.7 more per deal in those.
"""

SprtVerdict = Literal["better", "not better", "undecided"]


class Hypotheses(msgspec.Struct, frozen=True):
    """H0: the gap is 0 or less; H1: it is `delta` stakes per deal or more.

    `alpha` is the risk of "better" where H0 holds, `beta` that of "not better" where H1 does.
    """

    delta: float = 0.10
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are taken, by Wald 1945."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


class SprtDecision(msgspec.Struct, frozen=True):
    """Where a test stands after `sets` sets, which are those up to its decision, or all so far.

    `gap` is the mean gap in stakes per deal and `ci95` its ordinary 95 % interval by Student's t,
    neither corrected for stopping early; fewer than ten sets, and equal ones, have no interval.
    `llr` is None before the first look and while all gaps are equal; `identical` says that all of
    them were 0. `more_sets` is about how many more an undecided test would take,
    if the gap is what it seems to be.
    """

    verdict: SprtVerdict
    sets: int
    gap: float | None
    ci95: tuple[float, float] | None
    llr: float | None
    identical: bool
    more_sets: int | None


def log_likelihood_ratios(gaps: Floats, hypotheses: Hypotheses) -> Floats:
    """The ratio after each set: n (d1 - d0) (mean - (d0 + d1) / 2) / variance, with d0 = 0.

    nan where nothing is looked at: before `FIRST_LOOK` and while all gaps are equal. The variance
    is that of the gaps so far, the likelihood that of their mean.
    """
    if not len(gaps):
        return gaps
    n = np.arange(1, len(gaps) + 1)
    mean = np.cumsum(gaps) / n
    squares = np.cumsum(gaps**2) - n * mean**2
    level = np.maximum.accumulate(gaps) - np.minimum.accumulate(gaps) <= DUST
    unseen = level | (n < FIRST_LOOK)
    variance = np.where(unseen, 1.0, squares) / np.maximum(n - 1, 1)
    delta = hypotheses.delta
    return np.asarray(np.where(unseen, np.nan, n * delta * (mean - delta / 2) / variance))


def decide(gaps: Floats, hypotheses: Hypotheses) -> SprtDecision:
    """Decide at the first set, in their order, after which the ratio is out of its bounds.

    `gaps` are by how many stakes a deal the one bot did better than the other, set by set.
    """
    lower, upper = hypotheses.bounds
    ratios = log_likelihood_ratios(gaps, hypotheses)
    out = np.flatnonzero((ratios <= lower) | (ratios >= upper))
    if len(out):
        end = int(out[0]) + 1
        verdict: SprtVerdict = "better" if ratios[end - 1] >= upper else "not better"
        return _decision(verdict, gaps[:end], float(ratios[end - 1]), None)
    if len(gaps) >= SAME and is_dust(np.abs(gaps[:SAME]).max()):
        return _decision("not better", gaps[:SAME], None, None)
    if not len(ratios) or np.isnan(ratios[-1]):
        return _decision("undecided", gaps, None, None)
    ratio = float(ratios[-1])
    drift = hypotheses.delta * (float(gaps.mean()) - hypotheses.delta / 2) / float(gaps.var(ddof=1))
    spread = hypotheses.delta**2 / float(gaps.var(ddof=1))
    more = ceil(_steps_left(ratio - lower, upper - ratio, drift, spread))
    return _decision("undecided", gaps, ratio, more)


def _decision(
    verdict: SprtVerdict, gaps: Floats, ratio: float | None, more: int | None
) -> SprtDecision:
    sets = len(gaps)
    mean = settled(float(gaps.mean())) if sets else None
    interval = None
    if mean is not None and sets >= FEWEST and not is_dust(np.ptp(gaps)):
        half = t_point(sets - 1, 0.975) * float(gaps.std(ddof=1)) / sqrt(sets)
        interval = (mean - half, mean + half)
    identical = sets > 0 and is_dust(np.abs(gaps).max())
    return SprtDecision(verdict, sets, mean, interval, ratio, identical, more)


def _steps_left(below: float, above: float, drift: float, variance: float) -> float:
    """The mean number of steps in which a random walk leaves an interval.

    It stands `below` over the lower end and `above` under the upper one; `drift` and `variance` are
    those of a step. Wald's identity, with the overshoot left out; without drift, Brownian motion's.
    """
    pull = 2 * drift / variance
    if abs(pull) * (below + above) < 1e-6:
        return below * above / variance
    # e^x is taken of negative numbers only: the walk is turned over where it drifts downwards.
    if drift < 0:
        return _steps_left(above, below, -drift, variance)
    up = (1 - exp(-pull * below)) / (1 - exp(-pull * (below + above)))
    return (up * (below + above) - below) / drift
