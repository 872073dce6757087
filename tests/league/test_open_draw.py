"""Draws of an open league: a pure function of its ledger and of what was stored."""

import math
from collections import Counter

import msgspec
import numpy as np
import pytest

from arena.league.config import OpenConfig
from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Dated,
    Entry,
    Joined,
    Left,
    Line,
    Ordered,
    Resumed,
    Teamed,
)
from arena.league.open_draw import NOISE, OpenDraw
from arena.league.outcomes import StoredOutcome
from arena.league.schedule import commitment, seatings
from arena.stats.figures import Lineup
from arena.zole.rules import preset

AT = "2026-01-01T00:00:00+00:00"


class Told:
    """A draw that is told what a league would tell it; hashes of lines are made up."""

    def __init__(self, bots: str, authors: str | None = None, apart: bool = True) -> None:
        self.draw = OpenDraw(OpenConfig(rules=preset(), apart="author" if apart else "nobody"))
        self.lines = 0
        self.matches = 0
        self.seconds: dict[str, float] = {}
        self.apply(Committed(commitment("secret")))
        for bot, author in zip(bots, authors or bots, strict=True):
            self.join(bot, author)

    def apply(self, entry: Entry) -> None:
        self.lines += 1
        text = msgspec.json.encode(Dated(AT, entry)).decode()
        self.draw.apply(Line(self.lines, text, f"{self.lines:064}"))

    def join(self, bot: str, author: str | None = None) -> None:
        house = author == "H"
        self.apply(Joined(bot, "a" * 64, author or bot, house))

    def order(self) -> Ordered:
        """Draw the next table and write it down."""
        table = self.draw.next_table()
        assert table is not None
        return self.order_of(table)

    def order_of(self, table: Lineup) -> Ordered:
        order = self.draw.order_of(table)
        self.apply(order)
        return order

    def store(self, order: Ordered, out: str = "") -> None:
        """Store an order's matches; in the first of them a bot may be disqualified."""
        for number, seats in enumerate(seatings(order.lineup, 3)):
            self.matches += 1
            lost = (seats.index(out),) if out and not number else ()
            spent = tuple(self.seconds.get(bot, 1.0) for bot in seats)
            deals = 3 if lost else 10
            self.draw.stored(
                StoredOutcome(order.lineup, order.first, deals, self.matches, seats, lost, spent)
            )

    def play(self, orders: int) -> list[Lineup]:
        tables: list[Lineup] = []
        for _ in range(orders):
            order = self.order()
            self.store(order)
            tables.append(order.lineup)
        return tables


def test_the_same_ledger_and_matches_give_the_same_tables() -> None:
    one, two = Told("abcdefg"), Told("abcdefg")
    assert one.play(20) == two.play(20)


def test_a_draw_asked_at_every_order_and_one_asked_at_the_end_agree() -> None:
    asked = Told("abcdefgh")
    tables = asked.play(25)
    later = Told("abcdefgh")
    for table in tables:
        later.store(later.order_of(table))
    assert later.draw.next_table() == asked.draw.next_table()


def test_results_play_no_part() -> None:
    """What is stored of a match has no payments at all."""
    assert not {"payments", "stakes", "results"} & set(StoredOutcome.__struct_fields__)


def test_all_sit_equally_often_where_nobody_comes_or_goes() -> None:
    count = Counter(bot for table in Told("abcdefgh").play(32) for bot in table)
    assert min(count.values()) >= 10
    assert max(count.values()) <= 14


def test_a_bot_has_at_most_two_orders_under_way() -> None:
    told = Told("abcde")
    told.play(4)
    under_way = [told.order(), told.order(), told.order()]
    while told.draw.next_table() is not None:
        under_way.append(told.order())
    count = Counter(bot for order in under_way for bot in order.lineup)
    assert max(count.values()) == 2
    assert list(told.draw.under_way.orders) == [(it.lineup, it.first) for it in under_way]
    told.store(under_way[0])
    assert len(told.draw.under_way.orders) == len(under_way) - 1


def test_a_slow_bot_has_one_order_under_way_which_holds_up_nobody_else() -> None:
    told = Told("abcdef")
    told.seconds = {"f": 100.0}
    told.play(10)
    slow = told.order_of(("a", "b", "f"))
    assert "f" not in (told.draw.next_table() or ())
    tables = [told.order() for _ in range(3)]
    count = Counter(bot for order in tables for bot in order.lineup)
    assert count.total() == 9
    assert max(count.values()) == 2
    assert "f" not in count
    told.store(slow)


def test_a_bot_that_has_not_been_seen_to_play_has_one_order_under_way() -> None:
    told = Told("abcdef")
    told.play(10)
    told.join("z")
    told.order_of(("a", "b", "z"))
    while (table := told.draw.next_table()) is not None:
        assert "z" not in table
        told.order_of(table)


