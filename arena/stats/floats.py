"""Arrays of numbers, and which of them count as nothing.

Sums of fractions differ in their last bits with the order of adding and with the processor. Values
that are compared, counted or printed must not, so they go through one of these functions first.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_DIGITS: Final = 9

DUST: Final = 10.0**-_DIGITS
"""The difference that rounding may leave between equal numbers, as a share of their size.

Rounding leaves 1e-16 at each step: some 1e-12 after a million, and 5e-12 where four hundred bots
met two by two in one long chain. Real differences are larger: payments are whole stakes, so the
means of two bots over S sets of g games each are equal, or at least 1 / (g S) stakes apart.
"""


def is_dust(value: float, size: float = 1.0) -> bool:
    """Whether a number is nothing next to the size of the summands; by default one stake."""
    return bool(abs(value) <= DUST * size)


def cleared(values: Floats, size: Floats | float = 1.0) -> Floats:
    """The numbers, 0 for those that are dust."""
    return np.where(np.abs(values) <= DUST * size, 0.0, values)


def settled(value: float) -> float:
    """The number without its dust, and never a negative zero: fit to be rounded for print.

    A half that dust has pushed to either side of a decimal is a half again.
    """
    return round(value, _DIGITS) + 0.0


def places(values: Floats) -> Ints:
    """The rank of each number, from 0 for the greatest; numbers equal up to dust share one."""
    order = np.argsort(-values, kind="stable")
    found = np.zeros(len(values), np.int64)
    found[order[1:]] = np.cumsum(-np.diff(values[order]) > DUST)
    return found
