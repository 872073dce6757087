"""The seats of a match: greeted, asked, charged and timed; scripts play the bots.

Where no bot is needed time is a number, else it is that of trio's mock clock, so each is exact.
"""

import errno
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from itertools import pairwise

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from arena.engine.process import Process
from arena.engine.seats import LONGEST, NEVER, BotSeat, Seats
from arena.match.commands import Failed, MatchVoid, Outcome, Question, Said, Tell
from arena.match.match import Match
from arena.match.unreadable import BYTES_SHOWN
from arena.match.wire import Bye, Limits, PlayReply, Ready
from arena.sandbox.box import NoBox, Program
from arena.sandbox.watch import PERIOD_S
from tests.support.inner_bots import (
    LINE_BYTES,
    READY,
    InnerBot,
    Script,
    answer,
    reply,
    seats_of,
)
from tests.support.questions import question
from tests.support.scripted import plan_of

HELLOS = Match(plan_of()).hellos

# --- started and greeted: who is ready in time, and who is lost ---


async def greet(bot: InnerBot) -> None:
    """Read hello and say ready."""
    await bot.line()
    await bot.say(READY)


async def slow(bot: InnerBot, after_s: float) -> None:
    """Answer hello after a time."""
    await trio.sleep(after_s)
    await answer(bot)


async def greeted(
    *scripts: Script | None, start_s: float | None = 10.0
) -> tuple[tuple[Ready | Failed, ...], list[InnerBot]]:
    """What scripts answer to their hello, and their bots, ended meanwhile."""
    async with trio.open_nursery() as nursery:
        seats, bots = seats_of(nursery, scripts, start_s)
        said = await seats.start(HELLOS[: len(scripts)])
        signals = [list(bot.signals) for bot in bots]
        await seats.close()
        for bot, before in zip(bots, signals, strict=True):
            bot.signals = before
        nursery.cancel_scope.cancel()
    return said, bots


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
    said, bots = await greeted(*count * [partial(slow, after_s=after_s)], start_s=start_s)
    assert said == (Ready(1),) * count
    assert [bot.signals for bot in bots] == [[]] * count


async def test_a_bot_that_is_not_ready_in_time_is_killed_and_charged_all_of_it(
    autojump_clock: MockClock,
) -> None:
    said, bots = await greeted(partial(slow, after_s=10.1), answer)
    why = "no ready within 10 s: it has written nothing since its start; it has not read"
    late, ready = said
    assert isinstance(late, Failed)
    assert (late.kind, late.us, ready) == ("unready", 10_000_000, Ready(1))
    assert late.detail.startswith(why)
    assert bots[0].signals == [("SIGKILL", 10.0)]


@pytest.mark.parametrize(
    ("line", "kind", "detail"),
    [
        (b'{"type":"ready","protocol":2}\n', "malformed", "this arena speaks protocol 1, not 2"),
        (b'{"type":"bid","id":1,"bid":"pass"}\n', "malformed", "the first answer is ready"),
        (b"hello\n", "malformed", "in place of ready: "),
        (b"x" * (LINE_BYTES + 1), "flooded", f"a line of more than {LINE_BYTES} bytes"),
        (None, "exited", "exit code 0"),
    ],
)
async def test_a_wrong_ready_loses_the_seat_and_kills_its_bot(
    autojump_clock: MockClock, line: bytes | None, kind: str, detail: str
) -> None:
    async def bad(bot: InnerBot) -> None:
        await bot.line()
        if line is not None:
            await bot.say(line)
            await trio.sleep_forever()

    (failed,), (bot,) = await greeted(bad)
    assert isinstance(failed, Failed)
    assert failed.kind == kind
    assert detail in failed.detail
    assert [name for name, _ in bot.signals] == ["SIGKILL"]


