"""Worked deals, event for event: what each seat may do, what happens, what is paid."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.league.schedule import league_deals
from arena.match.commands import PlayedDeal
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
    SurrenderReply,
    TrickTaken,
)
from arena.zole.auction import legal_bids
from arena.zole.cards import INDEX, mask, names
from arena.zole.deal import Deal, from_deck
from arena.zole.play import apply, legal, may_offer, may_surrender, offer, start, surrender
from arena.zole.rules import POINTS_ROWS, Rules, Settings, preset
from arena.zole.scoring import Pools, settle, sides
from arena.zole.state import Discard, Play, Say, SayBlind, State
from arena.zole.tricks import legal_cards
from tests.support.scripted import drive, plan_of

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
    """Answers requests as a trace has it, and objects where the trace would be asked otherwise."""

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

    def comes(self, kind: str, seat: int) -> bool:
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
                gives_up = self.comes("surrender", seat)
                if gives_up:
                    assert self.take("surrender", seat)["trick"] == 9 - len(request.hand)
                return SurrenderReply(id=request.id, surrender=gives_up)
            case AskOffer():
                step = self.take("offer", request.from_)
                return OfferReply(id=request.id, accept=step["answer"] == "accept")
            case AskPlay():
                if self.comes("offer", seat):
                    assert request.may_offer
                    return PlayReply(id=request.id, offer=True)
                step = self.take("play", seat)
                assert sorted(request.legal) == sorted(step["legal"])
                return PlayReply(id=request.id, card=step["card"])
        raise AssertionError(request)


def play(traces: list[Fields]) -> list[PlayedDeal]:
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


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_worked_deals_is_played_event_for_event(group: str) -> None:
    traces = GROUPS[group]
    for trace, game in zip(traces, play(traces), strict=True):
        result, want = game.result, trace["result"]
        assert happened(game) == expected(trace), trace["id"]
        paid = [want["payments"].get(str(seat), 0) for seat in range(trace["rules"]["players"])]
        assert list(result.payments) == paid
        assert result.contract == want["contract"]
        assert result.declarer == want.get("declarer")
        assert result.level == want.get("level")
        tokens = {"collective": result.pools.collective, "personal": list(result.pools.personal)}
        assert tokens == want["pools_after"]
        if "tricks" in want:
            counted = [want["tricks"].get(str(seat), 0) for seat in range(len(paid))]
            assert list(result.tricks.seats) == counted
        if "declarer_points" in want:
            assert result.points.declarer == want["declarer_points"]
            if want["surrendered_by"] is None:
                assert result.points.defenders == want["opponent_points"]


@pytest.mark.parametrize("trace", TRACES, ids=[trace["id"] for trace in TRACES])
def test_a_worked_deck_is_dealt_as_it_was(trace: Fields) -> None:
    rules = rules_of(trace["rules"])
    deal = from_deck(tuple(INDEX[card] for card in trace["deck"]), rules, trace["dealer"])
    assert deal == deal_of(trace)
    assert [seat for seat, hand in enumerate(deal.hands) if not hand] == sorted(
        trace["sitting_out"]
    )
    assert all(len(names(hand)) in (0, 8) for hand in deal.hands)


def walked(trace: Fields) -> State:
    """The state after a trace, each step checked against what the rules allow there."""
    state = start(rules_of(trace["rules"]), deal_of(trace))
    for event in trace["events"]:
        if event["type"] in ("trick", "talon_card"):
            continue
        if event["type"] == "surrender":
            assert may_surrender(state)
            assert event["seat"] == state.declarer
            state = surrender(state)
            continue
        assert state.turn == event["seat"]
        match event["type"]:
            case "blind":
                state = apply(state, SayBlind(event["choice"] == "blind"))
            case "bid":
                assert sorted(legal_bids(state)) == sorted(event["legal"])
                state = apply(state, Say(event["choice"]))
            case "discard":
                assert len(legal(state)) == event["legal_count"]
                state = apply(state, Discard(mask(INDEX[card] for card in event["choice"])))
            case "offer":
                assert may_offer(state)
                state = offer(state, event["answer"] == "accept")
            case "play":
                assert sorted(names(legal_cards(state))) == sorted(event["legal"])
                state = apply(state, Play(INDEX[event["card"]]))
            case other:
                raise AssertionError(other)
    assert legal(state) == ()
    return state


def pools_of(tokens: Fields) -> Pools:
    return Pools(tokens["collective"], tuple(tokens["personal"]))


def paid_of(trace: Fields, key: str) -> tuple[int, ...]:
    return tuple(
        trace["result"][key].get(str(seat), 0) for seat in range(trace["rules"]["players"])
    )


@pytest.mark.parametrize("trace", TRACES, ids=[trace["id"] for trace in TRACES])
def test_a_worked_deal_is_settled_with_the_pools_before_it(trace: Fields) -> None:
    state, want = walked(trace), trace["result"]
    settlement = settle(state, pools_of(trace["pools_before"]))
    assert settlement.payments == paid_of(trace, "payments")
    assert settlement.pools == pools_of(want["pools_after"])
    assert settlement.level == want.get("level")
    assert state.contract == want["contract"]
    assert state.declarer == want.get("declarer")
    assert state.talon_tricks == want.get("talon_tricks", 0)
    assert state.talon_points == want.get("talon_trick_points", 0)
    for key, ours in (("tricks", state.tricks), ("points", state.points)):
        if key in want:
            assert ours == paid_of(trace, key)
    if "base_payments" in want:
        assert settle(state, Pools()).payments == paid_of(trace, "base_payments")
    if "declarer_tricks" in want:
        assert sides(state).declarer_tricks == want["declarer_tricks"]


@pytest.mark.parametrize("trace", TRACES, ids=[trace["id"] for trace in TRACES])
def test_the_deal_after_a_worked_one_is_dealt_by_the_next_dealer(trace: Fields) -> None:
    players = trace["rules"]["players"]
    deals = league_deals(preset("pagat", {"players": players}), "7", ("a",), 0, 2 * players)
    dealers = [deal.dealer for deal in deals]
    assert dealers[dealers.index(trace["dealer"]) + 1] == trace["result"]["next_dealer"]


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_worked_deals_is_a_session_under_one_set_of_rules(group: str) -> None:
    traces = GROUPS[group]
    assert all(trace["rules"] == traces[0]["rules"] for trace in traces)
    for before, after in pairwise(traces):
        assert before["result"]["pools_after"] == after["pools_before"]
