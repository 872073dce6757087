"""A seat's answers and clock, and what watchers of it are told: what all are, and no sooner."""

import random

import msgspec
import pytest

from arena.base.refusals import Conflict
from arena.match.logged import play_again
from arena.match.wire import AnyRequest, AskBid, DealEnd, Malformed, Ready, Refused
from arena.people.seat import Conversation, watched
from arena.zole.rules import preset, preset_names
from tests.support.alike import mixed, played
from tests.support.people import by_chance
from tests.support.scripted import plan_of


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", preset_names())
def test_watchers_are_told_all_that_all_seats_are_told(name: str, players: int) -> None:
    dice = random.Random(3)
    plan = plan_of(preset(name, {"players": players}), 3)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    again = play_again(plan, log)
    for seat in range(players):
        sent = [line for line, _ in again.transcript(seat)]
        lines = [msgspec.json.decode(line) for line in map(watched, sent) if line]
        assert lines[0]["type"] == "hello"
        assert "seed" not in lines[0]
        for deal, game in enumerate(again.deals):
            mine = [line for line in lines if line.get("deal") == deal]
            assert [line["type"] for line in mine] == ["told"] * (len(mine) - 1) + ["deal_end"]
            expected = msgspec.json.decode(msgspec.json.encode(game.events))
            del expected[0]["seat"]
            assert [event for line in mine for event in line["events"]] == expected
            assert mine[-1]["result"] == msgspec.json.decode(msgspec.json.encode(game.result))


def test_no_line_has_what_only_the_person_is_told() -> None:
    plan = plan_of(preset("pagat"), 1)
    dice = random.Random(1)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    lines = [line for line, _ in play_again(plan, log).transcript(0)]
    for line in lines:
        heard = watched(line)
        if not isinstance(line, DealEnd) and heard is not None:
            told = msgspec.json.decode(heard)
            assert {*told} <= {"type", "deal", "events", "rules", "players"}


def test_a_hint_is_noted_with_the_answer_that_follows_it() -> None:
    talk = Conversation()
    request = plan_request(7)
    talk.hear(msgspec.json.encode(request), 0.0)
    reply = by_chance(request, random.Random(1))
    talk.hint(reply)
    line = talk.reply(msgspec.json.encode(reply))
    assert msgspec.json.decode(line)["note"].startswith("hint: ")
    with pytest.raises(Conflict):
        talk.reply(msgspec.json.encode(reply))
    with pytest.raises(Malformed):
        talk.reply(b"?")
    with pytest.raises(Conflict):
        talk.reply(msgspec.json.encode(Ready(1)))


def plan_request(number: int) -> AnyRequest:
    """A request to bid."""
    return AskBid(number, 0, 0, 0, (), 120.0, ("7C",), ("pass", "ordinary"))


def test_the_seconds_left_are_those_of_the_first_time_it_was_asked() -> None:
    talk = Conversation()
    assert talk.left_s(1.0) is None
    talk.hear(msgspec.json.encode(plan_request(1)), 10.0)
    assert talk.left_s(40.0) == 90.0
    talk.reply(msgspec.json.encode({"type": "bid", "id": 1, "bid": "all"}))
    assert talk.request is None
    talk.hear(msgspec.json.encode(Refused(1, "illegal", "no")), 50.0)
    assert talk.request is not None
    assert talk.left_s(60.0) == 70.0
    assert talk.left_s(600.0) == 0.0
