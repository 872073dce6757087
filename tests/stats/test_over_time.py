"""A league's course over time ends at its present standings."""

from itertools import combinations

import pytest

from arena.stats.over_time import points_over_time
from arena.stats.strengths import plus_minus, strengths
from tests.support.worked import simulated

TRIOS = list(combinations(range(4), 3))


def test_the_last_point_is_the_league_as_it_stands() -> None:
    blocks = simulated(1, [0.5, 0.0, 0.0, -0.5], TRIOS, 120)
    points = points_over_time(blocks, 4)
    estimate = strengths(blocks, 4)
    assert len(points) == 50
    assert [point.each for point in points] == sorted({point.each for point in points})
    assert (points[0].each, points[-1].each, points[-1].sets) == (1, 120, 480)
    assert points[-1].strengths == pytest.approx(tuple(estimate.values))
    assert points[-1].plus_minus == pytest.approx([plus_minus(estimate, bot) for bot in range(4)])


def test_intervals_narrow_and_begin_at_ten_sets() -> None:
    points = points_over_time(simulated(2, [0.0] * 3, [(0, 1, 2)], 30), 3)
    assert [point.plus_minus[0] is None for point in points] == [True] * 9 + [False] * 21
    first, last = points[9].plus_minus[0], points[-1].plus_minus[0]
    assert first is not None
    assert last is not None
    assert last < first


def test_a_bot_that_came_late_and_one_that_never_played_have_their_own_words() -> None:
    blocks = [*simulated(3, [0.0] * 4, [(0, 1, 2)], 40), *simulated(4, [0.0] * 4, [(1, 2, 3)], 5)]
    points = points_over_time(blocks, 5, points=8)
    assert points[-1].sets == 45
    assert points[-1].plus_minus[3] is None
    assert points[-1].strengths[3] is not None
    assert all(point.strengths[4] is None for point in points)


def test_no_sets_make_no_points() -> None:
    assert points_over_time([], 3) == ()
