"""The seats of a match: bots and people greeted, asked, charged and timed; scripts play them.

Where no bot is needed time is a number, else it is that of trio's mock clock, so each is exact.
"""

import errno
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise
from typing import NamedTuple
from unittest.mock import Mock

import msgspec
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from arena.engine.job import FunctionRaised, FunctionSeat, PersonLink
from arena.engine.players import LEFT
from arena.engine.process import Process
from arena.engine.seats import LONGEST, NEVER, BotSeat, Seats
from arena.match.commands import Failed, MatchVoid, Outcome, Question, Said, Tell
from arena.match.match import Match
from arena.match.wire import AskBid, BidReply, Bye, FaultKind, Limits, PlayReply, Ready, encode
from arena.sandbox.box import NoBox, Program
from arena.sandbox.watch import PERIOD_S
from tests.support.inner_bots import LINE_BYTES, READY, InnerBot, Script, answer, reply
from tests.support.questions import question
from tests.support.scripted import plan_of

PERSON = Limits(120.0, 300.0, LINE_BYTES)
HELLOS = Match(msgspec.structs.replace(plan_of(), people={0: PERSON})).hellos


class Table(NamedTuple):
    """Seats that have been started, the bots of the scripts at them, and what they said then."""

    seats: Seats
    bots: list[InnerBot]
    said: tuple[Ready | Failed, ...]

    async def ask(self, *questions: Question) -> dict[int, Outcome]:
        """The outcomes that come next, by the numbers of their questions."""
        return {each.request.id: outcome for each, outcome in await self.seats.ask(questions)}

    async def kinds(self, *questions: Question) -> dict[int, str]:
        return {number: kind(outcome) for number, outcome in (await self.ask(*questions)).items()}


def kind(outcome: Outcome) -> str:
    return outcome.kind if isinstance(outcome, Failed) else "said"


@asynccontextmanager
async def table(
    *scripts: Script | PersonLink | None, start_s: float | None = 10.0
) -> AsyncIterator[Table]:
    async with trio.open_nursery() as nursery:
        bots: list[InnerBot] = []

        def launch(number: int, program: Program) -> Process:
            script = scripts[number]
            assert callable(script)
            bots.append(InnerBot(nursery, script))
            return Process(bots[-1], program.resources, LINE_BYTES)

        programs = [
            Program("bot", ("./bot.py",), "") if callable(script) else script for script in scripts
        ]
        seats = Seats(programs, launch, Limits(None, start_s, LINE_BYTES), nursery)
        try:
            yield Table(seats, bots, await seats.start(HELLOS[: len(scripts)]))
        finally:
            await seats.close()
            nursery.cancel_scope.cancel()


async def greet(bot: InnerBot) -> None:
    await bot.line()
    await bot.say(READY)


async def say(bot: InnerBot, line: bytes) -> None:
    """Answer hello by a line, and nothing more; leave if that is empty."""
    await bot.line()
    await bot.say(line)
    if line:
        await trio.sleep_forever()


mute = partial(say, line=READY)


def play(number: int) -> bytes:
    return b'{"type":"play","id":%d,"card":"7C"}' % number


def answered(number: int, us: int) -> Said:
    return Said(PlayReply(id=number, card="7C"), us, play(number))


# --- started and greeted: who is ready in time, and who is lost ---


@pytest.mark.parametrize(
    ("count", "after_s", "start_s"),
    [
        pytest.param(3, 9.9, 10.0, id="in time, all at the same time"),
        pytest.param(1, 60, None, id="without a limit"),
    ],
)
async def test_a_bot_may_take_the_time_that_it_has_to_get_ready(
    autojump_clock: MockClock, count: int, after_s: float, start_s: float | None
) -> None:
    async with table(*count * [partial(answer, ready_s=after_s)], start_s=start_s) as played:
        assert played.said == (Ready(1),) * count
        assert [bot.signals for bot in played.bots] == [[]] * count


