"""The distributions that intervals and tests ask for, from SciPy when they are first asked."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def t_point(free: float, chance: float) -> float:
    """Student's t that stays below with a chance, `free` degrees of freedom."""
    from scipy.special import stdtrit  # slow to import, and few commands need it

    return float(stdtrit(free, chance))


def t_below(free: float, t: float) -> float:
    """How likely Student's t is below a value."""
    from scipy.special import stdtr

    return float(stdtr(free, t))


def each_t_below(free: Floats, t: Floats) -> Floats:
    """How likely Student's t is below each of some values."""
    from scipy.special import stdtr

    return np.asarray(stdtr(free, t), np.float64)


def f_above(one: float, other: float, f: float) -> float:
    """How likely F with two degrees of freedom is above a value."""
    from scipy.special import fdtrc

    return float(fdtrc(one, other, f))
