"""A tournament's rounds, points and ranks, from made-up results of its tables."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.league.config import LeagueLimits, TournamentConfig
from arena.league.pairing import Pairing, pair
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.league.terms import Entrant, Terms, match_plan, mismatch
from arena.league.tournament import RoundResult, Tournament
from arena.zole.rules import preset

DEALS = 4


def terms_of(bots: str, rounds: int = 3, **more: Any) -> Terms:
    limits = LeagueLimits(max_faults=1)
    config = TournamentConfig(rules=preset(), limits=limits, rounds=rounds, deals=DEALS, **more)
    entrants = {bot: Entrant(bot.encode().hex().ljust(64, "0")) for bot in bots}
    return Terms(config=config, blocks=config.blocks_after(), bots=entrants)


def outline(
    number: int, spec: MatchSpec, stakes_of: Callable[[str], int], out: str = ""
) -> MatchOutline:
    """A match in which each bot makes its stakes; some may be disqualified."""
    return MatchOutline(
        match=number,
        bots=spec.seats,
        first=spec.first,
        deals=spec.deals,
        stakes=tuple(map(stakes_of, spec.seats)),
        faults=0,
        disqualified=tuple(seat for seat, bot in enumerate(spec.seats) if bot in out),
        decisions=0,
        isolation="none",
    )


def play(
    terms: Terms,
    stakes_of: Callable[[str], int],
    rounds: int = 100,
    seed: str = "7",
    out: str = "",
) -> tuple[Tournament, list[MatchOutline]]:
    """Play rounds in which each bot always makes the same stakes."""
    matches: list[MatchOutline] = []
    now = Tournament(terms, seed, matches)
    while not now.over and len(now.rounds) <= rounds:
        matches += [
            outline(number, spec, stakes_of, out)
            for number, spec in enumerate(now.remaining(), len(matches) + 1)
        ]
        now = Tournament(terms, seed, matches)
    return now, matches


@pytest.mark.parametrize(
    ("stakes", "points", "places", "out", "form"),
    [
        ((9, 0, -9), (6, 4, 2), (1, 2, 3), "", {}),
        ((3, 3, -6), (5, 5, 2), (1, 1, 3), "", {}),
        ((6, -3, -3), (6, 3, 3), (1, 2, 2), "", {}),
        ((0, 0, 0), (4, 4, 4), (1, 1, 1), "", {}),
        ((9, 0, -9), (3, 2, 1), (1, 2, 3), "", {"points": [3, 2, 1, 1]}),
        ((9, 0, -9), (0, 6, 4), (None, 1, 2), "a", {}),
    ],
    ids=["", "first", "second", "all", "another custom", "one disqualified"],
)
def test_places_are_worth_big_points_and_equals_share_them(
    stakes: Sequence[int],
    points: Sequence[int],
    places: Sequence[int | None],
    out: str,
    form: dict[str, Any],
) -> None:
    made = dict(zip("abc", stakes, strict=True))
    now, _ = play(terms_of("abc", 1, **form), made.__getitem__, out=out)
    ranking = now.ranking()
    assert {line.bot: (line.points, line.stakes, line.results) for line in ranking} == {
        bot: (won, made[bot], (RoundResult(1, place, won, made[bot]),))
        for bot, won, place in zip("abc", points, places, strict=True)
    }
    assert [line.points for line in ranking] == sorted(points, reverse=True)


def test_ranks_go_by_big_points_then_stakes_then_the_last_round() -> None:
    terms, first = terms_of("abcdef", 2), Counter({0: 3, 2: -3})
    matches, ranks = list[MatchOutline](), []
    for begin in (1, 3):
        for number, spec in enumerate(Tournament(terms, "7", matches).remaining(), begin):
            made = {bot: first[seat] for seat, bot in enumerate(spec.seats)}
            matches.append(outline(number, spec, made.__getitem__))
        ranking = Tournament(terms, "7", matches).ranking()
        ranks.append([line.rank for line in ranking])
    assert ranks[0] == [1, 1, 3, 3, 5, 5]
    lasts = [line.results[-1] for line in ranking]
    keys = [
        (line.points, line.stakes, last.points if last else 0)
        for line, last in zip(ranking, lasts, strict=True)
    ]
    assert keys == sorted(keys, reverse=True)
    assert ranks[1] == [1 + keys.index(key) for key in keys]


def test_a_bye_is_worth_a_second_place() -> None:
    now, _ = play(terms_of("abcde", 2), ord)
    first, _ = now.rounds[0].byes
    results = {line.bot: line.results[0] for line in now.ranking()}
    assert results[first] == RoundResult(None, None, 4.0, 0)


def test_each_round_follows_from_those_before() -> None:
    terms = terms_of("abcdefghi", 3)
    whole, matches = play(terms, lambda bot: -ord(bot))
    assert whole.over
    assert not whole.remaining()
    for number in range(3):
        stored = [match for match in matches if match.first < number * DEALS]
        again = Tournament(terms, "7", stored)
        assert again.rounds == whole.rounds[: number + 1]
        assert len(again.remaining()) == 3
    assert next(line.bot for line in whole.ranking()) == "a"
    assert play(terms, lambda bot: -ord(bot), seed="8")[0].rounds != whole.rounds


def test_half_a_round_leaves_its_other_tables() -> None:
    terms = terms_of("abcdef")
    both = Tournament(terms, "7", []).remaining()
    now = Tournament(terms, "7", [outline(1, both[1], ord)])
    assert now.remaining() == [both[0]]
    assert len(now.rounds) == 1
    assert sum(line.results == (None,) for line in now.ranking()) == 3


def test_the_strongest_may_be_listed_first() -> None:
    listed = Tournament(terms_of("fedcba", 1, first_round="listed"), "7", [])
    assert [sorted(table) for table in listed.rounds[0].tables] == [[*"def"], [*"abc"]]


def test_all_tables_of_a_round_have_the_same_cards_and_other_rounds_have_others() -> None:
    terms = terms_of("abcdefg", 2)
    now, _ = play(terms, ord, 1)
    specs = [*now.pairings(0), *now.pairings(1)]
    plans = [match_plan(terms, ["7"], spec) for spec in specs]
    assert [plan.rules.players for plan in plans] == [len(spec.seats) for spec in specs]
    talons = [tuple(deal.talon for deal in plan.deals) for plan in plans]
    assert (talons[0], talons[2]) == (talons[1], talons[3])
    assert talons[0] != talons[2]
    fresh = terms_of("abcdefg", 2, same_deals=False)
    one, other = (match_plan(fresh, ["7"], spec) for spec in now.pairings(0))
    assert one.deals[0].talon != other.deals[0].talon


TERMS = terms_of("abcdefg")
SPEC = Tournament(TERMS, "7", []).remaining()[0]


@pytest.mark.parametrize(
    ("changes", "fits"),
    [
        ({}, True),
        ({"lineup": SPEC.lineup[:2], "seats": SPEC.seats[:2]}, False),
        ({"first": 1}, False),
        ({"seats": SPEC.seats[::-1]}, False),
        ({"lineup": (*SPEC.lineup[:2], "x")}, False),
        ({"seed": 1}, False),
    ],
)
def test_only_matches_of_its_tables_are_its_matches(changes: dict[str, Any], fits: bool) -> None:
    spec = msgspec.structs.replace(SPEC, **changes)
    assert (mismatch(TERMS, ["7"], spec) is None) is fits


def names(number: int) -> list[str]:
    return [f"b{each:02}" for each in range(number)]


def played(
    field: int,
    rounds: int,
    fours: bool = True,
    seed: int = 0,
    authors: dict[str, str] | None = None,
) -> list[Pairing]:
    """Rounds in which the points of a table go as a hash of the seed has it."""
    bots = names(field)
    points, found = Counter[str](), list[Pairing]()
    people = None if authors is None else frozenset(authors.items())
    for number in range(rounds):
        order = sorted(bots, key=lambda bot: (-points[bot], bot))
        found.append(pair(tuple(order), tuple(found), people, fours, f"{seed} {number}"))
        for table in found[-1].tables:
            by_luck = random.Random(f"{seed} {number} {table}").sample(table, len(table))
            points.update(dict(zip(by_luck, (6, 4, 2, 0), strict=False)))
    return found


def meetings(rounds: Sequence[Pairing]) -> Counter[tuple[str, str]]:
    tables = (table for each in rounds for table in each.tables)
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def partitions(bots: Sequence[str], sizes: Counter[int]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to seat bots at tables of these sizes."""
    if not bots:
        yield []
    for size in sizes if bots else ():
        for rest in combinations(bots[1:], size - 1):
            left = [bot for bot in bots[1:] if bot not in rest]
            for more in partitions(left, sizes - Counter([size])):
                yield [(bots[0], *rest), *more]


