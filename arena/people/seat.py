"""Lines that pages follow; a person's seat has those of the referee, which come over a socket."""

import asyncio
import contextlib
import socket
from time import monotonic
from typing import Final

from arena.match.log import answer_line
from arena.match.wire import AnyRequest, Hello
from arena.people.conversation import READY, Conversation
from arena.people.events import Follower

_LONGEST_LINE: Final = 1 << 20
"""The most bytes of a line."""


class Followed:
    """Lines that pages follow."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        """All lines so far, without newlines."""
        self.over = False
        """Whether no more will come."""
        self.followers: list[Follower] = []
        """The pages that follow; the newest is last, and may answer."""
        self.present_at = monotonic()
        """The time at which a page was last there."""

    def follow(self) -> Follower:
        """Add a page, which may answer from now on."""
        follower = Follower()
        self.followers.append(follower)
        self.wake()
        return follower

    def unfollow(self, follower: Follower) -> None:
        """Remove a page."""
        self.followers.remove(follower)
        self.present_at = monotonic()
        self.wake()

    def wake(self) -> None:
        """Wake every page."""
        for follower in self.followers:
            follower.wake.set()

    def open_clock(self) -> tuple[int, float | None] | None:
        """The open request and the seconds left for it; None if nothing is asked."""
        return None


class PersonSeat(Followed):
    """A person's end of a socket to the referee, and the pages that follow it.

    `absent_s` are the seconds without anybody there after which the seat is left, if it is timed.
    """

    def __init__(self, end: socket.socket, absent_s: float) -> None:
        super().__init__()
        self.conversation = Conversation()
        self.lines = self.conversation.lines
        self.busy = 0
        """The number of requests under way, besides followers."""
        self._absent_s = absent_s
        self.came = False
        """Whether a page was ever there."""
        self._greeted: Hello | None = None
        self._end = end
        self._writer: asyncio.StreamWriter | None = None

    async def listen(self) -> None:
        """Take the referee's lines until they end."""
        reader, self._writer = await asyncio.open_unix_connection(
            sock=self._end, limit=_LONGEST_LINE
        )
        with contextlib.suppress(OSError, ValueError):
            while (line := await reader.readline()).endswith(b"\n"):
                self.hear(line[:-1])
                self.wake()
                if self.over:
                    break
        self.leave()

    def hear(self, line: bytes) -> None:
        """Take the next line of the referee, without its newline."""
        if isinstance(self.conversation.hear(line, monotonic()), Hello):
            self._greet()
        self.over = self.conversation.over

    def follow(self) -> Follower:
        """Add a page, which may answer from now on; the seat is ready once the first has come."""
        follower = super().follow()
        self.came = True
        self._greet()
        return follower

    def answer(self, body: bytes) -> None:
        """Give an answer to the referee. Raises as `Conversation.answer` does."""
        line = self.conversation.answer(body)
        if line is not None:
            self._write(line)

    def leave(self) -> None:
        """Leave the table, which ends the seat as a bot's seat ends with its program."""
        self.conversation.over = self.over = True
        if self._writer is None:
            self._end.close()
        else:
            self._writer.close()
        self.wake()

    def look(self, now: float) -> None:
        """Leave if nobody has been there for too long."""
        if self.followers or self.busy:
            self.present_at = now
        hello = self.conversation.hello
        timed = hello is None or hello.limits.move_s is not None
        if not self.over and timed and now - self.present_at > self._absent_s:
            self.leave()

    def open_clock(self) -> tuple[int, float | None] | None:
        """The open request and the seconds left for it; None if nothing is asked."""
        request: AnyRequest | None = self.conversation.request
        return None if request is None else (request.id, self.conversation.left_s(monotonic()))

    def _greet(self) -> None:
        """Answer `hello`, once somebody is there."""
        hello = self.conversation.hello
        if self.came and hello is not None and hello is not self._greeted:
            self._greeted = hello
            self._write(answer_line(READY).encode() + b"\n")

    def _write(self, line: bytes) -> None:
        if self._writer is not None and not self.over:
            self._writer.write(line)
