"""Bots started and greeted, on trio's mock clock: who is ready in time, and who is lost."""

import errno

import pytest
import trio
from trio.lowlevel import current_clock
from trio.testing import MockClock

from arena.engine.job import Program
from arena.engine.process import Process
from arena.engine.seats import BotSeats
from arena.match.commands import Failed, MatchVoid
from arena.match.match import Match
from arena.match.wire import Limits, Ready
from arena.sandbox.box import NoBox
from tests.support.inner_bots import LINE_BYTES, READY, InnerBot, Script, answer, exchange_of
from tests.support.scripted import plan_of

HELLOS = Match(plan_of()).hellos


async def greeted(
    *scripts: Script | None, start_s: float | None = 10.0
) -> tuple[tuple[Ready | Failed, ...], list[InnerBot]]:
    """What scripts answer to their hello, and their bots, ended meanwhile."""
    async with trio.open_nursery() as nursery:
        exchange, bots = exchange_of(nursery, scripts, start_s)
        said = await exchange.seats.start(HELLOS[: len(scripts)])
        signals = [list(bot.signals) for bot in bots]
        await exchange.close()
        for bot, before in zip(bots, signals, strict=True):
            bot.signals = before
        nursery.cancel_scope.cancel()
    return said, bots


async def test_seats_greet_at_the_same_time(autojump_clock: MockClock) -> None:
    async def slow(bot: InnerBot) -> None:
        await trio.sleep(9.9)
        await answer(bot)

    said, bots = await greeted(slow, slow, slow)
    assert said == (Ready(1),) * 3
    assert [bot.signals for bot in bots] == [[], [], []]


async def test_who_is_not_ready_in_time_is_killed_then_and_charged_all_of_it(
    autojump_clock: MockClock,
) -> None:
    async def slow(bot: InnerBot) -> None:
        await trio.sleep(10.1)
        await answer(bot)

    said, bots = await greeted(slow, answer)
    why = "no ready within 10 s: it has written nothing since its start; it has not read"
    late, ready = said
    assert isinstance(late, Failed)
    assert (late.kind, late.us, ready) == ("unready", 10_000_000, Ready(1))
    assert late.detail.startswith(why)
    assert bots[0].signals == [("SIGKILL", 10.0)]


async def test_without_a_limit_a_bot_may_take_its_time(autojump_clock: MockClock) -> None:
    async def slow(bot: InnerBot) -> None:
        await trio.sleep(60)
        await answer(bot)

    said, _ = await greeted(slow, start_s=None)
    assert said == (Ready(1),)


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
async def test_what_is_no_ready_loses_the_seat_and_kills_its_bot(
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


async def test_an_empty_seat_needs_no_bot(autojump_clock: MockClock) -> None:
    said, bots = await greeted(None, answer)
    assert said == (Failed("exited", "nobody plays this seat"), Ready(1))
    assert len(bots) == 1


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
        programs = [Program("bot", ("./bot.py",), "")]
        limits = Limits(None, None, LINE_BYTES)
        seats = BotSeats(programs, launch, limits, nursery, current_clock().current_time)
        if ours:
            with pytest.raises(MatchVoid, match=r"could not be started: .*why"):
                await seats.start(HELLOS[:1])
        else:
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
        exchange, _ = exchange_of(nursery, [answer])
        with pytest.raises(MatchVoid, match="no namespaces left"):
            await exchange.seats.start(HELLOS[:1])
        await exchange.close()
        nursery.cancel_scope.cancel()


async def test_stderr_is_kept_by_seat_to_its_last_word(autojump_clock: MockClock) -> None:
    async def complain(bot: InnerBot) -> None:
        await bot.line()
        await bot.complain(b"first ")
        await bot.say(READY)
        await bot.line()  # the end of its input
        await bot.complain(b"last")

    async with trio.open_nursery() as nursery:
        exchange, _ = exchange_of(nursery, [complain, None])
        await exchange.seats.start(HELLOS[:2])
        await exchange.close()
        assert exchange.seats.stderr() == ("first last", "")
        nursery.cancel_scope.cancel()
