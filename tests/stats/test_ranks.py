"""Ranks are given only as far as all differences together are certain."""

from itertools import combinations

import numpy as np
import pytest

from arena.stats.ranks import rank_ranges
from arena.stats.sets import SetBlock
from arena.stats.significance import holm_adjusted
from arena.stats.strengths import means, strengths
from tests.support.worked import simulated

TRIOS = list(combinations(range(4), 3))


def test_holm_multiplies_the_least_chance_by_all_tests_and_never_goes_down() -> None:
    assert holm_adjusted(np.array([0.03, 0.01, 0.04, 0.6])) == pytest.approx(
        [0.09, 0.04, 0.09, 0.6]
    )
    assert holm_adjusted(np.array([0.5, 0.9])) == pytest.approx([1.0, 1.0])
    assert holm_adjusted(np.array([])).size == 0


def test_clear_differences_leave_one_rank_each() -> None:
    blocks = simulated(1, [6.0, 2.0, -2.0, -6.0], TRIOS, 50)
    assert rank_ranges(means(blocks, 4)) == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_bots_alike_in_the_middle_share_their_ranks() -> None:
    blocks = simulated(2, [6.0, 0.0, 0.0, -6.0], TRIOS, 50)
    assert rank_ranges(means(blocks, 4)) == [(1, 1), (2, 3), (2, 3), (4, 4)]


def test_few_sets_leave_every_rank() -> None:
    blocks = simulated(3, [6.0, 0.0, -6.0], [(0, 1, 2)], 9)
    assert rank_ranges(means(blocks, 4)) == [(1, 3)] * 3 + [None]


def test_ten_sets_are_enough_for_a_rank() -> None:
    blocks = simulated(3, [20.0, 0.0, -20.0], [(0, 1, 2)], 10)
    assert rank_ranges(means(blocks, 3)) == [(1, 1), (2, 2), (3, 3)]


def test_bots_without_a_degree_of_freedom_do_not_blur_the_ranks_of_others() -> None:
    """Sixteen tests in place of one would: twenty trios that met once each are not tested."""
    sure = np.array([1.0] * 15 + [-1.0] * 5)
    pair = SetBlock((6, 7), np.stack([sure, -sure], axis=1))
    once = simulated(5, [0.0] * 6, list(combinations(range(6), 3)), 1)
    for estimate in (means, strengths):
        assert rank_ranges(estimate([pair, *once], 8)) == [(1, 6)] * 6 + [(1, 1), (2, 2)]


def test_ranks_are_counted_among_bots_that_met() -> None:
    blocks = simulated(4, [6.0, 0.0, -6.0, 6.0, 0.0, -6.0], [(0, 1, 2), (3, 4, 5)], 50)
    assert rank_ranges(strengths(blocks, 6)) == [(1, 1), (2, 2), (3, 3)] * 2


def test_a_difference_that_is_the_same_in_every_set_is_sure() -> None:
    block = SetBlock((0, 1), np.array([[1.0, -1.0]] * 20))
    assert rank_ranges(means([block], 2)) == [(1, 1), (2, 2)]


def test_bots_that_did_the_same_cannot_be_told_apart() -> None:
    block = SetBlock((0, 1), np.zeros((20, 2)))
    assert rank_ranges(means([block], 2)) == [(1, 2), (1, 2)]
