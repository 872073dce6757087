"""Samples of tables are balanced, always the same, and kept when bots join."""

from collections import Counter
from itertools import combinations

import pytest

from arena.league.schedule import draw_tables, lineups
from arena.stats.figures import Lineup


def field(bots: int) -> tuple[str, ...]:
    return tuple(f"bot{number:02}" for number in range(bots))


def seats(tables: list[Lineup], bots: tuple[str, ...]) -> list[int]:
    count = Counter(bot for table in tables for bot in table)
    return [count[bot] for bot in bots]


def pairs(tables: list[Lineup], bots: tuple[str, ...]) -> list[int]:
    count = Counter(pair for table in tables for pair in combinations(table, 2))
    return [count[pair] for pair in combinations(bots, 2)]


@pytest.mark.parametrize(
    ("bots", "number"), [(4, 2), (5, 5), (7, 14), (9, 12), (12, 40), (20, 33), (30, 100), (30, 145)]
)
def test_every_bot_sits_equally_often_and_no_pair_meets_much_more(bots: int, number: int) -> None:
    names = field(bots)
    tables = draw_tables(lineups(names, 3), number)
    assert len(tables) == len(set(tables)) == number
    assert max(seats(tables, names)) - min(seats(tables, names)) <= 1
    assert max(pairs(tables, names)) - min(pairs(tables, names)) <= 2


def test_a_large_sample_is_taken_up_again_without_a_search_for_each_table() -> None:
    hashed: list[int] = []

    class Counted(tuple[str, ...]):
        def __hash__(self) -> int:
            hashed.append(1)
            return super().__hash__()

    tables = [Counted(table) for table in lineups(field(12), 3)]
    assert draw_tables(tables, 50, tables[:50]) == tables[:50]
    assert len(hashed) < 3 * len(tables)


def test_a_sample_of_all_is_all() -> None:
    tables = lineups(field(6), 3)
    assert set(draw_tables(tables, len(tables))) == set(draw_tables(tables, 1000)) == set(tables)


def test_the_same_names_give_the_same_sample_in_whatever_order_they_come() -> None:
    tables = lineups(field(11), 3)
    assert draw_tables(tables, 20) == draw_tables(tables[::-1], 20)


def test_more_tables_go_on_where_fewer_ended() -> None:
    tables = lineups(field(11), 3)
    fewer, more = draw_tables(tables, 20), draw_tables(tables, 30)
    assert more[:20] == fewer
    assert draw_tables(tables, 30, fewer) == more


def test_what_was_drawn_stays_when_bots_come_and_they_sit_as_often() -> None:
    before, names = draw_tables(lineups(field(10), 3), 20), field(12)
    after = draw_tables(lineups(names, 3), 20, before)
    assert after[:20] == before
    assert min(seats(after, names)) >= 6
    assert min(seats(after, names[10:])) == 6
    assert len(after) <= 20 + 12
    assert draw_tables(lineups(names, 3), 20, after) == after


def test_newcomers_sit_as_often_as_those_who_sit_least_and_no_more() -> None:
    before, names = draw_tables(lineups(field(10), 3), 21), field(12)
    assert set(seats(before, field(10))) == {6, 7}
    after = draw_tables(lineups(names, 3), 21, before)
    assert min(seats(after, names[10:])) == 6
    assert min(seats(after[:-1], names[10:])) == 5


def test_tables_of_bots_that_left_are_replaced() -> None:
    before = draw_tables(lineups(field(10), 3), 20)
    names = field(10)[1:]
    after = draw_tables(lineups(names, 3), 20, before)
    stayed = [table for table in before if "bot00" not in table]
    assert after[: len(stayed)] == stayed
    assert len(after) == 20


def test_a_gauntlet_is_drawn_evenly_among_those_who_do_not_always_sit() -> None:
    names = field(12)
    tables = draw_tables(lineups(names, 3, always=("bot03",)), 22)
    count = dict(zip(names, seats(tables, names), strict=True))
    assert count.pop("bot03") == 22
    assert set(count.values()) == {4}


def test_nothing_is_drawn_of_nothing() -> None:
    assert draw_tables([], 5) == []
