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

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from arena.base.isolation_levels import IsolationLevel
from arena.base.resources import Resources
from arena.engine.process import EXIT_SEEN_S, GRACE_S, Excerpt, Lost, Pipes, Process
from arena.engine.silence import blame
from arena.match.commands import Failed
from arena.sandbox.box import Program
from arena.sandbox.isolation import NO_ISOLATION
from tests.support.bots import isolation_at
from tests.support.command import lives
from tests.support.inner_bots import LINE_BYTES, InnerBot, next_line, scripted, silent
from tests.support.inner_bots import running as running_process
from tests.support.patience import PATIENCE_S, until

# --- lines: only the bytes count, however they were cut ---

LONGEST = 3
TOO_LONG = f"a line of more than {LONGEST} bytes"
UNREAD = f"more than {LONGEST} bytes of output nobody asked for"

SILENT = (os.pipe()[1], os.pipe()[0])
"""A bot's input and output, through which nothing comes."""


def taken(pipes: Pipes, wanted: int) -> list[bytes | str]:
    """Whatever can be taken, and the flood that ends it, if one does."""
    found: list[bytes | str] = []
    try:
        while more := pipes.take(wanted):
            assert len(more) <= wanted
            found += more
    except Lost as lost:
        found.append(lost.why)
        with pytest.raises(Lost, match=f"^{lost.why}$"):  # from then on always
            pipes.take(wanted)
    return found


def fed(chunks: Sequence[bytes], wanted: int) -> list[bytes | str]:
    """All chunks fed, then all taken."""
    pipes = Pipes(*SILENT, LONGEST, None)
    for chunk in chunks:
        pipes.feed(chunk)
    return taken(pipes, wanted)


def read(chunks: Sequence[bytes], wanted: int) -> list[bytes | str]:
    """All that can be taken after each chunk, as by somebody who always reads at once."""
    pipes = Pipes(*SILENT, LONGEST, None)
    found: list[bytes | str] = []
    for chunk in chunks:
        pipes.feed(chunk)
        found += taken(pipes, wanted)
        if found and isinstance(found[-1], str):
            break
    return found


def splits(data: bytes) -> Iterator[list[bytes]]:
    """The bytes in chunks, in every way."""
    for count in range(len(data)):
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
    assert fed([data], wanted) == found
    for chunks in splits(data):
        assert fed(chunks, wanted) == found


def test_every_split_of_every_short_input_gives_the_same() -> None:
    """Also to a reader that takes lines after each chunk, if it waits for all of them."""
    for length in range(1, 8):
        for letters in product((b"a", b"\n"), repeat=length):
            data = b"".join(letters)
            for wanted in (1, 2, 9):
                once = fed([data], wanted)
                assert all(fed(chunks, wanted) == once for chunks in splits(data)), data
            assert all(read(chunks, 9) == once for chunks in splits(data)), data


@given(st.lists(st.binary(max_size=6) | st.sampled_from([b"\n", b"ab\n", b"\na"])))
def test_any_bytes_give_lines_or_a_flood_and_never_anything_else(chunks: list[bytes]) -> None:
    data = b"".join(chunks)
    once = fed([data], 9)
    assert fed(chunks, 9) == fed([data[n : n + 1] for n in range(len(data))], 9) == once
    lines = data.split(b"\n")
    good = [line for line in once if isinstance(line, bytes)]
    assert good == lines[: len(good)]
    assert len(good) == len(lines) - 1 or once[-1] in (TOO_LONG, UNREAD)


# --- pipes: data in transit, its limits, and what closing either end means ---


class Ends:
    """Pipes of a bot, and the other ends of them."""

    def __init__(self) -> None:
        self.input, stdin = os.pipe()
        stdout, self.output = os.pipe()
        self.pipes = Pipes(stdin, stdout, 1000, 1)

    def say(self, output: bytes) -> None:
        os.write(self.output, output)


@pytest.fixture
def ends() -> Iterator[Ends]:
    ends = Ends()
    yield ends
    for fd in (ends.input, ends.output, ends.pipes.stdin, ends.pipes.stdout):
        with suppress(OSError):
            os.close(fd)


def test_lines_are_taken_as_they_are_wanted_and_the_rest_is_kept(ends: Ends) -> None:
    pipes, longest = ends.pipes, b"x" * 1000
    ends.say(longest + b"\na\n\nb\nc\nd")
    assert [pipes.take() for _ in range(3)] == [[longest], [b"a"], [b""]]
    assert (pipes.answers, pipes.received) == (3, 1009)
    assert [pipes.take(5), pipes.take(5)] == [[b"b", b"c"], []]
    assert (pipes.answers, pipes.half_line) == (5, b"d")
    ends.say(b"d\n")
    assert [pipes.take(), pipes.take()] == [[b"dd"], []]
    assert (pipes.answers, pipes.received, pipes.half_line) == (6, 1011, b"")