@pytest.mark.parametrize(
    ("number", "ours"),
    [
        (errno.EAGAIN, True),
        (errno.ENOMEM, True),
        (errno.EMFILE, True),
        (errno.ENFILE, True),
        (errno.ENOSPC, True),
        (errno.ENOENT, False),
        (errno.ENOEXEC, False),
        (errno.EACCES, False),
    ],
)
async def test_a_program_is_blamed_for_its_own_start_and_never_for_the_machine(
    number: int, ours: bool
) -> None:
    def launch(seat: int, program: Program) -> Process:
        raise OSError(number, "why")

    async with trio.open_nursery() as nursery:
        limits = Limits(None, None, LINE_BYTES)
        seats = Seats([Program("bot", ("./bot.py",), "")], launch, limits, nursery)
        void = pytest.raises(MatchVoid, match=r"could not be started: .*why")
        with void if ours else nullcontext():
            said = await seats.start(HELLOS[:1])
            assert said == (Failed("exited", "cannot be started ./bot.py: why"),)
        nursery.cancel_scope.cancel()


async def test_a_sandbox_that_fails_makes_the_match_void(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin(_: InnerBot) -> None:
        raise NoBox("no namespaces left")

    monkeypatch.setattr(InnerBot, "begin", begin)
    async with trio.open_nursery() as nursery:
        seats, _ = seats_of(nursery, [answer])
        with pytest.raises(MatchVoid, match="no namespaces left"):
            await seats.start(HELLOS[:1])
        await seats.close()
        nursery.cancel_scope.cancel()


# --- asked ---


@asynccontextmanager
async def talk(scripts: Sequence[Script | None]) -> AsyncIterator[tuple[Seats, list[InnerBot]]]:
    """Bots that have been started, to be asked."""
    async with trio.open_nursery() as nursery:
        seats, bots = seats_of(nursery, scripts)
        greeted = await seats.start(HELLOS[: len(scripts)])
        empty = Failed("exited", "nobody plays this seat")
        assert greeted == tuple(empty if script is None else Ready(1) for script in scripts)
        yield seats, bots
        await seats.close()
        nursery.cancel_scope.cancel()


async def one(seats: Seats, question: Question) -> Outcome:
    """The outcome of a single question."""
    [(asked, outcome)] = await seats.ask([question])
    assert asked is question
    return outcome


def word(outcome: Outcome) -> str:
    return outcome.kind if isinstance(outcome, Failed) else "said"


def words(outcomes: Sequence[tuple[Question, Outcome]]) -> dict[int, str]:
    """What came of each question, by its number, in a word."""
    return {question.request.id: word(outcome) for question, outcome in outcomes}


def answered(number: int, us: int) -> Said:
    """What a seat says by `play(number)`, charged some time."""
    return Said(PlayReply(id=number, card="7C"), us, play(number))


async def test_an_answer_in_time_is_charged_what_it_took(autojump_clock: MockClock) -> None:
    async with talk([partial(answer, after_s=0.75)]) as (seats, _):
        for number in range(3):
            assert await one(seats, question(number, 1.0)) == answered(number, 750_000)


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (b'{"type":"play","id":1,"card":"7C"}\n', ["said", "timeout"]),
        (b'{"type":"play","id":1,"card":"7C"}\n' * 2, ["said", "malformed"]),
        (b'{"type":"bid","id":1,"bid":"pass"}\n', ["malformed", "timeout"]),
        (b"thinking\n", ["malformed", "timeout"]),
        (b'thinking\n{"type":"play","id":2,"card":"7C"}\n', ["malformed", "said"]),
        (b"x" * 70_000, ["flooded", "flooded"]),
        (b'{"type":"play"', ["timeout", "timeout"]),
    ],
)
async def test_an_early_line_counts_as_one_that_was_waited_for(
    autojump_clock: MockClock, said: bytes, heard: list[str]
) -> None:
    async def early(bot: InnerBot) -> None:
        await bot.line()
        await bot.say(READY + said)
        await trio.sleep_forever()

    async with talk([early]) as (seats, _):
        await trio.sleep(0.1)
        for number, came in enumerate(heard, 1):
            assert word(await one(seats, question(number, 1.0))) == came


