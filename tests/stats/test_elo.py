"""Ratings agree with the worked tables, and never print a number that means nothing."""

from math import log, sqrt

import numpy as np
import pytest

from arena.stats.elo import ELO, MEAN, Rating, ratings
from arena.stats.intervals import t_quantile
from arena.stats.sets import Floats, SetBlock, league_sets
from arena.stats.strengths import fitted_degrees
from tests.stats.test_strengths import LEAGUES
from tests.support import oracles
from tests.support.present import present
from tests.support.worked import worked_league, worked_pairs

HALF_A_SET_OF_TEN = ELO * log(9.5 / 0.5)


def rated(blocks: list[SetBlock], bots: int) -> list[Rating]:
    """The ratings of bots all of which have one."""
    return [present(each) for each in ratings(league_sets(blocks, bots))]


def won(sets: int) -> Floats:
    """Sets of two bots, all of which the first won."""
    return np.array([[1.0, -1.0]] * sets)


def beats(one: int, other: int, sets: int = 10) -> SetBlock:
    return SetBlock((one, other), won(sets))


def test_the_worked_league_has_its_elo_and_errors() -> None:
    names, blocks, expected = worked_league()
    for name, rating in zip(names, rated(blocks, len(names)), strict=True):
        error = present(rating.plus_minus) / t_quantile(96, 0.975) * sqrt(197 / 200)
        assert rating.elo - MEAN == pytest.approx(expected["elo_set_bt"][name], abs=1e-6)
        assert error == pytest.approx(expected["elo_set_se_cluster_set"][name], abs=1e-6)


def test_the_worked_pairs_have_their_elo() -> None:
    names, blocks, expected = worked_pairs()
    elos = {name: each.elo - MEAN for name, each in zip(names, rated(blocks, 3), strict=True)}
    assert elos == pytest.approx(expected, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAGUES)
def test_statsmodels_and_choix_find_the_same_elo_and_intervals(name: str) -> None:
    blocks = LEAGUES[name]
    bots = 1 + max(bot for block in blocks for bot in block.bots)
    league, found = league_sets(blocks, bots), rated(blocks, bots)
    values = np.array([rating.elo - MEAN for rating in found])
    by_model, covariance = oracles.elo(blocks, bots)
    np.testing.assert_allclose(values, by_model, atol=1e-6)
    np.testing.assert_allclose(values, oracles.choix_elo(blocks, bots), atol=1e-6)
    for bot, rating in enumerate(found):
        free = int(fitted_degrees(league)[1][league.part[bot]])
        half = t_quantile(free, 0.975) * sqrt(covariance[bot, bot])
        assert rating.plus_minus == pytest.approx(half, rel=1e-8)


@pytest.mark.parametrize(
    ("blocks", "bounds"),
    [
        ([beats(0, 1)], "><"),
        ([beats(0, 1), beats(1, 2)], ">~<"),
        ([SetBlock((0, 1, 2), np.array([[2.0, -1, -1], [3, 0, -3], [2, -3, 1]]))], "><<"),
    ],
    ids=["a pair", "a chain", "a table"],
)
def test_a_bot_that_won_or_lost_everything_has_a_bound_and_no_interval(
    blocks: list[SetBlock], bounds: str
) -> None:
    found = rated(blocks, len(bounds))
    assert [each.bound for each in found] == [*bounds]
    assert [each.plus_minus for each in found] == [None] * len(bounds)
    assert found[0].elo > MEAN > found[-1].elo


@pytest.mark.parametrize("losers", [1, 2])
def test_a_bound_is_what_half_a_set_the_other_way_would_have_given(losers: int) -> None:
    """Losers that never met each other stand equally far below: nothing is conceded to them."""
    blocks = [beats(0, loser) for loser in range(1, losers + 1)]
    best, *others = [rating.elo for rating in rated(blocks, losers + 1)]
    assert [best - elo for elo in others] == pytest.approx([HALF_A_SET_OF_TEN] * losers)


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


def test_ratings_do_not_depend_on_the_order_of_sets() -> None:
    _, blocks, _ = worked_league()
    turned = [SetBlock(block.bots, block.stakes[::-1]) for block in reversed(blocks)]
    elos = [each.elo for each in rated(turned, 4)]
    assert elos == pytest.approx([each.elo for each in rated(blocks, 4)], abs=1e-9)
