"""Intervals and ranks for tables that people watch hold at all looks, from the first on."""

from itertools import combinations

import numpy as np
import pytest

from arena.stats.anytime import (
    PRIOR,
    chances_at_all_times,
    half_width_at_all_times,
    plus_minus_at_all_times,
    ranks_at_all_times,
)
from arena.stats.ranks import rank_ranges
from arena.stats.sets import SetBlock
from arena.stats.significance import half_width
from arena.stats.strengths import among, plus_minus, strengths
from tests.support.worked import simulated

TRIOS = list(combinations(range(5), 3))


def test_after_many_sets_the_width_is_that_of_robbins_normal_mixture() -> None:
    sets, variance = 20_000.0, 0.01
    growth = (sets + PRIOR) / PRIOR
    wanted = np.sqrt(variance * (1 + PRIOR / sets) * np.log(growth / 0.05**2))
    assert half_width_at_all_times(sets, variance) == pytest.approx(wanted, rel=1e-3)


def test_the_width_is_as_many_times_the_ordinary_one_as_the_page_says() -> None:
    ratios = []
    for sets in (80, 240, 1000, 3000):
        wide = half_width_at_all_times(sets, 1.0)
        assert wide is not None
        ratios.append(wide / half_width(sets - 1, 1.0))
    assert min(ratios) > 1.5
    assert max(ratios) < 1.75


def test_few_sets_have_no_interval() -> None:
    assert half_width_at_all_times(9, 1.0) is None
    assert half_width_at_all_times(10, 1.0) is None
    assert half_width_at_all_times(30, 1.0) is not None


def test_an_interval_ends_where_the_chance_is_one_in_twenty() -> None:
    half = half_width_at_all_times(50, 0.04)
    assert half is not None
    [chance] = chances_at_all_times(np.array([half]), np.array([0.04]), np.array([50.0]))
    assert chance == pytest.approx(0.05)


def test_no_gap_is_no_evidence_and_gaps_without_spread_are_told_apart() -> None:
    gaps, none = np.array([0.0, 0.0, 1.0]), np.array([0.04, 0.0, 0.0])
    chances = chances_at_all_times(gaps, none, np.array([50.0] * 3))
    assert list(chances[:2]) == [1.0, 1.0]
    assert chances[2] < 1e-6


def test_ranks_at_all_times_leave_more_open_and_tell_clear_differences() -> None:
    near = strengths(simulated(1, [0.4, 0.2, 0.0, -0.2, -0.4], TRIOS, 40), 5)
    for at_end, at_all in zip(rank_ranges(near), ranks_at_all_times(near), strict=True):
        assert at_end is not None
        assert at_all is not None
        assert at_all[0] <= at_end[0] <= at_end[1] <= at_all[1]
    far = strengths(simulated(2, [6.0, 3.0, 0.0, -3.0, -6.0], TRIOS, 40), 5)
    assert ranks_at_all_times(far) == [(rank, rank) for rank in range(1, 6)]


def test_bots_of_a_field_are_measured_against_the_field() -> None:
    whole = strengths(simulated(3, [3.0, 1.0, 0.0, -1.0, -3.0], TRIOS, 40), 5)
    field = among(whole, [1, 2, 3])
    assert field.values.sum() == pytest.approx(0)
    assert field.values - field.values[0] == pytest.approx(whole.values[1:4] - whole.values[1])
    assert (plus_minus(field, 0) or 0) < (plus_minus_at_all_times(field, 0) or 0)


def test_bots_that_never_met_are_not_compared() -> None:
    blocks = simulated(4, [6.0, 0.0, -6.0] * 2, [(0, 1, 2), (3, 4, 5)], 50)
    assert ranks_at_all_times(strengths(blocks, 6)) == [(1, 1), (2, 2), (3, 3)] * 2
    one_set = [SetBlock((0, 1, 2), np.array([[1.0, 0.0, -1.0]]))]
    assert plus_minus_at_all_times(strengths(one_set, 3), 0) is None