def everyone(found: Pairing) -> list[str]:
    """All bots of a round, those with a bye included."""
    return sorted(bot for table in (*found.tables, found.byes) for bot in table)


def spread(counts: Sequence[int]) -> int:
    return max(counts) - min(counts)


def test_neighbours_in_the_standing_meet() -> None:
    found = pair(tuple(names(9)), (), None, True, "")
    assert [sorted(table) for table in found.tables] == [
        ["b00", "b01", "b02"],
        ["b03", "b04", "b05"],
        ["b06", "b07", "b08"],
    ]
    assert not found.byes


def test_bots_that_have_met_sit_apart_and_as_near_as_may_be() -> None:
    first = Pairing((("b00", "b01", "b02"), ("b03", "b04", "b05"), ("b06", "b07", "b08")), ())
    second = pair(tuple(names(9)), (first,), None, True, "")
    assert not any(count > 1 for count in meetings([first, second]).values())
    assert {"b00", "b03"} <= set(second.tables[0])  # the next two whom the first has not met
    assert "b06" in second.tables[0]


def test_equal_arguments_lead_to_equal_rounds_and_the_lot_decides_the_rest() -> None:
    rounds = [pair(tuple(names(12)), (), None, True, lot) for lot in ("one", "one", "two")]
    assert rounds[0] == rounds[1]
    assert rounds[0] != rounds[2]  # tables are the same, seats are drawn


