"""A match without input or output: which deals are in play, in which order they count, its end."""

import random
from collections.abc import Sequence

import msgspec
import pytest

from arena.match.commands import (
    Failed,
    MatchPlan,
    MatchVoid,
    PlayedDeal,
    Question,
    Said,
    Tell,
)
from arena.match.match import MOST_AT_ONCE, Match
from arena.match.wire import AnyReply, AnyRequest, Bye, Ready
from arena.zole.rules import preset
from tests.match.test_referee import but, says
from tests.support.chance import by_chance
from tests.support.scripted import drive, plan_of

POOLS = preset("piedalies", {"all_pass": "pool", "pools": {"enabled": True}})
PLANS = [
    (plan_of(deals=40), 8),
    (plan_of(preset("lzsf", {"players": 4}), 20), 8),
    (msgspec.structs.replace(plan_of(POOLS, 24), session=6), 4),
    (plan_of(POOLS, 12), 1),  # with pools the whole match is one session
    (plan_of(preset("pagat", {"conduct": {"on_fault": "substitute"}}), 20), 8),
    (plan_of(deals=40, max_faults=3), 8),
]
"""Matches, and at how many of eight tables they are played at once: a session stays at one."""


def steady(seat: int, request: AnyRequest) -> AnyReply | Failed:
    """An answer by chance that depends on nothing but the position, and sometimes a fault."""
    position = msgspec.structs.replace(request, id=0, table=0, events=())
    dice = random.Random(f"{seat} {position}")
    if dice.random() < 0.01:
        return Failed("timeout", "by chance", 500_000)
    return msgspec.structs.replace(by_chance(dice, position), id=request.id)


def at_once(plan: MatchPlan, tables: int) -> tuple[list[PlayedDeal], Match, int]:
    """Play at many tables, answering in any order; the games in order, and the most in play."""
    dice, match, most = random.Random(1), Match(plan), 0
    commands = match.greeted((Ready(1, tables=tables),) * plan.rules.players)
    open_: list[Question] = []
    games: list[PlayedDeal] = []
    while True:
        open_ += (command for command in commands if isinstance(command, Question))
        games += (command for command in commands if isinstance(command, PlayedDeal))
        if match.over:
            late = Failed("timeout", "late")
            assert [each for each in open_ if match.hear(each.request.table, late)] == []
            return games, match, most
        most = max(most, len(open_))
        asked = open_.pop(dice.randrange(len(open_)))
        said = steady(asked.seat, asked.request)
        outcome = said if isinstance(said, Failed) else Said(said, 1000)
        commands = match.hear(asked.request.table, outcome)


def course(game: PlayedDeal) -> tuple[object, ...]:
    return game.number, game.result, [step.seat for step in game.steps]


@pytest.mark.parametrize(("plan", "tables"), PLANS)
def test_deals_at_many_tables_end_and_count_as_at_one(plan: MatchPlan, tables: int) -> None:
    games, match, most = at_once(plan, 8)
    assert list(map(course, games)) == list(map(course, drive(plan, steady, Ready(1)).games))
    assert most == match.tables == tables
    results = match.results()
    assert results.payments == tuple(game.result.payments for game in games)
    assert results.decisions == sum(len(game.steps) for game in games)


@pytest.mark.parametrize(
    ("ready", "tables"),
    [
        ((Ready(1, tables=5), Ready(1, tables=9), Ready(1, tables=7)), 5),
        ((Ready(1, tables=5), Ready(1), Ready(1, tables=7)), 1),
        ((Ready(1, tables=5), Failed("unready", ""), Ready(1, tables=7)), 5),
        ((Failed("unready", ""),) * 3, 1),
        ((Ready(1, tables=100_000),) * 3, 40),
    ],
)
def test_there_are_as_many_tables_as_every_bot_can(
    ready: Sequence[Ready | Failed], tables: int
) -> None:
    match = Match(plan_of(deals=40))
    match.greeted(tuple(ready))
    assert match.tables == tables <= MOST_AT_ONCE


def test_a_seat_that_faults_too_often_ends_the_match_before_another_question() -> None:
    plan = plan_of(deals=9, max_faults=2)
    driven = drive(plan, but(says("timeout", seat=1)), Ready(1))
    assert driven.disqualified == (1,)
    assert sum(isinstance(what, Failed) for _, what in driven.exchange) == 2
    assert driven.exchange[-3:] == [
        (0, Bye("the match is over")),
        (1, Bye("disqualified")),
        (2, Bye("the match is over")),
    ]


def test_a_match_without_deals_is_over_once_all_are_greeted() -> None:
    match = Match(plan_of(deals=0))
    assert match.over
    assert [type(command) for command in match.greeted((Ready(1),) * 3)] == [Tell] * 3
    assert match.results().payments == ()


def test_a_start_or_an_answer_that_failed_by_the_arena_makes_the_match_void() -> None:
    with pytest.raises(MatchVoid, match="no box"):
        Match(plan_of()).greeted((Ready(1), Failed("internal", "no box"), Ready(1)))
    match = Match(plan_of())
    match.greeted((Ready(1),) * 3)
    with pytest.raises(MatchVoid, match="no core"):
        match.hear(0, Failed("internal", "no core"))
