"""One bot process: read and written in time, and ended without leftovers.

Where only time and pipes matter a script plays the bot, on trio's mock clock; where signals, exit
codes or what a process inherits matter, the bot is a real process.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.base.resources import Resources
from arena.engine.job import Program
from arena.engine.pipes import Flooded
from arena.engine.players import Gone, Late
from arena.engine.process import EXIT_SEEN_S, GRACE_S, Process
from arena.engine.process import running as running_process
from arena.sandbox.isolation import NO_ISOLATION
from tests.support.command import lives
from tests.support.inner_bots import LINE_BYTES, InnerBot, Script, process_of
from tests.support.patience import PATIENCE_S, until


@asynccontextmanager
async def scripted(
    script: Script, heeds_sigterm: bool = True, resources: Resources | None = None
) -> AsyncIterator[tuple[Process, InnerBot]]:
    """A process that a script plays."""
    async with trio.open_nursery() as nursery:
        bot = InnerBot(nursery, script, heeds_sigterm)
        process = process_of(bot, resources or Resources())
        yield process, bot
        process.release()
        bot.kill()


async def silent(bot: InnerBot) -> None:
    await trio.sleep_forever()


async def until_the_end(bot: InnerBot) -> None:
    """Leave when the input ends."""
    while await bot.line() is not None:
        pass


async def test_silence_is_late_at_the_deadline(autojump_clock: MockClock) -> None:
    async with scripted(silent) as (process, _):
        with pytest.raises(Late):
            await process.read_line(5.0)
        assert trio.current_time() == 5.0


async def test_a_line_is_there_before_the_deadline_and_not_after(
    autojump_clock: MockClock,
) -> None:
    async def late(bot: InnerBot) -> None:
        await trio.sleep(5.0)
        await bot.say(b"a\n")
        await silent(bot)

    async with scripted(late) as (process, _):
        with pytest.raises(Late):
            await process.read_line(4.99)
        assert await process.read_line(5.01) == b"a"


async def test_a_slow_drip_without_an_end_is_late(autojump_clock: MockClock) -> None:
    async def drip(bot: InnerBot) -> None:
        while True:
            await bot.say(b"x")
            await trio.sleep(0.02)

    async with scripted(drip) as (process, _):
        with pytest.raises(Late):
            await process.read_line(5.0)


async def test_an_answer_that_was_there_in_time_counts_however_late_the_arena_looks(
    autojump_clock: MockClock,
) -> None:
    async def early(bot: InnerBot) -> None:
        await bot.say(b"early\n")
        autojump_clock.jump(100)  # as when the arena's own loop stands still
        await silent(bot)

    async with scripted(early) as (process, _):
        assert await process.read_line(5.0) == b"early"


async def test_a_bot_that_does_not_read_is_late(autojump_clock: MockClock) -> None:
    async with scripted(silent) as (process, _):
        process.post(b"x" * 1_000_000)
        with pytest.raises(Late):
            await process.flush(5.0)


async def test_what_is_posted_to_a_full_pipe_goes_later(autojump_clock: MockClock) -> None:
    async def count(bot: InnerBot) -> None:
        line = await bot.line(pause_s=1.0)
        await bot.say(b"%d\n" % len(line or b""))
        await silent(bot)

    async with scripted(count) as (process, _):
        process.post(b"x" * 300_000 + b"y\n")
        await process.flush(60.0)
        assert await process.read_line(60.0) == b"300001"


@pytest.mark.parametrize("output", [b"x" * 5000 + b"\n", b"x" * 5000])
async def test_a_line_too_long_is_a_flood(autojump_clock: MockClock, output: bytes) -> None:
    async def flood(bot: InnerBot) -> None:
        await bot.say(output)
        await silent(bot)

    async with scripted(flood) as (process, _):
        with pytest.raises(Flooded):
            await process.read_line(5.0)


async def test_too_much_output_kills_the_bot_and_tells_the_figure(
    autojump_clock: MockClock,
) -> None:
    async def chatter(bot: InnerBot) -> None:
        while True:
            await bot.say(b"x\n")
            await trio.sleep(0)

    async with scripted(chatter, resources=Resources(output_mib=0)) as (process, bot):
        with pytest.raises(Gone, match="it was killed"):
            await process.read_line(5.0)
        assert process.crossed is not None
        assert process.crossed.startswith("output: ")
        assert bot.returncode == -9


async def test_a_bot_that_closes_its_output_and_stays_is_gone_after_a_moment(
    autojump_clock: MockClock,
) -> None:
    async def close(bot: InnerBot) -> None:
        await bot.close_output()
        await silent(bot)

    async with scripted(close) as (process, _):
        with pytest.raises(Gone, match="closed its output"):
            await process.read_line(5.0)
        assert trio.current_time() == EXIT_SEEN_S


async def test_a_polite_bot_gets_no_sigterm_and_its_children_are_killed(
    autojump_clock: MockClock,
) -> None:
    async with scripted(until_the_end) as (process, bot):
        await process.close()
        assert [name for name, _ in bot.signals] == ["SIGKILL"]
        assert bot.returncode == 0
        assert trio.current_time() < GRACE_S


async def test_a_bot_that_stays_gets_sigterm_after_its_grace_and_sigkill_at_last(
    autojump_clock: MockClock,
) -> None:
    async with scripted(silent, heeds_sigterm=False) as (process, bot):
        await process.close()
        assert bot.signals == [("SIGTERM", GRACE_S), ("SIGKILL", 2 * GRACE_S)]
        assert bot.returncode == -9


async def test_a_bot_that_heeds_sigterm_is_not_waited_for(autojump_clock: MockClock) -> None:
    async with scripted(silent) as (process, bot):
        await process.close()
        assert bot.signals == [("SIGTERM", GRACE_S), ("SIGKILL", GRACE_S)]
        assert bot.returncode == -15


async def test_the_last_words_on_stderr_are_read_when_all_is_over(
    autojump_clock: MockClock,
) -> None:
    async def complain(bot: InnerBot) -> None:
        await until_the_end(bot)
        await bot.complain(b"last words")

    async with scripted(complain) as (process, _):
        await process.close()
    assert process.stderr.text() == "last words"
    assert process.stderr_bytes == 10


# --- real processes ---


@asynccontextmanager
async def running(folder: Path, source: str, patient: bool = False) -> AsyncIterator[Process]:
    """A bot in Python, killed at the end, or ended as after a match if that is to be seen."""
    (folder / "bot.py").write_text(f"import os, signal, subprocess, sys, time\n{source}\n")
    program = Program("bot", (sys.executable, "-S", "bot.py"), str(folder))
    async with running_process(program, NO_ISOLATION, LINE_BYTES) as process:
        yield process
        if not patient:
            process.kill()


async def send(bot: Process, line: bytes, deadline: float) -> None:
    bot.post(line)
    await bot.flush(deadline)


def never() -> float:
    return trio.current_time() + PATIENCE_S


async def test_a_line_goes_in_and_a_line_comes_out(tmp_path: Path) -> None:
    async with running(
        tmp_path, "for line in sys.stdin: print(line[::-1].strip(), flush=True)"
    ) as bot:
        for word in (b"one", b"two"):
            await send(bot, word + b"\n", never())
            assert await bot.read_line(never()) == word[::-1]


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("sys.exit(7)", "exit code 7"),
        ("sys.exit(0)", "exit code 0"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "signal SIGSEGV"),
        ("os.close(1); time.sleep(10_000)", "closed its output"),
    ],
)
async def test_the_end_of_a_bot_is_told(tmp_path: Path, source: str, how: str) -> None:
    async with running(tmp_path, source) as bot:
        with pytest.raises(Gone, match=how):
            await bot.read_line(never())


async def test_a_bot_that_closed_its_input_is_gone(tmp_path: Path) -> None:
    async with running(tmp_path, "os.close(0); print('ok', flush=True); time.sleep(10_000)") as bot:
        await bot.read_line(never())
        with pytest.raises(Gone, match="closed its input"):
            await send(bot, b"x" * 100_000, never())


async def test_a_bot_that_ignores_everything_is_killed_with_its_children(tmp_path: Path) -> None:
    source = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "infinity"])
print(os.getpid(), child.pid, flush=True)
while True: time.sleep(1)
"""
    async with running(tmp_path, source) as bot:
        pids = [int(word) for word in (await bot.read_line(never())).split()]
    until(lambda: not any(map(lives, pids)))


async def test_what_a_polite_bot_leaves_behind_is_killed(tmp_path: Path) -> None:
    source = """
child = subprocess.Popen(["sleep", "infinity"])
print(child.pid, flush=True)
sys.stdin.read()
"""
    async with running(tmp_path, source, patient=True) as bot:
        pid = int(await bot.read_line(never()))
    until(lambda: not lives(pid))


async def test_stderr_is_kept_head_and_tail(tmp_path: Path) -> None:
    source = "sys.stderr.write('first ' + 'x' * 3_000_000 + ' last'); print('done', flush=True)"
    async with running(tmp_path, source) as bot:
        await bot.read_line(never())
        kept = bot.stderr
    text = kept.text()
    assert text.startswith("first x")
    assert text.endswith("x last")
    assert "bytes left out" in text
    assert len(text) < 17_000


async def test_a_bot_sees_nothing_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "1")
    source = "print(sorted(os.environ), os.environ['HOME'], flush=True); time.sleep(10_000)"
    async with running(tmp_path, source) as bot:
        seen = (await bot.read_line(never())).decode()
    assert "SECRET" not in seen
    assert "/zole-" in seen
