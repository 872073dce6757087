"""Circles of three bots: A beats B, B beats C and C beats A."""

from collections.abc import Sequence

import numpy as np

from arena.stats.figures import SIGNIFICANCE, Circle, HeadToHead
from arena.stats.significance import holm_adjusted


def circles(pairs: Sequence[HeadToHead]) -> tuple[Circle, ...]:
    """All circles of three, each beginning with the bot that is first by name.

    One bot beats another if it made more in the sets both sat in, by Holm's procedure over all
    pairs that met. So all of the circles are right at once in at least 19 of 20 leagues. Gaps by
    all sets would not do: they are differences of one number for each bot, which make no circle.
    """
    tested = [(pair, pair.met) for pair in pairs if pair.met is not None]
    chances = [1.0 if met.los is None else 2 * min(met.los, 1 - met.los) for _, met in tested]
    adjusted = holm_adjusted(np.array(chances, np.float64))
    beaten: dict[str, list[str]] = {}
    for (pair, met), chance in zip(tested, adjusted, strict=True):
        if chance <= SIGNIFICANCE:
            winner, loser = (pair.bot, pair.other) if met.stakes > 0 else (pair.other, pair.bot)
            beaten.setdefault(winner, []).append(loser)
    return tuple(
        (first, second, third)
        for first in sorted(beaten)
        for second in beaten[first]
        for third in beaten.get(second, ())
        if first < min(second, third) and first in beaten.get(third, ())
    )
