"""What a seat may know is what a person there could tell, read here off the wire.

The lines sent to a seat and its own answers say which cards it has seen; `view.hidden` must be
exactly the others. So a gate too wide or too narrow fails here; the re-deal test trusts `hidden`.
"""

import random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from arena.match.commands import Outcome, Question, Said
from arena.match.match import Match, play_through
from arena.match.wire import AnyRequest, AskDiscard, CardPlayed, Refused
from arena.zole import play, view
from arena.zole.cards import DECK, NAMES, mask, names
from arena.zole.deal import Deal, Seat, from_deck, shuffled
from arena.zole.rules import Rules, preset, preset_names
from arena.zole.state import Action, Say, SayBlind, State
from tests.support.alike import NO_SEAT
from tests.support.chance import Steps, by_chance, state_after
from tests.support.scripted import ASKS_ALL, plan_of

RULESETS = [
    *(preset(name, {"players": players}) for name in preset_names() for players in (3, 4, 5)),
    preset("pagat", {"auction": {"contracts": ["ordinary", "solo", "blind"]}}),
    preset("lzsf", {"auction": {"mode": "ranked"}}),
    preset("pagat", {"table": {"talon": "first_two_tricks"}}),
]


class Moment(msgspec.Struct, frozen=True):
    """A request to a seat, the answers before it, and the cards that the seat has been shown."""

    steps: Steps
    seat: Seat
    request: AnyRequest
    seen: frozenset[str]


def moments(rules: Rules, deal: Deal, seed: int) -> list[Moment]:
    """The requests of a deal by chance."""
    dice = random.Random(seed)
    steps: Steps = []
    found: list[Moment] = []
    seen: list[set[str]] = [set() for _ in range(rules.players)]

    def answered(question: Question) -> Outcome:
        seat, request = question.seat, question.request
        assert not isinstance(question.line, Refused)
        seen[seat] |= shown(request)
        found.append(Moment(list(steps), seat, request, frozenset(seen[seat])))
        reply = by_chance(dice, request)
        steps.append((seat, request, reply))
        return Said(reply, 1000)

    for _ in play_through(Match(plan_of(rules, [deal])), (ASKS_ALL,) * rules.players, answered):
        pass
    return found


def shown(request: AnyRequest) -> set[str]:
    """The cards that a request shows: the hand, the talon, and what has been laid openly."""
    cards = set(getattr(request, "hand", ()))
    if isinstance(request, AskDiscard):
        cards |= set(request.talon)
    return cards | {event.card for event in request.events if isinstance(event, CardPlayed)}


@given(st.sampled_from(RULESETS), st.integers(0, 10**6))
def test_a_seat_sees_what_its_lines_have_shown_and_nothing_else(rules: Rules, seed: int) -> None:
    deal = from_deck(shuffled(f"view {seed}"), rules, seed % rules.players)
    for moment in moments(rules, deal, seed):
        state, seat = state_after(rules, deal, moment.steps), moment.seat
        assert {*names(view.hidden(state, seat))} == {*NAMES} - moment.seen
        assert {*view.talon(state, seat)} <= moment.seen
        assert view.hand(state, seat) == getattr(moment.request, "hand", ())


def after(name: str, *actions: Action) -> State:
    """A deal of a preset, seat 0 being forehand, after some actions."""
    rules = preset(name)
    state = play.start(rules, from_deck(tuple(range(26)), rules, 2))
    for action in actions:
        state = play.apply(state, action)
    return state


def test_the_talon_is_shown_only_to_the_declarer_that_takes_it() -> None:
    state = after("pagat", Say("ordinary"))
    talon = names(mask(state.deal.talon))
    assert [view.talon(state, seat) for seat in range(3)] == [talon, (), ()]


def test_a_seat_that_sits_out_knows_no_card_before_one_is_laid() -> None:
    rules = preset("pagat", {"players": 4})
    state = play.start(rules, from_deck(shuffled("out"), rules, 3))
    assert (view.hand(state, 3), view.hidden(state, 3)) == ((), DECK)


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
