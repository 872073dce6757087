"""Draws of an open league: a pure function of its ledger and of what was stored."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from arena.league.ledger import Benched, Closed, Entry, Left, Ordered, Teamed
from arena.league.open_draw import NOISE, OpenDraw
from arena.league.outcomes import StoredOutcome
from arena.stats.figures import Lineup, Standing
from tests.support.drawn_league import DrawnLeague
from tests.support.present import present

ALL_MEET = {"apart": "nobody"}


def meet(tables: list[Lineup], bots: str) -> bool:
    """Whether these bots share a table."""
    return any({*bots} <= {*table} for table in tables)


def test_a_draw_follows_from_lines_and_outcomes_however_often_and_late_it_is_asked() -> None:
    asked, later = DrawnLeague("abcdefgh"), DrawnLeague("abcdefgh")
    for table in asked.play(25):
        later.store(later.order(table))
    again = OpenDraw(asked.config)
    again.read(asked.lines, asked.outcomes)
    assert asked.draw.next_table() == later.draw.next_table() == again.next_table()


def test_results_play_no_part() -> None:
    """What is stored of a match has no payments at all."""
    assert not {"payments", "stakes", "results"} & set(StoredOutcome.__struct_fields__)


def counted(tables: Iterable[Lineup]) -> Counter[str]:
    """How often bots sit at some tables."""
    return Counter(bot for table in tables for bot in table)


def test_all_sit_equally_often_where_nobody_comes_or_goes() -> None:
    assert {*counted(DrawnLeague("abcdefgh").play(32)).values()} <= {10, 11, 12, 13, 14}


def under_way(league: DrawnLeague) -> list[Ordered]:
    """Order tables until there are none before others are stored."""
    orders = []
    while (table := league.draw.next_table()) is not None:
        orders.append(league.order(table))
    return orders


def test_a_bot_has_at_most_two_orders_under_way() -> None:
    league = DrawnLeague("abcde")
    league.play(4)
    orders = under_way(league)
    assert max(counted(order.lineup for order in orders).values()) == 2
    keys = [(order.lineup, order.first) for order in orders]
    assert list(league.draw.under_way.orders) == keys
    league.store(orders[0])
    assert list(league.draw.under_way.orders) == keys[1:]


@pytest.mark.parametrize("bot", ["f", "z"], ids=["slow", "new"])
def test_a_slow_or_new_bot_has_one_order_under_way_which_holds_up_nobody_else(bot: str) -> None:
    league = DrawnLeague("abcdef")
    league.seconds = {"f": 100.0} if bot == "f" else {}
    league.play(10)
    if bot == "z":
        league.join(bot)
    league.order(("a", "b", bot))
    count = counted(order.lineup for order in under_way(league))
    assert count.total() >= 9
    assert max(count.values()) == 2
    assert bot not in count


@pytest.mark.parametrize(("settings", "together"), [({}, False), (ALL_MEET, True)])
def test_bots_of_one_author_meet_only_where_the_league_lets_them(
    settings: dict[str, str], together: bool
) -> None:
    tables = DrawnLeague("abcdef", "xxyyzz", **settings).play(16)
    assert any(meet(tables, pair) for pair in ("ab", "cd", "ef")) is together


def test_authors_of_a_team_meet_neither_at_once_nor_by_later_bots() -> None:
    league = DrawnLeague("abcdef", "xyzuvw")
    league.play(6)
    league.append(Teamed((("Y", "x"),)))
    assert not meet(league.play(24), "ab")
    league.append(Left("a", "replaced"))
    league.join("g", "x")
    assert not meet(league.play(24), "gb")
    league.append(Teamed(()))
    assert meet(league.play(24), "gb")


def test_house_bots_fill_tables_until_three_authors_play() -> None:
    league = DrawnLeague("abrst", "xyHHH")
    tables = league.play(12)
    assert counted(tables).keys() == set("abrst")
    assert all(set(table) & {"a", "b"} for table in tables)
    league.join("c", "z")
    assert league.play(3) == [("a", "b", "c")] * 3
    league.append(Teamed((("x", "Y"),)))  # one author of the three that a table needs
    tables = league.play(6)
    assert all(set("rst") & set(table) for table in tables)
    assert not meet(tables, "ab")
    league.append(Teamed(()))
    assert league.play(1) == [("a", "b", "c")]
    league.append(Left("a", "withdrawn"))
    assert set("rst") & set(league.play(1)[0])


def test_one_author_meets_house_bots_which_play_alone_without_any() -> None:
    league = DrawnLeague("arst", "xHHH")
    assert all("a" in table for table in league.play(5))
    league.append(Left("a", "withdrawn"))
    assert league.play(9) == [("r", "s", "t")] * 9
    league.join("b", "y")
    assert all("b" in table for table in league.play(9))


def test_without_bots_there_is_no_table() -> None:
    draw = OpenDraw(DrawnLeague("").config)
    assert (draw.next_table(), draw.half_widths()) == (None, {})


def test_a_newcomer_sits_at_once_but_leaves_the_others_a_quarter_of_the_orders() -> None:
    league = DrawnLeague("abcdefghijkl")
    league.play(200)
    league.join("z")
    tables = league.play(32)
    assert sum("z" in table for table in tables[:8]) >= 5
    assert 12 <= sum("z" in table for table in tables) <= 24


def test_a_new_version_is_a_newcomer_of_which_nothing_is_known() -> None:
    league = DrawnLeague("abcdef")
    league.play(30)
    league.append(Left("f", "replaced"))
    league.join("g")
    widths = league.draw.half_widths()
    assert league.draw.newcomers() == {"g"}
    assert widths.pop("g") == math.inf
    assert set(widths) == set("abcde")
    assert max(widths.values()) < 0.3


def test_a_width_is_that_of_least_squares_where_all_have_met_equally_often() -> None:
    """Beside the same from the whole matrix: four orders of ten deals, one of each table."""
    league = DrawnLeague("abcd")
    tables = league.play(4)
    known = np.zeros((4, 4))
    for table in tables:
        places = np.ix_(*2 * [["abcd".index(bot) for bot in table]])
        known[places] += (np.eye(3) - 1 / 3) * 10 / (NOISE**2 * 3 / 2)
    errors = np.sqrt(np.diag(np.linalg.pinv(known)))
    assert len(set(tables)) == 4
    np.testing.assert_allclose([*league.draw.half_widths().values()], 1.96 * errors)


def test_a_bot_that_left_is_drawn_no_more_though_its_order_is_under_way() -> None:
    league = DrawnLeague("abcdef")
    league.play(5)
    order = league.order()
    gone, out, _ = order.lineup
    league.append(Left(gone, "withdrawn"))
    assert gone not in (league.draw.next_table() or ())
    league.store(order, out)
    assert set(league.draw.half_widths()) == set("abcdef") - {gone}


def test_slow_bots_get_fewer_orders_but_are_not_left_out() -> None:
    league = DrawnLeague("abcdefgh")
    league.seconds = {"h": 40.0}
    count = counted(league.play(80))
    assert 0.5 * 80 * 3 / 8 <= count["h"] < 0.8 * min(count[bot] for bot in "abcdefg")


def test_a_void_order_brings_no_information() -> None:
    league = DrawnLeague("abcdef")
    league.play(10)
    before = league.draw.half_widths()
    order = league.order()
    assert sum(league.draw.half_widths().values()) < sum(before.values())
    league.store(order, order.lineup[0])
    assert league.draw.half_widths() == pytest.approx(before)


def test_nobody_is_benched_in_a_final() -> None:
    league = DrawnLeague("abcd")
    for _ in range(8):
        league.store(league.order(("a", "b", "c")), "a")
    assert league.draw.to_bench().keys() == {"a"}
    league.append(Closed(1, ("b", "c", "d")))
    assert league.draw.to_bench() == {}


def test_the_order_of_the_field_does_not_favour_anyone_among_equals() -> None:
    """The secrets of leagues decide which table is the first."""
    draws = [DrawnLeague("abcdefgh", secret=str(secret)).draw for secret in range(20)]
    first = counted(present(draw.next_table()) for draw in draws)
    assert first.keys() == set("abcdefgh")
    assert max(first.values()) < 16


def table(bots: str, sets: int = 10) -> list[Standing]:
    """A live table of bots, the best first."""
    return [
        Standing(rank=rank, bot=bot, stakes_per_deal=0.0, games=6, sets=sets, faults={})
        for rank, bot in enumerate(bots, 1)
    ]


FIVE = ("abcde", "")


@pytest.mark.parametrize(
    ("field", "entries", "settings", "live", "finalists"),
    [
        (FIVE, [], {}, table("cabed"), "cabe"),
        (FIVE, [], {}, table("ab"), ""),
        (FIVE, [Benched("c", "why")], {}, [*table("xcdba"), *table("e", sets=0)], "dba"),
        (("abcdefgh", "AABBACCD"), [], {"final": 3}, table("abcdefgh"), "abcf"),
        (("abcdefgh", "AABBACCD"), [], {"final": 3, **ALL_MEET}, table("abcdefgh"), "abc"),
        (("abc", "AAB"), [], {}, table("abc"), ""),
        (("abcd", ""), [Teamed((("A", "B"),))], {"final": 3}, table("abcd"), "abcd"),
        (("abcd", ""), [Teamed((("A", "B"),))], {"final": 3, **ALL_MEET}, table("abcd"), "abcd"),
        (("abxyz", "ABHHH"), [], {}, table("xyabz"), "xyab"),
        (("abcx", "ABCH"), [], {}, table("xabc"), "abc"),
    ],
    ids=[
        "the best",
        "too few",
        "not the benched, nor those without a set",
        "the best bot of another author, where tables need it",
        "whoever wrote them, where all meet",
        "too few authors",
        "a team is one author",
        "a team is one author where all meet",
        "house bots where they are drawn",
        "no house bots where they are not",
    ],
)
def test_the_final_is_between_the_best_of_the_live_table_that_may_meet(
    field: tuple[str, str],
    entries: list[Entry],
    settings: dict[str, Any],
    live: list[Standing],
    finalists: str,
) -> None:
    league = DrawnLeague(*field, **{"final": 4, **settings})
    for entry in entries:
        league.append(entry)
    assert league.draw.finalists(live) == tuple(finalists)


@pytest.mark.parametrize(
    ("field", "entries", "settings", "final", "tables"),
    [
        (("abcd", ""), [Teamed((("A", "B"),))], ALL_MEET, "abcd", ["acd", "bcd"]),
        (("abxyz", "ABHHH"), [], {}, "xyza", ["axy", "axz", "ayz"]),
    ],
    ids=["a team meets itself no more than before", "no house bots among themselves"],
)
def test_the_tables_of_a_final_are_those_of_bots_that_may_meet(
    field: tuple[str, str],
    entries: list[Entry],
    settings: dict[str, Any],
    final: str,
    tables: list[str],
) -> None:
    league = DrawnLeague(*field, **settings)
    for entry in entries:
        league.append(entry)
    assert league.draw.final_tables(tuple(final)) == list(map(tuple, tables))


@pytest.mark.parametrize(
    ("settings", "tables"), [({}, ["abc", "abd"]), (ALL_MEET, ["abc", "abd", "acd", "bcd"])]
)
def test_every_table_of_the_final_has_equally_many_deals_behind_its_own(
    settings: dict[str, str], tables: list[str]
) -> None:
    league = DrawnLeague("abcd", "ABCC", final_deals=25, **settings)
    league.order(("a", "b", "c"))
    orders = list(league.draw.final_orders(("d", "a", "b", "c")))
    behind, fresh = [(10, 10), (20, 10), (30, 5)], [(0, 10), (10, 10), (20, 5)]
    assert sorted((*order.lineup, order.first, order.deals) for order in orders) == [
        (*lineup, *deals) for lineup in tables for deals in (behind if lineup == "abc" else fresh)
    ]
    assert {(order.known, order.kind) for order in orders} == {(0, "final")}
