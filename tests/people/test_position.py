"""A deal made from a seat's lines: what the seat knew of it is what it knew of the real deal."""

import random
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from arena.match.commands import (
    Failed,
    MatchPlan,
    Outcome,
    PlayedDeal,
    Question,
    Said,
    Tell,
)
from arena.match.log import LogWriter
from arena.match.logged import play_again
from arena.match.match import Match, play_through
from arena.match.wire import AnyReply, encode
from arena.people.advice import deal_told, decisions_told, open_decision
from arena.review.decisions import decisions
from arena.review.worlds import KnownCards, known
from arena.zole.rules import preset, preset_names
from arena.zole.state import State
from tests.support.people import by_chance
from tests.support.scripted import ASKS_ALL, plan_of

TABLES = [(name, players) for name in preset_names() for players in (3, 4)]


def knowledge(past: Sequence[State]) -> KnownCards:
    """What seat 0 knew; in which order it took the talon's cards, it is not told."""
    seen = known(past, 0)
    first, second = seen.talon
    if first is None or second is None or seen.table.contract != "ordinary":
        return seen
    return msgspec.structs.replace(seen, talon=(min(first, second), max(first, second)))


def play_and_compare(plan: MatchPlan, seed: int) -> Counter[str]:
    """Play by chance, comparing at each question to seat 0; count the kinds of its decisions."""
    dice = random.Random(seed)
    playing, log = Match(plan, in_order=True), LogWriter()
    readies = (ASKS_ALL,) * plan.rules.players
    log.start(readies)
    lines = [encode(playing.hellos[0])]
    replies: dict[int, AnyReply] = {}
    past: list[State] = []
    kinds: Counter[str] = Counter()

    def answered(question: Question) -> Outcome:
        state = playing._in_play[0].board.state
        if not past or state is not past[-1]:
            past.append(state)
        if question.seat == 0:
            lines.append(encode(question.line))
            told = deal_told(lines)
            assert told is not None
            assert told.last == question.request
            made = open_decision(told)
            kinds[made.kind] += 1
            assert knowledge(made.past) == knowledge(past)
        if dice.random() < 0.01:
            return Failed("timeout", "no answer")
        reply = by_chance(question.request, dice, 0.05)
        if question.seat == 0:
            replies[len(lines)] = reply
        return Said(reply, 1)

    for command in play_through(playing, readies, answered):
        if isinstance(command, Tell) and command.seat == 0:
            lines.append(encode(command.line))
        if isinstance(command, PlayedDeal):
            log.deal(command)
            past.clear()
    kept = log.close()
    for number in range(len(plan.deals)):
        told = deal_told(lines, replies, number)
        assert told is not None
        of_log = [
            (each.kind, each.answers, each.given, knowledge(each.past), each.pools)
            for each in decisions(play_again(plan, kept).deals)
            if each.seat == 0 and each.deal == number
        ]
        assert [
            (each.kind, each.answers, each.given, knowledge(each.past), each.pools)
            for each in decisions_told(told)
            if len(each.answers) > 1 and each.given in each.answers
        ] == of_log
    return kinds


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_a_seat_knew_is_found_from_its_lines(name: str, players: int) -> None:
    rules = preset(name, {"players": players})
    kinds = play_and_compare(plan_of(rules, 4), 2)
    assert kinds["play"]
