"""A seat's lines as server-sent events: numbered, resumed anywhere."""

from collections.abc import Callable
from typing import Final

from arena.people.events import EventStream, Follower, event
from arena.people.seat import Followed

_AT_ONCE: Final = 1 << 16
"""The most bytes that are sent at once, but for a single longer line."""


class Stream(EventStream):
    """The answer to a request for a seat's lines after the first `after`."""

    def __init__(
        self, seat: Followed, after: int, headers: dict[str, str], stopping: Callable[[], bool]
    ) -> None:
        super().__init__(headers, stopping)
        self._seat = seat
        self._sent = after
        self._leads: bool | None = None
        self._over = False
        self._clock = True

    def follow(self) -> Follower:
        return self._seat.follow()

    def unfollow(self, follower: Follower) -> None:
        self._seat.unfollow(follower)

    def next(self, follower: Follower) -> bytes:
        seat, lines = self._seat, self._seat.lines
        leads = seat.followers[-1] is follower
        if leads is not self._leads:
            self._leads = leads
            return event("tabs", {"leads": leads})
        chunk = b""
        while self._sent < len(lines) and len(chunk) < _AT_ONCE:
            line = lines[self._sent]
            self._sent += 1
            chunk += b"id: %d\ndata: %s\n\n" % (self._sent, line)
        if chunk:
            return chunk
        if self._clock:
            self._clock = False
            if (clock := seat.open_clock()) is not None:
                return event("clock", {"id": clock[0], "left_s": clock[1]})
        if seat.over and not self._over:
            self._over = True
            return event("over", {})
        return b""
