"""Strengths of the bots that play in an open league, among the many that ever did.

Only the covariance of the field is ever worked out: bots that left are eliminated.
"""

from collections.abc import Sequence

import msgspec
import numpy as np

from arena.stats.elimination import solution
from arena.stats.floats import Floats, Ints
from arena.stats.sets import FEWEST, SetBlock
from arena.stats.significance import half_width
from arena.stats.strengths import Strengths, among, part_weights
from arena.stats.sums import Sums, degrees_of


class FieldStrengths(msgspec.Struct, frozen=True):
    """All bots' `values`, relative to the mean of the field in their part, and their `part`.

    The mean is that of `strengths.part_weights`; if none of a part plays, that of the part.
    `field` has the estimates of those that play, in the order in which they were asked for.
    """

    values: Floats
    part: Ints
    field: Strengths


def field_strengths(
    found: Sequence[Sums], bots: int, playing: Sequence[int], left: Sequence[int] = ()
) -> FieldStrengths:
    """The strengths of a field, by the sets of all bots.

    `left` are bots in the order in which they left. If some are missing, the result is the same
    and takes longer.
    """
    part, sets = _parts(found, bots)
    field = np.array(playing, np.int64)
    parts = int(part.max(initial=-1)) + 1
    some = np.setdiff1d(np.arange(parts), part[field])
    alone = np.array([np.flatnonzero(part == number)[0] for number in some], np.int64)
    kept = np.concatenate([field[part[field] >= 0], alone])
    last_first = dict.fromkeys([*left[::-1], *range(bots)])
    gone = np.array([*last_first][::-1], np.int64)
    gone = gone[(part[gone] >= 0) & ~np.isin(gone, kept)]
    solved = solution(found, part, kept, gone)
    groups, free = _degrees(found, part)
    its = part[field]
    met = np.flatnonzero(its >= 0)
    covariance = np.full((len(field), len(field)), np.nan)
    covariance[np.ix_(met, met)] = solved.covariance[: len(met), : len(met)]
    known = (its[:, None] == its) & (free[its] > 0)
    factor = groups[its] / np.maximum(free[its], 1)
    mine = Strengths(
        solved.values[field],
        np.where(known, covariance * factor[:, None], np.nan),
        *degrees_of(found),
        free[its],
        its,
        sets[field],
    )
    return FieldStrengths(
        _around(solved.values, part, sets, field), part, among(mine, range(len(field)))
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
    """The sets in which at least two of some bots sat, with their stakes, by their places."""
    place = {bot: number for number, bot in enumerate(bots)}
    found: list[SetBlock] = []
    for block in blocks:
        mine = [column for column, bot in enumerate(block.bots) if bot in place]
        if len(mine) > 1:
            who = tuple(place[block.bots[column]] for column in mine)
            found.append(SetBlock(who, block.stakes[:, mine]))
    return found


def _around(values: Floats, part: Ints, sets: Ints, playing: Ints) -> Floats:
    """The values relative to the mean of the field in their part, or of the part if none plays."""
    shifted = values.copy()
    for number in np.unique(part[part >= 0]):
        members = np.flatnonzero(part == number)
        field = playing[part[playing] == number]
        base = field if len(field) else members
        shifted[members] -= part_weights(sets[base]) @ values[base]
    return shifted


def _parts(found: Sequence[Sums], bots: int) -> tuple[Ints, Ints]:
    """The number of each bot's part, as `sets.parts` has them, -1 for none, and its sets."""
    sets, label = np.zeros(bots, np.int64), np.arange(bots)
    for each in found:
        counts = np.broadcast_to(each.sets[:, None], each.bots.shape)
        sets += np.bincount(each.bots.ravel(), counts.ravel(), bots).astype(np.int64)
    while True:
        least = label.copy()
        for each in found:
            of_table = np.broadcast_to(label[each.bots].min(axis=1)[:, None], each.bots.shape)
            np.minimum.at(least, each.bots.ravel(), of_table.ravel())
        least = least[least]
        if np.array_equal(least, label):
            break
        label = least
    sat = sets > 0
    names, first, count = np.unique(label[sat], return_index=True, return_counts=True)
    number = np.full(bots, -1)
    number[names[np.lexsort((first, -count))]] = np.arange(len(names))
    return np.where(sat, number[label], -1).astype(np.int64), sets


def _degrees(found: Sequence[Sums], part: Ints) -> tuple[Ints, Ints]:
    """G and G - T of each part; an extra 0 at the end is for the bots of no part, -1."""
    parts = int(part.max(initial=-1)) + 2
    groups, tables = np.zeros(parts, np.int64), np.zeros(parts, np.int64)
    for each in found:
        its = part[each.bots[:, 0]]
        groups += np.bincount(its, each.sets, parts).astype(np.int64)
        tables += np.bincount(its, minlength=parts)
    return groups, groups - tables
