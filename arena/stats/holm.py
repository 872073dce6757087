"""Holm's procedure: many tests at once, with one chance of error for all of them."""

import numpy as np

from arena.stats.sets import Floats

LEVEL = 0.05
"""How often, at most, any one of all that is told by tests may be wrong."""


def adjusted(chances: Floats) -> Floats:
    """For each test, the least level at which Holm's procedure rejects it.

    `chances` are what each would be rejected at alone. Holm (1979), step down.
    """
    order = np.argsort(chances, kind="stable")
    steps = chances[order] * np.arange(len(chances), 0, -1)
    result = np.empty_like(chances)
    result[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(steps) else steps
    return result
