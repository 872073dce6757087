"""Of answers that are alike, a hint names the one that a sensible player would take."""

from collections import Counter

import pytest

from arena.match.logged import play_again
from arena.match.wire import DiscardReply, PlayReply, Request, ToBot, encode
from arena.people.advice import avoids_tricks, hint, usual_answer
from arena.people.position import deal_told, open_decision
from arena.review.decisions import OFFER_WORD, Decision, decisions
from arena.zole.cards import INDEX, TRUMPS, winner
from arena.zole.rules import preset
from tests.match.test_record import played
from tests.people.test_reasons import verdict_with
from tests.support.scripted import drive, plan_of
from tests.support.transcripts import simple


def trumps(answer: str) -> int:
    return sum(TRUMPS >> INDEX[card] & 1 for card in answer.split("."))


def test_the_usual_answer_keeps_trumps_and_ducks_where_tricks_cost() -> None:
    met: Counter[str] = Counter()
    plan = plan_of(preset("gamerules", {"auction": {"contracts": ["ordinary", "small_solo"]}}), 30)
    for decision in decisions(play_again(plan, played(plan, 1, 0.0)[1].log).deals):
        usual, answers = usual_answer(decision), decision.answers
        assert usual in answers
        if decision.kind == "discard":
            met["discard"] += 1
            assert trumps(usual) == min(map(trumps, answers))
        if decision.kind != "play" or OFFER_WORD in answers:
            continue
        trick = decision.state.trick
        if not avoids_tricks(decision.state, decision.seat):
            met["contract"] += 1
            assert trumps(usual) == min(map(trumps, answers))
        elif trick:
            met["avoids"] += 1
            takes = {each: winner((*trick, INDEX[each])) == len(trick) for each in answers}
            assert takes[usual] == all(takes.values())
    assert min(met[each] for each in ("discard", "contract", "avoids")) >= 5, met


def test_a_hint_follows_no_difference_that_chance_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")
    driven = drive(plan_of(preset("pagat"), 6), lambda _, request: simple()(request))
    told = [line for seat, line in driven.exchange if seat == 0 and isinstance(line, ToBot)]
    met: Counter[type] = Counter()
    for ahead, follows in ((0.04, False), (0.06, True)):

        def made(_: object, decision: Decision, *__: object, ahead: float = ahead) -> object:
            return verdict_with(decision, decision.answers[0], ahead)

        monkeypatch.setattr("arena.review.verdict.verdict", made)
        for until in [n for n, line in enumerate(told, 1) if isinstance(line, Request)]:
            lines = [encode(line) for line in told[:until]]
            deal = deal_told(lines)
            assert deal is not None
            decision = open_decision(deal)
            if len(decision.answers) == 1 or decision.kind not in ("play", "discard"):
                continue
            wanted = decision.answers[0] if follows else usual_answer(decision)
            found = hint(lines).answer
            met[type(found)] += 1
            match found:
                case PlayReply(card=card):
                    assert card == wanted
                case DiscardReply(cards=cards):
                    assert ".".join(cards) == wanted
                case _:
                    pytest.fail(f"this answers nothing that was asked: {found}")
    assert min(met[each] for each in (PlayReply, DiscardReply)) >= 2, met
