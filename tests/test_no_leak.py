"""No line to a seat depends on a card that the seat may not know.

At a random moment of random play, the cards hidden from a seat are dealt anew among their places
and everybody does again what could be seen of it. All that the seat was sent must stay the same
bytes.
"""

import contextlib
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.commands import Finished, MatchPlan, Outcome, Question, Said
from arena.match.match import Match, play_through
from arena.match.wire import (
    AnyReply,
    AskDiscard,
    DiscardReply,
    PlayReply,
    Refused,
    encode,
)
from arena.zole import play, view
from arena.zole.cards import Cards, mask, members, names
from arena.zole.deal import Deal, from_deck, shuffled
from arena.zole.rules import Rules, preset
from arena.zole.state import SayBlind, State
from tests.support.chance import RULESETS, Steps, by_chance, state_after
from tests.support.scripted import ASKS_ALL, plan_of


class Impossible(Exception):
    """In the new deal somebody could not have done what it did."""


class Stopped(Exception):
    """All that was wanted of the deal has been played."""


def watch(
    plan: MatchPlan, dice: random.Random, again: Steps, stop: int
) -> tuple[Steps, list[list[bytes]]]:
    """Play until the request `stop` is written; returns the answers and the bytes sent by seat.

    The first answers are those of `again`; only a discard, which nobody saw, may be another one.
    """
    steps: Steps = []
    match = Match(plan)
    sent = [[encode(hello)] for hello in match.hellos]

    def answered(question: Question) -> Outcome:
        seat, line, request = question.seat, question.line, question.request
        if isinstance(line, Refused):
            raise Impossible
        sent[seat].append(encode(line))
        if len(steps) == stop:
            raise Stopped
        reply = by_chance(dice, request)
        if again:
            who, asked, reply = again[len(steps)]
            if (who, type(asked)) != (seat, type(request)):
                raise Impossible
            if isinstance(request, AskDiscard):
                reply = hidden_discard(request, again, seat)
        steps.append((seat, request, reply))
        return Said(reply, 1000)

    with contextlib.suppress(Stopped):
        for command, _ in play_through(match, (ASKS_ALL,) * plan.rules.players, answered):
            if isinstance(command, Finished) and command.played.faults:
                raise Impossible
    return steps, sent


def hidden_discard(request: AskDiscard, again: Steps, seat: int) -> AnyReply:
    """The same discard if it can be, or two other cards that the seat does not play later."""
    [before] = [reply for _, _, reply in again if isinstance(reply, DiscardReply)]
    if set(before.cards) <= set(request.hand):
        return before
    played = {reply.card for who, _, reply in again if who == seat and isinstance(reply, PlayReply)}
    first, second, *_ = (card for card in request.hand if card not in played)
    return DiscardReply(id=request.id, cards=(first, second))


def redealt(state: State, seat: int, dice: random.Random) -> Deal:
    """Another deal that looks the same to the seat: hidden cards change places."""
    hidden = view.hidden(state, seat)
    cards = list(members(hidden))
    dice.shuffle(cards)
    hands: list[Cards] = []
    for hand in state.deal.hands:
        free = (hand & hidden).bit_count()
        hands.append((hand & ~hidden) | mask(cards[:free]))
        cards = cards[free:]
    first, second = (cards.pop() if hidden >> card & 1 else card for card in state.deal.talon)
    return Deal(state.deal.dealer, tuple(hands), (first, second))


def looks_alike(rules: Rules, seed: int) -> int:
    """Compare one deal with deals that look alike; returns how many there were."""
    dice = random.Random(seed)
    deal = from_deck(shuffled(f"leak {seed}"), rules, seed % rules.players)
    plan = plan_of(rules, [deal])
    whole, _ = watch(plan, dice, [], 1000)
    compared = 0
    for _ in range(30):
        moment, seat = dice.randrange(len(whole)), dice.randrange(rules.players)
        _, before = watch(plan, dice, whole, moment)
        other = redealt(state_after(rules, deal, whole[:moment]), seat, dice)
        try:
            _, after = watch(msgspec.structs.replace(plan, deals=[other]), dice, whole, moment)
        except Impossible:
            continue
        assert after[seat] == before[seat], f"seat {seat} could tell {other} from {deal}"
        compared += other != deal
    return compared


@given(st.sampled_from(RULESETS), st.integers(0, 10**6))
def test_a_seat_is_sent_the_same_bytes_whatever_is_hidden(rules: Rules, seed: int) -> None:
    looks_alike(rules, seed)


@pytest.mark.parametrize("rules", RULESETS)
def test_enough_deals_look_alike_to_mean_something(rules: Rules) -> None:
    assert sum(looks_alike(rules, seed) for seed in range(20)) > 100


@pytest.mark.parametrize(
    ("name", "leak"),
    [
        ("hand", lambda state, seat: names(state.hands[(seat + 1) % 3])),
        ("talon", lambda state, seat: names(mask(state.deal.talon) | state.hands[1])),
    ],
)
def test_a_leak_would_be_seen(name: str, leak: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, name, leak)
    with pytest.raises(AssertionError, match="could tell"):
        look_at_many()


def look_at_many() -> None:
    for seed in range(50):
        with contextlib.suppress(Impossible):  # a discard of a card that only leaked
            looks_alike(preset(), seed)


def test_a_hand_is_hidden_from_its_own_seat_until_the_blind_answer() -> None:
    rules = preset("lzsf")
    state = play.start(rules, from_deck(shuffled("blind"), rules, 0))
    assert state.phase == "blind"
    assert view.hand(state, 1) == ()
    assert view.hidden(state, 1).bit_count() == 26
    after = play.apply(state, SayBlind(False))
    assert len(view.hand(after, 1)) == 8
    assert view.hidden(after, 1).bit_count() == 18
