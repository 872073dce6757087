"""Server-sent events to one reader, who is cut off if it does not read."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from starlette.types import Message, Receive, Scope, Send

SEND_S: Final = 5.0
"""Seconds that a reader may take to receive a piece before it is cut off."""

QUIET_S: Final = 15.0
"""Seconds without an event after which a comment is sent."""

EVENTS: Final = "text/event-stream; charset=utf-8"
"""The content type of the answer."""


class Follower:
    """A reader of events; its `wake` is set when there may be something to send."""

    def __init__(self) -> None:
        self.wake = asyncio.Event()
        self.gone = False


class EventStream(ABC):
    """The answer to a request for events."""

    def __init__(self, headers: Mapping[str, str], stopping: Callable[[], bool]) -> None:
        self._stopping = stopping
        given = {**headers, "Content-Type": EVENTS}
        self._headers = [(name.encode(), value.encode()) for name, value in given.items()]

    @abstractmethod
    def follow(self) -> Follower:
        """Begin to follow."""

    @abstractmethod
    def unfollow(self, follower: Follower) -> None:
        """Forget a follower whose reader is gone."""

    @abstractmethod
    def next(self, follower: Follower) -> bytes:
        """The bytes to be sent now; empty if all is sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        follower = self.follow()
        listener = asyncio.create_task(_listen(receive, follower))
        try:
            async with asyncio.timeout(SEND_S):
                await send(_start(self._headers))
            while not (follower.gone or self._stopping()):
                follower.wake.clear()
                while (chunk := self.next(follower)) and not follower.gone:
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
            self.unfollow(follower)


def event(name: str, data: object) -> bytes:
    """An event without a number."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


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
