"""The web process's one way out: a child that connects to the host of guests' tables for it.

No filter for system calls could tell one server at a socket of this machine from another, so the
process may make no connection at all. The child takes a number for each, and does nothing else.
"""

import asyncio
import os
import socket
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Final

_ANSWER_S: Final = 10.0
_NUMBER: Final = 8
"""Bytes of a question's number. Its answer has it too, and a byte that says what came of it."""

_MOST_FILES: Final = 1 << 16


class Door:
    """The web process's end. `child` is a descriptor that is readable once the child has ended."""

    def __init__(self, end: socket.socket, child: int) -> None:
        self._end = end
        self._end.settimeout(_ANSWER_S)
        self._child = child
        self._one = Lock()
        self._numbers = count()

    async def connected(self) -> socket.socket:
        """A connection to the host, which does not block. Raises OSError where there is none."""
        return await asyncio.to_thread(self._fetch)

    async def ended(self) -> None:
        """Wait until the child has ended, after which there is no way out any more."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._child, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(self._child)

    def close(self) -> None:
        """Let the child end."""
        self._end.close()
        os.close(self._child)

    def _fetch(self) -> socket.socket:
        with self._one:
            number = next(self._numbers).to_bytes(_NUMBER)
            self._end.sendall(number)
            said: bytes = b""
            found: list[int] = []
            while said[:_NUMBER] != number:  # an answer that came too late is none of this one
                for late in found:
                    os.close(late)
                said, found, _, _ = socket.recv_fds(self._end, _NUMBER + 1, 1)
                if not said:
                    raise BrokenPipeError
        if not found:
            raise ConnectionRefusedError
        end = socket.socket(fileno=found[0])
        end.setblocking(False)
        return end


def open_door(path: Path) -> Door:
    """Start the child, for the socket at a path. The process must not have started a thread yet.

    It ends with this process, or once the door is closed.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    child = os.fork()
    if child == 0:
        try:
            os.closerange(0, theirs.fileno())
            os.closerange(theirs.fileno() + 1, _MOST_FILES)
            _keep(theirs, str(path))
        finally:
            os._exit(0)
    theirs.close()
    return Door(ours, os.pidfd_open(child))


def _keep(end: socket.socket, path: str) -> None:
    """Answer each question with a connection, or with word that there is none."""
    while number := end.recv(_NUMBER):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as made:
            try:
                made.connect(path)
            except OSError:
                end.sendall(number + b"-")
            else:
                socket.send_fds(end, [number + b"+"], [made.fileno()])
