"""Intervals cover the truth as often as they say, in leagues whose truth is known.

Stakes of a deal are correlated between bots, come in whole stakes over six games, tie often, and
spread differently for each bot.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy.special import stdtrit

from arena.stats.elo import MEAN, ratings
from arena.stats.sets import Floats, LeagueSets, SetBlock, league_sets
from arena.stats.standings import rank_ranges
from arena.stats.strengths import Strengths, means, strengths
from benchmarks.coverage import covered

TRUE = np.array([0.5, 0.25, 0.1, -0.25, -0.6])
SPREAD = np.array([0.8, 1.0, 1.2, 1.5, 1.0])
ROUND = tuple((table, 20) for table in combinations(range(5), 3))
GAUNTLET = tuple(
    (table, 12 + 8 * (3 in table)) for table in combinations(range(5), 3) if 0 in table
)
Schedule = tuple[tuple[tuple[int, ...], int], ...]

counts = pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.slow)])
"""How many leagues are played."""


def stakes(chance: np.random.Generator, table: tuple[int, ...], sets: int) -> Floats:
    """Sets at a table: strengths less their mean, luck that others pay for, in sixths."""
    bots = list(table)
    luck = chance.normal(size=(sets, 3)) * SPREAD[bots]
    luck[:, 1] += 0.6 * luck[:, 0]
    raw = TRUE[bots] + luck
    games = np.round((raw - raw.mean(axis=1, keepdims=True)) * 2) / 2
    games[:, 2] = -games[:, 0] - games[:, 1]
    return np.asarray(games, np.float64)


@cache
def leagues(schedule: Schedule, count: int) -> list[list[SetBlock]]:
    chance = np.random.default_rng(1)
    return [
        [SetBlock(table, stakes(chance, table, sets)) for table, sets in schedule]
        for _ in range(count)
    ]


@cache
def population(schedule: Schedule) -> list[SetBlock]:
    """The same schedule with so many sets that its estimates are the truth."""
    chance = np.random.default_rng(2)
    return [SetBlock(table, stakes(chance, table, sets * 1000)) for table, sets in schedule]


def coverage(errors: Floats, covariance: Floats, free: int) -> tuple[float, float]:
    """How often intervals of single bots, and of differences of two, hold the truth."""
    t = float(stdtrit(free, 0.975))
    single = np.abs(errors) <= t * np.sqrt(np.einsum("lii->li", covariance))
    one, other = np.triu_indices(errors.shape[1], 1)
    variance = covariance[:, one, one] + covariance[:, other, other] - 2 * covariance[:, one, other]
    double = np.abs(errors[:, one] - errors[:, other]) <= t * np.sqrt(variance)
    return float(single.mean()), float(double.mean())


@counts
@pytest.mark.parametrize("schedule", [ROUND, GAUNTLET], ids=["round robin", "gauntlet"])
@pytest.mark.parametrize("estimate", [means, strengths])
def test_intervals_of_stakes_hold_the_truth_19_times_of_20(
    schedule: Schedule,
    estimate: Callable[[LeagueSets], Strengths],
    count: int,
) -> None:
    truth = estimate(league_sets(population(schedule), 5)).values
    found = [estimate(league_sets(blocks, 5)) for blocks in leagues(schedule, count)]
    errors = np.array([each.values for each in found]) - truth
    covariance = np.array([each.covariance for each in found])
    for share in coverage(errors, covariance, int(found[0].free[0])):
        assert 0.92 < share < 0.98


def test_intervals_a_fifth_too_narrow_are_noticed_in_the_fewest_leagues() -> None:
    truth = means(league_sets(population(ROUND), 5)).values
    found = [means(league_sets(blocks, 5)) for blocks in leagues(ROUND, 200)]
    errors = np.array([each.values for each in found]) - truth
    covariance = np.array([0.8**2 * each.covariance for each in found])
    assert max(coverage(errors, covariance, int(found[0].free[0]))) < 0.92


@counts
def test_intervals_of_elo_hold_the_truth_19_times_of_20(count: int) -> None:
    truth = np.array(
        [rating.elo for rating in ratings(league_sets(population(ROUND), 5)) if rating]
    )
    found = [ratings(league_sets(blocks, 5)) for blocks in leagues(ROUND, count)]
    values = np.array([[rating.elo for rating in each if rating] for each in found])
    halves = np.array([[rating.plus_minus for rating in each if rating] for each in found])
    assert values.mean() == pytest.approx(MEAN)
    assert 0.92 < (np.abs(values - truth) <= halves).mean() < 0.98


@counts
def test_all_rank_ranges_of_a_league_hold_the_truth_19_times_of_20(count: int) -> None:
    found = [rank_ranges(means(league_sets(blocks, 5))) for blocks in leagues(ROUND, count)]
    held = [
        all(it and it[0] <= rank <= it[1] for rank, it in enumerate(ranks, 1)) for ranks in found
    ]
    assert np.mean(held) > 0.94
    widths = [it[1] - it[0] for ranks in found for it in ranks if it]
    assert np.mean(widths) < 3  # not all of them say "any rank"


@pytest.mark.parametrize(("sets", "tables"), [(2, 0), (5, 0), (10, 20)])
def test_a_few_sets_a_table_give_intervals_that_are_neither_too_wide_nor_too_narrow(
    sets: int, tables: int
) -> None:
    for share in covered(10, sets, tables, 60):
        assert 0.92 < share < 0.975
