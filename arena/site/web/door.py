"""The web process's one way out: a child that connects to the host of guests' tables for it.

No filter for system calls can tell one server at a socket of this machine from another, so the
process may make no connection at all. The child makes one for each question, whose number its
answer has, and does nothing else.
"""

import asyncio
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Final

_ANSWER_S: Final = 10.0
_LOOK_S: Final = 10.0
_LOST_S: Final = 60.0
"""Seconds without an answer after which a child is given up."""

_NUMBER: Final = 8
"""The bytes of a question's number. The answer has it too, and a byte with the outcome."""

_THERE: Final = b"?"
"""Follows the number of a question that only asks whether the child is there."""

_MOST_FILES: Final = 1 << 16


class Door:
    """The web process's end. The descriptor `child` is readable once the child has ended."""

    def __init__(self, end: socket.socket, child: int) -> None:
        self._end = end
        self._child = child
        self._asking = ThreadPoolExecutor(1)  # its own: nobody else waits for a child that hangs
        self._numbers = count()
        self._answered_at = monotonic()

    @property
    def late(self) -> bool:
        """True if the child did not answer when it was last asked."""
        return monotonic() - self._answered_at > _LOOK_S + _ANSWER_S

    async def connected(self) -> socket.socket:
        """Return a connection to the host that does not block.

        Raises `OSError` if there is none.
        """
        found = await asyncio.get_running_loop().run_in_executor(self._asking, self._ask, b"")
        if found is None:
            raise ConnectionRefusedError
        return found

    async def ended(self) -> None:
        """Wait until the child has ended or answers no more, so that there is no way out left."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._child, ended.set)
        try:
            while not ended.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(ended.wait(), _LOOK_S)
                    return
                with suppress(OSError):
                    await loop.run_in_executor(self._asking, self._ask, _THERE)
                if monotonic() - self._answered_at > _LOST_S:
                    return
        finally:
            loop.remove_reader(self._child)

    def close(self) -> None:
        """Let the child end."""
        self._asking.shutdown(wait=False, cancel_futures=True)
        self._end.close()
        os.close(self._child)

    def _ask(self, what: bytes) -> socket.socket | None:
        """Ask the child for a connection; return it, or None."""
        number = next(self._numbers).to_bytes(_NUMBER)
        self._end.settimeout(_ANSWER_S)
        self._end.sendall(number + what)
        said: bytes = b""
        found: list[int] = []
        while said[:_NUMBER] != number:  # an answer that came too late is not to this one
            for late in found:
                os.close(late)
            said, found, _, _ = socket.recv_fds(self._end, _NUMBER + 1, 1)
            if not said:
                raise BrokenPipeError
        self._answered_at = monotonic()
        if not found:
            return None
        end = socket.socket(fileno=found[0])
        end.setblocking(False)
        return end


def open_door(path: Path) -> Door:
    """Start the child, which connects to the socket at a path.

    The process must not have started a thread yet. The child ends with it, or once the door is
    closed.
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
    while asked := end.recv(_NUMBER + 1):
        number = asked[:_NUMBER]
        if asked[_NUMBER:] == _THERE:
            end.sendall(number + _THERE)
            continue
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as made:
            try:
                made.connect(path)
            except OSError:
                end.sendall(number + b"-")
            else:
                socket.send_fds(end, [number + b"+"], [made.fileno()])
