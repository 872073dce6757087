"""Sets of a league as numbers, stacked so that all of them are counted at once."""

from collections.abc import Sequence

import msgspec
import numpy as np

from arena.stats.floats import Flags, Floats, Ints, cleared
from arena.stats.significance import t_point

FEWEST = 10
"""Sets below which no interval is given."""


class SetBlock(msgspec.Struct, frozen=True):
    """Sets of one lineup.

    `bots` are places in the field; `stakes`, sets by bots, is each bot's mean stakes over the games
    it played in the set.
    """

    bots: tuple[int, ...]
    stakes: Floats


class Stack(msgspec.Struct, frozen=True):
    """Sets of all lineups of one size; `bots` and `stakes` are sets by bots, as in `SetBlock`.

    `lineup` numbers each set's lineup.
    """

    bots: Ints
    stakes: Floats
    lineup: Ints


def stacks(blocks: Sequence[SetBlock]) -> list[Stack]:
    """All sets, one stack for each size of table."""
    numbers = {lineup: number for number, lineup in enumerate(sorted({b.bots for b in blocks}))}
    found: list[Stack] = []
    for size in sorted({len(lineup) for lineup in numbers}):
        mine = [block for block in blocks if len(block.bots) == size]
        lengths = [len(block.stakes) for block in mine]
        found.append(
            Stack(
                np.repeat(np.array([block.bots for block in mine], np.int64), lengths, axis=0),
                np.concatenate([block.stakes for block in mine]),
                np.repeat(np.array([numbers[b.bots] for b in mine], np.int64), lengths),
            )
        )
    return found


def by_bot(tables: Ints, values: Floats, bots: int) -> Floats:
    """The sum over all tables (each a row of bots) of one value for each bot at them."""
    return np.asarray(np.bincount(tables.ravel(), values.ravel(), bots), np.float64)


def by_pair(tables: Ints, values: Floats, bots: int) -> Floats:
    """The sum over all tables of one value for each two bots at them (tables by bots by bots)."""
    places = tables[:, :, None] * bots + tables[:, None, :]
    total = np.bincount(places.ravel(), values.ravel(), bots * bots)
    return np.asarray(total.reshape(bots, bots), np.float64)


def together(blocks: Sequence[SetBlock], bots: int) -> Ints:
    """`[i, j]`: the number of sets in which both sat at one table; `[i, i]`: all those of i."""
    count = np.zeros((bots, bots))
    for size in {len(block.bots) for block in blocks}:
        mine = [block for block in blocks if len(block.bots) == size]
        sets = np.array([len(block.stakes) for block in mine], np.float64)
        tables = np.array([block.bots for block in mine], np.int64)
        shape = (len(mine), size, size)
        count += by_pair(tables, np.broadcast_to(sets[:, None, None], shape), bots)
    return count.astype(np.int64)


def parts(blocks: Sequence[SetBlock], bots: int) -> list[tuple[int, ...]]:
    """The bots with sets, in groups that met, if only through others; the largest group first."""
    return parts_of(together(blocks, bots))


def parts_of(count: Ints) -> list[tuple[int, ...]]:
    """The parts, from the sets that each two bots had in common."""
    group = groups(count > 0)
    found: dict[int, list[int]] = {}
    for bot in np.flatnonzero(np.diag(count)):
        found.setdefault(int(group[bot]), []).append(int(bot))
    return sorted((tuple(each) for each in found.values()), key=lambda each: (-len(each), each))


def groups(links: Flags) -> Ints:
    """The number of each bot's group: bots that lead to each other, directly or through others.

    `links[i, j]`: i leads to j. (SciPy has this too, but takes longer to import than to play.)
    """
    if not len(links):
        return np.zeros(0, np.int64)
    reached = links | np.eye(len(links), dtype=bool)
    while True:
        further = reached.astype(np.float64) @ reached > 0
        if np.array_equal(further, reached):
            return np.asarray((reached & reached.T).argmax(axis=1), np.int64)
        reached = further


def within(blocks: Sequence[SetBlock], part: tuple[int, ...]) -> list[SetBlock]:
    """The sets of a part, its bots numbered by their places in it."""
    place = {bot: number for number, bot in enumerate(part)}
    return [
        SetBlock(tuple(place[bot] for bot in block.bots), block.stakes)
        for block in blocks
        if block.bots[0] in place and len(block.stakes)
    ]


def lineup_residuals(stack: Stack) -> Floats:
    """Stakes less the mean of the set's lineup, sets by bots."""
    _, place = np.unique(stack.lineup, return_inverse=True)
    count = np.bincount(place)
    residuals = np.empty_like(stack.stakes)
    for column in range(stack.stakes.shape[1]):
        values = stack.stakes[:, column]
        residuals[:, column] = values - (np.bincount(place, values) / count)[place]
    return cleared(residuals)


def degrees(blocks: Sequence[SetBlock]) -> tuple[int, int]:
    """G and T: the number of sets (each on a deal of its own), and of their lineups."""
    return (
        sum(len(block.stakes) for block in blocks),
        len({block.bots for block in blocks if len(block.stakes)}),
    )


def t_quantile(blocks: Sequence[SetBlock]) -> tuple[float, float] | None:
    """Student's 97.5 % point with G - T degrees and the factor G / (G - T), or None."""
    groups, tables = degrees(blocks)
    free = groups - tables
    return (t_point(free, 0.975), groups / free) if free > 0 else None
