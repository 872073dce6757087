"""What a replay shows agrees with the rules at every step."""

from itertools import pairwise

import msgspec
import pytest

from arena.match.commands import FAULT_WORDS, Failed, MatchPlan, PlayedDeal
from arena.match.logged import play_again
from arena.match.replay import Moment, SeenDeal, seen_deal
from arena.match.wire import AnyReply, AnyRequest, CardPlayed, PlayReply
from arena.zole import play
from arena.zole.cards import INDEX, NAMES, mask, names
from arena.zole.rules import preset
from arena.zole.state import Choose, Discard, Play, Say, SayBlind, State
from arena.zole.view import Sight
from tests.match.test_record import PLANS, played, record_of
from tests.match.test_referee import first
from tests.support.scripted import drive, plan_of

EVERY_STEP = [
    *PLANS,
    plan_of(preset("zole_net"), 20),
    plan_of(preset("gamerules", {"conduct": {"corrections": 2}}), 20),
]


def states(game: PlayedDeal, seen: SeenDeal, plan: MatchPlan) -> list[State]:
    """The state after each moment, by the rules and the allowed answers alone."""
    state = play.start(plan.rules, game.deal)
    after: list[State] = []
    for moment in seen.moments:
        if moment.refused is None and moment.fault is None:
            state = moved(state, moment)
        elif moment.fault is not None:
            if plan.rules.conduct.on_fault == "forfeit":
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


@pytest.mark.parametrize("plan", EVERY_STEP)
def test_the_board_is_that_of_the_rules_after_every_answer(plan: MatchPlan) -> None:
    _, record = played(plan)
    compared = 0
    again = play_again(plan, record.log)
    for game, seen in zip(again.deals, map(seen_deal, again.deals), strict=True):
        if any("offer" in (moment.ask, moment.answer) for moment in seen.moments):
            continue  # who accepts ends the deal two requests later
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


@pytest.mark.parametrize("plan", EVERY_STEP)
def test_every_event_belongs_to_one_moment(plan: MatchPlan) -> None:
    _, record = played(plan)
    again = play_again(plan, record.log)
    for game, seen in zip(again.deals, map(seen_deal, again.deals), strict=True):
        events = [*seen.first]
        for moment in seen.moments:
            events += moment.events
            own = [event for event in moment.events if isinstance(event, CardPlayed)]
            if moment.ask == "play" and not moment.fault and moment.answer != "offer":
                assert moment.answer in [event.card for event in own] or moment.refused
        assert tuple(events) == game.events
        assert [each.fault.kind for each in seen.moments if each.fault] == [
            fault.kind for fault in game.faults
        ]


def test_the_points_at_the_end_are_the_results() -> None:
    plan = plan_of(deals=40)
    _, record = played(plan, faults=0)
    for seen in map(seen_deal, play_again(plan, record.log).deals):
        assert seen.result is not None
        if seen.moments and seen.result.fault is None:
            assert seen.moments[-1].board.points == seen.result.points.seats


def test_a_refused_answer_is_shown_and_blamed_on_nobody() -> None:
    plan = plan_of(preset("pagat", {"conduct": {"corrections": 1}}), 5)
    _, record = played(plan, faults=0.1)
    moments = [
        moment
        for seen in map(seen_deal, play_again(plan, record.log).deals)
        for moment in seen.moments
    ]
    refused = [moment for moment in moments if moment.refused]
    assert refused
    assert all(moment.fault is None for moment in refused)


def test_a_silent_table_has_moments_of_failure_only() -> None:
    plan = plan_of(deals=2)
    driven = drive(plan, lambda seat, request: Failed("exited", "gone"))
    seen = list(map(seen_deal, play_again(plan, record_of(plan, driven).log).deals))
    assert [len(deal.moments) for deal in seen] == [1, 1]
    assert seen[0].moments[0].answer is None
    assert seen[0].moments[0].fault is not None
    assert seen[0].moments[0].fault.kind in FAULT_WORDS


def test_what_a_seat_sees_is_said_again_only_where_it_changed() -> None:
    plan = plan_of(deals=20)
    _, record = played(plan, faults=0)
    again = play_again(plan, record.log)
    for game, seen in zip(again.deals, map(seen_deal, again.deals), strict=True):
        said = [seen.begin.sees, *(moment.board.sees for moment in seen.moments)]
        assert said[0]
        changes = [each for each in said if each]
        assert all(one != other for one, other in pairwise(changes))
        assert changes[-1] == (Sight(game.state.active, (0, 1), True),) * 3


@pytest.mark.parametrize(
    ("corrections", "on_fault", "told"),
    [(0, "forfeit", "?"), (0, "substitute", None), (1, "forfeit", "?")],
)
def test_others_are_not_told_an_answer_that_was_not_allowed(
    corrections: int, on_fault: str, told: str | None
) -> None:
    rules = preset("pagat", {"conduct": {"corrections": corrections, "on_fault": on_fault}})
    plan = plan_of(rules, 3)

    def answer(seat: int, request: AnyRequest) -> AnyReply | Failed:
        reply = first(seat, request)
        return msgspec.structs.replace(reply, card="ZZ") if isinstance(reply, PlayReply) else reply

    log = record_of(plan, drive(plan, answer)).log
    bad = [
        moment
        for seen in map(seen_deal, play_again(plan, log).deals)
        for moment in seen.moments
        if moment.ask == "play"
    ]
    assert bad
    for moment in bad:
        assert moment.answer == "?ZZ"
        instead = [each.card for each in moment.events if isinstance(each, CardPlayed)]
        assert moment.told == (told or instead[0])
