"""A person at a seat: a socket instead of a bot's pipes, and no process to watch."""

import contextlib
import os
import socket
from typing import Final

import trio
from trio.lowlevel import notify_closing, wait_writable

from arena.engine.job import PersonLink
from arena.engine.process import Pipes

LEFT: Final = "left the table"  # the ending of a seat whose other end was closed

_LAST_LINES_S: Final = 1.0  # the longest that reading the last lines may take


class Person:
    """A person at the other end of a link."""

    def __init__(self, link: PersonLink, line_bytes: int) -> None:
        """Speak over a duplicate of the link, which stays open for its other holders."""
        stdin, stdout = os.dup(link.end.fileno()), os.dup(link.end.fileno())
        self._fds = (stdin, stdout)
        self._socket = link.end
        self.pipes: Pipes = Pipes(stdin, stdout, line_bytes, None)

    def kill(self) -> None:
        """Hang up, for this match and any other that would be played over the link."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    async def close(self) -> None:
        """Wait a moment for the last lines to be taken.

        The link stays open: a match that the arena spoilt is played again over it.
        """
        with trio.move_on_after(_LAST_LINES_S):
            while self.pipes.unwritten:
                await wait_writable(self.pipes.stdin)
                self.pipes.send()

    def release(self) -> None:
        """Close our descriptors."""
        for fd in self._fds:
            notify_closing(fd)
            os.close(fd)
