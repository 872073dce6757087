"""A person's seat, on trio's mock clock, and a function's, beside those of bots."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio
from trio.testing import MockClock

from arena.engine.job import FunctionRaised, FunctionSeat, PersonLink
from arena.engine.players import LEFT
from arena.engine.process import Process
from arena.engine.seats import Seats
from arena.match.commands import Failed, Outcome, Question, Said, Tell
from arena.match.match import Match
from arena.match.wire import AskBid, BidReply, Bye, Limits, Ready
from arena.sandbox.box import Program
from tests.support.inner_bots import LINE_BYTES, READY, InnerBot, answer, process_of, reply
from tests.support.questions import question
from tests.support.scripted import plan_of

PERSON = Limits(120.0, 300.0, LINE_BYTES)
IS_READY = Ready(1)
HELLOS = Match(msgspec.structs.replace(plan_of(), people={0: PERSON})).hellos


@asynccontextmanager
async def talk(
    person: Callable[[trio.SocketStream], Awaitable[None]], ready: Ready | Failed = IS_READY
) -> AsyncIterator[Seats]:
    """The seats of a person, who acts by a script, and of a bot that answers, to be asked."""
    async with trio.open_nursery() as nursery:
        ours, theirs = trio.socket.socketpair()
        with ours, theirs:
            link = PersonLink("person", ours._sock)  # type: ignore[attr-defined]

            def launch(number: int, program: Program) -> Process:
                return process_of(InnerBot(nursery, answer))

            limits = Limits(60.0, 10.0, LINE_BYTES)
            seats = Seats([link, Program("", (), "")], launch, limits, nursery)
            nursery.start_soon(person, trio.SocketStream(theirs))
            assert await seats.start(HELLOS[:2]) == (ready, IS_READY)
            yield seats
            await seats.close()
            nursery.cancel_scope.cancel()


async def one(seats: Seats, question: Question) -> Outcome:
    """The outcome of a single question."""
    [(_, outcome)] = await seats.ask([question])
    return outcome


async def lines(stream: trio.SocketStream, each: Callable[[bytes], bytes]) -> None:
    """Be ready, then answer each chunk of input, which is a line."""
    assert b'"type":"hello"' in await stream.receive_some()
    await stream.send_all(READY)
    while chunk := await stream.receive_some():
        await stream.send_all(each(chunk))


async def test_a_person_is_asked_and_told_as_a_bot_is(autojump_clock: MockClock) -> None:
    heard: list[bytes] = []

    def each(line: bytes) -> bytes:
        heard.append(line)
        return reply(line) if b'"id"' in line else b""

    async with talk(lambda stream: lines(stream, each)) as seats:
        for number in range(2):
            assert isinstance(await one(seats, question(number, 1.0)), Said)
        seats.tell(Tell(0, Bye("the match is over")))
        seats.send()
        await trio.sleep(0.1)
        assert seats.stderr() == ("", "")
    assert [b'"type":"play"' in line for line in heard] == [True, True, False]


NEVER = Failed("unready", "no ready within 300 s", 300_000_000, 0)


@pytest.mark.parametrize(("after_s", "ready"), [(200, IS_READY), (float("inf"), NEVER)])
async def test_a_person_may_be_ready_long_after_a_bot_must_but_has_to_come(
    autojump_clock: MockClock, after_s: float, ready: Ready | Failed
) -> None:
    async def late(stream: trio.SocketStream) -> None:
        await trio.sleep(after_s)
        await stream.send_all(READY)

    async with talk(late, ready) as seats:
        assert ready in (seats.all[0].ready, seats.all[0].lost)


async def test_a_person_out_of_time_is_told_no_cause_and_is_asked_again(
    autojump_clock: MockClock,
) -> None:
    answers = iter([b""])

    async with talk(lambda stream: lines(stream, lambda line: next(answers, reply(line)))) as seats:
        assert await one(seats, question(1, 120.0)) == Failed(
            "timeout", "no answer within 120 s", 120_000_000
        )
        assert isinstance(await one(seats, question(2, 120.0)), Said)


@pytest.mark.parametrize("unread", [False, True])
async def test_leaving_is_the_end_of_a_program(autojump_clock: MockClock, unread: bool) -> None:
    async def leaves(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(READY)
        if not unread:
            await stream.receive_some()
        await trio.sleep(5)
        await stream.aclose()

    async with talk(leaves) as seats:
        outcome = await one(seats, question(1, 120.0))
        assert outcome == Failed("exited", LEFT, outcome.us)
        assert outcome.us >= 5_000_000
        assert await one(seats, question(2, 120.0)) == Failed("exited", LEFT)


def test_only_the_persons_hello_has_the_persons_limits() -> None:
    assert [hello.limits for hello in HELLOS] == [PERSON, plan_of().limits, plan_of().limits]


ASKED = AskBid(0, 0, 0, 1, (), None, ("QC",), ("pass",))


def test_the_answer_of_a_function_takes_no_time() -> None:
    seat = FunctionSeat("me", Ready(1), lambda request: BidReply(id=request.id, bid="pass"))
    said = seat.answer_to(Question(1, ASKED, ASKED, None))
    assert said == Said(BidReply(id=0, bid="pass"), 0)


def test_what_a_function_raises_is_kept() -> None:
    wrong = LookupError("mine")

    def fails(request: object) -> BidReply:
        raise wrong

    with pytest.raises(FunctionRaised, match="mine") as raised:
        FunctionSeat("me", Ready(1), fails).answer_to(Question(1, ASKED, ASKED, None))
    assert raised.value.__cause__ is wrong
