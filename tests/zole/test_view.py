"""What a seat may know is what a person there could tell, read here off the wire.

The lines sent to a seat and its own answers say which cards it has seen; `view.hidden` must be
exactly the others. So a gate too wide or too narrow fails here; the re-deal test trusts `hidden`.
"""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.commands import Outcome, Question, Said
from arena.match.match import Match, play_through
from arena.match.wire import AnyRequest, AskDiscard, CardPlayed, Refused
from arena.zole import play, view
from arena.zole.cards import NAMES, mask, names
from arena.zole.deal import Deal, from_deck, shuffled
from arena.zole.rules import Rules, preset, preset_names
from arena.zole.state import Action, Choose, Say, SayBlind, State
from tests.support.alike import NO_SEAT
from tests.support.chance import Steps, by_chance, state_after
from tests.support.scripted import ASKS_ALL, plan_of

RULESETS = [
    *(preset(name, {"players": players}) for name in preset_names() for players in (3, 4, 5)),
    preset("pagat", {"auction": {"contracts": ["ordinary", "solo", "blind"]}}),
    preset("lzsf", {"auction": {"mode": "ranked"}}),
    preset("pagat", {"table": {"talon": "first_two_tricks"}}),
]


def seen_by_seat(rules: Rules, deal: Deal, seed: int) -> list[tuple[Steps, int, set[str]]]:
    """At each request of a deal by chance: the answers so far, who is asked, what it has seen."""
    dice = random.Random(seed)
    steps: Steps = []
    moments: list[tuple[Steps, int, set[str]]] = []
    seen: list[set[str]] = [set() for _ in range(rules.players)]

    def answered(question: Question) -> Outcome:
        seat, request = question.seat, question.request
        assert not isinstance(question.line, Refused)
        seen[seat] |= shown(request)
        moments.append((list(steps), seat, set(seen[seat])))
        reply = by_chance(dice, request)
        steps.append((seat, request, reply))
        return Said(reply, 1000)

    match = Match(plan_of(rules, [deal]))
    for _ in play_through(match, (ASKS_ALL,) * rules.players, answered):
        pass
    return moments


def shown(request: AnyRequest) -> set[str]:
    """The cards that a request shows: the hand, the talon, and what has been laid openly."""
    cards = set(getattr(request, "hand", ()))
    if isinstance(request, AskDiscard):
        cards |= set(request.talon)
    return cards | {event.card for event in request.events if isinstance(event, CardPlayed)}


@given(st.sampled_from(RULESETS), st.integers(0, 10**6))
def test_hidden_is_what_the_lines_of_a_seat_have_not_shown(rules: Rules, seed: int) -> None:
    deal = from_deck(shuffled(f"view {seed}"), rules, seed % rules.players)
    for steps, seat, seen in seen_by_seat(rules, deal, seed):
        hidden = set(names(view.hidden(state_after(rules, deal, steps), seat)))
        assert hidden == set(NAMES) - seen


def after(name: str, *actions: Action) -> State:
    """A deal of a preset, seat 0 being forehand, after some actions."""
    rules = preset(name)
    state = play.start(rules, from_deck(tuple(range(26)), rules, 2))
    for action in actions:
        state = play.apply(state, action)
    return state


def test_the_talon_is_shown_to_the_declarer_that_takes_it_and_to_nobody_else() -> None:
    state = after("pagat", Say("ordinary"))
    talon = names(mask(state.deal.talon))
    assert [view.talon(state, seat) for seat in range(3)] == [talon, (), ()]


@pytest.mark.parametrize("bid", ["solo", "small_solo"])
def test_the_talon_of_a_solo_is_shown_to_nobody(bid: str) -> None:
    state = after("piedalies", Say(bid))  # type: ignore[arg-type]
    while state.phase != "over":
        assert [view.talon(state, seat) for seat in range(3)] == [(), (), ()]
        for seat in range(3):
            assert mask(state.deal.talon) & ~view.hidden(state, seat) == 0
        state = play.apply(state, play.legal(state)[0])


def test_the_talon_is_hidden_while_it_may_still_be_given_away() -> None:
    state = after("lzsf", SayBlind(False), Say("ordinary"))
    assert (state.phase, state.declarer) == ("talon", 0)
    assert view.talon(state, 0) == ()
    assert mask(state.deal.talon) & ~view.hidden(state, 0) == 0
    assert view.talon(play.apply(state, Choose("take")), 0) == names(mask(state.deal.talon))
    assert view.talon(play.apply(state, Choose("give")), 0) == ()


def test_a_hand_is_hidden_from_its_own_seat_until_the_blind_answer_and_known_from_then_on() -> None:
    state = after("lzsf")
    assert state.phase == "blind"
    assert view.hand(state, 0) == ()
    assert view.hidden(state, 0).bit_count() == 26
    for action in (SayBlind(False), Say("pass"), SayBlind(False), Say("pass")):
        state = play.apply(state, action)
        assert len(view.hand(state, 0)) == 8
        assert view.hidden(state, 0).bit_count() == 18
    assert view.hand(state, 2) == ()


def test_a_spectator_knows_the_cards_laid_and_a_turned_talon_until_the_deal_is_over() -> None:
    state = after("lzsf", *(SayBlind(False), Say("pass")) * 3)
    while state.phase != "over":
        laid = 26 - sum(hand.bit_count() for hand in state.hands) - 2
        turned = len(view.sight(state, NO_SEAT).talon)
        assert view.sight(state, NO_SEAT).hands == ()
        assert view.hidden(state, NO_SEAT).bit_count() == 26 - laid - turned
        state = play.apply(state, play.legal(state)[0])
    assert view.hidden(state, NO_SEAT) == 0


def test_a_seat_that_sits_out_knows_no_card_before_one_is_laid() -> None:
    rules = preset("pagat", {"players": 4})
    state = play.start(rules, from_deck(shuffled("out"), rules, 3))
    assert view.hand(state, 3) == ()
    assert view.hidden(state, 3).bit_count() == 26
