"""The chance of a difference by luck: Student's t, F, and Holm's procedure for many tests at once.

The distributions are SciPy's, imported when first asked for: it is slow to import, and few commands
need it.
"""

import numpy as np

from arena.stats.floats import Floats


def t_point(free: float, chance: float) -> float:
    """The value that Student's t with `free` degrees of freedom stays below with this chance."""
    from scipy.special import stdtrit

    return float(stdtrit(free, chance))


def t_below(free: float, t: float) -> float:
    """The chance that Student's t with `free` degrees of freedom is below `t`."""
    from scipy.special import stdtr

    return float(stdtr(free, t))


def each_t_below(free: Floats, t: Floats) -> Floats:
    """`t_below` of each pair of elements."""
    from scipy.special import stdtr

    return np.asarray(stdtr(free, t), np.float64)


def f_above(one: float, other: float, f: float) -> float:
    """The chance that F with `one` and `other` degrees of freedom is above `f`."""
    from scipy.special import fdtrc

    return float(fdtrc(one, other, f))


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
