"""How strong bots are in stakes per deal, with the full covariance clustered by deal."""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from arena.stats.floats import Floats, Ints, cleared, is_dust, settled
from arena.stats.sets import (
    FEWEST,
    SetBlock,
    by_bot,
    by_pair,
    degrees,
    lineup_residuals,
    parts,
    stacks,
    t_quantile,
    together,
    within,
)
from arena.stats.significance import half_width, t_below


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


class Gap(msgspec.Struct, frozen=True):
    """How many more stakes a deal one bot makes than another.

    `plus_minus` is half the 95 % interval, `los` the likelihood of superiority: how sure it is that
    the gap is above 0. Both are None for fewer than ten sets and where G = T; `los` also where the
    gap is 0 without any spread.
    """

    stakes: float
    plus_minus: float | None
    los: float | None

    @property
    def decided(self) -> bool:
        """Whether the 95 % interval leaves out 0, so `los` is above 97.5 % or below 2.5 %."""
        return self.plus_minus is not None and abs(self.stakes) > self.plus_minus


def strengths(blocks: Sequence[SetBlock], bots: int) -> Strengths:
    """Adjusted strengths: least squares of `x_si = θ_i - mean θ of the seats`, Σθ = 0 in each part.

    x_si is what bot i made in set s. The comparison is fair even where bots did not meet the same
    others equally often. Sandwich covariance, clustered by deal.
    """
    return _by_part(blocks, bots, _least_squares)


def among(estimate: Strengths, bots: Sequence[int]) -> Strengths:
    """The estimates of some bots only, relative to the mean of those of them in the same part."""
    chosen = np.array(bots, np.int64)
    part = estimate.part[chosen]
    values = estimate.values[chosen]
    covariance = estimate.covariance[np.ix_(chosen, chosen)]
    for number in np.unique(part[part >= 0]):
        members = np.flatnonzero(part == number)
        values[members] -= values[members].mean()
        centre = np.eye(len(members)) - 1 / len(members)
        its = np.ix_(members, members)
        covariance[its] = centre @ covariance[its] @ centre
    return Strengths(
        values,
        covariance,
        estimate.groups,
        estimate.tables,
        estimate.free[chosen],
        part,
        estimate.sets[chosen],
    )


def means(blocks: Sequence[SetBlock], bots: int) -> Strengths:
    """Plain means of the stakes per deal.

    The schedule is fixed and the deals are the chance in it, so the spread is that of the sets of
    each lineup around the lineup's own mean.
    """
    return _by_part(blocks, bots, _plain)


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
    """The difference of two bots, from the full covariance; None where they were never compared."""
    if estimate.part[one] != estimate.part[other] or estimate.part[one] < 0:
        return None
    sets = int(min(estimate.sets[one], estimate.sets[other]))
    stakes = float(estimate.values[one] - estimate.values[other])
    variance = float(variance_between(estimate.covariance, one, other))
    return gap_from(stakes, variance, int(estimate.free[one]), sets)


def gap_from(stakes: float, variance: float, free: int, sets: int) -> Gap:
    """A gap from its variance, with so many degrees of freedom, over so many sets."""
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
    blocks: Sequence[SetBlock],
    bots: int,
    fit: Callable[[Sequence[SetBlock], int], tuple[Floats, Floats]],
) -> Strengths:
    """Each part estimated by itself, with its own degrees of freedom."""
    groups, tables = degrees(blocks)
    found = Strengths(
        np.full(bots, np.nan),
        np.full((bots, bots), np.nan),
        groups,
        tables,
        np.zeros(bots, np.int64),
        np.full(bots, -1, np.int64),
        np.diag(together(blocks, bots)),
    )
    for number, part in enumerate(parts(blocks, bots)):
        mine = within(blocks, part)
        members = np.array(part)
        values, covariance = fit(mine, len(part))
        found.values[members] = values
        found.part[members] = number
        its_groups, its_tables = degrees(mine)
        found.free[members] = its_groups - its_tables
        quantile = t_quantile(mine)
        if quantile is not None:
            found.covariance[np.ix_(members, members)] = quantile[1] * covariance
    return found


def _least_squares(blocks: Sequence[SetBlock], bots: int) -> tuple[Floats, Floats]:
    """Strengths and their sandwich covariance, before the factor G / (G - T)."""
    information = np.zeros((bots, bots))
    right = np.zeros(bots)
    meat = np.zeros((bots, bots))
    found = stacks(blocks)
    for stack in found:
        size = stack.bots.shape[1]
        centre = np.broadcast_to(np.eye(size) - 1 / size, (len(stack.bots), size, size))
        information += by_pair(stack.bots, centre, bots)
        right += by_bot(stack.bots, _centred(stack.stakes), bots)
    inverse = pseudo_inverse(information)
    values = inverse @ right
    for stack in found:
        scores = _centred(stack.stakes) - _centred(values[stack.bots])
        meat += by_pair(stack.bots, scores[:, :, None] * scores[:, None, :], bots)
    return values, inverse @ meat @ inverse


def _plain(blocks: Sequence[SetBlock], bots: int) -> tuple[Floats, Floats]:
    """Means and their covariance around the means of lineups, before the factor G / (G - T)."""
    sets = np.diag(together(blocks, bots)).astype(np.float64)
    total = np.zeros(bots)
    meat = np.zeros((bots, bots))
    for stack in stacks(blocks):
        total += by_bot(stack.bots, stack.stakes, bots)
        scores = lineup_residuals(stack)
        meat += by_pair(stack.bots, scores[:, :, None] * scores[:, None, :], bots)
    return total / sets, meat / np.outer(sets, sets)


def pseudo_inverse(information: Floats) -> Floats:
    """The inverse of an information matrix that is known only up to a constant."""
    return np.asarray(np.linalg.pinv(information, rcond=1e-10, hermitian=True), np.float64)


def _centred(values: Floats) -> Floats:
    return np.asarray(values - values.mean(axis=1, keepdims=True), np.float64)
