"""Shares of orders: of bots and of authors, by hand and in leagues that the arena draws."""

from collections import Counter
from itertools import cycle, islice
from math import comb

import pytest

from arena.league.shares import FIRST_ORDERS, LEAST_SHARE, MOST_SHARE, Shares
from benchmarks.open_league import Played

BOTS = "abcdefghijklmnopqrstuvwxyzABCD"
"""Thirty bots, each by an author of its own; an equal share of a hundred orders is ten."""


def shares(bots: str = BOTS, orders: int = 300) -> Shares:
    """Shares after orders that all bots had equally."""
    found = Shares(3)
    for bot in bots:
        found.join(bot, f"author of {bot}")
    found.draws(bots)
    seats = cycle(bots)
    for _ in range(orders):
        found.order(tuple(islice(seats, 3)))
    return found


def test_an_author_has_a_fifth_more_than_an_equal_share_at_most() -> None:
    known = shares()
    while known.within(["a"]):
        known.order(("a", "x", "y"))
    orders = 0
    for bot in islice(cycle("bcdefghijklmnopqrstuvw"), 200):
        if known.within(["a"]):
            known.order(("a", bot, "z"))
            orders += 1
        else:
            known.order((bot, "y", "z"))
    assert 18 <= orders <= 2 * MOST_SHARE * 10


def test_a_bot_leaves_its_author_an_order_for_a_new_version() -> None:
    known = shares()
    while known.within(["a"]):
        known.order(("a", "x", "y"))
    known.join("a2", "author of a")
    known.draws([*BOTS[1:], "a2"])
    assert known.within(["a2"]) == ["a2"]
    known.order(("a2", "x", "y"))
    assert known.within(["a2"]) == []


def test_the_first_orders_of_an_author_count_in_no_share() -> None:
    known = shares()
    known.join("new", "author of new")
    known.draws([*BOTS, "new"])
    orders = 0
    while known.within(["new"]):
        known.order(("new", "x", "y"))
        orders += 1
    assert orders == FIRST_ORDERS + 11  # 1.2 of an equal share of a hundred orders is 11.6


def test_an_author_may_have_as_much_for_each_bot() -> None:
    known = shares()
    known.join("a2", "author of a")
    known.draws([*BOTS, "a2"])
    orders = 0
    while known.within(["a"]):
        known.order(("a", "x", "y"))
        orders += 1
    assert 8 <= orders < MOST_SHARE * 20


def test_a_bot_that_has_had_less_than_the_least_share_is_behind() -> None:
    known = shares(orders=0)
    assert not any(map(known.is_behind, BOTS))
    rest = cycle(BOTS[1:])
    orders = 0
    while not known.is_behind("a"):
        known.order(tuple(islice(rest, 3)))
        orders += 1
    assert LEAST_SHARE * orders * 3 / 30 == pytest.approx(1, rel=0.1)
    assert not any(map(known.is_behind, BOTS[1:]))
    known.order(("a", "b", "c"))
    assert not known.is_behind("a")


def test_who_is_not_drawn_is_owed_nothing() -> None:
    known = shares(orders=0)
    known.draws(BOTS[1:])
    rest = cycle(BOTS[1:])
    for _ in range(200):
        known.order(tuple(islice(rest, 3)))
    known.draws(BOTS)
    assert not known.is_behind("a")


def test_authors_that_came_after_the_start_and_soon_after_each_other_belong_together() -> None:
    known = shares(orders=30)
    for bot in ("one", "two"):
        known.join(bot, f"author of {bot}")
    known.draws([*BOTS, "one", "two"])
    for _ in range(200):
        known.order(("a", "b", "c"))
    known.join("late", "author of late")
    assert known.belong_together("one", "two")
    assert not known.belong_together("one", "late")
    assert not known.belong_together("one", "a")
    assert not known.belong_together("a", "b")


@pytest.mark.parametrize(
    "every", [10, *(pytest.param(each, marks=pytest.mark.slow) for each in (3, 30))]
)
def test_new_versions_buy_no_games(every: int) -> None:
    """Thirty bots of twenty authors, one of which renews its only bot."""
    league = Played(every)
    for number in range(30):
        league.join(f"author {number % 20}")
    mine = "bot 19"
    league.play(250, results=False)
    begin, versions = len(league.orders), [mine]
    for _ in range(210 // every):
        mine = league.replace(mine)
        versions.append(mine)
        league.play(every, results=False)
    had = [bool({*versions} & {*table}) for table in league.orders[begin:]]
    assert max(sum(had[at : at + 100]) for at in range(len(had) - 99)) <= 12
    played = {bot for table in league.orders for bot in table}
    assert len(played & {*versions}) >= 0.3 * len(versions)
    if every > 3:
        assert played >= {*versions[:-1]}


@pytest.mark.slow
def test_accounts_that_arrive_together_meet_less_than_by_lot() -> None:
    for seed in range(4):
        league = Played(seed)
        for number in range(15):
            league.join(f"author {number} of {seed}")
        league.play(250, results=False)
        late = {league.join(f"helper {number}") for number in range(5)}
        league.play(168, results=False)
        tables = Counter(len(late & {*table}) for table in league.orders[250:])
        assert tables[2] + tables[3] < 168 * (1 - (comb(15, 3) + 5 * comb(15, 2)) / comb(20, 3))
        assert tables[1] > 80
