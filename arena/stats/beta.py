"""The incomplete beta function, of which Student's t and F are made.

Didonato and Morris (1992), "Algorithm 708", ACM Transactions on Mathematical Software 18: the power
before the fraction is taken as in their section 3, the fraction is their equation 9.
"""

from typing import Final

import numpy as np

from arena.stats.floats import Floats

_EXACT: Final = 1e-15
"""The share by which one more term may change a fraction that is done."""

_TERMS: Final = 10_000
"""More terms than a fraction needs: with a million degrees of freedom it is some hundreds."""

_FAR: Final = 10
"""From here on Stirling's formula is exact to the last digit with the terms below."""

_STIRLING: Final = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)


def beta_below(a: Floats, b: Floats, x: Floats, y: Floats) -> Floats:
    """The chance that a value of Beta(a, b) is below x, element by element.

    `a` and `b` are positive, x is 0 to 1, and y is 1 - x: who asks may know it more exactly.
    """
    beyond = x * (b + 1) > y * (a + 1)  # where the fraction is slow, it is 1 less the other side
    one, other = np.where(beyond, b, a), np.where(beyond, a, b)
    near, rest = np.where(beyond, y, x), np.where(beyond, x, y)
    never = near == 0
    near, rest = np.where(never, 0.5, near), np.where(never, 0.5, rest)
    part = beta_power(one, other, near, rest) / _fraction(one, other, near, rest)
    part = np.where(never, 0.0, part)
    return np.where(beyond, 1 - part, part)


def beta_power(a: Floats, b: Floats, x: Floats, y: Floats) -> Floats:
    """x^a y^b / B(a, b), even where each factor is too large or too small for a number."""
    both = a + b
    powers = a * _bent(x * both / a, (x * b - y * a) / a)
    powers += b * _bent(y * both / b, (y * a - x * b) / b)
    powers += _past_stirling(both) - _past_stirling(a) - _past_stirling(b)
    return np.asarray(np.sqrt(a / both * b / (2 * np.pi)) * np.exp(powers), np.float64)


def _bent(ratio: Floats, off: Floats) -> Floats:
    """log(ratio) - off, where `off` is ratio - 1 without its loss of digits."""
    near = np.abs(off) < 0.5
    return np.where(near, np.log1p(np.where(near, off, 0.0)), np.log(ratio)) - off


def _past_stirling(z: Floats) -> Floats:
    """The logarithm of gamma(z) less Stirling's (z - 1/2) log z - z + log(2 pi) / 2."""
    found = np.zeros_like(z)
    for _ in range(_FAR):
        found += np.where(z < _FAR, (z + 0.5) * np.log1p(1 / z) - 1, 0.0)
        z = np.where(z < _FAR, z + 1, z)
    for number, term in enumerate(_STIRLING):
        found += term / z ** (2 * number + 1)
    return found


def _fraction(a: Floats, b: Floats, x: Floats, y: Floats) -> Floats:
    """What `beta_power` is divided by for x below the mean: a continued fraction, from its top."""
    value = a * (a * y - b * x + 1) / (a + 1)
    before, scale = np.ones_like(value), np.zeros_like(value)
    for n in range(1, _TERMS):
        odd, even = a + 2 * n - 1, a + 2 * n + 1
        over = (a + n - 1) * (a + b + n - 1) * n * (b - n) * (x / odd) ** 2
        under = n + n * (b - n) * x / odd + (a + n) * (a * y - b * x + 1 + n * (2 - x)) / even
        last, scale = value, 1 / (under + over * scale)
        value, before = (under * value + over * before) * scale, value * scale
        if np.all(np.abs(value - last) <= _EXACT * np.abs(value)):
            break
    return value
