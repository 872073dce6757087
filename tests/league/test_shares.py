"""Shares of orders: of bots and of authors, by hand and in leagues that the arena draws."""

from collections import Counter
from itertools import combinations, cycle, islice
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
    while known.within(["a"], ()):
        known.order(("a", "x", "y"))
    orders = 0
    for bot in islice(cycle("bcdefghijklmnopqrstuvw"), 200):
        if known.within(["a"], ["a"]):
            known.order(("a", bot, "z"))
            orders += 1
        else:
            known.order((bot, "y", "z"))
    assert 18 <= orders <= 2 * MOST_SHARE * 10


def test_a_new_version_has_an_order_before_others_of_its_author_and_no_more_in_all() -> None:
    known = shares()
    had = []
    for turn in range(100):
        if turn % 10 == 0:
            known.join(f"a{turn}", "author of a")
            known.draws([*BOTS[1:], f"a{turn}"])
            version = f"a{turn}"
        may = bool(known.within([version], [version]))
        known.order((version, "x", "y") if may else ("w", "x", "y"))
        had += [version] * may
    assert len(set(had)) == 10
    assert len(had) <= MOST_SHARE * 10


def test_the_first_orders_of_an_author_count_in_no_share() -> None:
    known = shares()
    known.join("new", "author of new")
    known.draws([*BOTS, "new"])
    for _ in range(FIRST_ORDERS):
        assert known.is_new("new")
        assert known.within(["new"], ["new"])
        known.order(("new", "x", "y"))
    assert not known.is_new("new")
    assert known.within(["new"], ["new"])


def test_an_author_may_have_as_much_for_each_bot() -> None:
    known = shares()
    known.join("a2", "author of a")
    known.draws([*BOTS, "a2"])
    orders = 0
    while known.within(["a"], ["a"]):
        known.order(("a", "x", "y"))
        orders += 1
    assert 8 <= orders < MOST_SHARE * 20


def test_whoever_has_had_less_than_the_least_share_is_behind() -> None:
    known = shares(orders=0)
    assert known.behind(BOTS) is None
    rest = cycle(BOTS[1:])
    orders = 0
    while known.behind(BOTS) is None:
        known.order(tuple(islice(rest, 3)))
        orders += 1
    assert known.behind(BOTS) == "a"
    assert LEAST_SHARE * orders * 3 / 30 == pytest.approx(1, rel=0.1)
    known.order(("a", "b", "c"))
    assert known.behind(BOTS) is None


def test_who_is_not_drawn_is_owed_nothing() -> None:
    known = shares(orders=0)
    known.draws(BOTS[1:])
    rest = cycle(BOTS[1:])
    for _ in range(200):
        known.order(tuple(islice(rest, 3)))
    known.draws(BOTS)
    assert known.behind(BOTS) is None


def test_authors_that_came_together_meet_no_more_than_by_lot() -> None:
    known = shares(orders=30)
    for bot in ("one", "two"):
        known.join(bot, f"author of {bot}")
    field = [*BOTS, "one", "two"]
    known.draws(field)
    assert [*known.strangers(field)] == [("author of one", "author of two")]
    for _ in range(170):  # by lot two of 32 meet once in 165.3
        known.order(("a", "b", "c"))
    assert [*known.strangers(field)] == []
    known.order(("one", "two", "a"))
    assert [*known.strangers(field)] == [("author of one", "author of two")]


def test_who_was_there_at_the_start_or_came_later_meets_anybody() -> None:
    known = shares(orders=30)
    known.join("one", "author of one")
    known.draws([*BOTS, "one"])
    for _ in range(200):
        known.order(("a", "b", "c"))
    known.join("two", "author of two")
    known.draws([*BOTS, "one", "two"])
    assert [*known.strangers([*BOTS, "one", "two"])] == []


def test_guests_of_one_author_meet_no_more_than_by_lot_however_late_they_come() -> None:
    """Of a there are a guest and a guest's guest, who come long after each other."""
    known = shares(orders=30)
    field = [*BOTS]
    for bot, inviter in (("one", "author of a"), ("two", "author of one"), ("three", "")):
        known.join(bot, f"author of {bot}", inviter)
        field.append(bot)
        known.draws(field)
        for _ in range(201):  # too long for authors that came together; two meet once in 170
            known.order(("x", "y", "z"))
    assert [*known.strangers(field)] == []
    for _ in range(3):
        known.order(("one", "two", "a"))
        known.order(("a", "b", "three"))
    family = ("author of a", "author of one", "author of two")
    assert {*map(frozenset, known.strangers(field))} == {*map(frozenset, combinations(family, 2))}


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
