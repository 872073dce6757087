"""Arrays of numbers, and the differences between them that are only rounding errors.

Sums of fractions differ in their last bits with the order of adding and with the processor. Values
that are compared, counted or printed must not, so they pass through one of these functions first.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_DIGITS: Final = 9

EPSILON: Final = 10.0**-_DIGITS
"""The largest rounding error, relative to the size of the numbers.

Each operation leaves some 1e-16: about 1e-12 after a million, and 5e-12 where four hundred bots met
in pairs in one long chain. Real differences are larger: payments are whole stakes, so the means of
two bots over S sets of g games each are equal, or at least 1 / (g S) stakes apart.
"""


def zero_small(values: Floats, size: Floats | float = 1.0) -> Floats:
    """The numbers, with 0 for rounding errors."""
    return np.where(np.abs(values) <= EPSILON * size, 0.0, values)


def round_noise(value: float) -> float:
    """The number without its rounding error, and never a negative zero.

    A half that an error has pushed to either side of a decimal is a half again.
    """
    return round(value, _DIGITS) + 0.0


def dense_ranks(values: Floats) -> Ints:
    """The rank of each number, from 0 for the greatest; equal numbers share one."""
    order = np.argsort(-values, kind="stable")
    ranks = np.zeros(len(values), np.int64)
    ranks[order[1:]] = np.cumsum(-np.diff(values[order]) > EPSILON)
    return ranks
