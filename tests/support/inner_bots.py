"""Bots within the test's own process: scripts at the other ends of real pipes, on the test's clock.

On trio's mock clock with autojump their naps take no time, yet every deadline is exact.
"""

import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import cast

import msgspec
import trio
from trio.lowlevel import FdStream, wait_readable

from arena.base.resources import STANDARD, Resources
from arena.engine.process import Process
from arena.engine.seats import seats_for
from arena.match.wire import Limits
from arena.sandbox.box import Box, Program
from arena.sandbox.isolation import Isolation

LINE_BYTES = 1000
READY = b'{"type":"ready","protocol":1}\n'

Script = Callable[["InnerBot"], Awaitable[None]]


class InnerBot(Box):
    """A program in its box, played by a script; it ends when the script does."""

    def __init__(self, nursery: trio.Nursery, script: Script, heeds_sigterm: bool = True) -> None:
        theirs, self._stdin = os.pipe()
        self._stdout, ours = os.pipe()
        self._stderr, errors = os.pipe()
        self._input, self.output, self.errors = FdStream(theirs), FdStream(ours), FdStream(errors)
        super().__init__(cast("subprocess.Popen[bytes]", self), "")
        self.stdin, self.stdout, self.stderr = (
            os.fdopen(self._stdin, "wb", 0),
            os.fdopen(self._stdout, "rb", 0),
            os.fdopen(self._stderr, "rb", 0),
        )
        self.returncode: int | None = None
        self.signals: list[tuple[str, float]] = []  # what it was sent, with the time
        self.looks: list[float] = []  # when its use of resources was looked at
        self._heeds_sigterm = heeds_sigterm
        self._rest = b""
        self._scope = trio.CancelScope()
        nursery.start_soon(self._run, script)

    async def line(self, pause_s: float = 0.0) -> bytes | None:
        """The next line of input, None where that has ended; each read comes after a pause."""
        while b"\n" not in self._rest:
            await trio.sleep(pause_s)
            chunk = await self._input.receive_some()
            if not chunk:
                return None
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    async def say(self, output: bytes) -> None:
        await self.output.send_all(output)

    def answer_at_once(self) -> None:
        """Answer the question that is there, without letting any other task run."""
        line = os.read(self._input.fileno(), 65536)
        os.write(self.output.fileno(), reply(line))

    # --- as a box ---

    def roots(self) -> list[int]:
        self.looks.append(trio.current_time())
        return []

    def scratch(self) -> tuple[int, int]:
        return 0, 0

    def end_handle(self) -> None:
        pass

    def exit_code(self) -> int | None:
        return self.returncode

    def terminate(self) -> None:
        self.signals.append(("SIGTERM", trio.current_time()))
        if self._heeds_sigterm:
            self._end(-15)

    def kill(self) -> None:
        self.signals.append(("SIGKILL", trio.current_time()))
        self._end(-9)

    wait = exit_code  # as a `Popen`

    async def _run(self, script: Script) -> None:
        with self._scope:
            await script(self)
            self._end(0)
        for end in (self._input, self.output, self.errors):
            await trio.aclose_forcefully(end)

    def _end(self, code: int) -> None:
        if self.returncode is None:
            self.returncode = code
            self._scope.cancel()


@asynccontextmanager
async def scripted(
    script: Script, heeds_sigterm: bool = True, resources: Resources = STANDARD
) -> AsyncIterator[tuple[Process, InnerBot]]:
    async with trio.open_nursery() as nursery:
        bot = InnerBot(nursery, script, heeds_sigterm)
        process = Process(bot, resources, LINE_BYTES)
        yield process, bot
        process.release()
        bot.kill()


async def silent(bot: InnerBot) -> None:
    await trio.sleep_forever()


@asynccontextmanager
async def running(
    program: Program, isolation: Isolation, line_bytes: int
) -> AsyncIterator[Process]:
    """A real process outside a match, watched and then ended as in one."""
    async with seats_for([program], isolation, Limits(None, None, line_bytes)) as seats:
        await seats.start(())
        process = seats.all[0].process
        assert process is not None, seats.all[0].lost
        yield process


async def next_line(process: Process) -> bytes:
    """The next line that a process writes. Raises `Lost`."""
    while not (lines := process.pipes.take()):
        await wait_readable(process.pipes.stdout)
    return lines[0]


async def answer(bot: InnerBot, after_s: float = 0.0, ready_s: float = 0.0) -> None:
    """Answer each question as it comes, after a time; the first line is `hello`."""
    await trio.sleep(ready_s)
    await bot.line()
    await bot.say(READY)
    while (line := await bot.line()) is not None:
        await trio.sleep(after_s)
        await bot.say(reply(line))


def reply(line: bytes) -> bytes:
    number = msgspec.json.decode(line)["id"]
    return b'{"type":"play","id":%d,"card":"7C"}\n' % number
