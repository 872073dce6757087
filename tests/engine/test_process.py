"""One bot process: lines, deadlines, floods, and nothing left of it."""

import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from arena.engine.lines import Flooded
from arena.engine.process import Gone, Late, Process
from arena.engine.process import running as running_process
from arena.engine.program import Program
from arena.sandbox.isolation import NONE

SOON = 0.3
LINE_BYTES = 1000


@asynccontextmanager
async def running(folder: Path, source: str) -> AsyncIterator[Process]:
    (folder / "bot.py").write_text(f"import os, signal, subprocess, sys, time\n{source}\n")
    program = Program("bot", (sys.executable, "bot.py"), str(folder))
    async with running_process(program, NONE, LINE_BYTES) as process:
        yield process
        process.kill()


async def send(bot: Process, line: bytes, deadline: float) -> None:
    bot.post(line)
    await bot.flush(deadline)


def never() -> float:
    return trio.current_time() + 30


async def test_a_line_goes_in_and_a_line_comes_out(tmp_path: Path) -> None:
    async with running(
        tmp_path, "for line in sys.stdin: print(line[::-1].strip(), flush=True)"
    ) as bot:
        for word in (b"one", b"two"):
            await send(bot, word + b"\n", never())
            assert await bot.read_line(never()) == word[::-1]


async def test_an_instant_answer_is_there_at_once_or_can_be_waited_for(tmp_path: Path) -> None:
    source = "for line in sys.stdin: print(line.strip() * 2, flush=True)"
    async with running(tmp_path, source) as bot:
        for word in (b"one", b"two", b"three"):
            bot.post(word + b"\n")
            (line,) = bot.pipes.take() or (await bot.read_line(never()),)
            assert line.strip() == word * 2


async def test_output_that_nobody_asked_for_comes_before_the_answer(tmp_path: Path) -> None:
    source = "print('early\\nwrong', flush=True)\nfor line in sys.stdin: print(line, flush=True)"
    async with running(tmp_path, source) as bot:
        assert await bot.read_line(never()) == b"early"
        await send(bot, b"question\n", never())
        assert await bot.read_line(never()) == b"wrong"
        assert await bot.read_line(never()) == b"question"


async def test_lines_that_come_together_are_read_one_by_one(tmp_path: Path) -> None:
    async with running(tmp_path, "print('a\\nb\\nc', flush=True); time.sleep(30)") as bot:
        assert [await bot.read_line(never()) for _ in range(3)] == [b"a", b"b", b"c"]


async def test_silence_is_late(tmp_path: Path) -> None:
    async with running(tmp_path, "time.sleep(30)") as bot:
        with pytest.raises(Late):
            await bot.read_line(trio.current_time() + SOON)


async def test_a_slow_drip_without_an_end_is_late(tmp_path: Path) -> None:
    drip = "while True: sys.stdout.write('x'); sys.stdout.flush(); time.sleep(0.02)"
    async with running(tmp_path, drip) as bot:
        with pytest.raises(Late):
            await bot.read_line(trio.current_time() + SOON)


async def test_an_answer_that_was_there_in_time_counts_however_late_the_arena_looks(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, "print('early', flush=True); time.sleep(30)") as bot:
        deadline = trio.current_time() + 1.0
        time.sleep(1.2)  # the arena's own loop stands still
        assert await bot.read_line(deadline) == b"early"


async def test_a_bot_that_does_not_read_is_late(tmp_path: Path) -> None:
    async with running(tmp_path, "time.sleep(30)") as bot:
        with pytest.raises(Late):
            await send(bot, b"x" * 1_000_000, trio.current_time() + SOON)


async def test_what_is_posted_to_a_full_pipe_goes_later(tmp_path: Path) -> None:
    count = "time.sleep(0.5); print(len(sys.stdin.readline()), flush=True); time.sleep(30)"
    async with running(tmp_path, count) as bot:
        bot.post(b"x" * 300_000)
        await send(bot, b"y\n", never())
        assert await bot.read_line(never()) == b"300002"


@pytest.mark.parametrize(
    "source", ["print('x' * 5000, flush=True)", "print('x' * 5000, end='', flush=True)"]
)
async def test_a_line_too_long_is_a_flood(tmp_path: Path, source: str) -> None:
    async with running(tmp_path, f"{source}; time.sleep(30)") as bot:
        with pytest.raises(Flooded):
            await bot.read_line(never())


async def test_much_unread_output_is_a_flood(tmp_path: Path) -> None:
    async with running(tmp_path, "print('x\\n' * 5000, flush=True); time.sleep(30)") as bot:
        with pytest.raises(Flooded):
            await read_lines(bot, 5000)


async def read_lines(bot: Process, count: int) -> None:
    for _ in range(count):
        await bot.read_line(never())


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("sys.exit(7)", "exit code 7"),
        ("sys.exit(0)", "exit code 0"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "signal SIGSEGV"),
        ("os.close(1); time.sleep(30)", "closed its output"),
    ],
)
async def test_the_end_of_a_bot_is_told(tmp_path: Path, source: str, how: str) -> None:
    async with running(tmp_path, source) as bot:
        with pytest.raises(Gone, match=how):
            await bot.read_line(never())


async def test_a_bot_that_closed_its_input_is_gone(tmp_path: Path) -> None:
    async with running(tmp_path, "os.close(0); print('ok', flush=True); time.sleep(30)") as bot:
        await bot.read_line(never())
        with pytest.raises(Gone, match="closed its input"):
            await send(bot, b"x" * 100_000, never())


async def test_a_bot_that_ignores_everything_is_killed_with_its_children(tmp_path: Path) -> None:
    source = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "1000"])
print(os.getpid(), child.pid, flush=True)
while True: time.sleep(1)
"""
    async with running(tmp_path, source) as bot:
        pids = [int(word) for word in (await bot.read_line(never())).split()]
    for pid in pids:
        assert gone(pid), f"{pid} is still there"


def gone(pid: int) -> bool:
    """Whether a process has ended, at once or in a moment; a zombie has."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


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
    source = "print(sorted(os.environ), os.environ['HOME'], flush=True); time.sleep(30)"
    async with running(tmp_path, source) as bot:
        seen = (await bot.read_line(never())).decode()
    assert "SECRET" not in seen
    assert "/zole-" in seen
