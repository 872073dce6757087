"""Strengths of bots in stakes per deal, with the full covariance clustered by deal."""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from arena.stats.figures import Gap
from arena.stats.floats import Floats, Ints, cleared, is_dust, settled
from arena.stats.sets import FEWEST, SetBlock, by_bot, by_pair, parts, parts_of, together, within
from arena.stats.significance import half_width, t_below
from arena.stats.sums import Sums, degrees_of, met, of_part, sums


class Strengths(msgspec.Struct, frozen=True):
    """Estimates in stakes per deal, by the bots' places in the field.

    `covariance` includes the factor G / (G - T); it is nan between bots that never met, directly or
    through others, and where G = T. `values` are nan for a bot without sets. `groups` (G, the
    deals) and `tables` (T, the lineups) are those of all sets; `free` is G - T among those that a
    bot met, `part` numbers them, and `sets` counts a bot's own.
    """

    values: Floats
    covariance: Floats
    groups: int
    tables: int
    free: Ints
    part: Ints
    sets: Ints


def strengths(blocks: Sequence[SetBlock], bots: int) -> Strengths:
    """Adjusted strengths: least squares of `x_si = θ_i - mean θ of the seats`, Σθ = 0 in each part.

    x_si is the result of bot i in set s. The comparison is fair even if bots did not meet the same
    others equally often. Sandwich covariance, clustered by deal.
    """
    return strengths_of(sums(blocks), bots)


def strengths_of(found: Sequence[Sums], bots: int) -> Strengths:
    """`strengths` of sets that are summed up."""
    return _by_part(found, bots, _least_squares)


SETTLED = 30
"""Sets from which on a bot counts in the mean of a field: with fewer it would shake all others."""


def among(estimate: Strengths, bots: Sequence[int]) -> Strengths:
    """The estimates of some bots only, relative to the mean of their part: `part_weights`."""
    chosen = np.array(bots, np.int64)
    part, sets = estimate.part[chosen], estimate.sets[chosen]
    values = estimate.values[chosen]
    covariance = estimate.covariance[np.ix_(chosen, chosen)]
    mean = weights(part, sets)
    for number in np.unique(part[part >= 0]):
        members = np.flatnonzero(part == number)
        its = np.ix_(members, members)
        centre = np.eye(len(members)) - mean[its]
        values[members] = centre @ values[members]
        covariance[its] = centre @ covariance[its] @ centre.T
    return Strengths(
        values, covariance, estimate.groups, estimate.tables, estimate.free[chosen], part, sets
    )


def weights(part: Ints, sets: Ints) -> Floats:
    """`[i, j]`: the weight of j in the mean that i is relative to, by `part_weights`."""
    found = np.zeros((len(part), len(part)))
    for number in np.unique(part[part >= 0]):
        members = np.flatnonzero(part == number)
        found[np.ix_(members, members)] = part_weights(sets[members])
    return found


def part_weights(sets: Ints) -> Floats:
    """The weight of each bot of a part in its mean.

    It is the mean of those with at least `SETTLED` sets, if they are at least half of the part, and
    two; else of all.
    """
    known = sets >= SETTLED
    counted = known if known.sum() >= max(2, len(sets) / 2) else np.ones(len(sets), bool)
    return np.asarray(counted / counted.sum(), np.float64)


def means(blocks: Sequence[SetBlock], bots: int) -> Strengths:
    """Plain means of the stakes per deal.

    The schedule is fixed and the deals are the chance in it, so the spread is that of the sets of
    each lineup around the lineup's own mean.
    """
    return _by_part(sums(blocks), bots, _plain)


def schedule_is_equal(blocks: Sequence[SetBlock], bots: int) -> bool:
    """Whether plain means are fair: any two bots that met at all met equally often.

    Then they have the order of the adjusted strengths.
    """
    for part in parts(blocks, bots):
        met = together(within(blocks, part), len(part))
        apart = met[~np.eye(len(part), dtype=bool)]
        sizes = {len(block.bots) for block in within(blocks, part)}
        if len(sizes) > 1 or (apart != apart[0]).any():
            return False
    return True


def plus_minus(estimate: Strengths, bot: int) -> float | None:
    """Half the 95 % interval of a bot, by Student's t with G - T degrees."""
    return _half(estimate, bot, float(estimate.covariance[bot, bot]), int(estimate.sets[bot]))


def gap_between(estimate: Strengths, one: int, other: int) -> Gap | None:
    """The difference of two bots, from the full covariance; None if they were never compared."""
    if estimate.part[one] != estimate.part[other] or estimate.part[one] < 0:
        return None
    sets = int(min(estimate.sets[one], estimate.sets[other]))
    stakes = float(estimate.values[one] - estimate.values[other])
    variance = float(variance_between(estimate.covariance, one, other))
    return gap_from(stakes, variance, int(estimate.free[one]), sets)