@pytest.mark.parametrize(
    ("script", "kind", "why", "killed_s"),
    [
        (
            partial(answer, ready_s=10.1),
            "unready",
            "no ready within 10 s: it has written nothing since its start; "
            f"it has not read {len(encode(HELLOS[0]))} bytes of its input",
            10.0,
        ),
        (
            partial(say, line=b'{"type":"ready","protocol":2}\n'),
            "malformed",
            "in place of ready: this arena speaks protocol 1, not 2: "
            '\'{"type":"ready","protocol":2}\'',
            0.0,
        ),
        (
            partial(say, line=b'{"type":"bid","id":1,"bid":"pass"}\n'),
            "malformed",
            "in place of ready: answers bid, asked hello: the first answer is ready: "
            '\'{"type":"bid","id":1,"bid":"pass"}\'',
            0.0,
        ),
        (
            partial(say, line=b"hello\n"),
            "malformed",
            "in place of ready: the line is not JSON; print debugging goes to stderr: 'hello'",
            0.0,
        ),
        (
            partial(say, line=b"x" * (LINE_BYTES + 1)),
            "flooded",
            f"a line of more than {LINE_BYTES} bytes",
            0.0,
        ),
        (
            partial(say, line=b""),
            "exited",
            "exit code 0; a bot reads on until its input ends",
            0.0,
        ),
    ],
)
async def test_a_bot_that_is_late_or_wrong_at_the_start_is_killed_and_loses_its_seat_alone(
    autojump_clock: MockClock, script: Script, kind: FaultKind, why: str, killed_s: float
) -> None:
    async with table(script, answer) as played:
        assert played.said == (Failed(kind, why, int(killed_s * 1e6)), Ready(1))
        assert played.bots[0].signals == [("SIGKILL", killed_s)]


@pytest.mark.parametrize("number", [errno.ENOENT, errno.ENOEXEC, errno.EACCES])
async def test_a_program_that_cannot_be_started_is_blamed(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(InnerBot, "__init__", Mock(side_effect=OSError(number, "why")))
    async with table(answer) as played:
        assert played.said == (Failed("exited", "cannot be started ./bot.py: why"),)


@pytest.mark.parametrize(
    ("step", "error"),
    [
        *(
            ("__init__", OSError(number, "why"))
            for number in (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC)
        ),
        ("begin", NoBox("no namespaces left, why")),
    ],
)
async def test_a_machine_that_cannot_start_a_bot_makes_the_match_void(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
) -> None:
    monkeypatch.setattr(InnerBot, step, Mock(side_effect=error))
    with pytest.RaisesGroup(pytest.RaisesExc(MatchVoid, match="why")):
        async with table(answer):
            pass


# --- asked ---


async def test_an_answer_is_charged_what_it_took_and_a_late_one_its_clock(
    autojump_clock: MockClock,
) -> None:
    async with table(partial(answer, after_s=1.5)) as played:
        for number in (1, 2):
            assert await played.ask(question(number, 2.0)) == {number: answered(number, 1_500_000)}
        late = Failed("timeout", "no answer within 1 s: it has read the request", 1_000_000)
        assert await played.ask(question(3, 1.0)) == {3: late}
        assert trio.current_time() == pytest.approx(4.0, abs=1e-4)
        # the late answer to 3 is passed over; 4 was read half a second before its own deadline
        assert await played.kinds(question(4, 2.5)) == {4: "said"}


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (play(1) + b"\n", ["said", "timeout"]),
        ((play(1) + b"\n") * 2, ["said", "malformed"]),
        (b'{"type":"bid","id":1,"bid":"pass"}\n', ["malformed", "timeout"]),
        (b"thinking\n", ["malformed", "timeout"]),
        (b"thinking\n" + play(2) + b"\n", ["malformed", "said"]),
        (b"x" * 70_000, ["flooded", "flooded"]),
        (b'{"type":"play"', ["timeout", "timeout"]),
    ],
)
async def test_an_early_line_counts_as_one_that_was_waited_for(
    autojump_clock: MockClock, said: bytes, heard: list[str]
) -> None:
    async with table(partial(say, line=READY + said)) as played:
        await trio.sleep(0.1)
        for number, came in enumerate(heard, 1):
            assert await played.kinds(question(number, 1.0)) == {number: came}


