"""Lineups, seatings and deals of a league."""

from itertools import combinations, permutations

import pytest

from arena.league.schedule import commitment, league_deals, lineups, seat_seeds, seatings
from arena.zole.deal import active_seats, flaw
from arena.zole.rules import preset

RULES = preset()


@pytest.mark.parametrize(("bots", "tables"), [(3, 1), (4, 4), (5, 10), (7, 35)])
def test_a_round_robin_has_every_trio_once(bots: int, tables: int) -> None:
    names = tuple("gfedcba"[:bots])
    assert len(set(lineups(names, 3))) == tables
    assert set(lineups(names, 3)) == set(combinations(sorted(names), 3))


def test_three_bots_sit_in_six_ways() -> None:
    assert len(set(seatings(("a", "b", "c"), 3))) == 6


@pytest.mark.parametrize(("players", "ways"), [(3, 6), (4, 24), (5, 120)])
def test_all_seatings_are_all_orders(players: int, ways: int) -> None:
    bots = tuple("abcde"[:players])
    assert len(seatings(bots, players)) == len(set(seatings(bots, players))) == ways
    assert set(seatings(bots, players)) == set(permutations(bots))


@pytest.mark.parametrize(("players", "some"), [(3, 3), (4, 4), (4, 8), (5, 10), (5, 40)])
def test_some_seatings_seat_every_bot_everywhere_equally_often(players: int, some: int) -> None:
    bots = tuple("abcde"[:players])
    chosen = seatings(bots, players, some)
    assert len(set(chosen)) == some
    for seat in range(players):
        count = [sum(seats[seat] == bot for seats in chosen) for bot in bots]
        assert count == [some // players] * players


def test_two_rounds_of_seatings_give_the_same_neighbours_on_either_side() -> None:
    chosen = seatings(tuple("abcd"), 4, 8)
    left = [(seats[seat], seats[(seat + 1) % 4]) for seats in chosen for seat in range(4)]
    assert sorted(left) == sorted((second, first) for first, second in left)


def test_a_session_begins_with_a_dealer_of_its_own() -> None:
    rules = preset("pagat", {"deal": {"first_dealer": "random"}})
    dealers = [deal.dealer for deal in league_deals(rules, "7", ("a", "b", "c"), 0, 400, 4)]
    for start in range(0, 400, 4):
        first = dealers[start]
        assert dealers[start : start + 4] == [(first + since) % 3 for since in range(4)]
    assert len(set(dealers[::4])) == 3


def test_two_bots_mirror_and_sit_in_every_seat_equally_often() -> None:
    [lineup] = lineups(("b", "a"), 3)
    seats = seatings(lineup, 3)
    assert len(set(seats)) == 6
    for bot in "ab":
        assert [sum(each[seat] == bot for each in seats) for seat in range(3)] == [3, 3, 3]


def test_every_bot_sits_in_every_seat_equally_often() -> None:
    tables = lineups(("a", "b", "c", "d"), 3)
    seats = [each for table in tables for each in seatings(table, 3)]
    for bot in "abcd":
        assert {sum(each[seat] == bot for each in seats) for seat in range(3)} == {6}


def test_deals_are_fresh_for_each_lineup_and_known_from_the_seed() -> None:
    first = league_deals(RULES, "7", ("a", "b", "c"), 0, 20)
    assert first == league_deals(RULES, "7", ("c", "a", "b"), 0, 20)
    assert first[5:9] == league_deals(RULES, "7", ("a", "b", "c"), 5, 4)
    others = league_deals(RULES, "7", ("a", "b", "d"), 0, 20) + league_deals(
        RULES, "8", ("a", "b", "c"), 0, 20
    )
    assert not {deal.hands for deal in first} & {deal.hands for deal in others}


@pytest.mark.parametrize("session", [None, 4])
def test_deals_from_a_later_one_on_are_those_of_the_whole_league(session: int | None) -> None:
    rules = preset("pagat", {"deal": {"first_dealer": "random"}})
    whole = league_deals(rules, "7", ("a", "b", "c"), 0, 24, session)
    for first, deals in ((1, 5), (4, 4), (6, 9), (13, 3), (23, 1)):
        later = league_deals(rules, "7", ("a", "b", "c"), first, deals, session)
        assert later == whole[first : first + deals]


def test_the_deal_goes_round() -> None:
    deals = league_deals(RULES, "7", ("a", "b", "c"), 0, 6)
    assert [deal.dealer for deal in deals] == [0, 1, 2, 0, 1, 2]
    assert [flaw(deal) for deal in deals] == [None] * 6
    assert active_seats(3, deals[1].dealer) == (2, 0, 1)


def test_a_seat_seed_depends_on_seed_deals_and_seat_alone() -> None:
    deals = league_deals(RULES, "7", ("a", "b", "c"), 0, 3)
    seeds = seat_seeds(RULES, "7", deals)
    assert len(set(seeds)) == 3
    assert all(0 <= seed < 1 << 53 for seed in seeds)
    assert seeds == seat_seeds(RULES, "7", list(deals))
    assert not set(seeds) & set(seat_seeds(RULES, "8", deals))
    assert not set(seeds) & set(seat_seeds(RULES, "7", deals[:2]))


def test_the_commitment_is_the_hash_of_the_seed_as_text() -> None:
    assert commitment("7") == "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"


def test_a_gauntlet_has_the_tables_of_those_who_always_sit() -> None:
    names = ("x", "a", "b", "c")
    assert lineups(names, 3, ("x",)) == [("a", "b", "x"), ("a", "c", "x"), ("b", "c", "x")]
    assert lineups(names, 3, ("x", "a")) == [("a", "b", "x"), ("a", "c", "x")]
