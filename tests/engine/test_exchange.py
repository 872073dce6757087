"""Questions and answers between a match and scripted bots, on trio's mock clock."""

import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import pairwise

import pytest
import trio
from trio.testing import MockClock

from arena.engine.exchange import Exchange
from arena.match.commands import Failed, Outcome, Said, Tell
from arena.match.match import Match
from arena.match.wire import Bye, Ready
from arena.sandbox.watch import PERIOD_S
from tests.support.inner_bots import READY, InnerBot, Script, answer, exchange_of, reply
from tests.support.questions import question
from tests.support.scripted import plan_of

HELLOS = Match(plan_of()).hellos


async def talk(
    scripts: Sequence[Script | None],
    body: Callable[[Exchange, list[InnerBot]], Awaitable[None]],
) -> None:
    """Start bots, let a test exchange lines with them, and end them."""
    async with trio.open_nursery() as nursery:
        exchange, bots = exchange_of(nursery, scripts)
        greeted = await exchange.seats.start(HELLOS[: len(scripts)])
        assert all(isinstance(each, Ready) for each in greeted) or None in scripts
        await body(exchange, bots)
        await exchange.close()
        nursery.cancel_scope.cancel()


def kinds(outcomes: Sequence[tuple[int, Outcome]]) -> dict[int, str]:
    """What came of each question, in a word."""
    return {key: it.kind if isinstance(it, Failed) else "said" for key, it in outcomes}


async def test_an_answer_in_time_is_charged_what_it_took(autojump_clock: MockClock) -> None:
    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        for number in range(3):
            outcome = await exchange.ask(question(number, 1.0))
            assert isinstance(outcome, Said)
            assert outcome.us == 750_000

    await talk([partial(answer, after_s=0.75)], body)


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
async def test_what_is_there_at_once_counts_as_if_it_had_been_waited_for(
    autojump_clock: MockClock, said: bytes, heard: list[str]
) -> None:
    async def early(bot: InnerBot) -> None:
        await bot.line()
        await bot.say(READY + said)
        await trio.sleep_forever()

    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        await trio.sleep(0.1)
        for number, word in enumerate(heard, 1):
            assert kinds([(number, await exchange.ask(question(number, 1.0)))]) == {number: word}

    await talk([early], body)


async def test_who_answers_after_the_deadline_is_timed_out_at_it_and_charged_the_clock(
    autojump_clock: MockClock,
) -> None:
    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        began = trio.current_time()
        outcome = await exchange.ask(question(1, 1.0))
        assert outcome == Failed(
            "timeout", "no answer within 1 s: it has read the request", 1_000_000
        )
        assert trio.current_time() - began == pytest.approx(1.0, abs=1e-4)
        # the late answer to 1 is passed over; 2 was read half a second before its own deadline
        assert kinds([(2, await exchange.ask(question(2, 2.5)))]) == {2: "said"}

    await talk([partial(answer, after_s=1.5)], body)


async def test_without_a_clock_nobody_is_late(autojump_clock: MockClock) -> None:
    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        assert isinstance(await exchange.ask(question(1, None)), Said)

    await talk([partial(answer, after_s=60.0)], body)


async def test_an_answer_that_was_there_in_time_counts_however_late_the_arena_looks(
    autojump_clock: MockClock,
) -> None:
    """It is charged its whole clock, and not a microsecond more."""

    async def stall(bot: InnerBot) -> None:
        await bot.line()
        await bot.say(READY)
        line = await bot.line()
        assert line is not None
        await bot.say(reply(line))
        autojump_clock.jump(100)  # as when the whole machine stands still

    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        outcome = await exchange.ask(question(1, 1.0))
        assert isinstance(outcome, Said)
        assert outcome.us == 1_000_000

    await talk([stall], body)


async def test_each_question_has_its_own_deadline(autojump_clock: MockClock) -> None:
    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        for number, clock_s in ((1, 3.0), (2, 1.0), (3, 2.0)):
            exchange.put(number, question(number, clock_s))
        began = trio.current_time()
        for number, after in ((2, 1.0), (3, 2.0), (1, 3.0)):
            assert kinds(await exchange.answers()) == {number: "timeout"}
            assert trio.current_time() - began == pytest.approx(after, abs=1e-4)

    await talk([mute], body)


async def test_the_clock_of_a_bot_that_reads_slowly_starts_when_it_has_the_question(
    autojump_clock: MockClock,
) -> None:
    """There is more to read than a pipe holds, and each part takes less than the clock."""

    async def read_slowly(bot: InnerBot) -> None:
        await bot.line()
        await bot.say(READY)
        for _ in range(2):  # what was told before, and the question
            line = await bot.line(pause_s=0.75)
        assert line is not None
        await bot.say(reply(line))

    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        exchange.tell(Tell(0, Bye("x" * 200_000)))
        outcome = await exchange.ask(question(1, 1.0))
        assert isinstance(outcome, Said)
        assert trio.current_time() > 2.0

    await talk([read_slowly], body)


async def test_a_bot_that_never_reads_is_late_in_the_end(autojump_clock: MockClock) -> None:
    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        exchange.tell(Tell(0, Bye("x" * 200_000)))
        assert kinds([(1, await exchange.ask(question(1, 1.0)))]) == {1: "timeout"}

    await talk([mute], body)