def test_bots_of_one_author_never_meet_unless_the_league_lets_them() -> None:
    tables = Told("abcdef", "xxyyzz").play(16)
    assert all(len({"abcdef".index(bot) // 2 for bot in table}) == 3 for table in tables)
    together = Told("abcdef", "xxyyzz", apart=False).play(16)
    assert any(len({"abcdef".index(bot) // 2 for bot in table}) < 3 for table in together)


def test_authors_of_a_team_never_meet_from_then_on() -> None:
    told = Told("abcdef", "xyzuvw")
    told.play(6)
    told.apply(Teamed((("Y", "x"),)))
    assert not any({"a", "b"} <= {*table} for table in told.play(24))
    told.apply(Left("a", "replaced"))
    told.join("g", "x")
    assert not any({"g", "b"} <= {*table} for table in told.play(24))
    told.apply(Teamed(()))
    assert any({"g", "b"} <= {*table} for table in told.play(24))


def test_house_bots_fill_tables_until_three_authors_play() -> None:
    told = Told("abrst", "xyHHH")
    tables = told.play(12)
    assert all(set(table) & {"a", "b"} for table in tables)
    assert {bot for table in tables for bot in table} == set("abrst")
    told.join("c", "z")
    assert set(told.play(3)) == {("a", "b", "c")}
    told.apply(Left("a", "withdrawn"))
    assert set("rst") & set(told.play(1)[0])


def test_a_team_is_one_of_the_authors_that_a_table_needs() -> None:
    told = Told("abcrst", "xyzHHH")
    assert told.play(3) == [("a", "b", "c")] * 3
    told.apply(Teamed((("x", "Y"),)))
    tables = told.play(6)
    assert all(set("rst") & set(table) and not {"a", "b"} <= set(table) for table in tables)
    told.apply(Teamed(()))
    assert told.play(1) == [("a", "b", "c")]


def test_one_author_meets_house_bots_which_play_alone_without_any() -> None:
    told = Told("arst", "xHHH")
    assert all("a" in table for table in told.play(5))
    told.apply(Left("a", "withdrawn"))
    assert told.play(9) == [("r", "s", "t")] * 9
    told.join("b", "y")
    assert all("b" in table for table in told.play(9))
    draw = OpenDraw(OpenConfig(rules=preset()))
    assert draw.next_table() is None
    assert draw.half_widths() == {}


def test_a_newcomer_sits_at_once_but_leaves_the_others_a_quarter_of_the_orders() -> None:
    told = Told("abcdefghijkl")
    told.play(200)
    told.join("z")
    tables = told.play(32)
    assert sum("z" in table for table in tables[:8]) >= 5
    assert 12 <= sum("z" in table for table in tables) <= 24


def test_a_new_version_is_a_newcomer_of_which_nothing_is_known() -> None:
    told = Told("abcdef")
    told.play(30)
    told.apply(Left("f", "replaced"))
    told.join("g")
    assert told.draw.newcomers() == {"g"}
    widths = told.draw.half_widths()
    assert set(widths) == set("abcdeg")
    assert widths.pop("g") == math.inf
    assert max(widths.values()) < 0.3


def test_a_width_is_that_of_least_squares_where_all_have_met_equally_often() -> None:
    """Beside the same from the whole matrix: four orders of ten deals, one of each table."""
    told = Told("abcd")
    tables = told.play(4)
    assert len(set(tables)) == 4
    known = np.zeros((4, 4))
    for table in tables:
        places = np.ix_(*2 * [["abcd".index(bot) for bot in table]])
        known[places] += (np.eye(3) - 1 / 3) * 10 / (NOISE**2 * 3 / 2)
    errors = np.sqrt(np.diag(np.linalg.pinv(known)))
    np.testing.assert_allclose([*told.draw.half_widths().values()], 1.96 * errors)


def test_a_bot_that_left_is_remembered_until_its_orders_are_over() -> None:
    told = Told("abcdef")
    told.play(5)
    order = told.order()
    gone = order.lineup[0]
    told.apply(Left(gone, "withdrawn"))
    assert gone not in (told.draw.next_table() or ())
    told.store(order, out=order.lineup[1])
    assert set(told.draw.half_widths()) == set("abcdef") - {gone}


def test_slow_bots_get_fewer_orders_but_are_not_left_out() -> None:
    told = Told("abcdefgh")
    told.seconds = {"h": 40.0}
    count = Counter(bot for table in told.play(80) for bot in table)
    assert 0.5 * 80 * 3 / 8 <= count["h"] < 0.8 * min(count[bot] for bot in "abcdefg")


def test_a_void_order_brings_no_information() -> None:
    told = Told("abcdef")
    told.play(10)
    before = told.draw.half_widths()
    order = told.order()
    assert sum(told.draw.half_widths().values()) < sum(before.values())
    told.store(order, out=order.lineup[0])
    assert told.draw.half_widths() == pytest.approx(before)


def test_who_keeps_failing_is_to_be_benched_and_then_not_drawn() -> None:
    told = Told("abcdef")
    for _ in range(20):
        order = told.order()
        told.store(order, out="a" if "a" in order.lineup else "")
    assert told.draw.to_bench().keys() == {"a"}
    told.apply(Benched("a", told.draw.to_bench()["a"]))
    assert told.draw.to_bench() == {}
    assert not any("a" in table for table in told.play(15))
    told.apply(Resumed("a"))
    assert told.draw.to_bench() == {}
    assert any("a" in table for table in told.play(10))


def test_nobody_is_benched_in_a_final() -> None:
    told = Told("abcd")
    for _ in range(8):
        told.store(told.order_of(("a", "b", "c")), out="a")
    assert told.draw.to_bench()
    told.apply(Closed(1, ("b", "c", "d")))
    assert told.draw.to_bench() == {}


def test_a_match_of_no_order_is_refused() -> None:
    told = Told("abcd")
    order = told.order()
    told.store(order)
    with pytest.raises(ValueError, match=r"^match 7 is of no order that is under way$"):
        told.store(order)


def test_the_order_of_the_field_does_not_favour_anyone_among_equals() -> None:
    first = Counter(bot for turn in range(20) for bot in first_table(turn))
    assert set(first) == set("abcdefgh")
    assert max(first.values()) < 16


def first_table(turn: int) -> Lineup:
    told = Told("abcdefgh")
    told.lines = 100 * turn
    told.join("z")
    told.apply(Left("z", "withdrawn"))
    table = told.draw.next_table()
    assert table is not None
    return table
