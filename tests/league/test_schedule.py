"""Lineups, seatings and deals of a league; samples of tables are balanced and kept."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations

import pytest

from arena.league.schedule import (
    commitment,
    draw_tables,
    league_deals,
    lineups,
    seat_seeds,
    seatings,
)
from arena.stats.figures import Lineup
from arena.zole.deal import active_seats, flaw
from arena.zole.rules import preset

RULES = preset()
ANY_DEALER = preset("pagat", {"deal": {"first_dealer": "random"}})
ABC = ("a", "b", "c")


@pytest.mark.parametrize("bots", [3, 4, 5, 7])
def test_a_round_robin_has_every_trio_once(bots: int) -> None:
    names = tuple("gfedcba"[:bots])
    assert sorted(lineups(names, 3)) == list(combinations(sorted(names), 3))


def test_a_gauntlet_has_the_tables_of_those_who_always_sit() -> None:
    names = ("x", "a", "b", "c")
    assert lineups(names, 3, ("x",)) == [("a", "b", "x"), ("a", "c", "x"), ("b", "c", "x")]
    assert lineups(names, 3, ("x", "a")) == [("a", "b", "x"), ("a", "c", "x")]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_seatings_are_all_orders(players: int) -> None:
    bots = tuple("abcde"[:players])
    assert sorted(seatings(bots, players)) == list(permutations(bots))


@pytest.mark.parametrize(
    ("bots", "players", "some"),
    [(3, 3, 3), (4, 4, 4), (4, 4, 8), (5, 5, 10), (5, 5, 40), (2, 3, None)],
)
def test_every_bot_sits_everywhere_equally_often(bots: int, players: int, some: int | None) -> None:
    """In some seatings of all, or in the six of two bots that mirror."""
    chosen = seatings(tuple("abcde"[:bots]), players, some)
    assert len(set(chosen)) == len(chosen) == (some or 6)
    for seat in range(players):
        count = Counter(seats[seat] for seats in chosen)
        assert [*count.values()] == [len(chosen) // bots] * bots


def test_two_rounds_of_seatings_give_the_same_neighbours_on_either_side() -> None:
    chosen = seatings(tuple("abcd"), 4, 8)
    left = [(seats[seat], seats[(seat + 1) % 4]) for seats in chosen for seat in range(4)]
    assert sorted(left) == sorted((second, first) for first, second in left)


def test_a_session_begins_with_a_dealer_of_its_own() -> None:
    dealers = [deal.dealer for deal in league_deals(ANY_DEALER, "7", ABC, 0, 400, 4)]
    assert dealers == [(dealers[n - n % 4] + n % 4) % 3 for n in range(400)]
    assert set(dealers[::4]) == {0, 1, 2}


def test_deals_are_fresh_for_each_lineup_and_known_from_the_seed() -> None:
    first = league_deals(RULES, "7", ABC, 0, 20)
    assert first == league_deals(RULES, "7", ABC[::-1], 0, 20)
    for seed, bots in (("7", ("a", "b", "d")), ("8", ABC)):
        others = {deal.hands for deal in league_deals(RULES, seed, bots, 0, 20)}
        assert not {deal.hands for deal in first} & others


@pytest.mark.parametrize("session", [None, 4])
def test_deals_from_a_later_one_on_are_those_of_the_whole_league(session: int | None) -> None:
    whole = league_deals(ANY_DEALER, "7", ABC, 0, 24, session)
    for first, deals in ((1, 5), (4, 4), (6, 9), (13, 3), (23, 1)):
        later = league_deals(ANY_DEALER, "7", ABC, first, deals, session)
        assert later == whole[first : first + deals]


def test_the_deal_goes_round() -> None:
    deals = league_deals(RULES, "7", ABC, 0, 6)
    assert [deal.dealer for deal in deals] == [0, 1, 2, 0, 1, 2]
    assert [flaw(deal) for deal in deals] == [None] * 6
    assert active_seats(3, deals[1].dealer) == (2, 0, 1)


def test_a_seat_seed_depends_on_seed_deals_and_seat_alone() -> None:
    deals = league_deals(RULES, "7", ABC, 0, 3)
    seeds = seat_seeds(RULES, "7", deals)
    others = seat_seeds(RULES, "8", deals) + seat_seeds(RULES, "7", deals[:2])
    assert len({*seeds, *others}) == 9
    assert all(0 <= seed < 1 << 53 for seed in seeds)
    assert seeds == seat_seeds(RULES, "7", list(deals))


def test_the_commitment_is_the_hash_of_the_seed_as_text() -> None:
    assert commitment("7") == "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"


def field(bots: int) -> tuple[str, ...]:
    return tuple(f"bot{number:02}" for number in range(bots))


def trios(bots: int) -> list[Lineup]:
    return lineups(field(bots), 3)


def seats(tables: Sequence[Lineup], bots: Sequence[str]) -> list[int]:
    """How often each bot sits at a table."""
    count = Counter(bot for table in tables for bot in table)
    return [count[bot] for bot in bots]


@pytest.mark.parametrize(
    ("bots", "number"), [(4, 2), (5, 5), (7, 14), (9, 12), (12, 40), (20, 33), (30, 145)]
)
def test_every_bot_is_drawn_equally_often_and_no_pair_meets_much_more(
    bots: int, number: int
) -> None:
    tables = draw_tables(trios(bots), number)
    met = Counter(pair for table in tables for pair in combinations(table, 2))
    meetings = [met[pair] for pair in combinations(field(bots), 2)]
    assert len(tables) == len(set(tables)) == number
    assert max(seats(tables, field(bots))) - min(seats(tables, field(bots))) <= 1
    assert max(meetings) - min(meetings) <= 2


def test_a_large_sample_is_taken_up_again_without_a_search_for_each_table() -> None:
    hashed: list[int] = []

    class Counted(tuple[str, ...]):
        def __hash__(self) -> int:
            hashed.append(1)
            return super().__hash__()

    tables = [Counted(table) for table in trios(12)]
    assert draw_tables(tables, 50, tables[:50]) == tables[:50]
    assert len(hashed) < 3 * len(tables)


def test_a_sample_of_all_is_all_and_of_nothing_nothing() -> None:
    tables = trios(6)
    assert set(draw_tables(tables, len(tables))) == set(draw_tables(tables, 1000)) == set(tables)
    assert draw_tables([], 5) == []


def test_a_sample_depends_on_names_alone_and_goes_on_where_a_smaller_one_ended() -> None:
    tables = trios(11)
    fewer, more = draw_tables(tables, 20), draw_tables(tables, 30)
    assert draw_tables(tables[::-1], 20) == fewer == more[:20]
    assert draw_tables(tables, 30, fewer) == more


def test_a_sample_stays_when_bots_come_and_they_sit_as_often_and_no_more() -> None:
    """Before, bots sat at six or seven tables each."""
    before = draw_tables(trios(10), 21)
    after = draw_tables(trios(12), 21, before)
    newcomers = field(12)[10:]
    assert after[:21] == before
    assert set(seats(before, field(10))) == {6, 7}
    assert min(seats(after, field(12))) == min(seats(after, newcomers)) == 6
    assert min(seats(after[:-1], newcomers)) == 5
    assert draw_tables(trios(12), 21, after) == after


def test_tables_of_bots_that_left_are_replaced() -> None:
    before = draw_tables(trios(10), 20)
    after = draw_tables(lineups(field(10)[1:], 3), 20, before)
    stayed = [table for table in before if "bot00" not in table]
    assert after[: len(stayed)] == stayed
    assert len(after) == 20


def test_a_gauntlet_is_drawn_evenly_among_those_who_do_not_always_sit() -> None:
    tables = draw_tables(lineups(field(12), 3, always=("bot03",)), 22)
    assert seats(tables, field(12)) == [4, 4, 4, 22, *[4] * 8]
