"""The web process's one way out: a child that connects to the host of guests' tables for it.

No filter for system calls could tell one server at a socket of this machine from another, so the
process may make no connection at all. The child takes one byte for each, and does nothing else.
"""

import asyncio
import os
import socket
from pathlib import Path
from threading import Lock
from typing import Final

_ANSWER_S: Final = 10.0
_ASK: Final = b"?"
_MOST_FILES: Final = 1 << 16


class Door:
    """The web process's end."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._end.settimeout(_ANSWER_S)
        self._one = Lock()

    async def connected(self) -> socket.socket:
        """A connection to the host, which does not block. Raises OSError where there is none."""
        return await asyncio.to_thread(self._fetch)

    def close(self) -> None:
        """Let the child end."""
        self._end.close()

    def _fetch(self) -> socket.socket:
        with self._one:
            try:
                self._end.sendall(_ASK)
                said, found, _, _ = socket.recv_fds(self._end, 1, 1)
                if not said:
                    raise BrokenPipeError
            except OSError:  # an answer that came later would be taken for the next one
                self._end.close()
                raise BrokenPipeError from None
        if not found:
            raise ConnectionRefusedError
        end = socket.socket(fileno=found[0])
        end.setblocking(False)
        return end


def open_door(path: Path) -> Door:
    """Start the child, for the socket at a path. The process must not have started a thread yet.

    It ends with this process, or once the door is closed.
    """
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            os.closerange(0, theirs.fileno())
            os.closerange(theirs.fileno() + 1, _MOST_FILES)
            _keep(theirs, str(path))
        finally:
            os._exit(0)
    theirs.close()
    return Door(ours)


def _keep(end: socket.socket, path: str) -> None:
    """Answer each byte with a connection, or with word that there is none."""
    while end.recv(1) == _ASK:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as made:
            try:
                made.connect(path)
            except OSError:
                end.sendall(b"-")
            else:
                socket.send_fds(end, [b"+"], [made.fileno()])
