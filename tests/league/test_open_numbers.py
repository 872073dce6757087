"""What the tables of an open league lead to, in leagues played without processes."""

from collections import Counter
from statistics import mean

import pytest

from benchmarks.open_league import ARRIVALS, Played, course, covered, least, placed_after


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


def test_new_authors_make_no_hubs() -> None:
    """A hundred at once, at the start or later, or one every ten orders."""
    league = Played(1)
    for number in range(100):
        league.join(f"author {number}")
    league.play(100, results=False)
    assert max(Counter(bot for table in league.orders for bot in table).values()) <= 6
    few = Played(1)
    for count in (30, 100):
        for number in range(count):
            few.join(f"author {count} {number}")
        few.play(100, results=False)
    assert max(Counter(bot for table in few.orders[100:] for bot in table).values()) <= 6
    found = course(30, ARRIVALS[1], 1)
    assert found.least >= 0.6
    assert found.most <= 2.3
    assert found.hub <= 12
