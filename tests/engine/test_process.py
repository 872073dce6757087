"""One bot process: its lines in any chunks, its limits, and its end without leftovers.

Where only time and pipes matter a script plays the bot, on trio's mock clock; where signals, exit
codes or what a process inherits matter, the bot is a real process.
"""

import errno
import os
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import NamedTuple
from unittest.mock import Mock

import msgspec
import pytest
import trio
from trio.testing import MockClock

from arena.base.isolation_levels import IsolationLevel
from arena.base.resources import Resources
from arena.engine.process import EXIT_SEEN_S, GRACE_S, Excerpt, Lost, Pipes, Process
from arena.engine.silence import SHOWN, blame, last_words, look_at, with_diagnosis
from arena.match.commands import Failed
from arena.sandbox.box import Program
from arena.sandbox.isolation import NO_ISOLATION
from arena.sandbox.watch import PERIOD_S
from tests.support.bots import isolation_at
from tests.support.command import lives
from tests.support.inner_bots import (
    LINE_BYTES,
    InnerBot,
    Script,
    next_line,
    running,
    scripted,
    silent,
)
from tests.support.patience import PATIENCE_S, until

# --- lines: only the bytes count, however they were cut ---

LONGEST = 3
TOO_LONG = f"a line of more than {LONGEST} bytes"
UNREAD = f"more than {LONGEST} bytes of output nobody asked for"

SILENT = (os.pipe()[1], os.pipe()[0])  # an input and an output through which nothing comes


def read(chunks: Sequence[bytes], wanted: int, at_once: bool = False) -> list[bytes | str]:
    """All lines that can be taken, in the end or after each chunk, and the flood that ends them."""
    pipes = Pipes(*SILENT, LONGEST, None)
    found: list[bytes | str] = []
    try:
        for number, chunk in enumerate([*chunks, b""]):
            pipes.feed(chunk)
            while (at_once or number == len(chunks)) and (more := pipes.take(wanted)):
                assert len(more) <= wanted
                found += more
    except Lost as lost:
        found.append(lost.why)
        with pytest.raises(Lost, match=f"^{lost.why}$"):  # from then on always
            pipes.take(wanted)
    return found


def splits(data: bytes) -> Iterator[list[bytes]]:
    for count in range(len(data) or 1):
        for cuts in combinations(range(1, len(data)), count):
            ends = (0, *cuts, len(data))
            yield [data[begin:end] for begin, end in pairwise(ends)]


@pytest.mark.parametrize(
    ("data", "wanted", "found"),
    [
        (b"", 1, []),
        (b"ab", 1, []),
        (b"\n", 1, [b""]),
        (b"abc\n", 1, [b"abc"]),
        (b"abc", 1, []),
        (b"a\nb\n", 1, [b"a", b"b"]),
        (b"a\nb\nc\n", 2, [b"a", b"b", b"c"]),
        (b"a\nbc", 1, [b"a"]),
        (b"a\r\n", 1, [b"a\r"]),
        (b"\0\xff\n", 1, [b"\0\xff"]),
        # the longest line, and one byte more, with an end and without
        (b"abcd\n", 1, [TOO_LONG]),
        (b"abcd", 1, [TOO_LONG]),
        # good lines before one too long are answers
        (b"a\nabcd\n", 1, [b"a", TOO_LONG]),
        (b"a\nabcd", 1, [b"a", TOO_LONG]),
        (b"a\nb\nabcd\nc\n", 9, [b"a", b"b", TOO_LONG]),
        # as much unread output as is allowed, and one byte more
        (b"a\nbb\nc\n", 1, [b"a", b"bb", b"c"]),
        (b"a\nbb\ncc\n", 1, [b"a", UNREAD]),
        (b"a\nb\nc\nd\ne\n", 1, [b"a", UNREAD]),
        # the rest of a line is unread output
        (b"a\nbb\nc", 1, [b"a", b"bb"]),
        (b"a\nbb\ncc", 1, [b"a", UNREAD]),
        # who waits for more answers may be written more
        (b"a\nb\nbb\nccc\n", 2, [b"a", b"b", b"bb", b"ccc"]),
        (b"a\nb\nbb\nccc\ndd\n", 2, [b"a", b"b", UNREAD]),
    ],
)
def test_lines_and_floods_are_these_in_every_split(
    data: bytes, wanted: int, found: list[bytes | str]
) -> None:
    for chunks in splits(data):
        assert read(chunks, wanted) == found