async def test_a_late_answer_of_one_table_costs_the_others_nothing(
    autojump_clock: MockClock,
) -> None:
    async def think_about_1(bot: InnerBot) -> None:
        await bot.line()
        await bot.say(READY)
        lines = [await bot.line() or b"" for _ in range(2)]
        await bot.say(reply(lines[1]))
        await trio.sleep(1.5)
        await bot.say(reply(lines[0]))
        await bot.say(reply(await bot.line() or b""))
        await trio.sleep_forever()

    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        exchange.put(1, question(1, 1.0))
        exchange.put(2, question(2, 1.0))
        assert kinds(await exchange.answers()) == {2: "said"}
        assert kinds(await exchange.answers()) == {1: "timeout"}
        assert kinds([(3, await exchange.ask(question(3, 1.0)))]) == {3: "said"}

    await talk([think_about_1], body)


async def test_slow_seats_keep_no_other_waiting(autojump_clock: MockClock) -> None:
    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        for seat in range(3):
            exchange.put(seat, question(7, 2.0, seat))
        assert kinds(await exchange.answers()) == {1: "said"}
        assert kinds(await exchange.answers()) == {2: "said"}
        assert kinds(await exchange.answers()) == {0: "timeout"}

    await talk([mute, answer, partial(answer, after_s=1.0)], body)


async def test_what_was_overdue_is_wanted_again_when_it_is_asked_again(
    autojump_clock: MockClock,
) -> None:
    """As after an answer that was sent back to be corrected."""

    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        assert kinds([(1, await exchange.ask(question(1, 1.0)))]) == {1: "timeout"}
        assert kinds([(1, await exchange.ask(question(1, 1.0)))]) == {1: "said"}

    await talk([partial(answer, after_s=1.5)], body)


@pytest.mark.parametrize(
    ("last", "kind"),
    [
        (lambda bot: bot.close_output(), "exited"),
        (lambda bot: bot.say(b"x" * 1001), "flooded"),
        (lambda bot: bot.say(b"x\n" * 2000), "malformed"),
    ],
)
async def test_a_bot_of_no_more_use_is_killed_at_once_and_each_question_fails(
    autojump_clock: MockClock, last: Callable[[InnerBot], Awaitable[None]], kind: str
) -> None:
    async def misbehave(bot: InnerBot) -> None:
        await bot.line()
        await bot.say(READY)
        await bot.line()
        await last(bot)
        await trio.sleep_forever()

    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        outcome = await exchange.ask(question(1, 5.0))
        assert kinds([(1, outcome)]) == {1: kind}
        later = await exchange.ask(question(2, 5.0))
        if kind == "malformed":  # the first line of many is one; the others lie unread
            outcome, kind_later = later, "flooded"
        else:
            kind_later = kind
        assert kinds([(2, later)]) == {2: kind_later}
        assert [name for name, _ in bots[0].signals] == ["SIGKILL"]
        exchange.put(3, question(3))
        exchange.put(4, question(4))
        assert isinstance(outcome, Failed)
        assert await exchange.answers() == [
            (key, Failed(outcome.kind, outcome.detail, 0)) for key in (3, 4)
        ]

    await talk([misbehave], body)


async def test_all_that_is_open_fails_together_each_charged_its_own_time(
    autojump_clock: MockClock,
) -> None:
    async def crash(bot: InnerBot) -> None:
        await bot.line()
        await bot.say(READY)
        await trio.sleep(3)

    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        exchange.put(1, question(1, 5.0))
        exchange.put(2, question(7, 1.0, seat=1))
        assert kinds(await exchange.answers()) == {2: "timeout"}
        exchange.put(3, question(3, 5.0))
        lost = dict(await exchange.answers())
        assert kinds(list(lost.items())) == {1: "exited", 3: "exited"}
        assert lost[1].us == 3_000_000
        assert lost[3].us == 2_000_000

    await talk([crash, mute], body)


async def test_an_empty_seat_fails_at_once(autojump_clock: MockClock) -> None:
    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        outcome = await exchange.ask(question(1, seat=1))
        assert outcome == Failed("exited", "nobody plays this seat")
        exchange.tell(Tell(1, Bye("over")))

    await talk([answer, None], body)


async def test_bots_are_looked_at_as_often_as_the_watch_says_though_nobody_waits(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instant answers never let the arena wait, so the exchange itself must look."""

    async def body(exchange: Exchange, bots: list[InnerBot]) -> None:
        def let_the_bot_run() -> None:
            autojump_clock.jump(PERIOD_S / 10)
            bots[0].answer_at_once()

        monkeypatch.setattr(os, "sched_yield", let_the_bot_run)
        began = trio.current_time()
        for number in range(1000):
            assert isinstance(await exchange.ask(question(number)), Said)
        looks = [time for time in bots[0].looks if time >= began]
        gaps = [after - before for before, after in pairwise(looks)]
        assert len(gaps) > 80
        assert all(PERIOD_S < gap < 1.2 * PERIOD_S for gap in gaps)

    await talk([mute], body)


async def mute(bot: InnerBot) -> None:
    """Say ready and nothing more."""
    await bot.line()
    await bot.say(READY)
    await trio.sleep_forever()
