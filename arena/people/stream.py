"""A seat's lines as server-sent events: numbered, resumed anywhere, cut off where nobody reads."""

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec
from starlette.types import Message, Receive, Scope, Send

from arena.people.seat import Followed, Follower

SEND_S: Final = 5.0
"""How long a reader may take for what it is sent before it is cut off."""

QUIET_S: Final = 15.0
"""After so many seconds without an event a comment is sent."""

_AT_ONCE: Final = 1 << 16
"""The most bytes that are sent at once, but for a single longer line."""


class Stream:
    """The answer to a request for a seat's lines behind the first `after`."""

    def __init__(
        self, seat: Followed, after: int, headers: dict[str, str], stopping: Callable[[], bool]
    ) -> None:
        self._seat = seat
        self._sent = after
        self._stopping = stopping
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        self._leads: bool | None = None
        self._over = False
        self._clock = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        follower = self._seat.follow()
        listener = asyncio.create_task(_listen(receive, follower))
        try:
            async with asyncio.timeout(SEND_S):
                await send(_start(self._headers))
            while not (follower.gone or self._stopping()):
                follower.wake.clear()
                while (chunk := self._next(follower)) and not follower.gone:
                    async with asyncio.timeout(SEND_S):
                        await send(_body(chunk, True))
                try:
                    async with asyncio.timeout(QUIET_S):
                        await follower.wake.wait()
                except TimeoutError:
                    async with asyncio.timeout(SEND_S):
                        await send(_body(b":\n\n", True))
            if not follower.gone:
                async with asyncio.timeout(SEND_S):
                    await send(_body(b"", False))
        except TimeoutError:
            scope["arena.abort"]()
        finally:
            listener.cancel()
            self._seat.unfollow(follower)

    def _next(self, follower: Follower) -> bytes:
        """What is to be sent now; nothing where all is sent."""
        seat, lines = self._seat, self._seat.lines
        leads = seat.followers[-1] is follower
        if leads is not self._leads:
            self._leads = leads
            return _event("tabs", {"leads": leads})
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
                return _event("clock", {"id": clock[0], "left_s": clock[1]})
        if seat.over and not self._over:
            self._over = True
            return _event("over", {})
        return b""


async def _listen(receive: Receive, follower: Follower) -> None:
    """Wait until the reader is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.gone = True
    follower.wake.set()


def _start(headers: list[tuple[bytes, bytes]]) -> Message:
    return {"type": "http.response.start", "status": 200, "headers": headers}


def _body(chunk: bytes, more: bool) -> Message:
    return {"type": "http.response.body", "body": chunk, "more_body": more}


def _event(name: str, data: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))
