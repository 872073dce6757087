"""Strengths agree with the worked tables, and fairly compare bots that met different opponents."""

from itertools import combinations
from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.stats.sets import Floats, SetBlock, league_sets
from arena.stats.strengths import (
    gap_between,
    means,
    plus_minus,
    relative_to,
    select,
    strengths,
)
from tests.support import oracles
from tests.support.worked import simulated, worked_league

TRIOS = list(combinations(range(4), 3))


def test_the_worked_league_has_its_stakes_per_deal() -> None:
    names, blocks, expected = worked_league()
    estimate = means(league_sets(blocks, len(names)))
    for name, value in zip(names, estimate.values, strict=True):
        assert value == pytest.approx(expected["ppd_raw_mean"][name], abs=1e-12)


def test_the_worked_league_has_its_strengths_and_errors() -> None:
    names, blocks, expected = worked_league()
    estimate = strengths(league_sets(blocks, len(names)))
    assert list(estimate.free) == [96] * 4
    for bot, name in enumerate(names):
        error = sqrt(estimate.covariance[bot, bot] * 197 / 200)
        assert estimate.values[bot] == pytest.approx(expected["theta_points_ols"][name], abs=1e-10)
        assert error == pytest.approx(expected["theta_points_se_cluster_set"][name], abs=1e-10)


def test_the_interval_of_one_lineup_is_the_textbook_one() -> None:
    stakes = np.random.default_rng(1).normal(size=(40, 3))
    half = plus_minus(means(league_sets([SetBlock((0, 1, 2), stakes)], 3)), 1)
    assert half == pytest.approx(2.022690920036762 * stakes[:, 1].std(ddof=1) / sqrt(40))


def test_a_gap_in_one_lineup_has_the_interval_of_paired_differences() -> None:
    stakes = np.random.default_rng(2).normal(size=(40, 3))
    apart = stakes[:, 0] - stakes[:, 2]
    found = gap_between(means(league_sets([SetBlock((0, 1, 2), stakes)], 3)), 0, 2)
    assert found is not None
    assert found.stakes == pytest.approx(apart.mean())
    assert found.plus_minus == pytest.approx(2.022690920036762 * apart.std(ddof=1) / sqrt(40))


def test_equal_schedules_order_means_as_strengths() -> None:
    blocks = simulated(3, [0.3, 0.0, -0.1, -0.2], TRIOS, 30)
    assert league_sets(blocks, 4).is_equal
    plain, adjusted = means(league_sets(blocks, 4)), strengths(league_sets(blocks, 4))
    assert plain.values == pytest.approx(adjusted.values * 8 / 9)  # 2/3 of n/(n - 1)


def test_tables_of_different_sizes_are_not_an_equal_schedule() -> None:
    """Any two bots met twenty times, but a win at a table of two is worth more."""
    pairs = list(combinations(range(3), 2))
    blocks = [*simulated(3, [0.3, 0.0, -0.3], [(0, 1, 2), *pairs], 10)]
    assert not league_sets(blocks, 3).is_equal
    assert league_sets(blocks[:1], 3).is_equal
    assert league_sets(blocks[1:], 3).is_equal


def test_a_bot_that_met_only_weak_ones_is_not_the_strongest_by_strength() -> None:
    """Bot 1 is stronger than bot 0, but sits with the strongest half the time."""
    uneven = simulated(4, [0.2, 0.6, 2.5, -2.5], [(0, 1, 3), (1, 2, 3)], 400)
    assert not league_sets(uneven, 4).is_equal
    plain, adjusted = means(league_sets(uneven, 4)), strengths(league_sets(uneven, 4))
    assert plain.values[0] > plain.values[1]
    assert adjusted.values[0] < adjusted.values[1]


def test_bots_that_never_met_are_not_compared() -> None:
    blocks = simulated(7, [0.0] * 6, [(0, 1, 2), (3, 4, 5)], 20)
    estimate = strengths(league_sets(blocks, 7))
    assert gap_between(estimate, 0, 1) is not None
    assert gap_between(estimate, 0, 4) is None
    assert isnan(estimate.covariance[0, 4])
    assert isnan(estimate.values[6])
    assert list(estimate.free) == [17] * 6 + [0]
    assert estimate.values[:3].sum() == pytest.approx(0)


@pytest.mark.parametrize("sets", [9, 10])
def test_fewer_than_ten_sets_give_a_gap_without_an_interval(sets: int) -> None:
    estimate = strengths(league_sets(simulated(8, [0.0] * 3, [(0, 1, 2)], sets), 3))
    found = gap_between(estimate, 0, 1)
    assert found is not None
    told = (found.plus_minus, found.los, plus_minus(estimate, 0))
    assert [each is None for each in told] == [sets < 10] * 3


def test_as_many_lineups_as_sets_leave_no_interval_of_plain_means() -> None:
    """Six bots meet in twenty trios, once each: every spread is that of one set around itself."""
    blocks = simulated(8, [0.0] * 6, list(combinations(range(6), 3)), 1)
    estimate = means(league_sets(blocks, 6))
    assert list(estimate.sets) == [10] * 6
    assert list(estimate.free) == [0] * 6
    found = gap_between(estimate, 0, 1)
    assert found is not None
    assert (found.plus_minus, found.los, plus_minus(estimate, 0)) == (None, None, None)
    assert list(strengths(league_sets(blocks, 6)).free) == [14] * 6


def test_bots_that_did_the_same_have_no_likelihood_of_superiority() -> None:
    stakes = np.random.default_rng(9).normal(size=30)
    block = SetBlock((0, 1, 2), np.stack([stakes, stakes, -2 * stakes], axis=1))
    found = gap_between(strengths(league_sets([block], 3)), 0, 1)
    assert found is not None
    assert found.los is None
    assert found.plus_minus == pytest.approx(0, abs=1e-9)


