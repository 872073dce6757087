"""A hint is what a sensible player would take, and what is said of it is true."""

import random
import re
from collections import Counter
from collections.abc import Callable
from operator import xor

import msgspec
import pytest

from arena.match.logged import play_again
from arena.match.wire import DiscardReply, PlayReply, Request, ToBot, encode
from arena.people.advice import avoids_tricks, deal_told, hint, open_decision, reasons, usual_answer
from arena.people.terminal import reason_words
from arena.reports.language import ENGLISH, Language
from arena.review.decisions import OFFER_WORD, Decision, decisions
from arena.review.verdict import Valued, Verdict
from arena.zole import play
from arena.zole.cards import (
    BEATEN_BY,
    INDEX,
    POINTS,
    SUIT_OF,
    TRUMPS,
    Card,
    Cards,
    mask,
    members,
    points,
    winner,
)
from arena.zole.deal import Seat
from arena.zole.rules import Rules, preset
from arena.zole.state import Play, State
from tests.match.test_record import played
from tests.support.scripted import drive, plan_of
from tests.support.transcripts import simple

TALON: dict[str, object] = {"all_pass": "table", "table": {"talon": "first_two_tricks"}}
RULES = {
    "pagat": preset(),
    "lzsf": preset("lzsf"),
    "table": preset("gamerules"),
    "talon": preset("pagat", TALON),
    "four": preset("pagat", {"players": 4}),
}


def verdict_with(decision: Decision, best: str, ahead: float = 0.0) -> Verdict:
    """A verdict by which one answer is so far ahead of all others, which are worth a stake."""
    state = decision.state
    return Verdict(
        deal=decision.deal,
        step=decision.step,
        seat=decision.seat,
        kind=decision.kind,
        contract=state.contract,
        declarer=state.declarer,
        trick=1,
        place=1,
        answers=tuple(Valued(each, 1.0 + ahead * (each == best), 0.0) for each in decision.answers),
        given=decision.given,
        best=best,
        loss=0.0,
        error=0.0,
        open_loss=0.0,
        worlds=4,
        exact=False,
    )


def reason(decision: Decision, found: Verdict) -> str:
    return " ".join(reason_words(Language(ENGLISH), each) for each in reasons(decision, found))


def taker(state: State, card: Card, dice: random.Random) -> Seat | None:
    """Who takes the trick to which a card is played, with the others' cards by chance."""
    now = play.apply(state, Play(card))
    while now.completed == state.completed and now.phase == "play":
        now = play.apply(now, dice.choice(play.legal(now)))
    gone = (after - before for after, before in zip(now.tricks, state.tricks, strict=True))
    return next((seat for seat, took in enumerate(gone) if took), None)


def others(decision: Decision) -> Cards:
    """The cards that the other players hold."""
    hands = enumerate(decision.state.hands)
    return mask(card for seat, hand in hands if seat != decision.seat for card in members(hand))


def partner_takes(decision: Decision, card: Card, dice: random.Random) -> bool:
    took = taker(decision.state, card, dice)
    return took not in (None, decision.seat, decision.state.declarer)


Holds = Callable[[Decision, Card, random.Random], bool]
CLAIMS: dict[str, Holds] = {
    "No card that is left beats it": lambda it, card, _: not others(it) & BEATEN_BY[card],
    "It takes the trick": lambda it, card, dice: taker(it.state, card, dice) == it.seat,
    "Your partner takes the trick": partner_takes,
    "It does not take the trick": lambda it, card, dice: taker(it.state, card, dice) != it.seat,
    "the fewest points": lambda it, card, _: (
        POINTS[card] == min(POINTS[INDEX[each]] for each in it.answers)
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_what_is_said_of_a_card_is_true(name: str) -> None:
    dice, said = random.Random(1), Counter[str]()
    plan = plan_of(RULES[name], 30)
    for decision in decisions(play_again(plan, played(plan, 1, 0.0)[1].log).deals):
        if decision.kind != "play" or OFFER_WORD in decision.answers:
            continue
        for best in decision.answers:
            words = reason(decision, verdict_with(decision, best))
            for claim, holds in CLAIMS.items():
                if claim in words:
                    said[claim] += 1
                    assert holds(decision, INDEX[best], dice), (words, best, decision)
    assert len(said) >= 4, said


def first(kind: str, rules: Rules | None = None) -> Decision:
    """The first decision of a kind in a match by chance."""
    plan = plan_of(rules, 20)
    log = played(plan, 1, 0.0)[1].log
    return next(each for each in decisions(play_again(plan, log).deals) if each.kind == kind)


def test_a_hint_says_how_far_its_answer_is_ahead() -> None:
    card, bid = first("play"), first("bid")
    said = reason(card, verdict_with(card, card.answers[0], 1.25))
    assert "It is worth +2.2 stakes on average, the next best +1.0." in said
    assert reason(card, verdict_with(card, card.answers[0])).endswith("Others are worth the same.")
    assert reason(bid, verdict_with(bid, bid.answers[1], 0.5)) == (
        "It is worth +1.5 stakes on average, the next best +1.0."
    )


def test_what_is_laid_aside_leaves_a_suit_or_keeps_points() -> None:
    decision = first("discard")
    hand = decision.state.hands[decision.seat]
    told = set()
    for best in decision.answers:
        laid = mask(INDEX[each] for each in best.split("."))
        words = reason(decision, verdict_with(decision, best))
        for suit, ace in (("clubs", "AC"), ("spades", "AS"), ("hearts", "AH")):
            cards = SUIT_OF[INDEX[ace]]
            if f"Without {suit}" in words:
                told.add("suit")
                assert hand & cards
                assert not hand & cards & ~laid
        if found := re.search(r"Their (\d+) points", words):
            told.add("points")
            assert int(found[1]) == points(laid)
    assert told == {"suit", "points"}


def test_no_hidden_card_changes_what_is_said() -> None:
    plan = plan_of(deals=10)
    for decision in decisions(play_again(plan, played(plan, 2, 0.0)[1].log).deals):
        if decision.kind != "play" or decision.state.contract != "solo":
            continue
        state = decision.state
        one, other = (seat for seat in state.active if seat != decision.seat)
        if state.hands[one].bit_count() != state.hands[other].bit_count():
            continue
        swapped = [0] * len(state.hands)
        swapped[one] = swapped[other] = state.hands[one] | state.hands[other]
        past = (
            msgspec.structs.replace(each, hands=tuple(map(xor, each.hands, swapped)))
            for each in decision.past
        )
        moved = msgspec.structs.replace(decision, past=tuple(past))
        for best in decision.answers:
            if best != OFFER_WORD:
                found = verdict_with(decision, best)
                assert reason(moved, found) == reason(decision, found)


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
            found, _ = hint(lines)
            met[type(found)] += 1
            match found:
                case PlayReply(card=card):
                    assert card == wanted
                case DiscardReply(cards=cards):
                    assert ".".join(cards) == wanted
                case _:
                    pytest.fail(f"this answers nothing that was asked: {found}")
    assert min(met[each] for each in (PlayReply, DiscardReply)) >= 2, met
