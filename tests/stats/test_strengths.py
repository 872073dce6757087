"""Strengths and Elo agree with worked tables and other programs, whoever a bot has met."""

from itertools import combinations
from math import isnan, log, sqrt

import numpy as np
import pytest

from arena.stats.elo import ELO, MEAN, Rating, ratings
from arena.stats.intervals import t_quantile
from arena.stats.sets import Floats, SetBlock, league_sets
from arena.stats.strengths import (
    Strengths,
    fitted_degrees,
    gap_between,
    means,
    plus_minus,
    relative_to,
    select,
    strengths,
)
from tests.support import oracles
from tests.support.present import present
from tests.support.worked import simulated, worked_league, worked_pairs

TRIO = [(0, 1, 2)]
TRIOS = list(combinations(range(4), 3))


def test_the_interval_of_a_bot_at_one_table_is_that_of_the_textbook() -> None:
    stakes = np.random.default_rng(1).normal(size=(40, 3))
    error = stakes[:, 1].std(ddof=1) / sqrt(40)
    estimate = means(league_sets([SetBlock((0, 1, 2), stakes)], 3))
    assert plus_minus(estimate, 1) == pytest.approx(2.022690920036762 * error)


LEAGUES = {
    "worked": worked_league()[1],
    "round robin": simulated(20, [0.4, 0.1, 0.0, -0.2, -0.3], list(combinations(range(5), 3)), 15),
    "few sets": simulated(27, [0.7, 0.3, 0.1, -0.1, -0.4, -0.6], [*TRIOS, (3, 4, 5), (2, 4, 5)], 6),
    "gauntlet": simulated(21, [0.5, 0.0, 0.1, -0.6], [(0, 1, 2), (0, 1, 3), (0, 2, 3)], 30),
    "pairs": simulated(22, [0.4, 0.0, -0.4], list(combinations(range(3), 2)), 20),
    "four": simulated(23, [0.4, 0.2, 0, -0.2, -0.4], list(combinations(range(5), 4)), 20),
    "uneven": [
        *simulated(24, [0.3, 0.1, 0.0, -0.4], [(0, 1, 2)], 50),
        *simulated(25, [0.3, 0.1, 0.0, -0.4], [(1, 2, 3)], 12),
        *simulated(26, [0.3, 0.1, 0.0, -0.4], [(0, 3)], 20),
    ],
}


def both(blocks: list[SetBlock], bots: int) -> tuple[Strengths, Strengths]:
    """The plain means and the strengths of a league."""
    league = league_sets(blocks, bots)
    return means(league), strengths(league)


def rated(blocks: list[SetBlock], bots: int) -> list[Rating]:
    """The ratings of bots all of which have one."""
    return [present(each) for each in ratings(league_sets(blocks, bots))]


def test_the_worked_league_has_its_stakes_strengths_elo_and_errors() -> None:
    names, blocks, expected = worked_league()
    (plain, adjusted), rating = both(blocks, 4), rated(blocks, 4)
    factor = sqrt(197 / 200)  # the table's errors have no correction
    elo_errors = [present(each.plus_minus) / t_quantile(96, 0.975) * factor for each in rating]
    for key, values, digits in (
        ("ppd_raw_mean", plain.values, 1e-12),
        ("theta_points_ols", adjusted.values, 1e-10),
        ("theta_points_se_cluster_set", factor * np.sqrt(adjusted.covariance.diagonal()), 1e-10),
        ("elo_set_bt", [each.elo - MEAN for each in rating], 1e-6),
        ("elo_set_se_cluster_set", elo_errors, 1e-6),
    ):
        found = dict(zip(names, values, strict=True))
        assert found == pytest.approx(expected[key], abs=digits), key
    assert list(adjusted.free) == [96] * 4
    turned = [SetBlock(block.bots, block.stakes[::-1]) for block in reversed(blocks)]
    again = [each.elo for each in rated(turned, 4)]
    assert again == pytest.approx([each.elo for each in rating], abs=1e-9)


def test_the_worked_pairs_have_their_elo() -> None:
    names, blocks, expected = worked_pairs()
    elos = {name: each.elo - MEAN for name, each in zip(names, rated(blocks, 3), strict=True)}
    assert elos == pytest.approx(expected, abs=1e-3)


def test_equal_schedules_order_means_as_strengths() -> None:
    plain, adjusted = both(simulated(3, [0.3, 0.0, -0.1, -0.2], TRIOS, 30), 4)
    assert plain.values == pytest.approx(adjusted.values * 8 / 9)  # 2/3 of n/(n - 1)