def test_a_field_is_measured_against_its_own_mean() -> None:
    """Bots 0 and 4 left; 5, 6 and 7 met only each other, and none of them plays."""
    true = [3.0, 1.0, 0.0, -1.0, -3.0, 1.0, 0.0, -1.0]
    tables = [*combinations(range(5), 3), (5, 6, 7)]
    whole = strengths(league_sets(simulated(3, true, tables, 40), 8))
    found = relative_to(whole, [1, 2, 3])
    assert found.values[[1, 2, 3]].sum() == pytest.approx(0)
    assert found.values[:5] - found.values[0] == pytest.approx(whole.values[:5] - whole.values[0])
    assert found.values[5:] == pytest.approx(whole.values[5:])
    field = select(found, [3, 1, 2])
    assert list(field.values) == list(found.values[[3, 1, 2]])
    centre = np.eye(8) - np.isin(np.arange(8), [1, 2, 3]) / 3
    wanted = centre[:5, :5] @ whole.covariance[:5, :5] @ centre[:5, :5].T
    assert found.covariance[:5, :5] == pytest.approx(wanted, abs=1e-12)
    one, other = gap_between(whole, 1, 3), gap_between(field, 1, 0)
    assert one is not None
    assert other is not None
    assert (one.stakes, one.plus_minus) == pytest.approx((other.stakes, other.plus_minus))


def test_newcomers_do_not_count_in_the_mean_of_a_field_until_they_have_some_sets() -> None:
    blocks = simulated(2, [1.0, 0.0, -1.0, 0.5], [(0, 1, 2)], 40)
    blocks += simulated(3, [1.0, 0.0, -1.0, 0.5], [(0, 1, 3)], 10)
    found = relative_to(strengths(league_sets(blocks, 4)), range(4))
    assert found.values[:3].sum() == pytest.approx(0)
    few = relative_to(
        strengths(league_sets(simulated(2, [1.0, 0.0, -1.0], [(0, 1, 2)], 20), 3)), range(3)
    )
    assert few.values.sum() == pytest.approx(0)


def test_strengths_are_those_of_the_pseudo_inverse() -> None:
    """Two parts at tables of different sizes, and a bot without sets, by plain loops."""
    true = np.random.default_rng(5).normal(size=9).tolist()
    tables = [(0, 1, 2), (1, 2, 3), (0, 3), (0, 1, 2, 3), (4, 5), (5, 6, 7)]
    blocks = simulated(11, true, tables, 12)
    rows, results, cluster = list[Floats](), list[float](), list[int]()
    for block in blocks:
        for stakes in block.stakes:
            start = len(rows)
            for bot, value in zip(block.bots, stakes - stakes.mean(), strict=True):
                row = np.zeros(9)
                row[list(block.bots)] -= 1 / len(block.bots)
                row[bot] += 1
                rows.append(row)
                results.append(value)
                cluster.append(start)
    design, made = np.array(rows), np.array(results)
    inverse = np.linalg.pinv(design.T @ design, rcond=1e-10)
    values = inverse @ design.T @ made
    scores = design * (made - design @ values)[:, None]
    by_set = np.array([scores[np.array(cluster) == start].sum(axis=0) for start in {*cluster}])
    meat = by_set.T @ by_set
    found = strengths(league_sets(blocks, 9))
    assert found.values[:8] == pytest.approx(values[:8], abs=1e-9)
    for part, factor in ((slice(0, 4), 96 / 93), (slice(4, 8), 36 / 33)):
        wanted = factor * (inverse @ meat @ inverse)[part, part]
        assert found.covariance[part, part] == pytest.approx(wanted, abs=1e-9)
    assert np.isnan(found.values[8])


LEAGUES = {
    "worked": worked_league()[1],
    "round robin": simulated(20, [0.4, 0.1, 0.0, -0.2, -0.3], list(combinations(range(5), 3)), 15),
    "gauntlet": simulated(21, [0.5, 0.0, 0.1, -0.6], [(0, 1, 2), (0, 1, 3), (0, 2, 3)], 30),
    "pairs": simulated(22, [0.4, 0.0, -0.4], list(combinations(range(3), 2)), 20),
    "four": simulated(23, [0.4, 0.2, 0, -0.2, -0.4], list(combinations(range(5), 4)), 20),
    "uneven": [
        *simulated(24, [0.3, 0.1, 0.0, -0.4], [(0, 1, 2)], 50),
        *simulated(25, [0.3, 0.1, 0.0, -0.4], [(1, 2, 3)], 12),
        *simulated(26, [0.3, 0.1, 0.0, -0.4], [(0, 3)], 20),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAGUES)
def test_statsmodels_finds_the_same_strengths_and_covariance(name: str) -> None:
    blocks = LEAGUES[name]
    bots = 1 + max(bot for block in blocks for bot in block.bots)
    values, covariance = oracles.strengths(blocks, bots)
    found = strengths(league_sets(blocks, bots))
    np.testing.assert_allclose(found.values, values, atol=1e-11)
    np.testing.assert_allclose(found.covariance, covariance, atol=1e-11)


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(3, 6), st.integers(4, 12))
@settings(max_examples=25)
def test_statsmodels_agrees_on_any_league(seed: int, bots: int, sets: int) -> None:
    true = np.random.default_rng(seed).normal(scale=0.5, size=bots)
    blocks = simulated(seed, list(true), list(combinations(range(bots), 3)), sets)
    values, covariance = oracles.strengths(blocks, bots)
    found = strengths(league_sets(blocks, bots))
    np.testing.assert_allclose(found.values, values, atol=1e-10)
    np.testing.assert_allclose(found.covariance, covariance, atol=1e-10)
