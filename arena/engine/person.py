"""A person at a seat: lines go over a socket to a program that shows them and takes the answers."""

import contextlib
import os
import socket
from typing import Final

import msgspec
import trio
from trio.lowlevel import notify_closing

from arena.engine.pipes import Pipes
from arena.engine.player import Gone, Late, SeatPlayer

_LAST_LINES_S: Final = 1.0
"""The longest that reading the last lines may take, in seconds."""

LEFT: Final = "left the table"
"""The ending of a person's seat whose other end was closed."""


class PersonLink(msgspec.Struct, frozen=True):
    """A seat's player in place of a program: the arena's end of a socketpair.

    It can be sent to a worker. The other end belongs to the program that the person looks at, and
    closing it means leaving.
    """

    name: str
    end: socket.socket


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