def test_every_split_of_every_short_input_gives_the_same_lines_up_to_a_flood() -> None:
    """Also to a reader that takes lines after each chunk, if it waits for all of them."""
    for length in range(1, 8):
        for letters in product((b"a", b"\n"), repeat=length):
            data = b"".join(letters)
            lines = data.split(b"\n")
            for wanted in (1, 2, 9):
                once = read([data], wanted)
                assert all(read(chunks, wanted) == once for chunks in splits(data)), data
                good = [line for line in once if isinstance(line, bytes)]
                assert good == lines[: len(good)], data
                assert once[len(good) :] in ([TOO_LONG], [UNREAD]) or good == lines[:-1], data
            assert all(read(chunks, 9, True) == once for chunks in splits(data)), data


# --- pipes: data in transit, its limits, and what closing either end means ---


class Ends(NamedTuple):
    input: int
    output: int
    pipes: Pipes


@pytest.fixture
def ends() -> Iterator[Ends]:
    fds = input, stdin, stdout, output = *os.pipe(), *os.pipe()
    yield Ends(input, output, Pipes(stdin, stdout, 1000, 1))
    for fd in fds:
        with suppress(OSError):
            os.close(fd)


def test_lines_are_taken_as_they_are_wanted_and_the_rest_is_kept(ends: Ends) -> None:
    pipes, longest = ends.pipes, b"x" * 1000
    os.write(ends.output, longest + b"\na\n\nb\nc\nd")
    assert [pipes.take() for _ in range(3)] == [[longest], [b"a"], [b""]]
    assert (pipes.answers, pipes.received) == (3, 1009)
    assert [pipes.take(5), pipes.take(5)] == [[b"b", b"c"], []]
    assert (pipes.answers, pipes.half_line) == (5, b"d")
    os.write(ends.output, b"d\n")
    assert [pipes.take(), pipes.take()] == [[b"dd"], []]
    assert (pipes.answers, pipes.received, pipes.half_line) == (6, 1011, b"")


@pytest.mark.parametrize(
    ("said", "closed", "lines", "why"),
    [
        (b"x" * 1001 + b"\n", None, [], "a line of more than 1000 bytes"),
        (b"a\n" + b"x" * 1001, None, [b"a"], "a line of more than 1000 bytes"),
        (b"", "output", [], "closed its output"),
        (b"a\nb", "output", [b"a"], "closed its output"),
        (b"a\n", "input", [b"a"], "closed its input"),
    ],
)
def test_lines_before_the_end_are_answers_and_the_end_is_raised_each_time(
    ends: Ends, said: bytes, closed: str | None, lines: list[bytes], why: str
) -> None:
    os.write(ends.output, said)
    if closed is not None:
        os.close(getattr(ends, closed))
        ends.pipes.unwritten += b"question\n"
        ends.pipes.send()
        assert not ends.pipes.unwritten
    assert [line for _ in lines for line in ends.pipes.take()] == lines
    for _ in range(2):
        with pytest.raises(Lost, match=why):
            ends.pipes.take()
    assert ends.pipes.answers == len(lines)


def test_what_a_full_pipe_does_not_take_goes_later(ends: Ends) -> None:
    ends.pipes.unwritten += b"x" * 300_000
    for _ in range(2):  # the second time it takes nothing
        ends.pipes.send()
        assert 0 < ends.pipes.sent == 300_000 - len(ends.pipes.unwritten) < 300_000
    read = 0
    while read < 300_000:
        read += len(os.read(ends.input, 65536))
        ends.pipes.send()
    assert (ends.pipes.sent, len(ends.pipes.unwritten)) == (300_000, 0)


def test_as_much_output_as_is_allowed_is_no_excess_and_one_byte_more_is(ends: Ends) -> None:
    line = b"x" * 511 + b"\n"
    for _ in range(2048):
        os.write(ends.output, line)
        assert ends.pipes.take() == [line[:-1]]
    os.write(ends.output, b"\n")
    for _ in range(2):
        with pytest.raises(Lost, match="output: 1048577 bytes, the limit is 1048576 bytes a match"):
            ends.pipes.take()


