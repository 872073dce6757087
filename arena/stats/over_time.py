"""The strengths of a league and their intervals over its course."""

from collections.abc import Sequence

import numpy as np

from arena.stats.figures import Point
from arena.stats.floats import Floats
from arena.stats.sets import SetBlock
from arena.stats.strengths import plus_minus, strengths


def points_over_time(blocks: Sequence[SetBlock], bots: int, points: int = 50) -> tuple[Point, ...]:
    """About `points` moments of a league, evenly spread; the last is the present one.

    The lineups count as played side by side, set by set in the order of their deals, in whatever
    order the arena played them.
    """
    by_lineup: dict[tuple[int, ...], list[Floats]] = {}
    for block in blocks:
        if len(block.stakes):
            by_lineup.setdefault(block.bots, []).append(block.stakes)
    whole = [SetBlock(lineup, np.concatenate(each)) for lineup, each in by_lineup.items()]
    most = max((len(block.stakes) for block in whole), default=0)
    found: list[Point] = []
    for each in np.unique(np.linspace(1, most, min(points, most)).round().astype(int)):
        so_far = [SetBlock(block.bots, block.stakes[:each]) for block in whole]
        estimate = strengths(so_far, bots)
        found.append(
            Point(
                int(each),
                estimate.groups,
                tuple(
                    float(value) if sets else None
                    for value, sets in zip(estimate.values, estimate.sets, strict=True)
                ),
                tuple(plus_minus(estimate, bot) for bot in range(bots)),
            )
        )
    return tuple(found)
