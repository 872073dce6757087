"""Sets summed up lineup by lineup: all that strengths need of them, however many there are."""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from arena.stats.floats import Floats, Ints
from arena.stats.sets import SetBlock, Stack, by_pair, lineup_residuals, stacks


class Sums(msgspec.Struct, frozen=True):
    """The lineups of one size, a row each.

    `bots` are their places and `sets` the sets that each lineup played, `mean` the mean stakes of
    each bot in a set. `spread`, lineups by bots by bots, are the sums of the products of two bots'
    stakes less their means.
    """

    bots: Ints
    sets: Ints
    mean: Floats
    spread: Floats


_AT_ONCE: Final = 10_000
"""The number of lineups that are summed up at a time, to limit memory."""


def sums(blocks: Sequence[SetBlock]) -> list[Sums]:
    """The sums of all sets, one for each size of table; lineups without sets are left out."""
    of_lineup: dict[tuple[int, ...], list[SetBlock]] = {}
    for block in blocks:
        if len(block.stakes):
            of_lineup.setdefault(block.bots, []).append(block)
    found: dict[int, list[Sums]] = {}
    lineups = sorted(of_lineup)
    for first in range(0, len(lineups), _AT_ONCE):
        some = lineups[first : first + _AT_ONCE]
        for stack in stacks([block for lineup in some for block in of_lineup[lineup]]):
            found.setdefault(stack.bots.shape[1], []).append(_sum(stack))
    return [_joined(found[size]) for size in sorted(found)]


def degrees_of(found: Sequence[Sums]) -> tuple[int, int]:
    """G and T: the number of sets, and of their lineups."""
    return sum(int(each.sets.sum()) for each in found), sum(len(each.sets) for each in found)


def met(found: Sequence[Sums], bots: int) -> Ints:
    """`[i, j]`: the number of sets in which both sat at one table; `[i, i]`: all those of i."""
    count = np.zeros((bots, bots))
    for each in found:
        shape = each.spread.shape
        count += by_pair(each.bots, np.broadcast_to(each.sets[:, None, None], shape), bots)
    return count.astype(np.int64)


def of_part(found: Sequence[Sums], part: Sequence[int], bots: int) -> list[Sums]:
    """The lineups of a part, its bots numbered by their places in it."""
    place = np.full(bots, -1)
    place[list(part)] = np.arange(len(part))
    mine: list[Sums] = []
    for each in found:
        its = place[each.bots[:, 0]] >= 0
        if its.any():
            mine.append(
                Sums(place[each.bots[its]], each.sets[its], each.mean[its], each.spread[its])
            )
    return mine


def _joined(some: Sequence[Sums]) -> Sums:
    return Sums(
        np.concatenate([each.bots for each in some]),
        np.concatenate([each.sets for each in some]),
        np.concatenate([each.mean for each in some]),
        np.concatenate([each.spread for each in some]),
    )


def _sum(stack: Stack) -> Sums:
    _, first, place, sets = np.unique(
        stack.lineup, return_index=True, return_inverse=True, return_counts=True
    )
    size = stack.bots.shape[1]
    residuals = lineup_residuals(stack)
    mean, spread = np.empty((len(sets), size)), np.empty((len(sets), size, size))
    for one in range(size):
        mean[:, one] = np.bincount(place, stack.stakes[:, one]) / sets
        for other in range(size):
            both = residuals[:, one] * residuals[:, other]
            spread[:, one, other] = np.bincount(place, both)
    return Sums(stack.bots[first], sets.astype(np.int64), mean, spread)
