"""Guests at tables of a site: a scripted browser, the real web process and host, real bots."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.match.wire import AnyReply, AnyRequest, message_in
from arena.record.matches import Matches
from tests.support.guest_site import GuestSite, SeatClient, guest_site
from tests.support.people import by_chance

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuestSite]:
    with guest_site(tmp_path_factory.mktemp("guests")) as site:
        yield site


def reply_to(data: Any, dice: random.Random) -> AnyReply | None:
    """An answer by chance, where something is asked."""
    said = message_in(msgspec.json.encode(data))
    return by_chance(said, dice) if isinstance(said, AnyRequest) else None


def play(seat: SeatClient, after: int = 0, most: int | None = None) -> list[Any]:
    """Play by chance to the end, or so many answers; all lines that came."""
    dice, found, answers = random.Random(1), [], 0
    with seat.events(after) as stream:
        for name, number, data in stream:
            if name == "over":
                break
            if name != "line":
                continue
            found.append((number, data))
            reply = reply_to(data, dice)
            if reply is not None:
                assert seat.answer(reply) == 204
                answers += 1
                if answers == most:
                    break
    return found


def test_a_guest_plays_a_table_and_takes_its_log_home(site: GuestSite, tmp_path: Path) -> None:
    seat = site.open_table("willing")
    assert seat.table["players"][:2] == ["guest", "willing"]
    status, _, data = seat.ask("GET", "about")
    assert status == 200
    assert msgspec.json.decode(data)["seed"] == ""
    assert seat.ask("GET", "log")[0] == 409
    lines = play(seat)
    assert [number for number, _ in lines] == [*range(1, len(lines) + 1)]
    assert lines[0][1]["type"] == "hello"
    assert lines[-1][1] == {"type": "bye", "reason": "the match is over"}
    about = msgspec.json.decode(seat.ask("GET", "about")[2])
    assert len(about["seed"]) == 64
    status, headers, log = seat.ask("GET", about["log"])
    assert status == 200
    assert headers["content-disposition"].startswith("attachment")
    file = tmp_path / "table.jsonl"
    file.write_bytes(log)
    [match] = Matches(file).read()
    assert match.bots == tuple(seat.table["players"])
    assert len(match.record.results.payments) == 2
    assert not (site.folder / "ladder.db").exists()
