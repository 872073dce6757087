"""Worked deals, event for event, and what each seat may know of them."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.commands import Outcome, PlayedDeal, Question, Said
from arena.match.match import Match, play_through
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskBlind,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    BidReply,
    BlindReply,
    CardPlayed,
    DiscardReply,
    OfferReply,
    PlayReply,
    Refused,
    SurrenderReply,
    TrickTaken,
)
from arena.zole import play, view
from arena.zole.cards import DECK, INDEX, NAMES, mask, names
from arena.zole.deal import Deal, Seat, from_deck, shuffled
from arena.zole.rules import POINTS_ROWS, Rules, Settings, preset, preset_names
from arena.zole.scoring import Pools, settle
from arena.zole.state import Action, Say, SayBlind, State
from tests.support.alike import NO_SEAT
from tests.support.chance import Steps, by_chance, state_after
from tests.support.scripted import ASKS_ALL, drive, plan_of
from tests.zole.test_vectors import next_dealer

Fields = dict[str, Any]

LINES = (Path(__file__).parents[1] / "data/traces.jsonl").read_text().splitlines()
TRACES: list[Fields] = [json.loads(line) for line in LINES]


def rules_of(written: Fields) -> Rules:
    changes: Settings = {
        "players": written["players"],
        "all_pass": written["all_pass"],
        "deal": {"packets": written["deal_packets"]},
        "auction": {"mode": written["auction"], "contracts": written["contracts"]},
        "scoring": {
            name: [written["payoff"][name][row] for row in POINTS_ROWS]
            for name in ("ordinary", "solo", "blind")
        },
        "table": {
            "talon": written["table_talon"],
            "settlement": written["table_settlement"],
            "stake": written["table_stake"],
        },
        "sitout": {"scoring": written["sitout_scoring"]},
    }
    if written["pools"]:
        kept = ("collective_stake", "personal_stake", "won_by", "lost_by")
        pools = {key: written["pools"][key] for key in kept}
        changes["pools"] = {"enabled": True, **pools}
    return preset("pagat", changes)


def deal_of(trace: Fields) -> Deal:
    seats = range(trace["rules"]["players"])
    hands = tuple(mask(INDEX[card] for card in trace["hands"].get(str(seat), [])) for seat in seats)
    first, second = (INDEX[card] for card in trace["talon"])
    return Deal(trace["dealer"], hands, (first, second))


class Script:
    """Answers requests as a trace does, and fails where a request is not the trace's next."""

    def __init__(self, trace: Fields) -> None:
        self.declarer = trace["result"].get("declarer")
        self.steps: Iterator[Fields] = (
            event for event in trace["events"] if event["type"] not in ("trick", "talon_card")
        )
        self.step = next(self.steps, None)

    def take(self, kind: str, seat: int) -> Fields:
        step = self.step
        assert step is not None, f"seat {seat} is asked after the end"
        assert (step["type"], step["seat"]) == (kind, seat)
        self.step = next(self.steps, None)
        return step

    def is_next(self, kind: str, seat: int) -> bool:
        return self.step is not None and (self.step["type"], self.step["seat"]) == (kind, seat)

    def answer(self, seat: int, request: AnyRequest) -> AnyReply:
        match request:
            case AskBlind():
                step = self.take("blind", seat)
                return BlindReply(id=request.id, blind=step["choice"] == "blind")
            case AskBid():
                step = self.take("bid", seat)
                assert sorted(request.legal) == sorted(step["legal"])
                return BidReply(id=request.id, bid=step["choice"])
            case AskDiscard():
                step = self.take("discard", seat)
                assert sorted(request.hand) == sorted(step["hand"])
                return DiscardReply(id=request.id, cards=tuple(step["choice"]))
            case AskSurrender():
                gives_up = self.is_next("surrender", seat)
                if gives_up:
                    assert self.take("surrender", seat)["trick"] == 9 - len(request.hand)
                return SurrenderReply(id=request.id, surrender=gives_up)
            case AskOffer():
                step = self.take("offer", request.from_)
                return OfferReply(id=request.id, accept=step["answer"] == "accept")
            case AskPlay():
                if self.is_next("offer", seat):
                    assert request.may_offer
                    return PlayReply(id=request.id, offer=True)
                step = self.take("play", seat)
                assert sorted(request.legal) == sorted(step["legal"])
                return PlayReply(id=request.id, card=step["card"])
        raise AssertionError(request)