@pytest.mark.parametrize(
    ("tables", "equal"),
    [
        (TRIOS, True),
        (list(combinations(range(4), 2)), True),
        ([(0, 1, 3), (1, 2, 3)], False),
        ([(0, 1, 2, 3), *combinations(range(4), 2)], False),  # wins of pairs are worth more
    ],
)
def test_a_schedule_is_equal_if_all_met_equally_often_at_tables_of_one_size(
    tables: list[tuple[int, ...]], equal: bool
) -> None:
    assert league_sets(simulated(3, [0.0] * 4, tables, 10), 4).is_equal is equal


def test_bots_that_never_met_are_not_compared() -> None:
    estimate = strengths(league_sets(simulated(7, [0.0] * 6, [(0, 1, 2), (3, 4, 5)], 20), 7))
    assert gap_between(estimate, 0, 1) is not None
    assert gap_between(estimate, 0, 4) is None
    assert isnan(estimate.covariance[0, 4])
    assert isnan(estimate.values[6])
    assert list(estimate.free) == [17] * 6 + [0]
    assert estimate.values[:3].sum() == pytest.approx(0)


@pytest.mark.parametrize(
    ("tables", "sets", "told"),
    [
        (TRIO, 9, [(8, False), (6, False)]),
        (TRIO, 10, [(9, True), (7, True)]),
        (list(combinations(range(6), 3)), 1, [(0, False), (14, True)]),
    ],
    ids=["nine sets", "ten sets", "as many lineups as sets"],
)
def test_a_gap_has_an_interval_with_ten_sets_and_a_degree_of_freedom(
    tables: list[tuple[int, ...]], sets: int, told: list[tuple[int, bool]]
) -> None:
    """Of means, where a set counts around the mean of its table, and of strengths."""
    bots = 1 + max(map(max, tables))
    estimates = both(simulated(8, [0.0] * bots, tables, sets), bots)
    for estimate, (free, intervals) in zip(estimates, told, strict=True):
        gap = present(gap_between(estimate, 0, 1))
        known = [each is not None for each in (gap.plus_minus, gap.los, plus_minus(estimate, 0))]
        assert (known, [*estimate.free]) == ([intervals] * 3, [free] * bots)


def test_a_field_is_measured_against_its_own_mean() -> None:
    """Bots 0 and 4 left; 5, 6 and 7 met only each other, and none of them plays."""
    true = [3.0, 1.0, 0.0, -1.0, -3.0, 1.0, 0.0, -1.0]
    tables = [*combinations(range(5), 3), (5, 6, 7)]
    whole = strengths(league_sets(simulated(3, true, tables, 40), 8))
    found = relative_to(whole, [1, 2, 3])
    assert found.values[[1, 2, 3]].sum() == pytest.approx(0)
    assert found.values[:5] - found.values[0] == pytest.approx(whole.values[:5] - whole.values[0])
    assert found.values[5:] == pytest.approx(whole.values[5:])
    centre = np.eye(8) - np.isin(np.arange(8), [1, 2, 3]) / 3
    wanted = centre[:5, :5] @ whole.covariance[:5, :5] @ centre[:5, :5].T
    assert found.covariance[:5, :5] == pytest.approx(wanted, abs=1e-12)


def test_bots_that_are_selected_keep_their_values_and_gaps() -> None:
    whole = strengths(league_sets(LEAGUES["round robin"], 5))
    field = select(whole, [3, 1, 2])
    assert list(field.values) == list(whole.values[[3, 1, 2]])
    assert gap_between(field, 1, 0) == gap_between(whole, 1, 3)


def test_newcomers_do_not_count_in_the_mean_of_a_field_until_they_have_some_sets() -> None:
    true = [1.0, 0.0, -1.0, 0.5]
    blocks = simulated(2, true, TRIO, 40) + simulated(3, true, [(0, 1, 3)], 10)
    found = relative_to(strengths(league_sets(blocks, 4)), range(4))
    few = relative_to(strengths(league_sets(simulated(2, true, TRIO, 20), 3)), range(3))
    assert found.values[:3].sum() == pytest.approx(0)
    assert few.values.sum() == pytest.approx(0)


