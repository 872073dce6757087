"""A tournament's points, ranks and rounds, from made-up results of its tables."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from arena.league.config import LeagueLimits, TournamentConfig
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.league.terms import Entrant, Terms, match_plan, misfit
from arena.league.tournament import Ranked, RoundResult, Tournament
from arena.zole.rules import preset

DEALS = 4


def terms_of(bots: str, rounds: int = 3, **more: Any) -> Terms:
    limits = LeagueLimits(max_faults=1)
    config = TournamentConfig(rules=preset(), limits=limits, rounds=rounds, deals=DEALS, **more)
    entrants = {bot: Entrant(bot.encode().hex().ljust(64, "0")) for bot in bots}
    return Terms(config=config, blocks=config.blocks_after(), bots=entrants)


def outline(
    number: int, spec: MatchSpec, stakes: Sequence[int], out: Sequence[int] = ()
) -> MatchOutline:
    return MatchOutline(
        match=number,
        bots=spec.seats,
        first=spec.first,
        deals=spec.deals,
        stakes=tuple(stakes),
        faults=0,
        disqualified=tuple(out),
        decisions=0,
        isolation="none",
    )


def play(
    terms: Terms, stakes_of: Callable[[str], int], rounds: int = 100, seed: str = "7"
) -> tuple[Tournament, list[MatchOutline]]:
    """Play rounds in which each bot always makes the same stakes."""
    matches: list[MatchOutline] = []
    now = Tournament(terms, seed, matches)
    while not now.over and len(now.rounds) <= rounds:
        for spec in now.remaining():
            matches.append(outline(len(matches) + 1, spec, [stakes_of(bot) for bot in spec.seats]))
        now = Tournament(terms, seed, matches)
    return now, matches


def one_table(stakes: Sequence[int], out: Sequence[str] = (), **form: Any) -> dict[str, Ranked]:
    """The ranking of a, b and c after one round at one table."""
    terms = terms_of("abc", 1, **form)
    [spec] = Tournament(terms, "7", []).remaining()
    made = dict(zip("abc", stakes, strict=True))
    gone = [spec.seats.index(bot) for bot in out]
    match = outline(1, spec, [made[bot] for bot in spec.seats], gone)
    return {line.bot: line for line in Tournament(terms, "7", [match]).ranking()}


@pytest.mark.parametrize(
    ("stakes", "points", "places"),
    [
        ((9, 0, -9), (6, 4, 2), (1, 2, 3)),
        ((3, 3, -6), (5, 5, 2), (1, 1, 3)),
        ((6, -3, -3), (6, 3, 3), (1, 2, 2)),
        ((0, 0, 0), (4, 4, 4), (1, 1, 1)),
    ],
)
def test_places_are_worth_big_points_and_equals_share_them(
    stakes: Sequence[int], points: Sequence[float], places: Sequence[int]
) -> None:
    found = one_table(stakes)
    assert [found[bot].points for bot in "abc"] == list(points)
    results = [found[bot].results[0] for bot in "abc"]
    assert [each and each.place for each in results] == list(places)
    assert [found[bot].stakes for bot in "abc"] == list(stakes)


def test_other_customs_count_other_points() -> None:
    found = one_table((9, 0, -9), points=[3, 2, 1, 1])
    assert [found[bot].points for bot in "abc"] == [3, 2, 1]


def test_a_disqualified_bot_gets_nothing_and_the_others_their_places() -> None:
    found = one_table((9, 0, -9), out="a")
    assert [found[bot].points for bot in "abc"] == [0, 6, 4]
    assert found["a"].results == (RoundResult(1, None, 0.0, 9),)
    assert [line.bot for line in found.values()] == ["b", "c", "a"]


def test_ranks_go_by_big_points_then_stakes_then_the_last_round() -> None:
    terms, matches = terms_of("abcdef", 2), list[MatchOutline]()
    ranks = []
    for _ in range(2):
        specs = Tournament(terms, "7", matches).remaining()
        begin = len(matches) + 1
        matches += [outline(n, spec, (3, 0, -3)) for n, spec in enumerate(specs, begin)]
        ranking = Tournament(terms, "7", matches).ranking()
        ranks.append([line.rank for line in ranking])
    assert ranks[0] == [1, 1, 3, 3, 5, 5]
    keys = [
        (line.points, line.stakes, each.points if (each := line.results[-1]) else 0)
        for line in ranking
    ]
    assert keys == sorted(keys, reverse=True)
    assert [line.rank for line in ranking] == [1 + keys.index(key) for key in keys]


def test_a_bye_is_worth_a_second_place() -> None:
    now, _ = play(terms_of("abcde", 2), ord)
    byes = now.rounds[0].byes
    assert len(byes) == 2
    line = next(line for line in now.ranking() if line.bot == byes[0])
    assert line.results[0] == RoundResult(None, None, 4.0, 0)


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
    now = Tournament(terms, "7", [outline(1, both[1], (1, 0, -1))])
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
    assert (misfit(TERMS, ["7"], spec) is None) is fits
