"""A replay agrees with the rules at every step; a viewer sees all that it may, and no more."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from arena.match.commands import Failed, MatchPlan, PlayedDeal
from arena.match.logged import play_again
from arena.match.projection import seen_by
from arena.match.replay import HIDDEN, Layout, Moment, SeenDeal, SeenMatch, seen_deal
from arena.match.wire import CardPlayed, Ready
from arena.zole import play, view
from arena.zole.cards import INDEX, NAMES, mask, names
from arena.zole.rules import preset
from arena.zole.state import Choose, Discard, Play, Say, SayBlind, State
from arena.zole.view import Sight
from tests.match.test_record import PLANS, played, record_of
from tests.match.test_referee import OFFERS, but, says
from tests.support.scripted import ASKS_ALL, Answer, drive, plan_of


def replayed(plan: MatchPlan, answer: Answer, ready: Ready = ASKS_ALL) -> list[SeenDeal]:
    """What a viewer from whom nothing is hidden sees of a match by its log."""
    log = record_of(plan, drive(plan, answer, ready), ready).log
    return [seen_deal(deal) for deal in play_again(plan, log).deals]


@cache
def by_chance(plan_number: int) -> list[tuple[PlayedDeal, SeenDeal]]:
    plan = EVERY_STEP[plan_number]
    return [(deal, seen_deal(deal)) for deal in play_again(plan, played(plan)[1].log).deals]


EVERY_STEP = [
    *PLANS,
    plan_of(preset("zole_net"), 20),
    plan_of(preset("gamerules", {"conduct": {"corrections": 2}}), 20),
]
each_plan = pytest.mark.parametrize("number", range(len(EVERY_STEP)))

ACTIONS: dict[str, Callable[[Any], Any]] = {
    "bid": Say,
    "blind": lambda text: SayBlind(text == "yes"),
    "talon": Choose,
    "discard": lambda text: Discard(mask(INDEX[card] for card in text.split("."))),
    "play": lambda text: Play(INDEX[text]),
}


def moved(state: State, moment: Moment, on_fault: str) -> State:
    """The state after a moment, by the rules and the answer alone."""
    if moment.refused is not None:
        return state
    if moment.fault is not None:
        if on_fault == "forfeit":
            return play.forfeit(state, moment.seat)
        return play.apply(state, play.legal(state)[0]) if moment.ask in ACTIONS else state
    if moment.ask in ACTIONS:
        return play.apply(state, ACTIONS[moment.ask](moment.answer))
    return play.surrender(state) if moment.answer == "yes" else state


@each_plan
def test_the_board_is_that_of_the_rules_after_every_answer(number: int) -> None:
    plan, compared = EVERY_STEP[number], 0
    for game, seen in by_chance(number):
        if any("offer" in (moment.ask, moment.answer) for moment in seen.moments):
            continue  # an accepted offer ends the deal two requests later
        state = play.start(plan.rules, game.deal)
        for moment in seen.moments:
            state = moved(state, moment, plan.rules.conduct.on_fault)
            board = moment.board
            assert board == msgspec.structs.replace(
                board,
                hands=tuple(".".join(names(hand)) for hand in state.hands),
                contract=state.contract,
                declarer=state.declarer if state.contract else None,
                points=state.points,
                tricks=state.tricks,
                talon_points=state.talon_points,
                talon=".".join(NAMES[card] for card in game.deal.talon),
                discards=".".join(names(state.discards)),
            )
            if state.trick:
                assert [INDEX[placed.card] for placed in board.trick] == list(state.trick)
            compared += 1
    assert compared > 50


@each_plan
def test_every_event_belongs_to_one_moment(number: int) -> None:
    refused = 0
    for game, seen in by_chance(number):
        events = [*seen.first, *(event for moment in seen.moments for event in moment.events)]
        assert tuple(events) == game.events
        for moment in seen.moments:
            own = [event.card for event in moment.events if isinstance(event, CardPlayed)]
            is_card = moment.ask == "play" and not moment.fault and moment.answer != "offer"
            assert moment.refused or not is_card or moment.answer in own
            assert not (moment.refused and moment.fault)
            refused += moment.refused is not None
        faults = [moment.fault.kind for moment in seen.moments if moment.fault]
        assert faults == [fault.kind for fault in game.faults]
    assert (refused > 0) == (EVERY_STEP[number].rules.conduct.corrections > 0)


def test_a_silent_table_has_moments_of_failure_only() -> None:
    deals = replayed(plan_of(deals=2), lambda seat, request: Failed("exited", "gone"))
    found = [(it.answer, it.fault and it.fault.kind) for deal in deals for it in deal.moments]
    assert found == [(None, "exited")] * 2


def test_the_sight_of_a_seat_is_repeated_only_where_it_changed() -> None:
    for game, seen in by_chance(2):
        said = [seen.begin.sees, *(moment.board.sees for moment in seen.moments)]
        assert said[0]
        changes = [each for each in said if each]
        assert all(one != other for one, other in pairwise(changes))
        if game.state.contract != "thrown_in":
            assert changes[-1] == (Sight(game.state.active, (0, 1), True),) * 3


@pytest.mark.parametrize(
    ("corrections", "on_fault", "told"),
    [(0, "forfeit", "?"), (0, "substitute", None), (1, "forfeit", "?")],
)
def test_an_answer_that_was_not_allowed_is_hidden_from_others(
    corrections: int, on_fault: str, told: str | None
) -> None:
    rules = preset("pagat", {"conduct": {"corrections": corrections, "on_fault": on_fault}})
    deals = replayed(plan_of(rules, 3), but(says("illegal")))
    plays = [moment for deal in deals for moment in deal.moments if moment.ask == "play"]
    assert plays
    for moment in plays:
        instead = [event.card for event in moment.events if isinstance(event, CardPlayed)]
        assert (moment.answer, moment.told) == ("?7C", told or instead[0])


EVERY_GATE = [
    *PLANS[:3],
    plan_of(preset("lzsf"), 20),
    plan_of(preset("pagat", {"all_pass": "table", "table": {"talon": "first_two_tricks"}}), 20),
]


def match_of(plan: MatchPlan, deals: list[SeenDeal]) -> SeenMatch:
    bots = tuple("abcde"[: plan.rules.players])
    said = tuple(f"{bot} on stderr" for bot in bots)
    return SeenMatch("L", 1, bots, plan.rules, "none", tuple(deals), said)


def looks(layout: Layout) -> tuple[tuple[str, ...], str, str]:
    return layout.hands, layout.talon, layout.discards


def shown(state: State, seat: int) -> tuple[tuple[str, ...], str, str]:
    """Hands, talon and discards as a seat sees them, by the rules alone."""
    sight = view.sight(state, seat)

    def cards(found: Iterator[tuple[bool, str]]) -> str:
        return ".".join(card if is_seen else HIDDEN for is_seen, card in found)

    return (
        tuple(
            cards((who in sight.hands, card) for card in names(hand))
            for who, hand in enumerate(state.hands)
        ),
        cards((place in sight.talon, NAMES[card]) for place, card in enumerate(state.deal.talon)),
        cards((sight.discards, card) for card in names(state.discards)),
    )


@pytest.mark.parametrize("plan", EVERY_GATE)
def test_a_seat_sees_at_every_moment_what_the_rules_let_it_see(plan: MatchPlan) -> None:
    deals = play_again(plan, played(plan)[1].log).deals
    whole = match_of(plan, list(map(seen_deal, deals)))
    for seat in range(plan.rules.players):
        given = seen_by(whole, seat)
        boards = [looks(moment.board) for deal in given.deals for moment in deal.moments]
        assert boards == [shown(state, seat) for game in deals for state in game.states[1:]]


@pytest.mark.parametrize(
    ("ready", "told"), [(Ready(1), ["offer"]), (ASKS_ALL, [HIDDEN, "no"])], ids=["unasked", "asked"]
)
def test_an_offer_is_shown_to_others_when_it_is_settled(ready: Ready, told: list[str]) -> None:
    """Seat 1 declares and seat 2 offers, which seat 0 watches."""
    plan = plan_of()
    match = match_of(plan, replayed(plan, but(OFFERS), ready))
    answers = [moment.answer for moment in match.deals[0].moments]
    offer = answers.index("offer")
    given = seen_by(match, 0).deals[0].moments[offer : offer + len(told)]
    assert [each.answer for each in given] == told