@pytest.mark.parametrize(
    ("kept", "parts", "text"),
    [
        (10, (b"abc", b"defghij", b"klm"), "abcdefghijklm"),
        (4, (b"abcdef", b"ghij", b"k" * 9, b"xyz"), "abcd\n[… 14 bytes left out …]\nkxyz"),
    ],
)
def test_an_excerpt_of_stderr_has_both_ends_and_says_what_is_missing(
    kept: int, parts: Sequence[bytes], text: str
) -> None:
    excerpt = Excerpt(kept)
    for part in parts:
        excerpt.add(part)
    assert excerpt.text() == text


# --- processes that a script plays ---


async def chatter(bot: InnerBot) -> None:
    while True:
        await bot.say(b"x\n")
        await trio.sleep(0)


async def close_output(bot: InnerBot) -> None:
    await bot.output.aclose()
    await silent(bot)


@pytest.mark.parametrize(
    ("script", "failed", "gone_s"),
    [
        pytest.param(
            chatter,
            Failed("resource", "output: 2 bytes, the limit is 0 bytes a match"),
            0.0,
            id="too much output kills it",
        ),
        pytest.param(
            close_output,
            Failed("exited", "closed its output"),
            EXIT_SEEN_S,
            id="one that closes its output and stays is waited for a moment",
        ),
    ],
)
async def test_a_bot_that_can_give_no_more_answers_is_blamed_with_the_cause(
    autojump_clock: MockClock, script: Script, failed: Failed, gone_s: float
) -> None:
    async with scripted(script, resources=Resources(output_mib=0)) as (process, bot):
        with pytest.raises(Lost) as lost:
            await next_line(process)
        assert await blame(process, lost.value) == failed
        assert trio.current_time() == gone_s
        if failed.kind == "resource":
            assert (process.crossed, bot.returncode) == (failed.detail, -9)


async def complain(bot: InnerBot) -> None:
    while await bot.line() is not None:
        pass
    await bot.errors.send_all(b"last words")


@pytest.mark.parametrize(
    ("script", "heeds_sigterm", "signals", "code", "words"),
    [
        (complain, True, [("SIGKILL", PERIOD_S)], 0, "last words"),
        (silent, True, [("SIGTERM", GRACE_S), ("SIGKILL", GRACE_S)], -15, ""),
        (silent, False, [("SIGTERM", GRACE_S), ("SIGKILL", 2 * GRACE_S)], -9, ""),
    ],
    ids=["a polite bot gets no SIGTERM", "one that stays gets it", "and SIGKILL at last"],
)
async def test_a_bot_has_time_to_leave_and_its_last_words_are_read(
    autojump_clock: MockClock,
    script: Script,
    heeds_sigterm: bool,
    signals: list[tuple[str, float]],
    code: int,
    words: str,
) -> None:
    """What it has started is killed in any case."""
    async with scripted(script, heeds_sigterm) as (process, bot):
        await process.close()
        assert bot.signals == signals
        assert bot.returncode == code
    assert (process.stderr.text(), process.stderr.size) == (words, len(words))


# --- real processes ---


@asynccontextmanager
async def real(folder: Path, source: str, patient: bool = False) -> AsyncIterator[Process]:
    """A bot in Python, killed at the end, or ended as after a match if that is to be seen."""
    (folder / "bot.py").write_text(f"import os, signal, subprocess, sys, time\n{source}\n")
    program = Program("bot", (sys.executable, "-S", "bot.py"), str(folder))
    async with running(program, NO_ISOLATION, LINE_BYTES) as process:
        yield process
        if not patient:
            process.kill()


@pytest.mark.parametrize(
    ("is_polite", "source"),
    [
        (True, "sys.stdin.read()"),
        (False, "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)"),
    ],
)
async def test_the_children_of_a_bot_are_killed_with_it(
    tmp_path: Path, is_polite: bool, source: str
) -> None:
    child = """
child = subprocess.Popen(["sleep", "infinity"])
print(os.getpid(), child.pid, flush=True)
"""
    async with real(tmp_path, child + source, patient=is_polite) as bot:
        with trio.fail_after(PATIENCE_S):
            pids = [int(word) for word in (await next_line(bot)).split()]
    until(lambda: not any(map(lives, pids)))