async def test_waiting_can_be_given_up_and_taken_up_again(autojump_clock: MockClock) -> None:
    async with table(partial(answer, after_s=3)) as played:
        with trio.move_on_after(1):
            await played.ask(question(1, None))
        assert await played.kinds() == {1: "said"}


async def test_a_line_that_was_there_in_time_counts_however_late_the_arena_looks(
    autojump_clock: MockClock,
) -> None:
    """Both `ready` and an answer, which is charged its whole clock and not a microsecond more."""

    async def stall(bot: InnerBot) -> None:
        for said in (READY, play(1) + b"\n"):
            await bot.line()
            await bot.say(said)
            autojump_clock.jump(100)  # as when the whole machine stands still
        await trio.sleep_forever()

    async with table(stall) as played:
        assert await played.ask(question(1, 1.0)) == {1: answered(1, 1_000_000)}


async def read_slowly(bot: InnerBot) -> None:
    await greet(bot)
    for _ in range(2):  # what was told before, and the question
        line = await bot.line(pause_s=0.75)
    await bot.say(reply(line or b""))


@pytest.mark.parametrize(("script", "came"), [(read_slowly, "said"), (mute, "timeout")])
async def test_a_clock_starts_when_a_slow_reader_has_the_question_but_runs_for_who_never_reads(
    autojump_clock: MockClock, script: Script, came: str
) -> None:
    """There is more to read than a pipe holds, and each part takes less than the clock."""
    async with table(script) as played:
        played.seats.tell(Tell(0, Bye("x" * 200_000)))
        assert await played.kinds(question(1, 1.0)) == {1: came}
        assert (trio.current_time() > 2.0) == (came == "said")


async def test_a_late_answer_of_one_table_costs_the_others_nothing(
    autojump_clock: MockClock,
) -> None:
    async def think_about_1(bot: InnerBot) -> None:
        await greet(bot)
        first, second = [await bot.line() or b"" for _ in range(2)]
        await bot.say(reply(second))
        await trio.sleep(1.5)
        await bot.say(reply(first) + reply(await bot.line() or b""))
        await trio.sleep_forever()

    async with table(think_about_1) as played:
        assert await played.kinds(question(1, 1.0), question(2, 1.0)) == {2: "said"}
        assert await played.kinds() == {1: "timeout"}
        assert await played.kinds(question(3, 1.0)) == {3: "said"}


async def test_slow_seats_keep_no_other_waiting_and_an_empty_one_fails_at_once(
    autojump_clock: MockClock,
) -> None:
    async with table(mute, answer, partial(answer, after_s=1.0)) as played:
        assert await played.kinds(*(question(n, 2.0, seat=n) for n in range(3))) == {1: "said"}
        assert await played.kinds() == {2: "said"}
        assert await played.kinds() == {0: "timeout"}
    async with table(mute, None) as played:
        empty = Failed("exited", "nobody plays this seat")
        assert (len(played.bots), played.said) == (1, (Ready(1), empty))
        assert await played.ask(question(0, 1.0), question(1, seat=1)) == {1: empty}
        played.seats.tell(Tell(1, Bye("over")))


@pytest.mark.parametrize(
    ("last", "kinds"),
    [
        (lambda bot: bot.output.aclose(), ["exited", "exited"]),
        (lambda bot: bot.say(b"x" * 1001), ["flooded", "flooded"]),
        # the first line of many is an answer; the others lie unread
        (lambda bot: bot.say(b"x\n" * 2000), ["malformed", "flooded"]),
    ],
)
async def test_a_bot_of_no_more_use_is_killed_at_once_and_each_question_fails(
    autojump_clock: MockClock, last: Callable[[InnerBot], Awaitable[None]], kinds: list[str]
) -> None:
    async def misbehave(bot: InnerBot) -> None:
        await greet(bot)
        await bot.line()
        await last(bot)
        await trio.sleep_forever()

    async with table(misbehave) as played:
        first, second = [(await played.ask(question(n, 5.0)))[n] for n in (1, 2)]
        assert [kind(first), kind(second)] == kinds
        assert [name for name, _ in played.bots[0].signals] == ["SIGKILL"]
        assert isinstance(second, Failed)
        failed = msgspec.structs.replace(second, us=0)
        assert await played.ask(question(3), question(4)) == {3: failed, 4: failed}


