"""The seat of a person in the terminal's process, over its socket."""

import pytest
import trio

from arena.match.log import answer_line
from arena.match.wire import Request, ToBot, encode
from arena.people.advice import NoAdvice
from arena.people.in_terminal import SocketConversation
from arena.people.suggestion import Suggestion
from arena.zole.rules import preset
from tests.support.scripted import drive, plan_of
from tests.support.transcripts import simple


async def test_a_hint_is_sought_only_while_something_is_asked() -> None:
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")
    driven = drive(plan_of(preset("pagat"), 1), lambda _, request: simple()(request))
    told = [line for seat, line in driven.exchange if seat == 0 and isinstance(line, ToBot)]
    table, chair = trio.socket.socketpair()
    async with trio.SocketStream(table) as arena, trio.SocketStream(chair) as person:
        seat = SocketConversation(person)
        assert str(await seat.hint()) == "nothing is asked"
        for message in told:
            await arena.send_all(encode(message))
            await seat.receive()
            if isinstance(message, Request):
                break
        found = await seat.hint()
        assert isinstance(found, Suggestion)
        await seat.send(answer_line(found.answer).encode() + b"\n")
        assert isinstance(await seat.hint(), NoAdvice)
