"""Who watches a table is told what all seats are told, and nothing sooner."""

import random

import msgspec
import pytest

from arena.match.logged import play_again
from arena.match.wire import DealEnd, encode
from arena.people.watching import watched
from arena.zole.rules import preset, preset_names
from tests.support.alike import mixed, played
from tests.support.scripted import plan_of


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", preset_names())
def test_watchers_are_told_all_that_all_seats_are_told(name: str, players: int) -> None:
    dice = random.Random(3)
    plan = plan_of(preset(name, {"players": players}), 3)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    again = play_again(plan, log)
    for seat in range(players):
        sent = [encode(line).strip() for line, _ in again.transcript(seat)]
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
        heard = watched(encode(line).strip())
        if not isinstance(line, DealEnd) and heard is not None:
            told = msgspec.json.decode(heard)
            assert {*told} <= {"type", "deal", "events", "rules", "players"}