async def test_all_that_is_open_fails_together_each_charged_its_own_time(
    autojump_clock: MockClock,
) -> None:
    async def crash(bot: InnerBot) -> None:
        await greet(bot)
        await trio.sleep(3)

    async with table(crash, mute) as played:
        asked = question(1, 5.0), question(2, 1.0, seat=1)
        assert await played.kinds(*asked) == {2: "timeout"}
        why = "exit code 0; a bot reads on until its input ends"
        assert await played.ask(question(3, 5.0)) == {
            1: Failed("exited", why, 3_000_000),
            3: Failed("exited", why, 2_000_000),
        }


async def test_bots_are_looked_at_as_often_as_the_watch_says_though_nobody_waits(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instant answers never let the arena wait, so asking itself must look."""
    async with table(mute) as played:

        def let_the_bot_run() -> None:
            autojump_clock.jump(PERIOD_S / 10)
            played.bots[0].answer_at_once()

        monkeypatch.setattr(os, "sched_yield", let_the_bot_run)
        played.bots[0].looks.clear()
        for number in range(1000):
            assert await played.kinds(question(number)) == {number: "said"}
        gaps = [after - before for before, after in pairwise(played.bots[0].looks)]
    assert len(gaps) > 80
    assert all(PERIOD_S < gap < 1.2 * PERIOD_S for gap in gaps)


# --- which question a line answers: by its id, else the oldest; late answers are ignored ---


def put(seat: BotSeat, question: Question, end: int) -> None:
    """Have a question asked whose line ends there in the input."""
    seat.expect(question, question.clock_s, end)


def timed(*numbers: int, clock_s: float | None = 1.0, withheld: float = 0.0) -> BotSeat:
    """A seat of nobody with questions of 100 bytes each, the first at the input's beginning."""
    seat = BotSeat()
    seat.ready, seat.withheld = Ready(1), withheld
    for place, number in enumerate(numbers, 1):
        put(seat, question(number, clock_s), place * 100)
    return seat


def heard(seat: BotSeat, line: bytes) -> tuple[int, str, int] | None:
    """The number of the question that a line closes, what came of it and what is charged."""
    found = seat.hear(line, 0.0, 0.5)
    return None if found is None else (found[0].request.id, kind(found[1]), found[1].us)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"thinking", 1),
        (b"", 1),
        (READY, 1),
        (b'{"type":"bid","id":2,"bid":"pass"}', 2),
        (b'{"type":"play","id":2}', 2),
        (b'{"type":"play","id":2,"card":7}', 2),
        (b'{"id":3}', 3),
        (b'{"type":"play","id":9,"card":"7C"}', 1),
        (b'{"type":"play","id":9}', 1),
    ],
)
def test_a_malformed_line_is_blamed_on_the_question_of_its_id_else_on_the_oldest(
    line: bytes, number: int
) -> None:
    seat = timed(1, 2, 3)
    assert heard(seat, line) == (number, "malformed", 500_000)
    assert {*seat.open} == {1, 2, 3} - {number}


@given(st.binary())
def test_any_bytes_fail_one_question_and_leave_the_others(line: bytes) -> None:
    seat = timed(1, 2)
    assert heard(seat, line) == (1, "malformed", 500_000)
    assert [*seat.open] == [2]


