"""A sequential test of whether one bot is better than another, looked at set by set."""

from math import ceil, exp, log
from typing import Final, Literal

import msgspec
import numpy as np

from arena.stats.anytime import half_width_at_all_times
from arena.stats.floats import DUST, Floats, is_dust, settled

FIRST_LOOK: Final = 20
"""Sets before which nothing is foretold: fewer give too poor an estimate of the variance."""

DIFFERING: Final = 40
"""Sets with a gap before which nothing is decided: where nearly all sets are equal, fewer gaps give
too poor an estimate of the variance, and a better bot would not be found."""

SAME: Final = 200
"""Equal sets that end a test of bots that have never differed.

By the rule of three they then differ in fewer than 1.5 % of all sets, with 95 % confidence. A bot
that was better by 0.10 stakes per deal all the same would have to win 6.7 more per deal in those.
"""

SprtVerdict = Literal["better", "not better", "undecided"]


class Hypotheses(msgspec.Struct, frozen=True):
    """H0: the gap is 0 or less; H1: it is `delta` stakes per deal or more.

    `alpha` is the risk of "better" under H0, `beta` that of "not better" under H1.
    """

    delta: float = 0.10
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are taken, by Wald 1945."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


class SprtDecision(msgspec.Struct, frozen=True):
    """The state of a test after `sets` sets, which are those up to its decision, or all so far.

    `gap` is the mean gap in stakes per deal, not corrected for stopping early, and `ci95` an
    interval that holds at 95 % wherever the test stops; too few sets, and equal ones, have none.
    `llr` is None before enough sets differ and while all gaps are equal; `identical` says that all
    of them were 0, `differing` counts those that were not. `more_sets` is the expected number of
    further sets of an undecided test, if the true gap is the one observed.
    """

    verdict: SprtVerdict
    sets: int
    gap: float | None
    ci95: tuple[float, float] | None
    llr: float | None
    identical: bool
    more_sets: int | None
    differing: int = 0


def log_likelihood_ratios(gaps: Floats, hypotheses: Hypotheses) -> Floats:
    """The ratio after each set: n (d1 - d0) (mean - (d0 + d1) / 2) / variance, with d0 = 0.

    nan where nothing is looked at: before `DIFFERING` sets differ, and while all gaps are equal.
    The variance is that of the gaps so far, the likelihood that of their mean.
    """
    if not len(gaps):
        return gaps
    n = np.arange(1, len(gaps) + 1)
    mean = np.cumsum(gaps) / n
    squares = np.cumsum(gaps**2) - n * mean**2
    level = np.maximum.accumulate(gaps) - np.minimum.accumulate(gaps) <= DUST
    unseen = level | (np.cumsum(np.abs(gaps) > DUST) < DIFFERING)
    variance = np.where(unseen, 1.0, squares) / np.maximum(n - 1, 1)
    delta = hypotheses.delta
    return np.asarray(np.where(unseen, np.nan, n * delta * (mean - delta / 2) / variance))


def decide(gaps: Floats, hypotheses: Hypotheses) -> SprtDecision:
    """Decide at the first set, in their order, after which the ratio is out of its bounds.

    `gaps` are the stakes a deal by which the one bot did better than the other, set by set.
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
    if len(gaps) < FIRST_LOOK or np.ptp(gaps) <= DUST:
        return _decision("undecided", gaps, None, None)
    step = hypotheses.delta / float(gaps.var(ddof=1))
    drift, spread = step * (float(gaps.mean()) - hypotheses.delta / 2), step * hypotheses.delta
    ratio = min(max(len(gaps) * drift, lower), upper)
    more = ceil(_steps_left(ratio - lower, upper - ratio, drift, spread))
    looked = None if np.isnan(ratios[-1]) else float(ratios[-1])
    return _decision("undecided", gaps, looked, max(more, _until_enough(gaps)))


def _decision(
    verdict: SprtVerdict, gaps: Floats, ratio: float | None, more: int | None
) -> SprtDecision:
    sets = len(gaps)
    mean = settled(float(gaps.mean())) if sets else None
    interval = None
    if mean is not None and not is_dust(np.ptp(gaps)):
        half = half_width_at_all_times(sets, float(gaps.var(ddof=1)) / sets)
        interval = None if half is None else (mean - half, mean + half)
    identical = sets > 0 and is_dust(np.abs(gaps).max())
    return SprtDecision(verdict, sets, mean, interval, ratio, identical, more, _differ(gaps))


def _differ(gaps: Floats) -> int:
    """The number of sets in which the two did not make the same."""
    return int((np.abs(gaps) > DUST).sum())


def _until_enough(gaps: Floats) -> int:
    """The number of further sets until enough differ, at the rate so far."""
    found = _differ(gaps)
    return ceil(max(DIFFERING - found, 0) / found * len(gaps))


def _steps_left(below: float, above: float, drift: float, variance: float) -> float:
    """The mean number of steps in which a random walk leaves an interval.

    It begins `below` over the lower end and `above` under the upper one; `drift` and `variance` are
    those of a step. Wald's identity, with the overshoot left out; without drift, Brownian motion's.
    """
    pull = 2 * drift / variance
    if abs(pull) * (below + above) < 1e-6:
        return below * above / variance
    # exp only of negative numbers, lest it overflow: a walk that drifts downwards is turned over
    if drift < 0:
        return _steps_left(above, below, -drift, variance)
    up = (1 - exp(-pull * below)) / (1 - exp(-pull * (below + above)))
    return (up * (below + above) - below) / drift
