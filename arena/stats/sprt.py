"""A sequential test of whether one bot is better than another, looked at run by run."""

from math import ceil, exp
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np

from arena.stats.figures import RUN, Hypotheses, Interval
from arena.stats.intervals import MIN_SETS, PRIOR, anytime_half_width
from arena.stats.sets import EPSILON, Floats, Ints, round_noise

RARE: Final = 1.0
"""The gap in stakes a deal of an imagined run, added to those seen, for rare results.

It is that of ten sets of which one has a gap of ten: what a hand costs a bot that loses the dearest
contract with it, at ten stakes to each opponent, in the two of six seatings in which it holds it.
"""

SKEW: Final = 0.2
"""The skewness of the mean beyond which nothing is decided: one tail has been seen too seldom.

Gaps of ten stakes have it until some 25 of them have come.
"""

SAME: Final = 200
"""Equal sets that end a test of bots that have never differed.

By the rule of three they then differ in fewer than 1.5 % of all sets, with 95 % confidence. A bot
that was better by 0.10 stakes per deal all the same would have to win 6.7 more per deal in those.
"""

SprtVerdict = Literal["better", "not better", "undecided"]

SprtDoubt = Literal["few runs", "skew", "rare gaps"]
"""Reasons for no verdict: too few runs to estimate their spread; the ratio is out of its bounds
with too much `SKEW`; or it would be, were it not for `RARE`."""


class SprtDecision(msgspec.Struct, frozen=True):
    """The state of a test after `sets` sets, which are those up to its decision, or all so far.

    `gap` is the mean gap in stakes per deal, not corrected for stopping early, and `ci95` an
    interval that holds at 95 % wherever the test stops. Both `ci95` and `llr` are None before there
    are enough runs; `identical` is whether all gaps were 0. `more_sets` is the expected number of
    further sets of an undecided test, if the true gap is the one observed.
    """

    verdict: SprtVerdict
    sets: int
    gap: float | None
    ci95: Interval | None
    llr: float | None
    identical: bool
    more_sets: int | None
    doubt: SprtDoubt | None = None


class _Looks(NamedTuple):
    """At each look: sets, runs, their degrees of freedom, and the mean of all gaps.

    `squares` and `cubes` are sums of powers of the runs' gaps around the mean of their table.
    """

    sets: Ints
    runs: Ints
    free: Ints
    mean: Floats
    squares: Floats
    cubes: Floats

    @property
    def variance(self) -> Floats:
        """The variance of a run, `RARE` included; of no meaning at the first look."""
        return (self.squares + RARE**2) / np.maximum(self.free, 1)

    @property
    def skewness(self) -> Floats:
        """The skewness of the mean to either side, `RARE` included."""
        return np.abs(self.cubes) / (self.squares + RARE**2) ** 1.5


def first_look(run: int, tables: int) -> int:
    """The sets after which a test may first decide."""
    return ceil((MIN_SETS - 1 + tables) / tables) * tables * run


def decide(gaps: Floats, hypotheses: Hypotheses, run: int = RUN, tables: int = 1) -> SprtDecision:
    """Decide at the first look, in their order, at which the ratio is out of its bounds.

    `gaps` are the stakes per deal that the one bot won more than the other, set by set; those
    after the last whole run are left out.
    """
    looks = _looks(gaps, run, tables)
    if not len(looks.sets):
        return SprtDecision("undecided", 0, None, None, None, False, None, "few runs")
    lower, upper = hypotheses.bounds
    ratios = _ratios(looks, hypotheses)
    largest = np.maximum.accumulate(np.abs(gaps))[run * tables - 1 :: run * tables]
    same = (largest <= EPSILON) & (looks.sets >= SAME)
    beyond = ((ratios <= lower) | (ratios >= upper)) & (looks.skewness <= SKEW)
    out = np.flatnonzero(beyond | same)
    last = int(out[0]) if len(out) else len(looks.sets) - 1
    ratio = None if np.isnan(ratios[last]) else float(ratios[last])
    verdict: SprtVerdict = "undecided"
    if len(out):
        verdict = "better" if ratio is not None and ratio >= upper else "not better"
    mean = round_noise(float(looks.mean[last]))
    identical = bool(largest[last] <= EPSILON)
    units = int(looks.free[last]) + 1
    variance = float(looks.variance[last] / looks.runs[last])
    half = anytime_half_width(units, variance, PRIOR / run)
    return SprtDecision(
        verdict,
        int(looks.sets[last]),
        mean,
        None if half is None else Interval(mean - half, mean + half),
        ratio,
        identical,
        None if len(out) or identical else _more_sets(looks, hypotheses, run, tables),
        None if len(out) else _doubt(looks, ratio, hypotheses),
    )


