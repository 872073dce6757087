"""Intervals and tests: Student's t, Wilson's interval, Holm's procedure, anytime intervals.

Student's t is computed from the incomplete beta function by Didonato and Morris (1992), "Algorithm
708", ACM Transactions on Mathematical Software 18, equation 9. (SciPy has it, but takes a second to
import.)
"""

from functools import lru_cache
from math import lgamma
from typing import Final

import numpy as np

from arena.stats.figures import SIGNIFICANCE, Interval
from arena.stats.sets import Floats, zero_small

MIN_SETS: Final = 10
"""The fewest sets that give an interval."""

PRIOR: Final = 30.0
"""The weight of the mixture of anytime intervals in sets: typical effects are 1 / √30 of a spread.

Intervals are tightest at some eight times as many sets, 1.55 times as wide as ordinary ones, and
below 1.75 times from 80 sets to 3,000.
"""

_PRECISION: Final = 1e-15

_log_gamma = np.vectorize(lgamma, otypes=[np.float64])


def half_width(free: float, variance: float) -> float:
    """Half the 95 % interval of an estimate with this variance, by Student's t."""
    return t_quantile(free, 0.975) * float(np.sqrt(max(variance, 0.0)))


@lru_cache(4096)
def t_quantile(free: float, chance: float) -> float:
    """The value that Student's t with `free` degrees of freedom stays below with this chance.

    `chance` is between 0 and 1. Newton's method by logarithms: as a function of log t, the
    logarithm of the chance to be above t falls, and ever faster, so that no step leads astray.
    """
    if chance > 0.5:
        return -t_quantile(free, 1 - chance)
    if chance == 0.5:
        return 0.0
    t = 1.0
    for _ in range(200):  # most searches end after six steps
        below = t_below(free, -t)
        power = _beta_power(*_t_as_beta(np.array(free), np.array(t * t)))
        step = float(np.log(below / chance) * below / power)
        t *= float(np.exp(min(step, 1.0)))
        if abs(step) < _PRECISION:
            break
    return -t


def t_below(free: Floats | float, t: Floats | float) -> Floats:
    """The chance that Student's t with `free` degrees of freedom is below `t`, by element."""
    free, t = np.asarray(free), np.asarray(t)
    beyond = beta_below(*_t_as_beta(free, t * t)) / 2
    return np.where(t > 0, 1 - beyond, beyond)


def p_values(gaps: Floats, variances: Floats, free: Floats) -> Floats:
    """The two-sided p-value of each difference, by Student's t."""
    errors = zero_small(np.sqrt(variances))
    flat = errors == 0
    both_sides = 2 * t_below(free, -np.abs(gaps) / np.where(flat, 1.0, errors))
    return np.where(flat, np.where(gaps == 0, 1.0, 0.0), both_sides)


def wilson(value: float, number: float, quantile: float) -> Interval:
    """The interval, within 0 to 1, of a share `value` seen in `number` independent cases.

    Wilson (1927): the shares from which `value` is no more than `quantile` standard errors away,
    each computed for the share itself.
    """
    ratio = quantile**2 / number
    middle = value + ratio / 2
    half = float(np.sqrt(ratio * (value * (1 - value) + ratio / 4)))
    low, high = (middle - half) / (1 + ratio), (middle + half) / (1 + ratio)
    return Interval(max(low, 0.0), min(high, 1.0))


def holm_adjusted(chances: Floats) -> Floats:
    """The adjusted p-values of many tests by Holm's step-down procedure (1979)."""
    order = np.argsort(chances, kind="stable")
    steps = chances[order] * np.arange(len(chances), 0, -1)
    adjusted = np.empty_like(chances)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(steps) else steps
    return adjusted


def anytime_half_width(sets: float, variance: float, prior: float = PRIOR) -> float | None:
    """Half an interval that holds at 95 % at all looks together; None if it has no bounds.

    `variance` is that of an estimate, and was itself estimated from the same `sets` sets, or from
    as many larger units; `prior` is counted in these. Robbins (1970): without an effect, the
    likelihood ratio of the sets, mixed over effects that are normal around 0, ever exceeds a bound
    with a chance of at most 1 in that bound. Lai (1976) has it for an unknown spread: a ratio for
    Student's t, which is exact for normal sets.
    """
    if sets < MIN_SETS:
        return None
    shrunk = prior / (sets + prior)
    growth = float((SIGNIFICANCE * np.sqrt(shrunk)) ** (-2 / sets))
    if growth * shrunk >= 1:
        return None
    t_squared = (sets - 1) * (growth - 1) / (1 - growth * shrunk)
    return float(np.sqrt(t_squared * max(variance, 0.0)))


def anytime_p_values(gaps: Floats, variances: Floats, sets: Floats) -> Floats:
    """The p-value of each difference that holds at all looks: 1 over the mixed ratio."""
    free = sets - 1
    shrunk = PRIOR / (sets + PRIOR)
    errors = zero_small(np.sqrt(np.maximum(variances, 0.0)))
    flat = errors == 0
    t_squared = (gaps / np.where(flat, 1.0, errors)) ** 2
    gain = np.log1p(t_squared / free) - np.log1p(t_squared * shrunk / free)
    gain = np.where(flat, np.where(gaps == 0, 0.0, -np.log(shrunk)), gain)
    return np.asarray(np.exp(np.minimum(-np.log(shrunk) / 2 - sets / 2 * gain, 0.0)), np.float64)


def beta_below(a: Floats, b: Floats, x: Floats, y: Floats) -> Floats:
    """The chance that a value of Beta(a, b) is below x, element by element.

    `a` and `b` are positive, x is 0 to 1, and y is 1 - x, which the caller may know more exactly.
    """
    beyond = x * (b + 1) > y * (a + 1)  # the fraction converges slowly: take the other side
    one, other = np.where(beyond, b, a), np.where(beyond, a, b)
    near, rest = np.where(beyond, y, x), np.where(beyond, x, y)
    never = near == 0
    near, rest = np.where(never, 0.5, near), np.where(never, 0.5, rest)
    part = _beta_power(one, other, near, rest) / _beta_fraction(one, other, near, rest)
    part = np.where(never, 0.0, part)
    return np.where(beyond, 1 - part, part)


def _t_as_beta(free: Floats, square: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    both = free + square
    return free / 2, np.full(both.shape, 0.5), free / both, square / both


def _beta_power(a: Floats, b: Floats, x: Floats, y: Floats) -> Floats:
    """x^a y^b / B(a, b), by logarithms: each factor may be too large or too small for a number."""
    scale = _log_gamma(a + b) - _log_gamma(a) - _log_gamma(b)
    return np.asarray(np.exp(a * np.log(x) + b * np.log(y) + scale), np.float64)


def _beta_fraction(a: Floats, b: Floats, x: Floats, y: Floats) -> Floats:
    """What `_beta_power` is divided by for x below the mean: a continued fraction, from its top."""
    value = a * (a * y - b * x + 1) / (a + 1)
    before, scale = np.ones_like(value), np.zeros_like(value)
    for n in range(1, 10_000):  # some hundreds are enough for a million degrees of freedom
        odd, even = a + 2 * n - 1, a + 2 * n + 1
        over = (a + n - 1) * (a + b + n - 1) * n * (b - n) * (x / odd) ** 2
        under = n + n * (b - n) * x / odd + (a + n) * (a * y - b * x + 1 + n * (2 - x)) / even
        last, scale = value, 1 / (under + over * scale)
        value, before = (under * value + over * before) * scale, value * scale
        if np.all(np.abs(value - last) <= _PRECISION * np.abs(value)):
            break
    return value
