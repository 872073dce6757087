"""A test of whether one strength for each bot explains the stakes between any two."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from arena.stats.figures import Misfit, Untested
from arena.stats.floats import DUST, Floats, Ints
from arena.stats.sets import SetBlock, by_bot, by_pair, degrees, lineup_residuals, parts, stacks
from arena.stats.significance import f_above
from arena.stats.strengths import pseudo_inverse

MOST_TESTED = 50
"""The most bots that are tested: the time grows with the sixth power of their number."""

SPARE = 10
"""Degrees of freedom that must be left once each tested direction has taken one."""


def pairwise_misfit(blocks: Sequence[SetBlock], bots: int) -> Misfit:
    """Wald's test of pairwise effects against strengths, its errors clustered by deal.

    If bots i, j, k sit together, `x_i = (δ_ij + δ_ik) / 3` with an effect δ for each pair;
    strengths say `δ_ij = θ_i - θ_j`. The rest of δ is tested by Hotelling's T², with the covariance
    of the sets around the means of their lineups times G / (G - T).
    """
    if sum(len(part) for part in parts(blocks, bots)) > MOST_TESTED:
        return _untested(Untested("bots", MOST_TESTED))
    groups, tables = degrees(blocks)
    if groups <= tables:
        return _untested(Untested("sets"))
    pairs = {pair: number for number, pair in enumerate(combinations(range(bots), 2))}
    information = np.zeros((len(pairs), len(pairs)))
    right = np.zeros(len(pairs))
    meat = np.zeros((len(pairs), len(pairs)))
    for stack in stacks(blocks):
        columns, design = _effects(stack.bots.shape[1])
        numbers = _numbers(stack.bots, columns, bots)
        sides = np.sign(stack.bots[:, columns[:, 1]] - stack.bots[:, columns[:, 0]])
        gram = (design.T @ design)[None] * sides[:, :, None] * sides[:, None, :]
        information += by_pair(numbers, gram, len(pairs))
        right += by_bot(numbers, (stack.stakes @ design) * sides, len(pairs))
        scores = (lineup_residuals(stack) @ design) * sides
        meat += by_pair(numbers, scores[:, :, None] * scores[:, None, :], len(pairs))
    meat *= groups / (groups - tables)
    differences = np.zeros((len(pairs), bots))
    for (i, j), number in pairs.items():
        differences[number, [i, j]] = 1.0, -1.0
    return _tested(information, right, meat, differences, groups - tables)


def _tested(
    information: Floats, right: Floats, meat: Floats, differences: Floats, free: int
) -> Misfit:
    """The test of the pairwise effects that strengths leave unexplained."""
    of_strengths = pseudo_inverse(differences.T @ information @ differences)
    rest = np.eye(len(right)) - information @ differences @ of_strengths @ differences.T
    values, vectors = np.linalg.eigh(rest @ information)
    apart = vectors[:, values > DUST * np.trace(information)]
    if not apart.shape[1]:
        return _untested(Untested("tables"))
    left = apart.T @ rest @ right
    spread, turn = np.linalg.eigh(apart.T @ rest @ meat @ rest.T @ apart)
    real = spread > DUST * np.trace(meat)
    directions = int(real.sum())
    spare = free - directions + 1
    if directions == 0:
        return _untested(Untested("spread"))
    if spare < SPARE:
        return _untested(Untested("free", directions + SPARE - 1))
    along = turn[:, real].T @ left
    f = float((along**2 / spread[real]).sum()) * spare / (directions * free)
    return Misfit(f_above(directions, spare, f), f, directions, spare, None)


def _effects(size: int) -> tuple[Ints, Floats]:
    """The pairs at a table (as columns), and the share of their effects in each seat's stakes."""
    columns = np.array(list(combinations(range(size), 2)), np.int64)
    design = np.zeros((size, len(columns)))
    for number, (a, b) in enumerate(columns):
        design[[a, b], number] = 1 / size, -1 / size
    return columns, design


def _numbers(table: Ints, columns: Ints, bots: int) -> Ints:
    """The number of each pair at each table among all pairs of the field, row by row."""
    one, other = table[:, columns[:, 0]], table[:, columns[:, 1]]
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.asarray(low * (2 * bots - low - 1) // 2 + high - low - 1, np.int64)


def _untested(why: Untested) -> Misfit:
    return Misfit(None, None, None, None, why)