@pytest.mark.parametrize(
    ("said", "is_closed", "lines", "why"),
    [
        (b"x" * 1001 + b"\n", False, [], "a line of more than 1000 bytes"),
        (b"a\n" + b"x" * 1001, False, [b"a"], "a line of more than 1000 bytes"),
        (b"", True, [], "closed its output"),
        (b"a\nb", True, [b"a"], "closed its output"),
    ],
)
def test_lines_before_the_end_are_answers_and_the_end_is_raised_each_time(
    ends: Ends, said: bytes, is_closed: bool, lines: list[bytes], why: str
) -> None:
    ends.say(said)
    if is_closed:
        os.close(ends.output)
    assert [line for _ in lines for line in ends.pipes.take()] == lines
    for _ in range(2):
        with pytest.raises(Lost, match=why):
            ends.pipes.take()
    assert ends.pipes.answers == len(lines)


def test_a_bot_without_input_may_still_have_answered(ends: Ends) -> None:
    ends.say(b"a\n")
    os.close(ends.input)
    ends.pipes.unwritten += b"question\n"
    ends.pipes.send()
    assert ends.pipes.unwritten == b""
    assert ends.pipes.take() == [b"a"]
    with pytest.raises(Lost, match="closed its input"):
        ends.pipes.take()


def test_what_a_full_pipe_does_not_take_goes_later(ends: Ends) -> None:
    ends.pipes.unwritten += b"x" * 300_000
    for _ in range(2):  # the second time it takes nothing
        ends.pipes.send()
        assert 0 < ends.pipes.sent == 300_000 - len(ends.pipes.unwritten) < 300_000
    read = 0
    while read < 300_000:
        read += len(os.read(ends.input, 65536))
        ends.pipes.send()
    assert ends.pipes.sent == 300_000
    assert not ends.pipes.unwritten


def test_as_much_output_as_is_allowed_is_no_excess_and_one_byte_more_is(ends: Ends) -> None:
    line = b"x" * 511 + b"\n"
    for _ in range(2048):
        ends.say(line)
        assert ends.pipes.take() == [line[:-1]]
    ends.say(b"\n")
    for _ in range(2):
        with pytest.raises(Lost, match="output: 1048577 bytes, the limit is 1048576 bytes a match"):
            ends.pipes.take()


# --- an excerpt of what is said on stderr ---


@pytest.mark.parametrize(
    ("kept", "parts", "text"),
    [
        (10, (b"abc", b"defghij", b"klm"), "abcdefghijklm"),
        (4, (b"abcdef", b"ghij", b"k" * 9, b"xyz"), "abcd\n[… 14 bytes left out …]\nkxyz"),
    ],
)
def test_an_excerpt_has_both_ends_of_a_text_and_says_what_is_missing(
    kept: int, parts: Sequence[bytes], text: str
) -> None:
    excerpt = Excerpt(kept)
    for part in parts:
        excerpt.add(part)
    assert excerpt.text() == text


# --- processes that a script plays ---


async def until_the_end(bot: InnerBot) -> None:
    """Leave when the input ends."""
    while await bot.line() is not None:
        pass


async def lost_by(process: Process) -> Failed:
    """What a process is blamed for whose output comes to an end."""
    try:
        while True:
            await next_line(process)
    except Lost as lost:
        return await blame(process, lost)


async def test_too_much_output_kills_the_bot_and_the_fault_gives_the_figure(
    autojump_clock: MockClock,
) -> None:
    async def chatter(bot: InnerBot) -> None:
        while True:
            await bot.say(b"x\n")
            await trio.sleep(0)

    async with scripted(chatter, resources=Resources(output_mib=0)) as (process, bot):
        failed = await lost_by(process)
        assert failed.kind == "resource"
        assert failed.detail.startswith("output: ")
        assert failed.detail == process.crossed
        assert bot.returncode == -9


async def test_a_bot_that_closes_its_output_and_stays_is_gone_after_a_moment(
    autojump_clock: MockClock,
) -> None:
    async def close(bot: InnerBot) -> None:
        await bot.close_output()
        await silent(bot)

    async with scripted(close) as (process, _):
        assert await lost_by(process) == Failed("exited", "closed its output")
        assert trio.current_time() == EXIT_SEEN_S


async def test_a_polite_bot_gets_no_sigterm_and_its_children_are_killed(
    autojump_clock: MockClock,
) -> None:
    async with scripted(until_the_end) as (process, bot):
        await process.close()
        assert [name for name, _ in bot.signals] == ["SIGKILL"]
        assert bot.returncode == 0
        assert trio.current_time() < GRACE_S


