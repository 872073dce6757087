"""One bot as a process: started, written to, read, watched, and ended with all it has started."""

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import BinaryIO, Final

import trio
from trio.lowlevel import notify_closing, wait_readable

from arena.base.resources import Resources
from arena.engine.job import Program
from arena.engine.pipes import Excess, Pipes
from arena.engine.players import SeatPlayer
from arena.sandbox.box import Box, NoBox, Setting
from arena.sandbox.isolation import Isolation, scratch_each, start_box
from arena.sandbox.watch import PERIOD_S, ResourceWatch

_FIRST_NAP_S: Final = 0.0005
_LONGEST_NAP_S: Final = 0.02


async def end_of(popen: "subprocess.Popen[bytes]", ended: Callable[[], bool]) -> None:
    """Wait until a process has ended: the kernel tells, or else we keep asking `ended`."""
    try:
        handle = os.pidfd_open(popen.pid)
    except (AttributeError, OSError):  # not on Linux, or no descriptors are left
        nap = _FIRST_NAP_S
        while not ended():
            await trio.sleep(nap)
            nap = min(nap * 1.5, _LONGEST_NAP_S)
        return
    try:
        await wait_readable(handle)
    finally:
        os.close(handle)


SHOWN: Final = 200
"""Characters of the line that are shown."""

_TELLING: Final = re.compile(r"error|exception|panic|abort|fault|fatal|cannot|not found", re.I)


def last_words(stderr: str) -> str:
    """The last line that names an error, else the last that is not blank; "" if there is none.

    Indented lines of a stack come after the message in some languages and before it in others.
    """
    lines = [line for line in stderr.splitlines() if line.strip()]
    return last_error(stderr) or (lines or [""])[-1].strip()[:SHOWN]


def last_error(stderr: str) -> str:
    """The last line that names an error; "" if there is none."""
    said = [line for line in stderr.splitlines() if line[:1].strip() and _TELLING.search(line)]
    return (said or [""])[-1].strip()[:SHOWN]


GRACE_S: Final = 2.0
"""Seconds that a bot may take to exit after the end of its input, and again after SIGTERM."""

EXIT_SEEN_S: Final = 5.0
"""Seconds that the arena waits for the exit of a bot that closed a pipe, to tell how it ended.

Nobody's clock runs meanwhile, and on a busy machine an interpreter takes a while to exit.
"""

_CHUNK: Final = 65536

_TROUBLES: Final = (OSError, ValueError, RecursionError)
"""Errors as a bot is ended and cleaned up, which must never reach another bot's match."""

_NOT_STARTED: Final = ("bwrap: execvp", "setpriv: failed to execute")
"""The beginnings of a sandbox's reports that a program is missing."""