def test_strengths_are_those_of_the_pseudo_inverse() -> None:
    """Two parts at tables of different sizes, and a bot without sets."""
    true = np.random.default_rng(5).normal(size=9).tolist()
    tables = [(0, 1, 2), (1, 2, 3), (0, 3), (0, 1, 2, 3), (4, 5), (5, 6, 7)]
    blocks = simulated(11, true, tables, 12)
    design, made, sets = oracles.observed(blocks, 9, oracles.around_the_mean)
    inverse = np.linalg.pinv(design.T @ design, rcond=1e-10)
    values = inverse @ design.T @ made
    scores = design * (made - design @ values)[:, None]
    by_set = np.array([scores[sets == each].sum(axis=0) for each in range(72)])
    found = strengths(league_sets(blocks, 9))
    assert found.values == pytest.approx([*values[:8], np.nan], abs=1e-9, nan_ok=True)
    for part, factor in ((slice(0, 4), 96 / 93), (slice(4, 8), 36 / 33)):
        wanted = factor * (inverse @ by_set.T @ by_set @ inverse)[part, part]
        assert found.covariance[part, part] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAGUES)
def test_statsmodels_and_choix_find_the_same_strengths_elo_and_intervals(name: str) -> None:
    blocks = LEAGUES[name]
    bots = 1 + max(bot for block in blocks for bot in block.bots)
    league, found = league_sets(blocks, bots), rated(blocks, bots)
    values, covariance = oracles.strengths(blocks, bots)
    np.testing.assert_allclose(strengths(league).values, values, atol=1e-11)
    np.testing.assert_allclose(strengths(league).covariance, covariance, atol=1e-11)
    elos = np.array([rating.elo - MEAN for rating in found])
    by_model, covariance = oracles.elo(blocks, bots)
    np.testing.assert_allclose(elos, by_model, atol=1e-6)
    np.testing.assert_allclose(elos, oracles.choix_elo(blocks, bots), atol=1e-6)
    degrees = fitted_degrees(league)[1][league.part]
    halves = [
        t_quantile(int(free), 0.975) * sqrt(variance)
        for free, variance in zip(degrees, covariance.diagonal(), strict=True)
    ]
    assert [rating.plus_minus for rating in found] == pytest.approx(halves, rel=1e-8)


def won(sets: int) -> Floats:
    """Sets of two bots, all of which the first won."""
    return np.array([[1.0, -1.0]] * sets)


def beats(one: int, other: int, sets: int = 10) -> SetBlock:
    return SetBlock((one, other), won(sets))


@pytest.mark.parametrize(
    ("blocks", "bounds", "apart"),
    [
        ([beats(0, 1)], "><", 19),
        ([beats(0, 1), beats(0, 2)], "><<", 19),
        ([beats(0, 1), beats(1, 2)], ">~<", 19**2),
        ([SetBlock((0, 1, 2), np.array([[2.0, -1, -1], [3, 0, -3], [2, -3, 1]]))], "><<", None),
    ],
    ids=["a pair", "losers that never met", "a chain", "a table"],
)
def test_a_bot_that_won_or_lost_all_has_a_bound_as_if_half_a_set_of_ten_had_gone_the_other_way(
    blocks: list[SetBlock], bounds: str, apart: float | None
) -> None:
    found = rated(blocks, len(bounds))
    assert [(each.bound, each.plus_minus) for each in found] == [(it, None) for it in bounds]
    best, *others = [each.elo for each in found]
    assert best > MEAN > others[-1]
    assert apart is None or best - others[-1] == pytest.approx(ELO * log(apart))
    assert bounds != "><<" or apart is None or others[0] == pytest.approx(others[1])


def test_a_bound_softens_no_results_among_bots_that_can_be_rated() -> None:
    """Four bots beat each other in a circle, and all of them a fifth, conceded half a set by each.

    Twice the sets with one set the other way have the same likelihood.
    """
    results = {(0, 1): 9, (1, 2): 5, (2, 3): 2, (3, 0): 4, (0, 2): 3}
    circle = [beats(*pair, sets) for pair, sets in results.items()]
    found = rated([*circle, *(beats(bot, 4) for bot in range(4))], 5)
    conceded = [SetBlock((bot, 4), np.concatenate([won(19), -won(1)])) for bot in range(4)]
    softened = rated([*circle, *circle, *conceded], 5)
    assert [rating.bound for rating in found] == [">"] * 4 + ["<"]
    assert [rating.elo for rating in found] == pytest.approx([each.elo for each in softened])


def test_groups_that_never_met_are_rated_apart() -> None:
    block = np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]])
    *met, alone = ratings(league_sets([SetBlock((0, 1), block), SetBlock((2, 3), block)], 5))
    elos = [present(each).elo for each in met]
    assert alone is None
    assert [sum(elos[:2]), sum(elos[2:])] == pytest.approx([2 * MEAN] * 2)


def test_there_is_no_interval_for_fewer_than_ten_sets() -> None:
    stakes = np.tile([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]], (4, 1))
    for sets in (9, 10):
        found = rated([SetBlock((0, 1, 2), stakes[:sets])], 3)
        assert [each.plus_minus is None for each in found] == [sets < 10] * 3
