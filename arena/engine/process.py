"""One bot as a process: its pipes and lines, its start, its watch, and the end of all it began."""

import contextlib
import os
from collections.abc import Callable
from fcntl import ioctl
from itertools import takewhile
from pathlib import Path
from termios import FIONREAD
from typing import BinaryIO, Final

import trio
from trio.lowlevel import notify_closing, wait_readable

from arena.base.resources import Resources
from arena.engine.core import CoreUse
from arena.match.wire import FaultKind
from arena.sandbox.box import Box, NoBox
from arena.sandbox.watch import PERIOD_S, ResourceWatch

KEPT: Final = 8192  # bytes kept at each end of a stream
_MOST_WORDS: Final = 1000  # bytes kept of what is written to stderr between two answers

# Seconds that a bot may take to exit after the end of its input, and again after SIGTERM.
GRACE_S: Final = 2.0

# Seconds that the arena waits for the exit of a bot that closed a pipe, to report how it ended.
# Nobody's clock runs meanwhile, and on a busy machine an interpreter takes a while to exit.
EXIT_SEEN_S: Final = 5.0

_CHUNK: Final = 65536
_LINES_CHUNK: Final = 16384
_PIPE: Final = 1 << 20  # the most that a pipe holds for who has no privileges

# Errors as a bot is ended and cleaned up, which must never reach another bot's match.
_TROUBLES: Final = (OSError, ValueError, RecursionError)


class Lost(Exception):
    """A player can give no more answers: the kind of fault, and why."""

    def __init__(self, kind: FaultKind, why: str) -> None:
        super().__init__(why)
        self.kind = kind
        self.why: str = why


class Pipes:
    """A player's input and output, which never block, and the data in transit.

    `unwritten` is input that is still to be written. `sent` and `received` count bytes that were
    written and read, `answers` lines that were taken, and `half_line` is the output after the last
    newline. Only the bytes of the output matter, not how they were cut into chunks.
    """

    def __init__(self, stdin: int, stdout: int, line_bytes: int, output_mib: int | None) -> None:
        """Limit the bytes of a line without its newline, and the MiB of all output if given."""
        for fd in (stdin, stdout):
            os.set_blocking(fd, False)
        self.stdin: int = stdin
        self.stdout = stdout
        self.unwritten: bytearray = bytearray()
        self.sent: int = 0
        self.received: int = 0
        self.answers: int = 0
        self.half_line: bytes = b""
        self._lines: list[bytes] = []
        self._longest = line_bytes
        self._most = float("inf") if output_mib is None else output_mib << 20
        self._flood: str | None = None
        self._input_closed = False

    def send(self) -> None:
        """Write as much as fits at once; drop everything if the player has closed its input."""
        try:
            written = os.write(self.stdin, self.unwritten)
            self.sent += written
            del self.unwritten[:written]
        except BlockingIOError:
            pass
        except (BrokenPipeError, ConnectionResetError):
            self._input_closed = True
            self.unwritten.clear()

    def take(self, wanted: int = 1) -> list[bytes]:
        """The next lines without newlines, up to `wanted`; none if one must wait.

        More output may lie unread, but no more bytes than that many lines could hold. Raises `Lost`
        if no more lines will come, or if there is too much output, now and on every later call; all
        good lines before that are taken first.
        """
        taken: list[bytes] = []
        if self._lines or self.half_line or self.received > self._most:
            self.count(0)
            taken = self._buffered(wanted)
        while not taken:
            try:
                chunk = os.read(self.stdout, _LINES_CHUNK)
            except BlockingIOError:
                if self._input_closed:
                    raise Lost("exited", "closed its input") from None
                return taken
            except ConnectionResetError:  # a socket whose other end was closed with lines unread
                chunk = b""
            if not chunk:
                raise Lost("exited", "closed its output")
            self.received += len(chunk)
            if self.received > self._most:
                self.count(0)
            line, end, rest = chunk.partition(b"\n")
            if end and not rest and not self.half_line and len(line) <= self._longest:
                self.answers += 1  # as nearly always
                return [line]
            self.feed(chunk)
            taken = self._buffered(wanted)
        self.answers += len(taken)
        return taken

    def feed(self, chunk: bytes) -> None:
        """Add output that has been read."""
        *lines, self.half_line = (self.half_line + chunk).split(b"\n")
        self._lines += lines

    def count(self, size: int) -> None:
        """Count bytes of output. Raises `Lost`: in a short match the watch would be too late."""
        self.received += size
        if self.received > self._most:
            figure = f"{self.received} bytes, the limit is {self._most:.0f} bytes a match"
            raise Lost("resource", f"output: {figure}")

    def _buffered(self, wanted: int) -> list[bytes]:
        longest, taken = self._longest, self._lines[:wanted]
        if max(map(len, taken), default=0) > longest:
            taken = list(takewhile(lambda line: len(line) <= longest, taken))
        del self._lines[: len(taken)]
        lines, rest = self._lines, self.half_line
        if self._flood is not None:
            raise Lost("flooded", self._flood)
        if len(lines[0] if lines else rest) > longest:
            self._flood = f"a line of more than {longest} bytes"
        elif sum(map(len, lines)) + len(rest) > longest * wanted:
            self._flood = f"more than {longest} bytes of output nobody asked for"
        if self._flood is not None and not taken:
            raise Lost("flooded", self._flood)
        return taken