async def test_a_flood_of_stderr_is_stopped_as_it_is_read(tmp_path: Path) -> None:
    flood = (
        "for _ in range(40):\n    if os.fork() == 0: break\nwhile True: os.write(2, b'x' * 65536)"
    )
    async with real(tmp_path, flood) as bot:
        with trio.fail_after(PATIENCE_S):
            while bot.crossed is None:
                await trio.sleep(0)
    assert bot.crossed.startswith("stderr: 16.0")


@pytest.mark.parametrize(
    ("patched", "instead"),
    [
        pytest.param("trio.sleep", None, id="by the kernel, without polling"),
        pytest.param(
            "os.pidfd_open",
            Mock(side_effect=OSError(errno.EMFILE, "Too many open files")),
            id="by polling, where there are no descriptors",
        ),
    ],
)
async def test_the_end_is_reported_also_after_a_wait_that_was_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patched: str, instead: object
) -> None:
    async with real(tmp_path, "sys.stdin.read(); sys.exit(3)") as bot:
        monkeypatch.setattr(patched, instead)
        assert await bot.exit_code(0.01) is None
        bot.end_input()
        for _ in range(2):  # the second time it has ended before
            assert await bot.exit_code(PATIENCE_S) == 3
        monkeypatch.undo()


@pytest.mark.parametrize("level", ["none", "landlock", "bubblewrap"])
async def test_the_number_of_a_bot_is_nobody_elses_until_all_that_it_has_started_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: IsolationLevel
) -> None:
    """A bot that has been reaped gets no more signals."""
    apart = isolation_at(level)
    tmp_path.chmod(0o755)
    program = Program("bot", ("sh", "-c", "exit 5"), str(tmp_path))
    held: list[bool] = []
    async with running(program, apart, LINE_BYTES) as process:
        number = Path(f"/proc/{process.box.popen.pid}")
        kill = process.box.kill

        def noted() -> None:
            held.append(number.exists())
            kill()

        monkeypatch.setattr(process.box, "kill", noted)
        assert await process.exit_code(PATIENCE_S) == 5
    assert held == [True]
    assert not number.exists()
    monkeypatch.setattr(os, "killpg", None)
    kill()
    process.box.terminate()


# --- why a bot is silent, or has ended ---


async def test_the_cause_of_a_silence_only_adds_to_what_is_told() -> None:
    late = Failed("timeout", "no answer within 5 s")
    async with scripted(silent) as (process, _):
        process.stderr.add(b"Traceback (most recent call last):\n  ...\nKeyError: 'lgeal'\n")
        told = with_diagnosis(late, process).detail
        assert told.endswith("; its standard error names an error: KeyError: 'lgeal'")
    async with scripted(silent) as (process, _):
        process.release()
        assert with_diagnosis(late, process) == late, "it is gone"
        given = msgspec.structs.replace(late, withheld_us=3_400_000)
        told = "no answer within 5 s; it was given 3.4 s more, since others used its core"
        assert with_diagnosis(given, process).detail == told


@pytest.mark.parametrize(
    ("stderr", "said"),
    [
        ("", ""),
        ("one\n\ntwo\n \n", "two"),
        (
            "thinking\nTraceback (most recent call last):\n  File 'x'\nKeyError: 'legal'\n",
            "KeyError: 'legal'",
        ),
        (
            "/bot/bot.js:1\nfoo\n^\n\nReferenceError: foo is not defined\n    at Script.run\n\n"
            "Node.js v20.1.0\n",
            "ReferenceError: foo is not defined",
        ),
        (
            'Exception in thread "main" java.lang.NullPointerException\n\tat B.main(B.java:3)\n',
            'Exception in thread "main" java.lang.NullPointerException',
        ),
        ("Segmentation fault\n", "Segmentation fault"),
        ("e" * 1000, "e" * SHOWN),
    ],
)
def test_the_line_that_names_the_error_is_found(stderr: str, said: str) -> None:
    assert last_words(stderr) == said


@pytest.mark.parametrize(
    ("pids", "state"),
    [
        pytest.param([], None, id="no process"),
        pytest.param([2**22 + 1], None, id="a process that is gone"),
        pytest.param([os.getpid()], "computing", id="a process that runs"),
    ],
)
def test_the_state_of_a_silent_process_is_looked_up(
    ends: Ends, pids: list[int], state: str | None
) -> None:
    assert look_at(pids, ends.pipes.stdin) == state
