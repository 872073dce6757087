"""The chance of a difference by luck: Student's t, and Holm's procedure for many tests."""

from functools import lru_cache
from typing import Final

import numpy as np

from arena.stats.beta import beta_below, beta_power
from arena.stats.floats import Floats

_STEPS: Final = 200
"""More steps than the search for a point takes; most end after six."""


@lru_cache(4096)
def t_point(free: float, chance: float) -> float:
    """The value that Student's t with `free` degrees of freedom stays below with this chance.

    `chance` is between 0 and 1. Newton's method by logarithms: as a function of log t, the
    logarithm of the chance to be above t falls, and ever faster, so that no step leads astray.
    """
    if chance > 0.5:
        return -t_point(free, 1 - chance)
    if chance == 0.5:
        return 0.0
    t = 1.0
    for _ in range(_STEPS):
        below = each_t_below(np.array(free), np.array(-t))
        power = beta_power(*_t_as_beta(np.array(free), np.array(t * t)))
        step = float(np.log(below / chance) * below / power)
        t *= float(np.exp(min(step, 1.0)))
        if abs(step) < 1e-15:
            break
    return -t


def t_below(free: float, t: float) -> float:
    """The chance that Student's t with `free` degrees of freedom is below `t`."""
    return float(each_t_below(np.array(free), np.array(t)))


def each_t_below(free: Floats, t: Floats) -> Floats:
    """`t_below` of each pair of elements."""
    beyond = beta_below(*_t_as_beta(free, t * t)) / 2
    return np.where(t > 0, 1 - beyond, beyond)


def _t_as_beta(free: Floats, square: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    both = free + square
    return free / 2, np.full(both.shape, 0.5), free / both, square / both


def half_width(free: float, variance: float) -> float:
    """Half the 95 % interval of an estimate with this variance, by Student's t."""
    return t_point(free, 0.975) * float(np.sqrt(max(variance, 0.0)))


def wilson(value: float, number: float, quantile: float) -> tuple[float, float]:
    """The interval, within 0 to 1, of a share `value` seen in `number` independent cases.

    Wilson (1927): the shares from which `value` is not further away than `quantile` standard
    errors, each reckoned at the share itself.
    """
    ratio = quantile**2 / number
    middle = value + ratio / 2
    half = float(np.sqrt(ratio * (value * (1 - value) + ratio / 4)))
    return max((middle - half) / (1 + ratio), 0.0), min((middle + half) / (1 + ratio), 1.0)


def holm_adjusted(chances: Floats) -> Floats:
    """For each of many tests, the least level at which Holm's procedure rejects it.

    `chances` are the levels at which each would be rejected alone. Holm (1979), step down.
    """
    order = np.argsort(chances, kind="stable")
    steps = chances[order] * np.arange(len(chances), 0, -1)
    result = np.empty_like(chances)
    result[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(steps) else steps
    return result