class Excerpt:
    """The beginning and the end of a stream; `size` is its length so far in bytes."""

    def __init__(self, kept: int = KEPT) -> None:
        """Keep up to `kept` bytes of the beginning and as many of the end."""
        self.size: int = 0
        self._kept, self._bytes = kept, b""

    def add(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
        self.size += len(chunk)
        whole, kept = self._bytes + chunk, self._kept
        self._bytes = whole[:kept] + whole[max(kept, len(whole) - kept) :]

    def text(self) -> str:
        """The excerpt; a line in it gives the number of bytes left out."""
        left_out, kept = self.size - len(self._bytes), self._kept
        gap = f"\n[… {left_out} bytes left out …]\n".encode() if left_out else b""
        return (self._bytes[:kept] + gap + self._bytes[kept:]).decode(errors="replace")


class Process:
    """A bot in its box.

    `crossed` is the limit it was killed for crossing, with the figure, and `void` why the machine
    could not watch it. It is reaped only once everything it has started has been killed: before
    that the number of its process, which is also that of its group, cannot be given to another
    program.
    """

    def __init__(self, box: Box, resources: Resources, line_bytes: int) -> None:
        """Take over a box just started; lines may have up to `line_bytes` bytes."""
        self.box = box
        self.resources = resources
        self.crossed: str | None = None
        self.void: str | None = None
        self.stderr: Excerpt = Excerpt()
        self._words = b""
        self._unread = bytearray(4)
        files = (box.popen.stdin, box.popen.stdout, box.popen.stderr)
        self._files = [file for file in files if file is not None]
        stdin, stdout, self._stderr = (file.fileno() for file in self._files)
        os.set_blocking(self._stderr, False)
        self.pipes: Pipes = Pipes(stdin, stdout, line_bytes, resources.output_mib)
        self.watch: ResourceWatch = ResourceWatch(box, resources)
        self.core_use: CoreUse = CoreUse(self.watch)
        self._code: int | None = None

    async def begin(self) -> None:
        """Let the program run once its sandbox is ready. Raises `NoBox`."""
        if self.box.info is not None:
            await wait_readable(self.box.info)
        self.box.begin()
        with contextlib.suppress(*_TROUBLES):
            for pid in self.box.roots():  # where memory is short, the kernel ends bots first
                Path(f"/proc/{pid}/oom_score_adj").write_text("1000")

    def look(self) -> None:
        """Kill the bot if it has crossed a limit."""
        if self.crossed is None and self.void is None and self._code is None:
            try:
                if (
                    crossed := self.watch.crossed(self.pipes.answers, self.stderr.size)
                ) is not None:
                    self.kill_for(crossed)
            except NoBox as error:
                self.void = str(error)

    async def exit_code(self, patience: float) -> int | None:
        """The exit code, if the program ends by itself within some seconds, else None."""
        if not self._ended():
            handle = self.box.end_handle()
            try:
                with trio.move_on_after(patience):
                    if handle is not None:
                        await wait_readable(handle)
                    while not self._ended():
                        await trio.sleep(PERIOD_S)
            finally:
                if handle is not None:
                    os.close(handle)
        return self._code

    async def end(self) -> tuple[int, str] | None:
        """The exit code and the text of stderr, if it ends by itself within `EXIT_SEEN_S`.

        If the kernel has ended it at its limit of memory, that counts as crossed.
        """
        code = await self.exit_code(EXIT_SEEN_S)
        if code is None:
            return None
        with contextlib.suppress(*_TROUBLES):
            self.crossed = self.crossed or self.watch.overrun()
        with contextlib.suppress(BlockingIOError):
            self._take_stderr(os.read(self._stderr, _CHUNK))
        return code, self.stderr.text()

    def words(self) -> str:
        """The first bytes that it wrote to stderr since the last call."""
        ioctl(self._stderr, FIONREAD, self._unread)
        if any(self._unread):
            with contextlib.suppress(BlockingIOError):
                self._take_stderr(os.read(self._stderr, _CHUNK))
        if not self._words:
            return ""
        words, self._words = self._words, b""
        return words.decode(errors="replace") + "…" * (len(words) == _MOST_WORDS)

    def _take_stderr(self, chunk: bytes) -> None:
        self.stderr.add(chunk)
        self._words = (self._words + chunk)[:_MOST_WORDS]

    async def drain_stderr(self) -> None:
        """Read stderr until it ends, keeping an excerpt; kill the bot if it is too long."""

        def keep(chunk: bytes) -> None:
            self._take_stderr(chunk)
            if self.stderr.size >> 20 >= (self.resources.stderr_mib or float("inf")):
                self.look()  # until the next regular one it could write tens of MiB

        await self._drain(2, keep)

    async def save_stdout(self, file: BinaryIO) -> None:
        """Read stdout until it ends, into a file; for programs that speak no protocol."""

        def save(chunk: bytes) -> None:
            try:
                self.pipes.count(len(chunk))
            except Lost as lost:
                self.kill_for(lost.why)
            file.write(chunk)

        await self._drain(1, save)

    def end_input(self) -> None:
        """Close the program's input."""
        self._files[0].close()

    async def leave(self) -> bool:
        """End the bot's input; return whether it then exits by itself within `GRACE_S` seconds."""
        self.end_input()
        return await self.exit_code(GRACE_S) is not None

    async def close(self) -> None:
        """End of input, 2 s, SIGTERM, 2 s, SIGKILL; finally kill everything it has started."""
        if not await self.leave():
            with contextlib.suppress(*_TROUBLES):
                self.box.terminate()
            await self.exit_code(GRACE_S)
        self.kill()
        await self.exit_code(GRACE_S)

    def kill_for(self, figure: str) -> None:
        """Kill it for crossing a limit."""
        self.crossed = figure
        self.kill()

    def kill(self) -> None:
        """SIGKILL the bot and all processes that it has started, which may have outlived it."""
        try:
            self.box.kill()
        except _TROUBLES:
            self.box.popen.kill()  # other processes that it has started end with the worker

    def release(self) -> None:
        """Close the remaining pipes after reading the rest of stderr."""
        with contextlib.suppress(OSError):  # once: a process that outlives it may continue
            self.stderr.add(os.read(self._stderr, _PIPE))
        notify_closing(self._stderr)
        for file in self._files:
            file.close()
        self.box.popen.wait()
        with contextlib.suppress(*_TROUBLES):
            self.box.close()

    def _ended(self) -> bool:
        if self._code is None:
            self._code = self.box.exit_code()
        return self._code is not None

    async def _drain(self, number: int, take: Callable[[bytes], None]) -> None:
        while not self._files[number].closed:
            fd = self._files[number].fileno()
            with contextlib.suppress(BlockingIOError):
                if not (chunk := os.read(fd, _CHUNK)):
                    return
                take(chunk)
            with contextlib.suppress(trio.ClosedResourceError):
                await wait_readable(fd)  # after each chunk: a flood must not hold up all clocks