@pytest.mark.parametrize(
    ("heeds_sigterm", "killed_s", "code"), [(True, GRACE_S, -15), (False, 2 * GRACE_S, -9)]
)
async def test_a_bot_that_stays_gets_sigterm_after_its_grace_and_sigkill_at_last(
    autojump_clock: MockClock, heeds_sigterm: bool, killed_s: float, code: int
) -> None:
    async with scripted(silent, heeds_sigterm) as (process, bot):
        await process.close()
        assert bot.signals == [("SIGTERM", GRACE_S), ("SIGKILL", killed_s)]
        assert bot.returncode == code


async def test_the_last_words_on_stderr_are_read_when_all_is_over(
    autojump_clock: MockClock,
) -> None:
    async def complain(bot: InnerBot) -> None:
        await until_the_end(bot)
        await bot.complain(b"last words")

    async with scripted(complain) as (process, _):
        await process.close()
    assert process.stderr.text() == "last words"
    assert process.stderr.size == 10


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


async def line(bot: Process) -> bytes:
    with trio.fail_after(PATIENCE_S):
        return await next_line(bot)


async def test_a_line_goes_in_and_a_line_comes_out(tmp_path: Path) -> None:
    echo = "for line in sys.stdin: print(line[::-1].strip(), flush=True)"
    async with running(tmp_path, echo) as bot:
        for word in (b"one", b"two"):
            bot.pipes.unwritten += word + b"\n"
            bot.pipes.send()
            assert await line(bot) == word[::-1]


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("sys.exit(7)", "exit code 7"),
        ("sys.exit(0)", "exit code 0"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "signal SIGSEGV"),
    ],
)
async def test_the_end_of_a_bot_is_reported(tmp_path: Path, source: str, how: str) -> None:
    async with running(tmp_path, source) as bot:
        with trio.fail_after(PATIENCE_S):
            assert how in (await lost_by(bot)).detail


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
    async with running(tmp_path, child + source, patient=is_polite) as bot:
        pids = [int(word) for word in (await line(bot)).split()]
    until(lambda: not any(map(lives, pids)))


async def test_a_flood_of_stderr_is_stopped_as_it_is_read(tmp_path: Path) -> None:
    flood = (
        "for _ in range(40):\n    if os.fork() == 0: break\nwhile True: os.write(2, b'x' * 65536)"
    )
    async with running(tmp_path, flood) as bot:
        with trio.fail_after(PATIENCE_S):
            while bot.crossed is None:
                await trio.sleep(0)
    assert bot.crossed.startswith("stderr: 16.0")


# --- the end of a process ---


def test_the_end_is_reported_by_the_kernel_without_polling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def end() -> int | None:
        async with running(tmp_path, "sys.stdin.read(); sys.exit(3)") as bot:
            bot.end_input()
            with monkeypatch.context() as patched:
                patched.setattr("arena.engine.process.trio.sleep", None)
                return await bot.exit_code(PATIENCE_S)

    assert trio.run(end) == 3


async def test_without_descriptors_the_end_is_polled_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(pid: int) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "pidfd_open", full)
    async with running(tmp_path, "sys.exit(4)") as bot:
        assert await bot.exit_code(PATIENCE_S) == 4


async def test_the_wait_for_the_end_can_be_given_up_and_taken_up_again(tmp_path: Path) -> None:
    async with running(tmp_path, "sys.stdin.read()") as bot:
        assert await bot.exit_code(0.01) is None
        bot.kill()
        for _ in range(2):  # the second time it has ended before
            assert await bot.exit_code(PATIENCE_S) == -9


@pytest.mark.parametrize("level", ["none", "landlock", "bubblewrap"])
async def test_the_number_of_a_bot_is_nobody_elses_until_all_that_it_has_started_is_killed(
    tmp_path: Path, level: IsolationLevel
) -> None:
    apart = isolation_at(level)
    tmp_path.chmod(0o755)
    program = Program("bot", ("sh", "-c", "exit 5"), str(tmp_path))
    held: list[bool] = []
    async with running_process(program, apart, LINE_BYTES) as process:
        kill = process.box.kill

        def noted() -> None:
            held.append(Path(f"/proc/{process.box.popen.pid}").exists())
            kill()

        process.box.kill = noted  # type: ignore[method-assign]
        assert await process.exit_code(PATIENCE_S) == 5
    assert held == [True]
    assert not Path(f"/proc/{process.box.popen.pid}").exists()


async def test_a_reaped_bot_gets_no_more_signals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, "pass") as bot:
        pass
    monkeypatch.setattr(os, "killpg", None)
    bot.kill()
    bot.box.terminate()
