"""A hint is a sensible answer, what is said of it is true, and it knows what its seat knows."""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from operator import xor

import msgspec
import pytest

from arena.match.commands import Failed, MatchPlan, Outcome, PlayedDeal, Question, Said, Tell
from arena.match.log import LogWriter
from arena.match.logged import play_again
from arena.match.match import Match, play_through
from arena.match.wire import AnyReply, DiscardReply, PlayReply, Request, ToBot, encode
from arena.people.advice import (
    avoids_tricks,
    hint,
    open_decision,
    reasons,
    seat_deal,
    seat_decisions,
    usual_answer,
)
from arena.people.terminal import reason_words
from arena.reports.language import ENGLISH, Language
from arena.review.decisions import OFFER_WORD, Decision, decisions
from arena.review.verdict import Valued, Verdict
from arena.review.worlds import KnownCards, known
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
from arena.zole.rules import Rules, preset, preset_names
from arena.zole.state import Play, State
from tests.match.test_record import played
from tests.support.people import by_chance
from tests.support.scripted import ASKS_ALL, drive, plan_of
from tests.support.transcripts import simple

TALON: dict[str, object] = {"all_pass": "table", "table": {"talon": "first_two_tricks"}}
RULES = {
    "pagat": preset(),
    "lzsf": preset("lzsf"),
    "table": preset("gamerules"),
    "talon": preset("pagat", TALON),
    "four": preset("pagat", {"players": 4}),
}


def by_dice(plan: MatchPlan, seed: int = 1) -> tuple[Decision, ...]:
    """The decisions of a match that is played by chance."""
    return tuple(decisions(play_again(plan, played(plan, seed, 0.0)[1].log).deals))


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
    for decision in by_dice(plan_of(RULES[name], 30)):
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
    return next(each for each in by_dice(plan_of(rules, 20)) if each.kind == kind)


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
    for decision in by_dice(plan_of(deals=10), seed=2):
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
    rules = preset("gamerules", {"auction": {"contracts": ["ordinary", "small_solo"]}})
    for decision in by_dice(plan_of(rules, 30)):
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
            deal = seat_deal(lines)
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


# --- a deal made from a seat's lines ---


def knowledge(past: Sequence[State]) -> KnownCards:
    """What seat 0 knew; in which order it took the talon's cards, it is not told."""
    seen = known(past, 0)
    first, second = seen.talon
    if first is None or second is None or seen.table.contract != "ordinary":
        return seen
    return msgspec.structs.replace(seen, talon=(min(first, second), max(first, second)))


def told_of(decision: Decision) -> tuple[object, ...]:
    """What a seat knew of its decision."""
    past = knowledge(decision.past)
    return decision.kind, decision.answers, decision.given, past, decision.pools


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
            told = seat_deal(lines)
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
        told = seat_deal(lines, replies, number)
        assert told is not None
        of_log = [
            told_of(each)
            for each in decisions(play_again(plan, kept).deals)
            if each.seat == 0 and each.deal == number
        ]
        assert [
            told_of(each)
            for each in seat_decisions(told)
            if len(each.answers) > 1 and each.given in each.answers
        ] == of_log
    return kinds


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", preset_names())
def test_what_a_seat_knew_is_found_from_its_lines(name: str, players: int) -> None:
    rules = preset(name, {"players": players})
    kinds = play_and_compare(plan_of(rules, 4), 2)
    assert kinds["play"]
