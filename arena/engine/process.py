"""One bot as a process: lines in, lines out, on deadlines, and nothing left of it afterwards."""

import contextlib
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import takewhile
from typing import BinaryIO, Final

import trio
from trio.lowlevel import notify_closing, wait_readable, wait_writable

from arena.engine.excerpt import Excerpt
from arena.engine.program import Program
from arena.engine.watchdog import Watchdog
from arena.sandbox.box import Setting, start
from arena.sandbox.isolation import Isolation
from arena.sandbox.leftovers import scratch
from arena.sandbox.watch import PERIOD_S, Watch

GRACE_S: Final = 2.0
"""How long a bot may take to leave after the end of its input, and again after SIGTERM."""

_CHUNK: Final = 16384

_NOT_STARTED: Final = ("bwrap: execvp", "setpriv: failed to execute")
"""How a sandbox complains of a program that is not there."""


class Gone(Exception):
    """The bot has ended or closed its pipes; says how."""


class Ended(Exception):
    """Nothing more will come from the bot; says what is seen of that."""


class Late(Exception):
    """The deadline passed."""


class Flooded(Exception):
    """A line longer than allowed, or more unread output than allowed."""


class Process:
    """A running bot. Its pipes are non-blocking; times are those of `trio.current_time`."""

    def __init__(
        self,
        program: Program,
        isolation: Isolation,
        seat: int,
        scratch: str,
        watchdog: Watchdog,
        line_bytes: int,
    ) -> None:
        """Start the program on this very thread. Raises OSError where it cannot be started."""
        self._watchdog = watchdog
        self._line_bytes = line_bytes
        self._lines: list[bytes] = []
        self._rest = b""
        self.unwritten = bytearray()
        """Input that is to be written still."""
        self.sent = 0
        """Bytes of input that have been written."""
        self.deaf = False
        """Whether it has closed its input."""
        self.crossed: str | None = None
        """The limit it was killed for, with the figure."""
        self.resources = program.resources
        self.answers = self.heard = self.grumbled = 0
        output_mib = program.resources.output_mib
        self._most = float("inf") if output_mib is None else output_mib * 1048576.0
        setting = Setting(program.run, program.folder, scratch, program.resources, seat)
        self.box = start(isolation, setting)
        self._popen = self.box.popen
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._pipes = [pipe for pipe in pipes if pipe is not None]
        self.stdin, self.stdout, self._stderr = (pipe.fileno() for pipe in self._pipes)
        for fd in (self.stdin, self.stdout, self._stderr):
            os.set_blocking(fd, False)
        self.stderr = Excerpt()
        self.watch = Watch(self)

    async def begin(self) -> None:
        """Let the program run once its sandbox stands. Raises `NoBox`."""
        if self.box.info is not None:
            await wait_readable(self.box.info)
        self.box.begin()

    def look(self) -> None:
        """Kill the bot if it has crossed a limit."""
        if self.crossed is None and self._popen.returncode is None:
            crossed = self.watch.crossed()
            if crossed is not None:
                self.cross(crossed)

    async def look_on(self) -> None:
        """Look again and again, for ever."""
        while True:
            await trio.sleep(PERIOD_S)
            self.look()

    def cross(self, figure: str) -> None:
        """Kill the bot for a limit that it has crossed."""
        self.crossed = figure
        self.box.kill()

    def send(self) -> None:
        """Write what the pipe takes at once; all is dropped where the program closed its input."""
        try:
            written = os.write(self.stdin, self.unwritten)
            self.sent += written
            del self.unwritten[:written]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.deaf = True
            self.unwritten.clear()

    def post(self, line: bytes) -> None:
        """Write a line, or what the pipe takes of it at once."""
        self.unwritten += line
        self.send()

    def take(self, wanted: int = 1) -> list[bytes]:
        """The next lines that are there, so many at most; none where one must wait.

        Raises `Ended` where no more will come, and `Flooded`.
        """
        while not self._lines:
            try:
                chunk = os.read(self.stdout, _CHUNK)
            except BlockingIOError:
                if self.deaf:
                    raise Ended("closed its input") from None
                return []
            if not chunk:
                raise Ended("closed its output")
            size = len(chunk)
            self.heard += size
            if self.heard > self._most:
                self._too_much()
            if not self._rest and chunk.find(b"\n") == size - 1 <= self._line_bytes:
                self.answers += 1
                return [chunk]
            *self._lines, self._rest = (self._rest + chunk).split(b"\n")
            if len(self._rest) > self._line_bytes:
                raise Flooded(f"a line of more than {self._line_bytes} bytes")
        lines = self._lines[:wanted]
        if max(map(len, lines)) > self._line_bytes:
            lines = list(takewhile(lambda line: len(line) <= self._line_bytes, lines))
            if not lines:
                raise Flooded(f"a line of more than {self._line_bytes} bytes")
        del self._lines[: len(lines)]
        if sum(map(len, self._lines)) + len(self._rest) > self._line_bytes * wanted:
            raise Flooded(f"more than {self._line_bytes} bytes of output nobody asked for")
        self.answers += len(lines)
        return lines

    async def flush(self, deadline: float) -> None:
        """Write what is left to write. Raises `Late` where the bot does not read, or `Gone`."""
        while self.unwritten:
            await self._wait(wait_writable, self.stdin, deadline)
            self.send()
        if self.deaf:
            raise Gone(await self.ending("closed its input"))

    async def read_line(self, deadline: float) -> bytes:
        """The next line. Raises `Late`, `Gone` or `Flooded`."""
        while True:
            try:
                lines = self.take()
            except Ended as error:
                raise Gone(await self.ending(str(error))) from None
            if lines:
                return lines[0].rstrip(b"\n")
            await self._wait(wait_readable, self.stdout, deadline)

    async def ends(self, patience: float) -> int | None:
        """The exit code, if the program ends by itself in so many seconds."""
        return self._popen.returncode if await self._exited(patience) else None

    async def drain_stderr(self) -> None:
        """Read stderr until it ends, keeping an excerpt."""
        await self._drain(2, self._grumble)

    async def save_stdout(self, file: BinaryIO) -> None:
        """Read stdout until it ends, into a file; for programs that speak no protocol."""

        def save(chunk: bytes) -> None:
            with contextlib.suppress(Gone):
                self._hear(len(chunk))
            file.write(chunk)

        await self._drain(1, save)

    def end_input(self) -> None:
        """Close the program's input."""
        self._pipes[0].close()

    async def leaves(self) -> bool:
        """End the bot's input; whether it leaves by itself in `GRACE_S` seconds."""
        self.end_input()
        return await self._exited(GRACE_S)

    async def close(self) -> None:
        """End of input, then 2 s, SIGTERM, 2 s, SIGKILL; all that it has started in the end."""
        if not await self.leaves():
            self.box.terminate()
            await self._exited(GRACE_S)
        self.kill()
        await self._exited(GRACE_S)

    def kill(self) -> None:
        """SIGKILL to the bot and all that it has started, which may have outlived it."""
        self.box.kill()

    def release(self) -> None:
        """Close what is left of the pipes; what stderr still holds is read first."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self._stderr, 65536):
                self.stderr.add(chunk)
        notify_closing(self._stderr)
        for pipe in self._pipes:
            pipe.close()
        self._popen.wait()
        self.watch.close()
        self.box.close()

    def _hear(self, size: int) -> None:
        """Count output; the watch would be too late for a match that is soon over."""
        self.heard += size
        if self.heard > self._most:
            self._too_much()

    def _too_much(self) -> None:
        self.cross(f"output: {self.heard} bytes, the limit is {self._most:.0f} bytes a match")
        raise Gone("it was killed")

    def _grumble(self, chunk: bytes) -> None:
        self.grumbled += len(chunk)
        self.stderr.add(chunk)

    async def _drain(self, number: int, take: Callable[[bytes], None]) -> None:
        while not self._pipes[number].closed:
            fd = self._pipes[number].fileno()
            try:
                chunk = os.read(fd, 65536)
            except BlockingIOError:
                with contextlib.suppress(trio.ClosedResourceError):
                    await wait_readable(fd)
                continue
            if not chunk:
                return
            take(chunk)

    async def _wait(self, wait: Callable[[int], Awaitable[None]], fd: int, deadline: float) -> None:
        """Wait for a pipe. Raises `Late` only where nothing had come when the deadline was seen."""
        if trio.current_time() >= deadline:
            raise Late
        self._watchdog.set(fd, deadline)
        try:
            await wait(fd)
        except trio.ClosedResourceError:
            pass
        finally:
            self._watchdog.clear(fd)

    async def _exited(self, patience: float) -> bool:
        """Wait for the exit of the bot itself, at most so many seconds."""
        nap = 0.0005
        deadline = trio.current_time() + patience
        while self._popen.poll() is None:
            if trio.current_time() >= deadline:
                return False
            await trio.sleep(nap)
            nap = min(nap * 1.5, 0.02)
        return True

    async def ending(self, otherwise: str) -> str:
        """How the bot ended, for a fault's detail; a moment is given for the exit to be seen."""
        if not await self._exited(0.5):
            return otherwise
        with contextlib.suppress(BlockingIOError, ValueError):
            self.stderr.add(os.read(self._stderr, 65536))
        said = self.stderr.text()
        for words in _NOT_STARTED:
            if said.startswith(words):
                return "cannot be started" + said.removeprefix(words).split("\n")[0]
        return _ended(self._popen.returncode)


@asynccontextmanager
async def running(
    program: Program, isolation: Isolation, line_bytes: int
) -> AsyncIterator[Process]:
    """A process outside a match, with a scratch folder and watched. Raises `NoBox`, OSError."""
    failure: Exception | None = None
    watchdog = Watchdog()
    with scratch() as folder:
        process = Process(program, isolation, 0, folder, watchdog, line_bytes)
        await process.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            nursery.start_soon(process.drain_stderr)
            nursery.start_soon(process.look_on)
            try:
                yield process
            except Exception as error:  # raised below: a nursery would wrap it in a group
                failure = error
            finally:
                with trio.CancelScope(shield=True):
                    await process.close()
                process.release()
            nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure


def _ended(code: int) -> str:
    """An exit code in words; bubblewrap tells a signal as a shell does, by a code above 128."""
    number = -code if code < 0 else code - 128
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"
    return f"signal {name}" if code < 0 else f"exit code {code} ({name})"
