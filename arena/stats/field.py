"""Strengths of the bots that play in an open league, among the many that ever did.

Those that left are a long, thinly linked tail: their part of the least squares is solved sparsely,
and only the covariance of the field is ever worked out.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from arena.stats.floats import Floats, Ints
from arena.stats.sets import FEWEST, SetBlock
from arena.stats.significance import half_width
from arena.stats.strengths import (
    Strengths,
    among,
    informed,
    part_weights,
    pulled,
    scattered,
    strengths_of,
    weights,
)
from arena.stats.sums import Sums, degrees_of

if TYPE_CHECKING:
    from scipy.sparse import csc_array

DENSE: Final = 800
"""Bots up to which all is solved densely, without SciPy's slow import."""

_AT_ONCE: Final = 50
"""Columns of the inverse that are worked out at a time."""


class FieldStrengths(msgspec.Struct, frozen=True):
    """All bots' `values`, relative to the mean of the field in their part, and their `part`.

    The mean is that of `strengths.part_weights`; where none of a part plays, that of the part.
    `field` has the estimates of those that play, in the order in which they were asked for.
    """

    values: Floats
    part: Ints
    field: Strengths


def field_strengths(
    found: Sequence[Sums], bots: int, playing: Sequence[int], dense: int = DENSE
) -> FieldStrengths:
    """The strengths of a field; above so many bots as `dense` the sums are solved sparsely."""
    if found and bots > dense:
        return _sparse(found, bots, np.array(playing, np.int64))
    whole = strengths_of(found, bots)
    field = np.array(playing, np.int64)
    return FieldStrengths(
        _around(whole.values, whole.part, whole.sets, field), whole.part, among(whole, playing)
    )


def plain_means(found: Sequence[Sums], part: Ints) -> list[tuple[float, float | None] | None]:
    """Each bot's mean stakes per deal and half its interval, as by `means`; None without sets.

    `part` numbers the parts. No covariance is worked out.
    """
    bots = len(part)
    sets, total, spread = np.zeros(bots), np.zeros(bots), np.zeros(bots)
    for each in found:
        for place, who in enumerate(each.bots.T):
            sets += np.bincount(who, each.sets, bots)
            total += np.bincount(who, each.sets * each.mean[:, place], bots)
            spread += np.bincount(who, each.spread[:, place, place], bots)
    if not sets.any():
        return [None] * bots
    groups, free = _degrees(found, part)
    lines: list[tuple[float, float | None] | None] = []
    for bot, its in enumerate(part):
        if its < 0:
            lines.append(None)
            continue
        half = None
        if free[its] > 0 and sets[bot] >= FEWEST:
            variance = spread[bot] / sets[bot] ** 2 * groups[its] / free[its]
            half = half_width(int(free[its]), float(variance))
        lines.append((float(total[bot] / sets[bot]), half))
    return lines


def sets_among(blocks: Sequence[SetBlock], bots: Sequence[int]) -> list[SetBlock]:
    """What some bots made in the sets in which at least two of them sat, by their places."""
    place = {bot: number for number, bot in enumerate(bots)}
    found: list[SetBlock] = []
    for block in blocks:
        mine = [column for column, bot in enumerate(block.bots) if bot in place]
        if len(mine) > 1:
            who = tuple(place[block.bots[column]] for column in mine)
            found.append(SetBlock(who, block.stakes[:, mine]))
    return found


def _around(values: Floats, part: Ints, sets: Ints, playing: Ints) -> Floats:
    """The values relative to the mean of the field in their part, or of the part without one."""
    shifted = values.copy()
    for number in np.unique(part[part >= 0]):
        members = np.flatnonzero(part == number)
        field = playing[part[playing] == number]
        base = field if len(field) else members
        shifted[members] -= part_weights(sets[base]) @ values[base]
    return shifted


def _sparse(found: Sequence[Sums], bots: int, playing: Ints) -> FieldStrengths:
    from scipy.sparse.linalg import splu

    information = _gathered(found, [informed(each) for each in found], bots)
    part = _parts(information, found, bots)
    right, sets = np.zeros(bots), np.zeros(bots, np.int64)
    for each in found:
        right += np.bincount(each.bots.ravel(), pulled(each).ravel(), bots)
        counts = np.broadcast_to(each.sets[:, None], each.bots.shape)
        sets += np.bincount(each.bots.ravel(), counts.ravel(), bots).astype(np.int64)
    # Only differences are known: the first bot of each part is held at 0, which makes it solvable.
    held = np.unique(part, return_index=True)[1]
    rest = np.setdiff1d(np.flatnonzero(part >= 0), held)
    solver = splu(
        information[rest][:, rest].tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )

    def solved(sides: Floats) -> Floats:
        whole = np.zeros((bots, sides.shape[1]))
        whole[rest] = solver.solve(np.ascontiguousarray(sides[rest]))
        return whole

    values = _around(np.where(part >= 0, solved(right[:, None])[:, 0], np.nan), part, sets, playing)
    meat = _gathered(found, [scattered(each, values) for each in found], bots)
    contrasts = np.zeros((bots, len(playing)))
    contrasts[playing] = np.eye(len(playing)) - weights(part[playing], sets[playing]).T
    columns = np.empty((bots, len(playing)))
    for first in range(0, len(playing), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        columns[:, some] = solved(contrasts[:, some])
    covariance = columns.T @ (meat @ columns)
    groups, free = _degrees(found, part)
    its = part[playing]
    known = (its[:, None] == its) & (its >= 0) & (free[its] > 0)
    factor = groups[its] / np.maximum(free[its], 1)
    return FieldStrengths(
        values,
        part,
        Strengths(
            values[playing],
            np.where(known, covariance * factor[:, None], np.nan),
            *degrees_of(found),
            np.where(its >= 0, free[its], 0),
            its,
            sets[playing],
        ),
    )


def _gathered(found: Sequence[Sums], values: Sequence[Floats], bots: int) -> "csc_array":
    """One value for each two bots at a table, summed over all lineups, as a sparse matrix."""
    from scipy.sparse import coo_array

    sizes = [each.bots.shape[1] for each in found]
    rows = [np.repeat(each.bots, size, axis=1) for each, size in zip(found, sizes, strict=True)]
    columns = [np.tile(each.bots, (1, size)) for each, size in zip(found, sizes, strict=True)]
    flat, down, across = (
        np.concatenate([part.ravel() for part in parts]) for parts in (values, rows, columns)
    )
    return coo_array((flat, (down, across)), shape=(bots, bots)).tocsc()


def _parts(information: "csc_array", found: Sequence[Sums], bots: int) -> Ints:
    """The number of each bot's part, the largest first, as `sets.parts` has them; -1 for none."""
    from scipy.sparse.csgraph import connected_components

    _, label = connected_components(information, directed=False)
    sat = np.zeros(bots, bool)
    for each in found:
        sat[each.bots.ravel()] = True
    names, first, count = np.unique(label[sat], return_index=True, return_counts=True)
    number = np.full(int(label.max()) + 1, -1)
    number[names[np.lexsort((first, -count))]] = np.arange(len(names))
    return np.where(sat, number[label], -1).astype(np.int64)


def _degrees(found: Sequence[Sums], part: Ints) -> tuple[Ints, Ints]:
    """G and G - T of each part."""
    parts = int(part.max()) + 1
    groups, tables = np.zeros(parts, np.int64), np.zeros(parts, np.int64)
    for each in found:
        its = part[each.bots[:, 0]]
        groups += np.bincount(its, each.sets, parts).astype(np.int64)
        tables += np.bincount(its, minlength=parts)
    return groups, groups - tables
