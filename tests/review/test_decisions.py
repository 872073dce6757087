"""Decisions: what a log says that seats chose, and nothing that was not theirs to choose."""

import random
from collections import Counter
from functools import cache

import pytest

from arena.match.commands import Failed, Said
from arena.match.log import answer_text
from arena.match.logged import play_again
from arena.match.wire import AskBid, AskPlay, DiscardReply, PlayReply
from arena.review.decisions import OFFER_WORD, Decision, decisions
from arena.zole import play
from arena.zole.deal import from_deck, shuffled
from arena.zole.rules import preset
from arena.zole.scoring import Pools
from tests.support.alike import Step, mixed, played
from tests.support.scripted import plan_of

RULESETS = {
    "corrected": preset("piedalies", {"conduct": {"corrections": 2}}),
    "substituted": preset("pagat", {"conduct": {"on_fault": "substitute"}}),
    "lzsf": preset("lzsf"),
    "five": preset("lzsf", {"players": 5, "conduct": {"on_fault": "substitute"}}),
    "pools": preset("pagat", {"all_pass": "pool", "pools": {"enabled": True}}),
}


@cache
def match(name: str) -> tuple[list[Step], list[Decision], list[Pools]]:
    """A match of bots that go wrong now and then, its decisions, and the pools before each deal."""
    rules, dice = RULESETS[name], random.Random(name)
    deals = [from_deck(shuffled(f"{name} {n}"), rules, n % rules.players) for n in range(8)]
    plan = plan_of(rules, deals)
    steps, log = played(plan, lambda _, question: mixed(dice, question))
    ends = [deal.result.pools for deal in play_again(plan, log).deals]
    pools = [Pools(), *ends[:-1]] if rules.pools.enabled else [Pools()] * len(deals)
    return steps, list(decisions(play_again(plan, log).deals)), pools


def chosen(step: Step) -> bool:
    """Whether an answer was allowed and might have been another."""
    if step.wrong or isinstance(step.outcome, Failed):
        return False
    match step.question.request:
        case AskPlay(legal=legal):
            reply = step.outcome.reply
            return len(legal) > 1 or (isinstance(reply, PlayReply) and reply.offer)
        case AskBid(legal=bids):
            return len(bids) > 1
    return True


@pytest.mark.parametrize("name", RULESETS)
def test_each_answer_that_a_seat_chose_is_a_decision_and_no_other(name: str) -> None:
    """Requests are counted by seat from one, with those asked again."""
    steps, found, _ = match(name)
    expected, deal, number, asked = [], -1, 0, Counter[int]()
    for step in steps:
        request = step.question.request
        asked[request.seat] += 1
        deal, number = (deal, number + 1) if request.deal == deal else (request.deal, 0)
        if chosen(step):
            assert isinstance(step.outcome, Said)
            reply = step.outcome.reply
            said = sorted(reply.cards) if isinstance(reply, DiscardReply) else answer_text(reply)
            kind = request.__struct_config__.tag
            expected.append((deal, number, request.seat, asked[request.seat], kind, said))
    assert expected == [
        (each.deal, each.step, each.seat, each.request, each.kind, said_in(each)) for each in found
    ]


def said_in(decision: Decision) -> str | list[str]:
    return sorted(decision.given.split(".")) if decision.kind == "discard" else decision.given


@pytest.mark.parametrize("name", RULESETS)
def test_a_decision_has_all_that_came_before_it_and_what_was_allowed(name: str) -> None:
    _, found, pools = match(name)
    for each in found:
        state = each.state
        assert each.past[0] == play.start(RULESETS[name], state.deal)
        assert each.pools == pools[each.deal]
        assert each.given in each.answers
        if each.kind not in ("surrender", "offer"):
            assert state.turn == each.seat
            assert len(each.answers) == len(play.legal(state)) + (each.given == OFFER_WORD)
        else:
            assert (each.answers, state.declarer) == (("no", "yes"), each.seat)


def test_the_matches_have_every_kind_of_decision() -> None:
    found = [each for name in RULESETS for each in match(name)[1]]
    kinds = {each.kind for each in found}
    assert kinds == {"blind", "bid", "talon", "discard", "play", "surrender", "offer"}
    assert any(each.given == OFFER_WORD for each in found)
    assert any(len(each.pools.personal) + each.pools.collective for each in found)