def test_the_answer_that_follows_a_stray_line_is_passed_over_once_unless_it_is_asked_again() -> (
    None
):
    seat = timed(1, 2)
    assert heard(seat, b"thinking") == (1, "malformed", 500_000)
    assert heard(seat, play(1)) is None
    assert heard(seat, play(1)) == (2, "malformed", 500_000)
    put(seat, question(2), 300)
    assert heard(seat, play(2)) == (2, "said", 500_000)


# --- who is late and what is charged ---


BEGAN = 10.0


@pytest.mark.parametrize(
    ("begun", "looks"),
    [
        # it starts at the look that finds the question written, and is not set again
        (partial(timed, 1), [(100, 11.0, 12.0), (100, 11.5, NEVER)]),
        # it runs on while the bot does not read, or one that stops reading could never be late
        (partial(timed, 1), [(99, 11.0, 12.0), (99, 11.5, NEVER)]),
        # it is set anew while the question is being written
        (
            partial(timed, 1, 2),
            [(150, 11.0, 12.0), (199, 15.0, 16.0), (200, 20.0, 21.0), (200, 25.0, NEVER)],
        ),
        (partial(timed, 1, clock_s=None), [(100, 11.0, NEVER), (100, 1e9, NEVER)]),
    ],
)
def test_a_clock_starts_once_its_question_is_written(
    begun: Callable[[], BotSeat], looks: Sequence[tuple[int, float, float]]
) -> None:
    seat = begun()
    assert seat.earliest() == NEVER
    for written, looked, late in looks:
        assert seat.start_clocks(written, BEGAN, looked) == late
        assert seat.earliest() == looks[0][2], "the first question's"


def test_each_question_is_late_from_its_own_deadline_on_and_charged_its_clock() -> None:
    seat = timed(1)
    seat.start_clocks(100, BEGAN, 11.0)
    put(seat, question(2, 5.0), 200)
    assert seat.start_clocks(200, BEGAN + 0.5, 11.5) == 16.5
    assert seat.earliest() == 12.0
    late = (question(1), Failed("timeout", "no answer within 1 s", 1_000_000))
    assert [seat.expire(now) for now in (11.999, 12.0, 12.0)] == [[], [late], []]
    assert (seat.overdue, seat.earliest()) == ({1}, 16.5)
    put(seat, question(1), 300)
    assert seat.overdue == set(), "it is asked again"


@pytest.mark.parametrize(
    ("clock_s", "began", "looked", "now", "us"),
    [
        (1.0, 10.0, 10.1, 10.5, 500_000),
        (1.0, 10.0, 10.1, 11.0, 1_000_000),
        (1.0, 10.0, 10.1, 99.0, 1_000_000),
        (None, 10.0, 10.1, 12.0, 2_000_000),
        (1.0, 0.0, 0.0, 0.75, 750_000),
    ],
)
def test_an_answer_in_time_is_charged_what_it_took_and_its_clock_at_most(
    clock_s: float | None, began: float, looked: float, now: float, us: int
) -> None:
    """It was there in time, so only the arena can have looked late."""
    seat = timed(1, clock_s=clock_s)
    assert seat.charge(seat.open[1], began, now) == (us, 0)
    seat.start_clocks(100, began, looked)
    assert seat.charge(seat.open[1], 55.0, now) == (us, 0), "a later look counts from the first"


@pytest.mark.parametrize(
    ("clock_s", "before_s", "withheld_s", "extra_s"),
    [
        pytest.param(1.0, 0.0, 3.0, 3.0, id="all of it"),
        pytest.param(1.0, 5.0, 5.0, 0.0, id="nothing of before it was asked"),
        pytest.param(1.0, 5.0, 5.01, 0.0, id="nothing that a look cannot tell"),
        pytest.param(2.0, 0.0, 1e6, (LONGEST - 1) * 2.0, id="no more than some times its clock"),
    ],
)
def test_what_others_took_of_the_core_is_given_in_addition_and_not_charged(
    clock_s: float, before_s: float, withheld_s: float, extra_s: float
) -> None:
    seat = timed(1, clock_s=clock_s, withheld=before_s)
    seat.start_clocks(100, BEGAN, BEGAN)
    seat.withheld = withheld_s
    late, us, extra_us = BEGAN + clock_s + extra_s, int(clock_s * 1e6), int(extra_s * 1e6)
    assert seat.earliest() == late
    assert seat.charge(seat.open[1], BEGAN, late - 0.5) == (us - 500_000, extra_us)
    failed = Failed("timeout", f"no answer within {clock_s:g} s", us, extra_us)
    assert [seat.expire(late - 0.1), seat.expire(late)] == [
        [],
        [(question(1, clock_s), failed)],
    ]