def _looks(gaps: Floats, run: int, tables: int) -> _Looks:
    sets = len(gaps) // (run * tables) * run * tables
    runs = gaps[:sets].reshape(-1, run, tables).mean(axis=1)
    rounds = np.arange(1, len(runs) + 1)
    column = rounds[:, None]
    means = np.cumsum(runs, axis=0) / column
    second, third = (np.cumsum(runs**power, axis=0) for power in (2, 3))
    squares = np.maximum(second - column * means**2, 0.0).sum(axis=1)
    cubes = (third - 3 * means * second + 2 * column * means**3).sum(axis=1)
    count = rounds * tables
    return _Looks(count * run, count, count - tables, means.mean(axis=1), squares, cubes)


def _ratios(looks: _Looks, hypotheses: Hypotheses) -> Floats:
    """The ratio at each look: n d (mean - d / 2) / v + min(1, d / v)^3 c / 3, d being `delta`.

    Looks come after each run of sets at all of the tables, which alternate set by set; nan
    where the n runs, less one for each further table, are fewer than `MIN_SETS`. v is the variance
    of runs around the mean of their table, one more that is `RARE` from it included, and c the sum
    of their cubes. That term is for skew: while few of the rare gaps are seen that make up for many
    small ones, the mean is too large and the spread too small at once. It is the third of the log
    capital of one who bets x = d / v on each run, log(1 + x) = x - x^2 / 2 + x^3 / 3, whose first
    two are the ratio.
    """
    delta = hypotheses.delta
    step = delta / looks.variance
    bet = np.minimum(step, 1 / RARE)
    ratios = looks.runs * step * (looks.mean - delta / 2) + bet**3 * looks.cubes / 3
    return np.where(looks.free + 1 < MIN_SETS, np.nan, ratios)


def _doubt(looks: _Looks, ratio: float | None, hypotheses: Hypotheses) -> SprtDoubt | None:
    """The reason why the last look did not decide, if it is not the mean alone."""
    if ratio is None:
        return "few runs"
    lower, upper = hypotheses.bounds
    if not lower < ratio < upper:
        return "skew"
    share = float(looks.squares[-1] / (looks.squares[-1] + RARE**2))
    return None if lower * share < ratio < upper * share else "rare gaps"


def _more_sets(looks: _Looks, hypotheses: Hypotheses, run: int, tables: int) -> int | None:
    """The sets to go from the last look, if runs go on to spread as they did; None after one.

    The share of `RARE` in the variance is the one it will have by then, so this is done twice.
    """
    if not looks.free[-1]:
        return None
    (lower, upper), delta = hypotheses.bounds, hypotheses.delta
    count, free, mean = int(looks.runs[-1]), int(looks.free[-1]), float(looks.mean[-1])
    rounds = 0
    for _ in range(2):
        variance = float(looks.squares[-1]) / free + RARE**2 / (count + rounds * tables)
        drift = delta * (mean - delta / 2) / variance
        ratio = min(max(count * drift, lower), upper)
        runs = _steps_left(ratio - lower, upper - ratio, drift, delta**2 / variance)
        rounds = max(ceil(runs / tables), ceil((MIN_SETS - 1 - free) / tables), 1)
    return rounds * tables * run


def _steps_left(below: float, above: float, drift: float, variance: float) -> float:
    """The mean number of steps in which a random walk leaves an interval.

    It begins `below` over the lower end and `above` under the upper one; `drift` and `variance` are
    those of a step. Wald's identity, with the overshoot left out; without drift, Brownian motion's.
    """
    pull = 2 * drift / variance
    if abs(pull) * (below + above) < 1e-6:
        return below * above / variance
    # exp of negative numbers alone: a walk that drifts downwards is turned over
    if drift < 0:
        return _steps_left(above, below, -drift, variance)
    up = (1 - exp(-pull * below)) / (1 - exp(-pull * (below + above)))
    return (up * (below + above) - below) / drift
