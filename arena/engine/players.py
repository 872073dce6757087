"""Players at the seats of a match: what every seat asks of one, people over a socket, functions.

A process is a player, too: `arena.engine.process`.
"""

import contextlib
import os
import socket
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Final

import trio
from trio.lowlevel import notify_closing, wait_readable, wait_writable

from arena.engine.job import PersonLink
from arena.engine.pipes import Excess, OutputEnded, Pipes

KEPT: Final = 8192
"""Bytes kept at each end."""

_LAST_LINES_S: Final = 1.0
"""The longest that reading the last lines may take, in seconds."""

LEFT: Final = "left the table"
"""The ending of a person's seat whose other end was closed."""


class Excerpt:
    """The beginning and the end of a stream, and how much is missing between them."""

    def __init__(self, kept: int = KEPT) -> None:
        """Keep up to `kept` bytes of the beginning and as many of the end."""
        self._kept = kept
        self._head = b""
        self._tail = b""
        self._skipped = 0

    def add(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
        room = self._kept - len(self._head)
        self._head += chunk[:room]
        tail = self._tail + chunk[room:] if len(chunk) > room else self._tail
        self._skipped += max(0, len(tail) - self._kept)
        self._tail = tail[-self._kept :]

    def text(self) -> str:
        """The excerpt; a line in it tells how many bytes were left out."""
        gap = f"\n[… {self._skipped} bytes left out …]\n".encode() if self._skipped else b""
        return (self._head + gap + self._tail).decode(errors="replace")


class Gone(Exception):
    """The player has ended, closed a pipe, or was killed for a limit; says how."""


class Late(Exception):
    """The deadline passed."""


class SeatPlayer(ABC):
    """The interface of a player to the seats of a match. Deadlines are times of the trio loop."""

    def __init__(self, pipes: Pipes) -> None:
        """Speak through some pipes."""
        self.pipes = pipes
        self.crossed: str | None = None
        """The limit it was killed for crossing, with the figure."""
        self.void: str | None = None
        """Why the machine could not watch it, by nobody's fault; it is killed then."""
        self.stderr = Excerpt()

    @abstractmethod
    async def begin(self) -> None:
        """Let it begin. Raises `NoBox`."""

    @abstractmethod
    def look(self) -> None:
        """Kill it if it has crossed a limit."""

    @abstractmethod
    def kill(self) -> None:
        """End it at once."""

    @abstractmethod
    async def close(self) -> None:
        """End it in its own time."""

    @abstractmethod
    def release(self) -> None:
        """Release its remains once it has ended."""

    @abstractmethod
    async def drain_stderr(self) -> None:
        """Read stderr, if it has one, until that ends."""

    @abstractmethod
    async def describe_end(self, otherwise: str) -> str:
        """How it ended, for a fault's detail; `otherwise` if nothing is known."""

    def kill_for(self, figure: str) -> None:
        """Kill it for crossing a limit."""
        self.crossed = figure
        self.kill()

    def post(self, line: bytes) -> None:
        """Write a line, or as much of it as the pipe takes at once."""
        self.pipes.unwritten += line
        self.pipes.send()

    async def flush(self, deadline: float) -> None:
        """Write all pending input. Raises `Late` if it is not read, or `Gone`."""
        while self.pipes.unwritten:
            await _wait(wait_writable, self.pipes.stdin, deadline)
            self.pipes.send()
        if self.pipes.input_closed:
            raise Gone(await self.describe_end("closed its input"))

    async def read_line(self, deadline: float) -> bytes:
        """The next line. Raises `Late`, `Gone` or `Flooded`.

        A line that has arrived was in time, however late the arena looks.
        """
        while True:
            try:
                lines = self.pipes.take()
            except OutputEnded as error:
                raise Gone(await self.describe_end(str(error))) from None
            except Excess as error:
                self.kill_for(str(error))
                raise Gone("it was killed") from None
            if lines:
                return lines[0]
            await _wait(wait_readable, self.pipes.stdout, deadline)


async def _wait(wait: Callable[[int], Awaitable[None]], fd: int, deadline: float) -> None:
    """Wait for a pipe until a deadline. Raises `Late` if it passes first."""
    if trio.current_time() >= deadline:
        raise Late
    with trio.move_on_at(deadline):
        await wait(fd)


class Person(SeatPlayer):
    """A person at the other end of a link: there is no process to watch, only lines."""

    def __init__(self, link: PersonLink, line_bytes: int) -> None:
        """Speak over a duplicate of the link, which stays open for its other holders."""
        stdin, stdout = os.dup(link.end.fileno()), os.dup(link.end.fileno())
        self._fds = (stdin, stdout)
        super().__init__(Pipes(stdin, stdout, line_bytes, None))
        self._socket = link.end

    async def begin(self) -> None:
        """Do nothing: a person needs no start."""

    def look(self) -> None:
        """Do nothing: a person uses no resources of this machine."""

    def kill(self) -> None:
        """Hang up, for this match and any other that would be played over the link."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    async def close(self) -> None:
        """Wait a moment for the last lines to be taken.

        The link stays open: a match that the arena spoilt is played again over it.
        """
        with contextlib.suppress(Late, Gone):
            await self.flush(trio.current_time() + _LAST_LINES_S)

    def release(self) -> None:
        """Close our descriptors."""
        for fd in self._fds:
            notify_closing(fd)
            os.close(fd)

    async def drain_stderr(self) -> None:
        """Do nothing: a person has no stderr."""

    async def describe_end(self, otherwise: str) -> str:
        """The ending of a link that was closed."""
        return LEFT
