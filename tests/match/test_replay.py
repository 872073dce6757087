"""A replay agrees with the rules at every step; a viewer sees all that it may, and no more."""

from functools import cache
from itertools import pairwise

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
from tests.match.test_referee import but, faulty, offering
from tests.support.scripted import ASKS_ALL, drive, plan_of

EVERY_STEP = [
    *PLANS,
    plan_of(preset("zole_net"), 20),
    plan_of(preset("gamerules", {"conduct": {"corrections": 2}}), 20),
]


@cache
def replayed(number: int) -> tuple[MatchPlan, list[tuple[PlayedDeal, SeenDeal]]]:
    plan = EVERY_STEP[number]
    _, record = played(plan)
    deals = list(play_again(plan, record.log).deals)
    return plan, [(deal, seen_deal(deal)) for deal in deals]


each_plan = pytest.mark.parametrize("number", range(len(EVERY_STEP)))


def states(game: PlayedDeal, seen: SeenDeal, plan: MatchPlan) -> list[State]:
    """The state after each moment, by the rules and the allowed answers alone."""
    state = play.start(plan.rules, game.deal)
    after: list[State] = []
    for moment in seen.moments:
        if moment.fault is None:
            state = moved(state, moment) if moment.refused is None else state
        elif plan.rules.conduct.on_fault == "forfeit":
            state = play.forfeit(state, moment.seat)
        elif moment.ask not in ("surrender", "offer"):
            state = play.apply(state, play.legal(state)[0])
        after.append(state)
    return after


def moved(state: State, moment: Moment) -> State:
    text = moment.answer or ""
    match moment.ask:
        case "bid":
            return play.apply(state, Say(text))  # type: ignore[arg-type]
        case "blind":
            return play.apply(state, SayBlind(text == "yes"))
        case "talon":
            return play.apply(state, Choose(text))  # type: ignore[arg-type]
        case "discard":
            return play.apply(state, Discard(mask(INDEX[card] for card in text.split("."))))
        case "play" if text != "offer":
            return play.apply(state, Play(INDEX[text]))
        case "surrender" if text == "yes":
            return play.surrender(state)
    return state


@each_plan
def test_the_board_is_that_of_the_rules_after_every_answer(number: int) -> None:
    compared = 0
    plan, deals = replayed(number)
    for game, seen in deals:
        if any("offer" in (moment.ask, moment.answer) for moment in seen.moments):
            continue  # an accepted offer ends the deal two requests later
        for state, moment in zip(states(game, seen, plan), seen.moments, strict=True):
            board = moment.board
            assert board.hands == tuple(".".join(names(hand)) for hand in state.hands)
            assert board.contract == state.contract
            assert board.declarer == (state.declarer if state.contract else None)
            assert (board.points, board.tricks) == (state.points, state.tricks)
            assert board.talon_points == state.talon_points
            assert board.talon == ".".join(NAMES[card] for card in game.deal.talon)
            assert board.discards == ".".join(names(state.discards))
            if state.trick:
                assert [INDEX[placed.card] for placed in board.trick] == list(state.trick)
            compared += 1
    assert compared > 50


@each_plan
def test_every_event_belongs_to_one_moment(number: int) -> None:
    plan, deals = replayed(number)
    refused = 0
    for game, seen in deals:
        events = [*seen.first]
        for moment in seen.moments:
            events += moment.events
            own = [event.card for event in moment.events if isinstance(event, CardPlayed)]
            if moment.refused:
                refused += 1
                assert moment.fault is None
            elif moment.ask == "play" and not moment.fault and moment.answer != "offer":
                assert moment.answer in own
        assert tuple(events) == game.events
        faults = [moment.fault.kind for moment in seen.moments if moment.fault]
        assert faults == [fault.kind for fault in game.faults]
    assert (refused > 0) == (plan.rules.conduct.corrections > 0)


def test_a_silent_table_has_moments_of_failure_only() -> None:
    plan = plan_of(deals=2)
    driven = drive(plan, lambda seat, request: Failed("exited", "gone"))
    for deal in play_again(plan, record_of(plan, driven).log).deals:
        [moment] = seen_deal(deal).moments
        assert (moment.answer, getattr(moment.fault, "kind", None)) == (None, "exited")


def test_the_sight_of_a_seat_is_repeated_only_where_it_changed() -> None:
    for game, seen in replayed(2)[1]:
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
    plan = plan_of(rules, 3)
    bad = but(*(faulty(seat, fault="illegal") for seat in range(3)))
    deals = play_again(plan, record_of(plan, drive(plan, bad)).log).deals
    moments = [moment for deal in deals for moment in seen_deal(deal).moments]
    plays = [moment for moment in moments if moment.ask == "play"]
    assert plays
    for moment in plays:
        assert moment.answer == "?7C"
        instead = [event.card for event in moment.events if isinstance(event, CardPlayed)]
        assert moment.told == (told or instead[0])


EVERY_GATE = [
    *PLANS[:3],
    plan_of(preset("lzsf"), 20),
    plan_of(preset("pagat", {"all_pass": "table", "table": {"talon": "first_two_tricks"}}), 20),
]


def seen(plan: MatchPlan, log: bytes) -> SeenMatch:
    bots = tuple("abcde"[: plan.rules.players])
    said = tuple(f"{bot} on stderr" for bot in bots)
    deals = tuple(map(seen_deal, play_again(plan, log).deals))
    return SeenMatch("L", 1, bots, plan.rules, "none", deals, said)


def shown(state: State, seat: int) -> tuple[tuple[str, ...], str, str]:
    """Hands, talon and discards as a seat sees them, by the rules alone."""
    sight = view.sight(state, seat)
    hands = tuple(
        ".".join(names(hand) if who in sight.hands else [HIDDEN] * hand.bit_count())
        for who, hand in enumerate(state.hands)
    )
    talon = [
        NAMES[card] if place in sight.talon else HIDDEN
        for place, card in enumerate(state.deal.talon)
    ]
    aside = names(state.discards) if sight.discards else [HIDDEN] * state.discards.bit_count()
    return hands, ".".join(talon), ".".join(aside)


def looks(layout: Layout) -> tuple[tuple[str, ...], str, str]:
    return layout.hands, layout.talon, layout.discards


@pytest.mark.parametrize("plan", EVERY_GATE)
def test_a_seat_sees_at_every_moment_what_the_rules_let_it_see(plan: MatchPlan) -> None:
    _, record = played(plan)
    states = (state for game in play_again(plan, record.log).deals for state in game.states[1:])
    whole = seen(plan, record.log)
    given = [seen_by(whole, seat) for seat in range(plan.rules.players)]
    for number, deal in enumerate(whole.deals):
        for ply in range(len(deal.moments)):
            state = next(states)
            for seat, match in enumerate(given):
                assert looks(match.deals[number].moments[ply].board) == shown(state, seat)
    assert next(states, None) is None


@pytest.mark.parametrize(
    ("ready", "told"), [(Ready(1), ["offer"]), (ASKS_ALL, [HIDDEN, "no"])], ids=["unasked", "asked"]
)
def test_an_offer_is_shown_to_others_when_it_is_settled(ready: Ready, told: list[str]) -> None:
    plan = plan_of(deals=1)
    driven = drive(plan, but(offering), ready)
    match = seen(plan, record_of(plan, driven, ready).log)
    moments = match.deals[0].moments
    offer = next(ply for ply, each in enumerate(moments) if each.answer == "offer")
    [third] = {0, 1, 2} - {moments[offer].seat, driven.games[0].result.declarer}
    given = seen_by(match, third).deals[0].moments[offer : offer + len(told)]
    assert [each.answer for each in given] == told
