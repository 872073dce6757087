"""Who plays the final of a season, and on what: decided beforehand, alike for every table."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from arena.league.config import OpenConfig
from arena.league.ledger import (
    Benched,
    Committed,
    Entry,
    Joined,
    Ordered,
    Teamed,
)
from arena.league.open_draw import OpenDraw
from arena.league.schedule import commitment
from arena.stats.figures import Standing
from arena.zole.rules import preset
from tests.support.open_record import lines_of

DIGEST = "d" * 64


def config(**more: Any) -> OpenConfig:
    return OpenConfig(**{"rules": preset(), "final": 4, "final_deals": 25, **more})


def field(*entries: Entry, **authors: str) -> list[Entry]:
    """The ledger of a field of bots by author; house bots are those of house."""
    joined = (Joined(bot, DIGEST, author, author == "house") for bot, author in authors.items())
    return [Committed(commitment("s")), *joined, *entries]


def draw(config: OpenConfig, ledger: list[Entry]) -> OpenDraw:
    found = OpenDraw(config)
    found.read(lines_of(*ledger), [])
    return found


def finalists(config: OpenConfig, ledger: list[Entry], table: list[Standing]) -> tuple[str, ...]:
    return draw(config, ledger).finalists(table)


def table(bots: str) -> list[Standing]:
    """A live table of bots, the best first."""
    return [
        Standing(rank=rank, bot=bot, stakes_per_deal=0.0, games=6, sets=10, faults={})
        for rank, bot in enumerate(bots, 1)
    ]


ALONE = field(a="A", b="B", c="C", d="D", e="E")


def test_the_best_of_the_live_table_play_the_final() -> None:
    assert finalists(config(), ALONE, table("cabed")) == ("c", "a", "b", "e")


def test_who_left_or_is_benched_or_has_not_played_is_not_in_it() -> None:
    out = field(Benched("c", "why"), a="A", b="B", c="C", d="D", e="E")
    unplayed = msgspec.structs.replace(table("e")[0], sets=0)
    assert finalists(config(), out, [*table("xcdba"), unplayed]) == ("d", "b", "a")


def test_where_tables_need_another_author_his_best_bot_joins() -> None:
    clans = field(a="A", b="A", c="B", d="B", e="A", f="C", g="C", h="D")
    assert finalists(config(final=3), clans, table("abcdefgh")) == ("a", "b", "c", "f")
    assert finalists(config(final=3, apart="nobody"), clans, table("abcdefgh")) == ("a", "b", "c")
    assert finalists(config(), field(a="A", b="A", c="B"), table("abc")) == ()
    assert finalists(config(), ALONE, table("ab")) == ()


@pytest.mark.parametrize("apart", ["author", "nobody"])
def test_a_team_meets_itself_in_a_final_no_more_than_before(apart: str) -> None:
    teams = field(Teamed((("A", "B"),)), a="A", b="B", c="C", d="D")
    its = config(final=3, apart=apart)
    assert finalists(its, teams, table("abcd")) == ("a", "b", "c", "d")
    assert draw(its, teams).final_tables("abcd") == [("a", "c", "d"), ("b", "c", "d")]


def test_house_bots_are_in_it_only_where_they_are_drawn() -> None:
    few = field(a="A", b="B", x="house", y="house", z="house")
    assert finalists(config(), few, table("xyabz")) == ("x", "y", "a", "b")
    tables = draw(config(), few).final_tables(("x", "y", "z", "a"))
    assert tables == [("a", "x", "y"), ("a", "x", "z"), ("a", "y", "z")]
    many = field(a="A", b="B", c="C", x="house")
    assert finalists(config(), many, table("xabc")) == ("a", "b", "c")


def deals_of(orders: Sequence[Ordered]) -> dict[tuple[str, ...], list[tuple[int, int]]]:
    found: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for order in orders:
        found.setdefault(order.lineup, []).append((order.first, order.deals))
    return found


@pytest.mark.parametrize("apart", ["author", "nobody"])
def test_every_table_of_the_final_has_equally_many_deals_behind_its_own(apart: str) -> None:
    form = config(apart=apart)
    had = Ordered(1, ("a", "b", "c"), 0, 10, 0, "table")
    played = field(had, a="A", b="B", c="C", d="C")
    final = ("d", "a", "b", "c")
    orders = list(draw(form, played).final_orders(final))
    behind, fresh = [(10, 10), (20, 10), (30, 5)], [(0, 10), (10, 10), (20, 5)]
    expected = {("a", "b", "c"): behind, ("a", "b", "d"): fresh}
    if apart == "nobody":
        expected |= {("a", "c", "d"): fresh, ("b", "c", "d"): fresh}
    assert deals_of(orders) == expected
    assert {(order.known, order.kind) for order in orders} == {(0, "final")}