async def test_a_late_answer_times_out_at_the_deadline_and_is_charged_the_clock(
    autojump_clock: MockClock,
) -> None:
    async with talk([partial(answer, after_s=1.5)]) as (seats, _):
        began = trio.current_time()
        outcome = await one(seats, question(1, 1.0))
        assert outcome == Failed(
            "timeout", "no answer within 1 s: it has read the request", 1_000_000
        )
        assert trio.current_time() - began == pytest.approx(1.0, abs=1e-4)
        # the late answer to 1 is passed over; 2 was read half a second before its own deadline
        assert word(await one(seats, question(2, 2.5))) == "said"


async def test_waiting_can_be_given_up_and_taken_up_again(autojump_clock: MockClock) -> None:
    async with talk([partial(answer, after_s=3)]) as (seats, _):
        with trio.move_on_after(1):
            await seats.ask([question(1, None)])
        assert words(await seats.ask(())) == {1: "said"}


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

    async with talk([stall]) as (seats, _):
        assert await one(seats, question(1, 1.0)) == answered(1, 1_000_000)


async def test_the_clock_of_a_bot_that_reads_slowly_starts_when_it_has_the_question(
    autojump_clock: MockClock,
) -> None:
    """There is more to read than a pipe holds, and each part takes less than the clock."""

    async def read_slowly(bot: InnerBot) -> None:
        await greet(bot)
        for _ in range(2):  # what was told before, and the question
            line = await bot.line(pause_s=0.75)
        assert line is not None
        await bot.say(reply(line))

    async with talk([read_slowly]) as (seats, _):
        seats.tell(Tell(0, Bye("x" * 200_000)))
        outcome = await one(seats, question(1, 1.0))
        assert isinstance(outcome, Said)
        assert trio.current_time() > 2.0


async def test_a_bot_that_never_reads_is_late_in_the_end(autojump_clock: MockClock) -> None:
    async with talk([mute]) as (seats, _):
        seats.tell(Tell(0, Bye("x" * 200_000)))
        assert word(await one(seats, question(1, 1.0))) == "timeout"


async def test_a_late_answer_of_one_table_costs_the_others_nothing(
    autojump_clock: MockClock,
) -> None:
    async def think_about_1(bot: InnerBot) -> None:
        await greet(bot)
        lines = [await bot.line() or b"" for _ in range(2)]
        await bot.say(reply(lines[1]))
        await trio.sleep(1.5)
        await bot.say(reply(lines[0]))
        await bot.say(reply(await bot.line() or b""))
        await trio.sleep_forever()

    async with talk([think_about_1]) as (seats, _):
        assert words(await seats.ask([question(1, 1.0), question(2, 1.0)])) == {2: "said"}
        assert words(await seats.ask([])) == {1: "timeout"}
        assert word(await one(seats, question(3, 1.0))) == "said"


async def test_slow_seats_keep_no_other_waiting(autojump_clock: MockClock) -> None:
    async with talk([mute, answer, partial(answer, after_s=1.0)]) as (seats, _):
        asked = [question(seat, 2.0, seat) for seat in range(3)]
        assert words(await seats.ask(asked)) == {1: "said"}
        assert words(await seats.ask([])) == {2: "said"}
        assert words(await seats.ask([])) == {0: "timeout"}