# --- people and functions ---


@asynccontextmanager
async def beside(person: Callable[[trio.SocketStream], Awaitable[None]]) -> AsyncIterator[Table]:
    """A table of a person, who acts by a script, and of a bot that answers."""
    ours, theirs = trio.socket.socketpair()
    with ours, theirs:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(person, trio.SocketStream(theirs))
            link = PersonLink("person", ours._sock)  # type: ignore[attr-defined]
            async with table(link, answer) as played:
                yield played
            nursery.cancel_scope.cancel()


async def test_a_person_is_asked_told_and_timed_as_a_bot_but_told_no_cause(
    autojump_clock: MockClock,
) -> None:
    heard: list[str] = []

    async def person(stream: trio.SocketStream) -> None:
        said = {"hello": READY, "play 1": play(1) + b"\n", "play 3": play(3) + b"\n"}
        async for line in stream:
            fields = msgspec.json.decode(line)
            heard.append(f"{fields['type']} {fields.get('id', '')}".strip())
            await stream.send_all(said.get(heard[-1], b""))

    async with beside(person) as played:
        late = Failed("timeout", "no answer within 120 s", 120_000_000)
        for number, came in ((1, answered(1, 0)), (2, late), (3, answered(3, 0))):
            assert await played.ask(question(number, 120.0)) == {number: came}
        played.seats.tell(Tell(0, Bye("the match is over")))
        played.seats.send()
        await trio.sleep(0.1)
        assert played.seats.stderr() == ("", "")
    assert heard == ["hello", "play 1", "play 2", "play 3", "bye"]


@pytest.mark.parametrize(
    ("after_s", "said"),
    [
        (200, Ready(1)),
        (float("inf"), Failed("unready", "no ready within 300 s", 300_000_000)),
    ],
)
async def test_a_person_may_be_ready_long_after_a_bot_must_but_has_to_come(
    autojump_clock: MockClock, after_s: float, said: Ready | Failed
) -> None:
    async def late(stream: trio.SocketStream) -> None:
        await trio.sleep(after_s)
        await stream.send_all(READY)

    assert [each.limits for each in HELLOS] == [PERSON, plan_of().limits, plan_of().limits]
    async with beside(late) as played:
        assert played.said == (said, Ready(1))


@pytest.mark.parametrize("unread", [False, True])
async def test_leaving_is_the_end_of_a_program(autojump_clock: MockClock, unread: bool) -> None:
    async def leaves(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(READY)
        if not unread:
            await stream.receive_some()
        await trio.sleep(5)
        await stream.aclose()

    async with beside(leaves) as played:
        assert await played.ask(question(1, 120.0)) == {1: Failed("exited", LEFT, 5_000_000)}
        assert await played.ask(question(2, 120.0)) == {2: Failed("exited", LEFT)}


def test_the_answer_of_a_function_takes_no_time_and_what_it_raises_is_kept() -> None:
    asked = AskBid(0, 0, 0, 1, (), None, ("QC",), ("pass",))
    seat = FunctionSeat("me", Ready(1), lambda request: BidReply(id=request.id, bid="pass"))
    assert seat.answer_to(Question(1, asked, asked, None)) == Said(BidReply(id=0, bid="pass"), 0)
    fails = FunctionSeat("me", Ready(1), Mock(side_effect=LookupError("mine")))
    with pytest.raises(FunctionRaised, match="mine") as raised:
        fails.answer_to(Question(1, asked, asked, None))
    assert isinstance(raised.value.__cause__, LookupError)