@settings(max_examples=40, deadline=None)
@given(st.integers(6, 9), st.integers(1, 4), st.integers(0, 1000), st.booleans())
def test_no_other_round_repeats_fewer_meetings(
    field: int, rounds: int, seed: int, fours: bool
) -> None:
    *before, last = played(field, rounds, fours, seed)
    met = meetings(before)
    seated = [bot for bot in names(field) if bot not in last.byes]

    def repeated(tables: Sequence[Sequence[str]]) -> int:
        return sum(met[two] for table in tables for two in combinations(sorted(table), 2))

    others = partitions(seated, Counter(map(len, last.tables)))
    assert repeated(last.tables) == min(map(repeated, others))


@pytest.mark.parametrize(
    ("field", "seed", "fours"),
    [
        *((12, 1, True), (60, 2, True), (61, 3, False), (62, 4, True)),
        *(
            pytest.param(field, seed, fours, marks=pytest.mark.slow)
            for field in (12, 60, 61, 62)
            for seed in range(10, 40)
            for fours in (False, True)
        ),
    ],
)
def test_rounds_are_fair(field: int, seed: int, fours: bool) -> None:
    rounds = played(field, 7 if field > 12 else 3, fours, seed)
    for each in rounds:
        assert everyone(each) == names(field)
        assert Counter(map(len, each.tables))[4] == (field % 3 if fours else 0)
    met, tables = meetings(rounds), [table for each in rounds for table in each.tables]
    if field > 12:
        assert max(met.values()) == 1
    byes = Counter(bot for each in rounds for bot in each.byes)
    assert max(byes.values(), default=0) <= 1
    at_four = Counter(bot for table in tables if len(table) == 4 for bot in table)
    # Of 62 bots one may come to a table of four before its turn, to spare two that they meet again:
    # some rounds cannot avoid it, and meetings outweigh turns.
    assert spread([at_four[bot] for bot in names(field)]) <= (2 if field == 62 else 1)
    seats = Counter((bot, seat) for table in tables for seat, bot in enumerate(table))
    assert all(spread([seats[bot, seat] for seat in range(3)]) <= 3 for bot in names(field))


def test_byes_go_round_from_the_bottom() -> None:
    rounds: list[Pairing] = []
    for number in range(5):
        rounds.append(pair(tuple(names(5)), tuple(rounds), None, True, str(number)))
    assert rounds[0].byes == ("b04", "b03")
    assert rounds[1].byes == ("b02", "b01")
    assert spread([*Counter(bot for each in rounds for bot in each.byes).values()]) == 0


def test_bots_of_one_author_sit_apart() -> None:
    authors = {bot: str(number // 3) for number, bot in enumerate(names(9))}
    for each in played(9, 2, authors=authors):
        assert all(len({authors[bot] for bot in table}) == 3 for table in each.tables)


@pytest.mark.parametrize("field", [3, 4, 5, 7, 8, 10, 11])
def test_small_fields_have_rounds_however_long_they_play(field: int) -> None:
    assert [everyone(each) for each in played(field, 6)] == [names(field)] * 6