@pytest.mark.parametrize(
    ("last", "kinds"),
    [
        (lambda bot: bot.close_output(), ["exited", "exited"]),
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

    async with talk([misbehave]) as (seats, bots):
        outcomes = [await one(seats, question(number, 5.0)) for number in (1, 2)]
        assert [*map(word, outcomes)] == kinds
        assert [name for name, _ in bots[0].signals] == ["SIGKILL"]
        lost = outcomes[1]
        assert isinstance(lost, Failed)
        asked = [question(3), question(4)]
        failed = Failed(lost.kind, lost.detail, 0)
        assert await seats.ask(asked) == [(each, failed) for each in asked]


async def test_all_that_is_open_fails_together_each_charged_its_own_time(
    autojump_clock: MockClock,
) -> None:
    async def crash(bot: InnerBot) -> None:
        await greet(bot)
        await trio.sleep(3)

    async with talk([crash, mute]) as (seats, _):
        asked = [question(1, 5.0), question(2, 1.0, seat=1)]
        assert words(await seats.ask(asked)) == {2: "timeout"}
        outcomes = await seats.ask([question(3, 5.0)])
        assert words(outcomes) == {1: "exited", 3: "exited"}
        lost = {question.request.id: outcome for question, outcome in outcomes}
        assert lost[1].us == 3_000_000
        assert lost[3].us == 2_000_000


async def test_an_empty_seat_needs_no_bot_and_fails_at_once(autojump_clock: MockClock) -> None:
    async with talk([answer, None]) as (seats, bots):
        assert len(bots) == 1
        outcome = await one(seats, question(1, seat=1))
        assert outcome == Failed("exited", "nobody plays this seat")
        seats.tell(Tell(1, Bye("over")))


async def test_bots_are_looked_at_as_often_as_the_watch_says_though_nobody_waits(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instant answers never let the arena wait, so asking itself must look."""

    async with talk([mute]) as (seats, bots):

        def let_the_bot_run() -> None:
            autojump_clock.jump(PERIOD_S / 10)
            bots[0].answer_at_once()

        monkeypatch.setattr(os, "sched_yield", let_the_bot_run)
        began = trio.current_time()
        for number in range(1000):
            assert isinstance(await one(seats, question(number)), Said)
        looks = [time for time in bots[0].looks if time >= began]
        gaps = [after - before for before, after in pairwise(looks)]
        assert len(gaps) > 80
        assert all(PERIOD_S < gap < 1.2 * PERIOD_S for gap in gaps)


async def mute(bot: InnerBot) -> None:
    """Say ready and nothing more."""
    await greet(bot)
    await trio.sleep_forever()


# --- which question a line answers: by its id, else the oldest; late answers are ignored ---


def ready() -> BotSeat:
    """A seat that has been greeted, and that nobody plays."""
    seat = BotSeat()
    seat.ready = Ready(1)
    return seat


def put(seat: BotSeat, question: Question, end: int) -> None:
    """Have a question asked whose line ends there in the input."""
    seat.expect(question, question.clock_s, end)


def timed(*numbers: int, clock_s: float | None = 1.0) -> BotSeat:
    """Questions with lines of 100 bytes, the first at the beginning of the input."""
    seat = ready()
    for place, number in enumerate(numbers, 1):
        put(seat, question(number, clock_s), place * 100)
    return seat


def heard(seat: BotSeat, line: bytes) -> tuple[int, Outcome] | None:
    """The outcome that a line brings, and the number of the question."""
    found = seat.hear(line, 0.0, 0.5)
    return None if found is None else (found[0].request.id, found[1])


def play(number: int) -> bytes:
    return b'{"type":"play","id":%d,"card":"7C"}' % number


def test_an_answer_closes_the_question_of_its_id() -> None:
    seat = timed(1, 2, 3)
    assert heard(seat, play(2)) == (2, answered(2, 500_000))
    assert list(seat.open) == [1, 3]


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
    blamed, outcome = heard(seat, line) or (0, None)
    assert isinstance(outcome, Failed)
    assert (blamed, outcome.kind, outcome.us) == (number, "malformed", 500_000)
    assert len(seat.open) == 2


def test_the_answer_that_follows_a_stray_line_is_passed_over_once() -> None:
    seat = timed(1, 2)
    heard(seat, b"thinking")
    assert heard(seat, play(1)) is None
    number, outcome = heard(seat, play(1)) or (0, None)
    assert number == 2
    assert isinstance(outcome, Failed)


def test_the_answer_to_what_was_asked_again_is_heard() -> None:
    seat = timed(1)
    heard(seat, b"thinking")
    put(seat, question(1), 200)
    assert heard(seat, play(1)) == (1, answered(1, 500_000))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (b"x" * BYTES_SHOWN, f"'{'x' * BYTES_SHOWN}'"),
        (b"\xff" + b"x" * BYTES_SHOWN, f"'\\xff{'x' * (BYTES_SHOWN - 1)}'…"),
    ],
)
def test_a_detail_shows_the_beginning_of_the_line(line: bytes, shown: str) -> None:
    _, failed = heard(timed(1), line) or (0, None)
    assert isinstance(failed, Failed)
    assert failed.detail.endswith(shown)


@given(st.binary())
def test_any_bytes_fail_one_question_and_leave_the_others(line: bytes) -> None:
    seat = timed(1, 2)
    _, outcome = heard(seat, line) or (0, None)
    assert isinstance(outcome, Failed)
    assert list(seat.open) == [2]


# --- who is late and what is charged ---


BEGAN, LOOKED = 10.0, 10.25


@pytest.mark.parametrize(
    ("numbers", "looks"),
    [
        # it starts at the look that finds the question written, and is not set again
        ((1,), [(100, 11.0, 12.0), (100, 11.5, NEVER)]),
        # it runs on while the bot does not read, or one that stops reading could never be late
        ((1,), [(99, 11.0, 12.0), (99, 11.5, NEVER)]),
        # it is set anew while the question is being written
        ((1, 2), [(150, 11.0, 12.0), (199, 15.0, 16.0), (200, 20.0, 21.0), (200, 25.0, NEVER)]),
    ],
)
def test_a_clock_starts_once_its_question_is_written(
    numbers: Sequence[int], looks: Sequence[tuple[int, float, float]]
) -> None:
    seat = timed(*numbers)
    assert seat.earliest() == NEVER
    for written, looked, late in looks:
        assert seat.start_clocks(written, BEGAN, looked) == late
        assert seat.earliest() == looks[0][2], "the first question's"


def test_nothing_is_late_without_a_clock() -> None:
    seat = timed(1, clock_s=None)
    assert seat.start_clocks(100, BEGAN, LOOKED) == NEVER
    assert seat.expire(1e9) == []


def test_each_question_is_late_from_its_own_deadline_on_and_charged_its_clock() -> None:
    seat = timed(1)
    seat.start_clocks(100, BEGAN, 11.0)
    put(seat, question(2, 5.0), 200)
    assert seat.start_clocks(200, BEGAN + 0.5, 11.5) == 16.5
    assert seat.earliest() == 12.0
    assert seat.expire(11.999) == []
    late = (question(1), Failed("timeout", "no answer within 1 s", 1_000_000))
    assert [seat.expire(12.0), seat.expire(12.0)] == [[late], []]
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
    took = seat.charge(seat.open[1], 55.0, now)
    assert took == (us, 0), "a later look counts from the first"


def test_what_fails_together_is_charged_one_by_one() -> None:
    seat = timed(1, clock_s=None)
    seat.start_clocks(100, 10.0, 10.0)
    put(seat, question(2, None), 200)
    assert seat.fail(Failed("exited", "exit code 1"), 11.0, 12.0) == [
        (question(1, None), Failed("exited", "exit code 1", 2_000_000)),
        (question(2, None), Failed("exited", "exit code 1", 1_000_000)),
    ]
    assert seat.open == {}


def test_what_others_took_of_the_core_is_given_in_addition_and_not_charged() -> None:
    seat = timed(1)
    seat.start_clocks(100, 10.0, 10.0)
    seat.withheld = 3.0
    assert seat.expire(13.9) == []
    assert seat.earliest() == 14.0
    assert seat.charge(seat.open[1], 10.0, 13.5) == (500_000, 3_000_000)
    assert seat.expire(14.0) == [
        (question(1), Failed("timeout", "no answer within 1 s", 1_000_000, 3_000_000))
    ]


def test_only_what_was_withheld_since_a_question_was_put_counts_for_it() -> None:
    seat = ready()
    seat.withheld = 5.0
    put(seat, question(1, 1.0), 100)
    seat.start_clocks(100, BEGAN, 11.0)
    assert seat.earliest() == 12.0
    seat.withheld = 5.01
    assert seat.earliest() == 12.0, "less than a look can tell"


def test_no_question_stays_open_longer_than_some_times_its_clock() -> None:
    seat = timed(1, clock_s=2.0)
    seat.start_clocks(100, BEGAN, 11.0)
    seat.withheld = 1e6
    assert seat.earliest() == 11.0 + LONGEST * 2.0