class Process(SeatPlayer):
    """A bot in its box."""

    def __init__(self, box: Box, resources: Resources, line_bytes: int) -> None:
        """Take over a box just started; lines may have up to `line_bytes` bytes."""
        self.box = box
        self.resources = resources
        self.stderr_bytes = 0
        """The bytes that it has written to stderr."""
        self._popen = box.popen
        files = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._files = [file for file in files if file is not None]
        stdin, stdout, self._stderr = (file.fileno() for file in self._files)
        os.set_blocking(self._stderr, False)
        super().__init__(Pipes(stdin, stdout, line_bytes, resources.output_mib))
        self.watch = ResourceWatch(self)

    @property
    def answers(self) -> int:
        """The number of its lines that have been taken."""
        return self.pipes.answers

    async def begin(self) -> None:
        """Let the program run once its sandbox is ready. Raises `NoBox`."""
        if self.box.info is not None:
            await wait_readable(self.box.info)
        self.box.begin()

    def look(self) -> None:
        """Kill the bot if it has crossed a limit."""
        if self.crossed is None and self.void is None and self._popen.returncode is None:
            try:
                crossed = self.watch.crossed()
            except NoBox as error:
                self.void = str(error)
                self.kill()
                return
            if crossed is not None:
                self.kill_for(crossed)

    async def keep_looking(self) -> None:
        """Look every `PERIOD_S` seconds, forever."""
        while True:
            await trio.sleep(PERIOD_S)
            self.look()

    async def exit_code(self, patience: float) -> int | None:
        """The exit code, if the program ends by itself within some seconds, else None."""
        return self._popen.returncode if await self._exits(patience) else None

    async def drain_stderr(self) -> None:
        """Read stderr until it ends, keeping an excerpt."""
        await self._drain(2, self._keep_stderr)

    async def save_stdout(self, file: BinaryIO) -> None:
        """Read stdout until it ends, into a file; for programs that speak no protocol."""

        def save(chunk: bytes) -> None:
            try:
                self.pipes.count(len(chunk))
            except Excess as error:
                self.kill_for(str(error))
            file.write(chunk)

        await self._drain(1, save)

    def end_input(self) -> None:
        """Close the program's input."""
        self._files[0].close()

    async def leave(self) -> bool:
        """End the bot's input; return whether it then exits by itself within `GRACE_S` seconds."""
        self.end_input()
        return await self._exits(GRACE_S)

    async def close(self) -> None:
        """End of input, 2 s, SIGTERM, 2 s, SIGKILL; finally kill all that it has started."""
        if not await self.leave():
            with contextlib.suppress(*_TROUBLES):
                self.box.terminate()
            await self._exits(GRACE_S)
        self.kill()
        await self._exits(GRACE_S)

    def kill(self) -> None:
        """SIGKILL the bot and all processes that it has started, which may have outlived it."""
        try:
            self.box.kill()
        except _TROUBLES:
            self._popen.kill()  # other processes that it has started end with the worker

    def release(self) -> None:
        """Close the remaining pipes after reading the rest of stderr."""
        with contextlib.suppress(OSError):
            while chunk := os.read(self._stderr, _CHUNK):
                self._keep_stderr(chunk)
        notify_closing(self._stderr)
        for file in self._files:
            file.close()
        self._popen.wait()
        for close in (self.watch.close, self.box.close):
            with contextlib.suppress(*_TROUBLES):
                close()

    async def describe_end(self, otherwise: str) -> str:
        """How the bot ended, for a fault's detail; `otherwise` if it does not exit soon."""
        if not await self._exits(EXIT_SEEN_S):
            return otherwise
        if self.crossed is None:
            with contextlib.suppress(*_TROUBLES):
                self.crossed = self.watch.overrun()
        with contextlib.suppress(BlockingIOError):
            self._keep_stderr(os.read(self._stderr, _CHUNK))
        said = self.stderr.text()
        for words in _NOT_STARTED:
            if said.startswith(words):
                return not_started(said.removeprefix(words).split("\n")[0])
        how = _in_words(self._popen.returncode)
        if self._popen.returncode == 0:
            how += "; a bot reads on until its input ends"
        last = last_words(said)
        return f"{how}: {last}" if last else how

    def _keep_stderr(self, chunk: bytes) -> None:
        self.stderr_bytes += len(chunk)
        self.stderr.add(chunk)

    async def _drain(self, number: int, take: Callable[[bytes], None]) -> None:
        while not self._files[number].closed:
            fd = self._files[number].fileno()
            try:
                chunk = os.read(fd, _CHUNK)
            except BlockingIOError:
                with contextlib.suppress(trio.ClosedResourceError):
                    await wait_readable(fd)
                continue
            if not chunk:
                return
            take(chunk)

    async def _exits(self, patience: float) -> bool:
        """Whether the bot itself ends within some seconds."""
        if not self._reaped():
            with trio.move_on_after(patience):
                await end_of(self._popen, self._reaped)
        return self._reaped()

    def _reaped(self) -> bool:
        """Whether the bot itself has ended."""
        if self._popen.returncode is None:
            self._popen.poll()
        return self._popen.returncode is not None


def not_started(why: str) -> str:
    """The message that a program cannot be started for a reason `why`, with a remedy."""
    remedy = "; chmod +x makes a file a program" if why.endswith("Permission denied") else ""
    return f"cannot be started{why}{remedy}"


def launch(
    program: Program, isolation: Isolation, seat: int, scratch: str, line_bytes: int
) -> Process:
    """Start a program from the calling thread. Raises OSError if it cannot be started."""
    setting = Setting(program.run, program.folder, scratch, program.resources, seat)
    return Process(start_box(isolation, setting), program.resources, line_bytes)


@asynccontextmanager
async def running(
    program: Program, isolation: Isolation, line_bytes: int
) -> AsyncIterator[Process]:
    """A watched process outside a match, with a scratch folder. Raises `NoBox`, OSError."""
    failure: Exception | None = None
    with scratch_each(isolation, 1) as (folder,):
        process = launch(program, isolation, 0, folder, line_bytes)
        await process.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.drain_stderr)
            nursery.start_soon(process.keep_looking)
            try:
                yield process
            except Exception as error:  # raised below: a nursery would wrap it in a group
                failure = error
            finally:
                with trio.CancelScope(shield=True):
                    await process.close()
                process.release()
            nursery.cancel_scope.cancel()
    if process.void is not None:
        raise NoBox(process.void)
    if failure is not None:
        raise failure


def _in_words(code: int) -> str:
    """An exit code in words; bubblewrap reports a signal as shells do, by a code above 128."""
    number = -code if code < 0 else code - 128
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"
    return f"signal {name}" if code < 0 else f"exit code {code} ({name})"
