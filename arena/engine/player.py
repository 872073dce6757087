"""The player of a seat: lines go to it and come from it through pipes, and it can be ended."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

import trio
from trio.lowlevel import wait_readable, wait_writable

from arena.engine.excerpt import Excerpt
from arena.engine.pipes import Excess, OutputEnded, Pipes


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