def gap_from(stakes: float, variance: float, free: int, sets: int) -> Gap:
    """A gap from its variance, with the degrees of freedom of that, over a number of sets."""
    stakes = settled(stakes)
    if free < 1 or sets < FEWEST:
        return Gap(stakes, None, None)
    error = float(np.sqrt(variance))
    if is_dust(error):
        return Gap(stakes, 0.0, None if stakes == 0 else float(stakes > 0))
    return Gap(stakes, half_width(free, variance), t_below(free, stakes / error))


def variance_between(covariance: Floats, one: Ints | int, other: Ints | int) -> Floats:
    """The variance of the difference of two estimates, or of many such pairs.

    Dust is cleared from the variance, for its root would be far larger than dust.
    """
    alone = covariance[one, one] + covariance[other, other]
    return cleared(alone - 2 * covariance[one, other], alone)


def _half(estimate: Strengths, bot: int, variance: float, sets: int) -> float | None:
    free = int(estimate.free[bot])
    if free < 1 or sets < FEWEST:
        return None
    return half_width(free, variance)


def _by_part(
    found: Sequence[Sums],
    bots: int,
    fit: Callable[[Sequence[Sums], int], tuple[Floats, Floats]],
) -> Strengths:
    """Each part estimated by itself, with its own degrees of freedom."""
    count = met(found, bots)
    estimate = Strengths(
        np.full(bots, np.nan),
        np.full((bots, bots), np.nan),
        *degrees_of(found),
        np.zeros(bots, np.int64),
        np.full(bots, -1, np.int64),
        np.diag(count),
    )
    for number, part in enumerate(parts_of(count)):
        mine = of_part(found, part, bots)
        members = np.array(part)
        values, covariance = fit(mine, len(part))
        estimate.values[members] = values
        estimate.part[members] = number
        its_groups, its_tables = degrees_of(mine)
        free = its_groups - its_tables
        estimate.free[members] = free
        if free > 0:
            estimate.covariance[np.ix_(members, members)] = its_groups / free * covariance
    return estimate


def _least_squares(found: Sequence[Sums], bots: int) -> tuple[Floats, Floats]:
    """Strengths and their sandwich covariance, before the factor G / (G - T)."""
    information = np.zeros((bots, bots))
    right = np.zeros(bots)
    meat = np.zeros((bots, bots))
    for each in found:
        information += by_pair(each.bots, informed(each), bots)
        right += by_bot(each.bots, pulled(each), bots)
    inverse = pseudo_inverse(information)
    values = inverse @ right
    for each in found:
        meat += by_pair(each.bots, scattered(each, values), bots)
    return values, inverse @ meat @ inverse


def informed(found: Sums) -> Floats:
    """The information that each lineup adds on its bots' strengths."""
    return np.asarray(found.sets[:, None, None] * _centre(found), np.float64)


def pulled(found: Sums) -> Floats:
    """The stakes of each lineup's bots above the mean of the table, over all sets."""
    return np.asarray(found.sets[:, None] * _centred(found.mean), np.float64)


def scattered(found: Sums, values: Floats) -> Floats:
    """The sums of products of each set's residuals from the strengths, lineup by lineup."""
    centre = _centre(found)
    left = _centred(found.mean) - _centred(values[found.bots])
    together = left[:, :, None] * left[:, None, :]
    return np.asarray(centre @ found.spread @ centre + found.sets[:, None, None] * together)


def _plain(found: Sequence[Sums], bots: int) -> tuple[Floats, Floats]:
    """Means and their covariance around the means of lineups, before the factor G / (G - T)."""
    sets, total = np.zeros(bots), np.zeros(bots)
    meat = np.zeros((bots, bots))
    for each in found:
        counts = np.broadcast_to(each.sets[:, None], each.bots.shape).astype(np.float64)
        sets += by_bot(each.bots, counts, bots)
        total += by_bot(each.bots, each.sets[:, None] * each.mean, bots)
        meat += by_pair(each.bots, each.spread, bots)
    return total / sets, meat / np.outer(sets, sets)


def pseudo_inverse(information: Floats) -> Floats:
    """The inverse of an information matrix that is known only up to a constant."""
    return np.asarray(np.linalg.pinv(information, rcond=1e-10, hermitian=True), np.float64)


def _centre(found: Sums) -> Floats:
    size = found.bots.shape[1]
    return np.asarray(np.eye(size) - 1 / size, np.float64)


def _centred(values: Floats) -> Floats:
    return np.asarray(values - values.mean(axis=1, keepdims=True), np.float64)