def play_all(traces: list[Fields]) -> list[PlayedDeal]:
    """Play traces one after the other, as one session."""
    scripts = [Script(trace) for trace in traces]
    plan = plan_of(rules_of(traces[0]["rules"]), [deal_of(trace) for trace in traces])
    driven = drive(plan, lambda seat, request: scripts[request.deal].answer(seat, request))
    assert all(script.step is None for script in scripts), "the deal ended too early"
    return driven.games


def happened(game: PlayedDeal) -> list[Fields]:
    """A game's cards and tricks as a trace writes them."""
    seen: list[Fields] = []
    trick = 1
    for event in game.events:
        match event:
            case CardPlayed("talon", card):
                seen.append({"type": "talon_card", "card": card, "trick": trick})
            case CardPlayed(seat, card):
                seen.append({"type": "play", "seat": seat, "card": card, "trick": trick})
            case TrickTaken(number, winner, points):
                what = {"trick": number, "winner": winner, "points": points}
                seen.append({"type": "trick", **what})
                trick = number + 1
    return seen


def expected(trace: Fields) -> list[Fields]:
    return [
        {key: value for key, value in event.items() if key != "legal"}
        for event in trace["events"]
        if event["type"] in ("play", "trick", "talon_card")
    ]


GROUPS: dict[str, list[Fields]] = {}
for _trace in TRACES:
    GROUPS.setdefault(_trace["group"], []).append(_trace)


def outcome(trace: Fields, game: PlayedDeal) -> Fields:
    """A deal's outcome in the words of a trace."""
    state, result = game.state, game.result
    pools = result.pools
    found = {
        "payments": result.payments,
        "base_payments": settle(state, Pools()).payments,
        "contract": result.contract,
        "declarer": result.declarer,
        "level": result.level,
        "pools_after": {"collective": pools.collective, "personal": list(pools.personal)},
        "tricks": state.tricks,
        "points": state.points,
        "talon_tricks": state.talon_tricks,
        "talon_trick_points": state.talon_points,
        "declarer_points": result.points.declarer,
        "opponent_points": result.points.defenders,
        "declarer_tricks": result.tricks.declarer,
        "next_dealer": next_dealer(trace["rules"]["players"], trace["dealer"]),
    }
    if trace["result"].get("surrendered_by") is not None:
        del found["opponent_points"]  # the deal was not played out
    return found


def expected_outcome(trace: Fields) -> Fields:
    want = {"declarer": None, "level": None, **trace["result"]}
    for key in {"payments", "base_payments", "tricks", "points"} & want.keys():
        seats = range(trace["rules"]["players"])
        want[key] = tuple(want[key].get(str(seat), 0) for seat in seats)
    return want


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_worked_deals_is_played_event_for_event(group: str) -> None:
    traces = GROUPS[group]
    for trace, game in zip(traces, play_all(traces), strict=True):
        assert happened(game) == expected(trace), trace["id"]
        found, want = outcome(trace, game), expected_outcome(trace)
        compared = found.keys() & want.keys()
        assert {key: found[key] for key in compared} == {key: want[key] for key in compared}


@pytest.mark.parametrize("trace", TRACES, ids=[trace["id"] for trace in TRACES])
def test_a_worked_deck_is_dealt_as_it_was(trace: Fields) -> None:
    rules = rules_of(trace["rules"])
    deal = from_deck(tuple(INDEX[card] for card in trace["deck"]), rules, trace["dealer"])
    assert deal == deal_of(trace)
    assert [seat for seat, hand in enumerate(deal.hands) if not hand] == sorted(
        trace["sitting_out"]
    )
    assert all(len(names(hand)) in (0, 8) for hand in deal.hands)


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
