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
from tests.match.test_referee import first
from tests.support.chance import by_chance
from tests.support.scripted import drive, plan_of

POOLS = preset("piedalies", {"all_pass": "pool", "pools": {"enabled": True}})
PLANS = [
    plan_of(deals=40),
    plan_of(preset("lzsf", {"players": 4}), 20),
    msgspec.structs.replace(plan_of(POOLS, 24), session=6),
    plan_of(POOLS, 12),
    plan_of(preset("pagat", {"conduct": {"on_fault": "substitute"}}), 20),
    plan_of(deals=40, max_faults=3),
]


def steady(seat: int, request: AnyRequest) -> Said | Failed:
    """An answer by chance that depends on nothing but the position, and sometimes a fault."""
    position = msgspec.structs.replace(request, id=0, table=0, events=())
    dice = random.Random(f"{seat} {position}")
    if dice.random() < 0.01:
        return Failed("timeout", "by chance", 500_000)
    return Said(msgspec.structs.replace(by_chance(dice, position), id=request.id), 1000)


def at_once(plan: MatchPlan, tables: int) -> tuple[list[PlayedDeal], Match, int]:
    """Play at many tables, answering in any order; the games in order, and the most in play."""
    dice = random.Random(1)
    match = Match(plan)
    commands = match.greeted((Ready(1, tables=tables),) * plan.rules.players)
    open_: list[Question] = []
    games: list[PlayedDeal] = []
    most = 0
    while True:
        open_ += (command for command in commands if isinstance(command, Question))
        games += (command for command in commands if isinstance(command, PlayedDeal))
        if match.over:
            return games, match, most
        most = max(most, len(open_))
        asked = open_.pop(dice.randrange(len(open_)))
        commands = match.hear(asked.request.table, steady(asked.seat, asked.request))


def alone(plan: MatchPlan) -> list[PlayedDeal]:
    """The same played one deal after the other."""

    def answer(seat: int, request: AnyRequest) -> AnyReply | Failed:
        outcome = steady(seat, request)
        return outcome.reply if isinstance(outcome, Said) else outcome

    return drive(plan, answer, Ready(1)).games


@pytest.mark.parametrize("plan", PLANS)
def test_deals_at_many_tables_end_and_count_as_at_one(plan: MatchPlan) -> None:
    games, match, most = at_once(plan, 8)
    assert [(game.number, game.result, seats(game)) for game in games] == [
        (game.number, game.result, seats(game)) for game in alone(plan)
    ]
    assert most == match.tables
    results = match.results()
    assert results.payments == tuple(game.result.payments for game in games)
    assert results.decisions == sum(len(game.steps) for game in games)


def seats(game: PlayedDeal) -> list[int]:
    return [step.seat for step in game.steps]


def test_sessions_stay_at_one_table() -> None:
    tables = [at_once(PLANS[number], 8)[1].tables for number in (0, 2, 3)]
    assert tables == [8, 4, 1]  # with pools the whole match is one session


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
    match = Match(PLANS[0])
    match.greeted(tuple(ready))
    assert match.tables == tables
    assert tables <= MOST_AT_ONCE


def test_a_seat_that_faults_too_often_ends_the_match_before_another_question() -> None:
    match = Match(plan_of(deals=9, max_faults=2))
    commands = match.greeted((Ready(1),) * 3)
    while not match.over:
        [question] = [command for command in commands if isinstance(command, Question)]
        said = Said(first(question.seat, question.request), 1)
        failed = Failed("timeout", "", 1)
        commands = match.hear(question.request.table, failed if question.seat == 1 else said)
    assert match.disqualified == (1,)
    assert not [command for command in commands if isinstance(command, Question)]
    byes = [command for command in commands[-3:] if isinstance(command, Tell)]
    assert [(bye.seat, bye.line) for bye in byes] == [
        (0, Bye("the match is over")),
        (1, Bye("disqualified")),
        (2, Bye("the match is over")),
    ]
    assert match.hear(0, failed) == []


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
