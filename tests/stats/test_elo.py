"""Ratings agree with the worked tables, and never print a number that means nothing."""

from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.stats.elo import ELO, MEAN, ratings
from arena.stats.intervals import t_quantile
from arena.stats.sets import Floats, SetBlock, league_sets
from arena.stats.strengths import fitted_degrees
from tests.stats.test_strengths import LEAGUES
from tests.support import oracles
from tests.support.worked import simulated, worked_league, worked_pairs


def test_the_worked_league_has_its_elo_and_errors() -> None:
    names, blocks, expected = worked_league()
    for name, rating in zip(names, ratings(league_sets(blocks, len(names))), strict=True):
        assert rating is not None
        assert rating.plus_minus is not None
        assert rating.elo - MEAN == pytest.approx(expected["elo_set_bt"][name], abs=1e-6)
        error = rating.plus_minus / t_quantile(96, 0.975) * sqrt(197 / 200)
        assert error == pytest.approx(expected["elo_set_se_cluster_set"][name], abs=1e-6)


def test_the_worked_pairs_have_their_elo() -> None:
    names, blocks, expected = worked_pairs()
    for name, rating in zip(names, ratings(league_sets(blocks, 3)), strict=True):
        assert rating is not None
        assert rating.elo - MEAN == pytest.approx(expected[name], abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAGUES)
def test_statsmodels_and_choix_find_the_same_elo(name: str) -> None:
    agree(LEAGUES[name], 1 + max(bot for block in LEAGUES[name] for bot in block.bots))


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(3, 5), st.integers(6, 12))
@settings(max_examples=25)
def test_statsmodels_and_choix_agree_on_any_league(seed: int, bots: int, sets: int) -> None:
    blocks = simulated(seed, [0.0] * bots, list(combinations(range(bots), 3)), sets)
    if not any(rating is None or rating.bound for rating in ratings(league_sets(blocks, bots))):
        agree(blocks, bots)


def agree(blocks: list[SetBlock], bots: int) -> None:
    """Elo within a millionth, and its intervals, the factor of their variances included."""
    league = league_sets(blocks, bots)
    found = ratings(league)
    values = np.array([rating.elo - MEAN for rating in found if rating])
    by_model, covariance = oracles.elo(blocks, bots)
    np.testing.assert_allclose(values, by_model, atol=1e-6)
    np.testing.assert_allclose(values, oracles.choix_elo(blocks, bots), atol=1e-6)
    for bot, rating in enumerate(found):
        if rating is not None and rating.plus_minus is not None:
            free = int(fitted_degrees(league)[1][league.part[bot]])
            half = t_quantile(free, 0.975) * sqrt(covariance[bot, bot])
            assert rating.plus_minus == pytest.approx(half, rel=1e-8)


def test_a_bot_that_won_everything_gets_a_bound() -> None:
    stakes = np.array([[2.0, -1.0, -1.0], [3.0, 0.0, -3.0], [2.0, -3.0, 1.0]])
    best, middle, last = ratings(league_sets([SetBlock((0, 1, 2), stakes)], 3))
    assert best is not None
    assert middle is not None
    assert last is not None
    assert (best.bound, best.plus_minus) == (">", None)
    assert (middle.bound, last.bound) == ("<", "<")
    assert best.elo > MEAN > middle.elo


def won(sets: int) -> Floats:
    """Sets of two bots, all of which the first won."""
    return np.array([[1.0, -1.0]] * sets)


def test_a_bound_is_what_half_a_set_the_other_way_would_have_given() -> None:
    best, last = ratings(league_sets([SetBlock((0, 1), won(10))], 2))
    assert best is not None
    assert last is not None
    assert (best.bound, last.bound) == (">", "<")
    assert best.elo - last.elo == pytest.approx(ELO * log(9.5 / 0.5))


def test_a_bound_softens_no_results_among_bots_that_can_be_rated() -> None:
    """Four bots beat each other in a circle, and all of them a fifth, conceded half a set by each.

    Twice the sets with one set the other way have the same likelihood.
    """
    results = {(0, 1): 9, (1, 2): 5, (2, 3): 2, (3, 0): 4, (0, 2): 3}
    circle = [SetBlock(pair, won(sets)) for pair, sets in results.items()]
    each = ratings(league_sets([*circle, *(SetBlock((bot, 4), won(10)) for bot in range(4))], 5))
    assert [rating.bound for rating in each if rating] == [">"] * 4 + ["<"]
    conceded = [SetBlock((bot, 4), np.concatenate([won(19), -won(1)])) for bot in range(4)]
    softened = ratings(league_sets([*circle, *circle, *conceded], 5))
    elos = [rating.elo for rating in softened if rating]
    assert [rating.elo for rating in each if rating] == pytest.approx(elos)


def test_a_bot_that_lost_everything_to_one_and_won_everything_of_another_has_both_bounds() -> None:
    each = ratings(league_sets([SetBlock((0, 1), won(10)), SetBlock((1, 2), won(10))], 3))
    assert [rating.bound for rating in each if rating] == [">", "~", "<"]


def test_a_bound_concedes_nothing_to_a_bot_that_was_never_met() -> None:
    """All lost to the first; the second and third never met, so they stand equally far below it."""
    each = ratings(league_sets([SetBlock((0, 1), won(10)), SetBlock((0, 2), won(10))], 3))
    best, *others = [rating.elo for rating in each if rating]
    assert [best - elo for elo in others] == pytest.approx([ELO * log(9.5 / 0.5)] * 2)


def test_groups_that_never_met_are_rated_apart() -> None:
    block = np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]])
    each = ratings(league_sets([SetBlock((0, 1), block), SetBlock((2, 3), block)], 5))
    assert each[4] is None
    for low, high in ((0, 1), (2, 3)):
        pair = each[low], each[high]
        assert pair[0] is not None
        assert pair[1] is not None
        assert pair[0].elo + pair[1].elo == pytest.approx(2 * MEAN)


def test_there_is_no_interval_for_fewer_than_ten_sets() -> None:
    stakes = np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]] * 3)
    found = ratings(league_sets([SetBlock((0, 1, 2), stakes)], 3))
    assert [rating.plus_minus for rating in found if rating] == [None] * 3
    more = ratings(league_sets([SetBlock((0, 1, 2), np.concatenate([stakes, stakes[:1]]))], 3))
    assert None not in [rating.plus_minus for rating in more if rating]


def test_ratings_do_not_depend_on_the_order_of_sets() -> None:
    _, blocks, _ = worked_league()
    turned = [SetBlock(block.bots, block.stakes[::-1]) for block in reversed(blocks)]
    for one, other in zip(
        ratings(league_sets(blocks, 4)), ratings(league_sets(turned, 4)), strict=True
    ):
        assert one is not None
        assert other is not None
        assert one.elo == pytest.approx(other.elo, abs=1e-9)
