"""Shares of orders: of bots and of authors, by hand and in leagues that the arena draws."""

from collections import Counter
from itertools import cycle, islice
from math import comb
from statistics import mean

import pytest

from arena.league.shares import FIRST_ORDERS, LEAST_SHARE, MOST_SHARE, Shares
from benchmarks.open_league import ARRIVALS, Played, course, covered, least, placed_after

BOTS = "abcdefghijklmnopqrstuvwxyzABCD"
"""Thirty bots, each by an author of its own; an equal share of a hundred orders is ten."""


def shares(newcomer: str = "", author: str = "", orders: int = 300) -> Shares:
    """Shares after orders that all bots had equally, and that a newcomer may follow."""
    found = Shares(3)
    for bot in BOTS:
        found.join(bot, f"author of {bot}")
    found.draws(BOTS)
    seats = cycle(BOTS)
    for _ in range(orders):
        found.order(tuple(islice(seats, 3)))
    if newcomer:
        found.join(newcomer, author or f"author of {newcomer}")
        found.draws([*BOTS, newcomer])
    return found


def orders_within(known: Shares, bot: str) -> int:
    """Give a bot orders until its author has had its share; how many it had."""
    orders = 0
    while known.within([bot]):
        known.order((bot, "x", "y"))
        orders += 1
    return orders


def test_an_author_has_a_fifth_more_than_an_equal_share_at_most() -> None:
    known, orders = shares(), 0
    orders_within(known, "a")
    for bot in islice(cycle("bcdefghijklmnopqrstuvw"), 200):
        is_drawn = "a" in known.within(["a"])
        known.order(("a", bot, "z") if is_drawn else (bot, "y", "z"))
        orders += is_drawn
    assert 18 <= orders <= 2 * MOST_SHARE * 10


def test_a_bot_leaves_its_author_an_order_for_a_new_version() -> None:
    known = shares()
    orders_within(known, "a")
    known.join("a2", "author of a")
    known.draws([*BOTS[1:], "a2"])
    assert orders_within(known, "a2") == 1


def test_the_first_orders_of_an_author_count_in_no_share_and_each_bot_may_have_as_much() -> None:
    """1.2 of an equal share of a hundred orders is 11.6."""
    assert orders_within(shares("new"), "new") == FIRST_ORDERS + 11
    assert 8 <= orders_within(shares("a2", "author of a"), "a") < MOST_SHARE * 20


def test_a_bot_that_has_had_less_than_the_least_share_is_behind() -> None:
    known, rest, orders = shares(orders=0), cycle(BOTS[1:]), 0
    assert not any(map(known.is_behind, BOTS))
    while not known.is_behind("a"):
        known.order(tuple(islice(rest, 3)))
        orders += 1
    assert LEAST_SHARE * orders * 3 / 30 == pytest.approx(1, rel=0.1)
    assert not any(map(known.is_behind, BOTS[1:]))
    known.order(("a", "b", "c"))
    assert not known.is_behind("a")


def test_a_bot_that_is_not_drawn_is_owed_nothing() -> None:
    known, rest = shares(orders=0), cycle(BOTS[1:])
    known.draws(BOTS[1:])
    for _ in range(200):
        known.order(tuple(islice(rest, 3)))
    known.draws(BOTS)
    assert not known.is_behind("a")


def test_authors_that_came_after_the_start_and_soon_after_each_other_belong_together() -> None:
    known = shares("one", orders=30)
    known.join("two", "author of two")
    known.draws([*BOTS, "one", "two"])
    for _ in range(200):
        known.order(("a", "b", "c"))
    known.join("late", "author of late")
    pairs = [("one", "two"), ("one", "late"), ("one", "a"), ("a", "b")]
    assert [known.belong_together(*pair) for pair in pairs] == [True, False, False, False]


def begun(seed: int, authors: int, bots: int, orders: int) -> Played:
    """A league without processes in which the bots of some authors have had some orders."""
    league = Played(seed)
    for number in range(bots):
        league.join(f"author {number % authors}")
    league.play(orders, results=False)
    return league


def most_orders(league: Played, since: int = 0) -> int:
    """The most orders that a bot had."""
    return max(Counter(bot for table in league.orders[since:] for bot in table).values())


@pytest.mark.parametrize(
    "every", [10, *(pytest.param(each, marks=pytest.mark.slow) for each in (3, 30))]
)
def test_new_versions_buy_no_games(every: int) -> None:
    """Thirty bots of twenty authors, one of which renews its only bot."""
    league, versions = begun(every, 20, 30, 250), ["bot 19"]
    for _ in range(210 // every):
        versions.append(league.replace(versions[-1]))
        league.play(every, results=False)
    had = [bool({*versions} & {*table}) for table in league.orders[250:]]
    assert max(sum(had[at : at + 100]) for at in range(len(had) - 99)) <= 12
    played = {bot for table in league.orders for bot in table}
    assert len(played & {*versions}) >= 0.3 * len(versions)
    if every > 3:
        assert played >= {*versions[:-1]}


@pytest.mark.slow
def test_accounts_that_arrive_together_meet_less_than_by_lot() -> None:
    for seed in range(4):
        league = begun(seed, 15, 15, 250)
        late = {league.join(f"helper {number}") for number in range(5)}
        league.play(168, results=False)
        tables = Counter(len(late & {*table}) for table in league.orders[250:])
        assert tables[2] + tables[3] < 168 * (1 - (comb(15, 3) + 5 * comb(15, 2)) / comb(20, 3))
        assert tables[1] > 80


def test_new_authors_make_no_hubs() -> None:
    """A hundred at once, at the start or later, or one every ten orders."""
    few, found = begun(1, 30, 30, 100), course(30, ARRIVALS[1], 1)
    for number in range(100):
        few.join(f"newcomer {number}")
    few.play(100, results=False)
    assert most_orders(begun(1, 100, 100, 100)) <= 6
    assert most_orders(few, since=100) <= 6
    assert found.least >= 0.6
    assert found.most <= 2.3
    assert found.hub <= 12


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
