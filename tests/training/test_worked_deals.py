"""N tables come out as the worked deals of the sources do, event for event."""

from typing import Any

import numpy as np
import pytest

from arena.training.actions import ACCEPT, ACTIONS, OFFER, PLAY_ON, SURRENDER
from arena.training.tables import Tables
from tests.support.positions import deals_of
from tests.zole.test_traces import TRACES, Fields, deal_of, rules_of


def allowed(tables: Tables, kind: str) -> list[str]:
    """The legal actions at the only table that begin with a word, without it."""
    names = [ACTIONS[action] for action in np.flatnonzero(tables.masks()[0])]
    return [name.removeprefix(kind).strip() for name in names if name.startswith(kind)]


def act(tables: Tables, action: str | int) -> tuple[bool, list[int]]:
    number = ACTIONS.index(action) if isinstance(action, str) else action
    return bool(tables.step([number])[0]), tables.payments()[0].tolist()


def follow(tables: Tables, event: Fields) -> tuple[bool, list[int]]:
    """Do what a worked deal has next, where its seat is asked for it and may do it."""
    if event["type"] == "surrender":
        assert tables.masks()[0, SURRENDER]
    elif tables.masks()[0, SURRENDER]:
        act(tables, PLAY_ON)
    assert tables.seats[0] == event["seat"]
    match event["type"]:
        case "surrender":
            return act(tables, SURRENDER)
        case "blind":
            return act(tables, "blind" if event["choice"] == "blind" else "look")
        case "bid":
            assert sorted(allowed(tables, "")) == sorted(event["legal"])
            return act(tables, event["choice"])
        case "discard":
            first, second = event["choice"]
            assert len(allowed(tables, "discard")) * (len(event["hand"]) - 1) == (
                2 * event["legal_count"]
            )
            act(tables, f"discard {first}")
            assert sorted(allowed(tables, "discard")) == sorted(set(event["hand"]) - {first})
            return act(tables, f"discard {second}")
        case "offer":
            act(tables, OFFER)
            return act(tables, ACCEPT if event["answer"] == "accept" else PLAY_ON)
        case "play":
            assert sorted(allowed(tables, "play ")) == sorted(event["legal"])
            return act(tables, f"play {event['card']}")
    raise AssertionError(event)


@pytest.mark.parametrize("trace", TRACES, ids=[trace["id"] for trace in TRACES])
def test_a_worked_deal_goes_and_pays_at_a_table_as_its_source_says(trace: Fields) -> None:
    rules, want = rules_of(trace["rules"]), trace["result"]
    tables = Tables(rules, 1, seed=1, surrenders=True)
    tables.deal([deal_of(trace)])
    assert deals_of(tables) == (deal_of(trace),)
    events = [each for each in trace["events"] if each["type"] not in ("trick", "talon_card")]
    ends: list[Any] = [follow(tables, event) for event in events]
    assert [done for done, _ in ends] == [False] * (len(events) - 1) + [True]
    due = want.get("base_payments", want["payments"])  # those without the tokens of a pool
    assert ends[-1][1] == [due.get(str(seat), 0) for seat in range(rules.players)]
