"""What the tables of an open league lead to, in leagues played without processes."""

from statistics import mean

import pytest

from benchmarks.open_league import Played, covered, least, placed_after


@pytest.mark.slow
def test_intervals_hold_as_often_as_they_say_whoever_comes_and_goes() -> None:
    """Some 2,500 intervals: chance alone makes 0.5 %."""
    assert 0.93 <= covered(250) <= 0.97


@pytest.mark.slow
def test_a_newcomer_is_placed_in_a_third_of_the_orders_that_lots_would_need() -> None:
    drawn, by_lot = (
        mean(placed_after(24, seed, lot) for seed in range(6)) for lot in (False, True)
    )
    assert drawn <= by_lot / 3


@pytest.mark.slow
def test_the_least_served_bot_has_most_of_its_share() -> None:
    assert min(least(seed) for seed in range(30)) >= 0.6


def test_an_open_league_needs_no_processes() -> None:
    league = Played(1)
    bots = [league.join(f"author {number}") for number in range(4)]
    league.play(12)
    assert {bot for table in league.orders for bot in table} == set(bots)
    assert league.half_width(bots[0]) is not None
