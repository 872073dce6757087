"""The news of a person in a terminal, as one stream: lines, typed ones too, hints, signals."""

import codecs
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final, Protocol

import msgspec
import trio

from arena.match.wire import FromBot
from arena.people.advice import NoAdvice
from arena.people.suggestion import Suggestion

_STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class OwnSeat(Protocol):
    """A person's seat, as the terminal sees it."""

    async def receive(self) -> bytes | None:
        """The next line from the arena; None after the last."""

    async def send(self, line: bytes) -> None:
        """Answer with a line."""

    async def hint(self) -> Suggestion | NoAdvice:
        """Another player's answer to the open request, or why there is none."""


class Typed(msgspec.Struct, frozen=True):
    """A line was typed; None if no more can come."""

    text: str | None


class LineCame(msgspec.Struct, frozen=True):
    """A line came from the arena; None if no more can come."""

    line: bytes | None


class Hint(msgspec.Struct, frozen=True):
    """A hint came, or why there is none."""

    suggestion: Suggestion | NoAdvice


class Stopped(msgspec.Struct, frozen=True):
    """The system or Ctrl-C ends the program."""


FaceNews = Typed | LineCame | Hint | Stopped


class NewsStream:
    """The news of one match, in the order in which they came, and the way back."""

    def __init__(self, conversation: OwnSeat, nursery: trio.Nursery) -> None:
        self._conversation = conversation
        self._nursery = nursery
        self._put, self._news = trio.open_memory_channel[FaceNews](64)

    async def next(self) -> FaceNews:
        """The next piece of news."""
        return await self._news.receive()

    async def send(self, answer: FromBot) -> None:
        """Send an answer to the arena; one that the arena no longer reads is lost."""
        with suppress(trio.BrokenResourceError):  # then the end of the lines is among the news
            await self._conversation.send(msgspec.json.encode(answer) + b"\n")

    def ask_for_hint(self) -> None:
        """Let a hint be among the news, once there is one."""
        self._nursery.start_soon(self._hint)

    async def _hint(self) -> None:
        await self._put.send(Hint(await self._conversation.hint()))

    async def lines(self) -> None:
        """Put the arena's lines among the news."""
        line: bytes | None = b""
        while line is not None:
            line = await self._conversation.receive()
            await self._put.send(LineCame(line))

    async def typing(self) -> None:
        """Put typed lines among the news, to the input's end or until the terminal is gone.

        In a terminal the first Ctrl-D is a wish to leave, as if `q` had been typed.
        """
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        begun, ended = "", False
        while (read := await _input()) or (sys.stdin.isatty() and not ended):
            ended = not read
            if ended:
                await self._put.send(Typed("q"))
            *lines, begun = (begun + decoder.decode(read)).split("\n")
            for line in lines:
                await self._put.send(Typed(line))
        if begun:
            await self._put.send(Typed(begun))
        await self._put.send(Typed(None))

    async def signals(self, signals: AsyncIterator[int]) -> None:
        """Put the system's signals among the news."""
        async for _ in signals:
            await self._put.send(Stopped())


@asynccontextmanager
async def news(conversation: OwnSeat) -> AsyncIterator[NewsStream]:
    """The news for a person; nothing more is read once the context ends."""
    with trio.open_signal_receiver(*_STOPPING) as signals:
        async with trio.open_nursery() as nursery:
            stream = NewsStream(conversation, nursery)
            nursery.start_soon(stream.lines)
            nursery.start_soon(stream.typing)
            nursery.start_soon(stream.signals, signals)
            yield stream
            nursery.cancel_scope.cancel()


async def _input() -> bytes:
    """The next bytes on standard input; empty at its end."""
    fd = sys.stdin.fileno()
    try:
        await trio.lowlevel.wait_readable(fd)
    except PermissionError:  # a file, which is always readable
        await trio.lowlevel.checkpoint()
    try:
        return os.read(fd, 1024)
    except OSError:
        return b""
