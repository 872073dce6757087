"""A person's seat: the lines to it and from it, as a bot has them, and the pages that follow it."""

import asyncio
import socket
from contextlib import suppress
from time import monotonic
from typing import Final

import msgspec

from arena.match.log import answer_line, answer_text
from arena.match.wire import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    Bye,
    DealEnd,
    Hello,
    Ready,
    Refused,
    ToBot,
    decode,
    message_in,
    reply_to,
)

# Every person's answer to `hello`: it wants all the questions there are.
READY: Final = Ready(1, name="person", asks=("surrender", "offer"))

_LONGEST_LINE: Final = 1 << 20


class NotOpen(Exception):
    """An answer to a request that is not open: it was answered already, or given up."""


class FollowedLines:
    """Lines without newlines, until they are `over`, and the pages that follow them.

    A page is an event that is set when there may be news. The newest is last, and may answer.
    """

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.over = False
        self.followers: list[asyncio.Event] = []
        self.present_at = monotonic()  # when a page was last there

    def follow(self) -> asyncio.Event:
        """Add a page."""
        self.followers.append(page := asyncio.Event())
        self.wake()
        return page

    def unfollow(self, page: asyncio.Event) -> None:
        """Remove a page."""
        self.followers.remove(page)
        self.present_at = monotonic()
        self.wake()

    def wake(self) -> None:
        """Wake every page."""
        for page in self.followers:
            page.set()


class Conversation(FollowedLines):
    """The lines to one seat, and its replies, each by the number of the line before it.

    Times are seconds of any one clock. A match that the arena spoilt is played again: then the
    lines go on with another `hello`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.hello: Hello | None = None
        self.replies: dict[int, AnyReply] = {}
        self._asked: AnyRequest | None = None
        self._open = False
        self._since = 0.0
        self._hints: dict[int, str] = {}

    @property
    def request(self) -> AnyRequest | None:
        """The open request, or None."""
        return self._asked if self._open else None

    def hear(self, line: bytes, now: float) -> ToBot:
        """Take the next line, without its newline."""
        said = message_in(line)
        self.lines.append(line)
        match said:
            case Hello():
                self.hello, self._hints, self._open = said, {}, False
            case Refused():
                self._open = self._asked is not None
            case DealEnd():
                self._open = False
            case Bye():
                self._open, self.over = False, True
            case _:
                self._asked, self._open, self._since = said, True, now
        return said

    def left_s(self, now: float) -> float | None:
        """The seconds left for the open request; None if it is not timed."""
        clock_s = None if self._asked is None else self._asked.clock_s
        return None if clock_s is None else max(0.0, clock_s - (now - self._since))

    def hint(self, reply: AnyReply) -> None:
        """Note that a hint was given."""
        self._hints[reply.id] = f"hint: {answer_text(reply)}"

    def reply(self, body: bytes) -> bytes | None:
        """The line that gives an answer; None for a `ready`, which is given for the person.

        Raises `NotOpen`, or `Malformed`.
        """
        said = decode(body)
        if isinstance(said, Ready):
            return None
        request = self.request
        if request is None or said.id != request.id:
            raise NotOpen
        reply = reply_to(request, said)
        if reply.id in self._hints:
            reply = msgspec.structs.replace(reply, note=self._hints[reply.id])
        self._open = False
        self.replies[len(self.lines)] = reply
        return answer_line(reply).encode() + b"\n"


class PersonSeat(Conversation):
    """A person's end of a socket to the referee, which is ready once the first page `came`.

    `absent_s` are the seconds without anybody there after which the seat is left, if it is timed;
    `busy` is the number of requests under way, and `advised` says that one of them wants advice.
    """

    def __init__(self, end: socket.socket, absent_s: float) -> None:
        super().__init__()
        self.busy = 0
        self.advised = self.came = False
        self._absent_s = absent_s
        self._greeted: Hello | None = None
        self._end = end
        self._writer: asyncio.StreamWriter | None = None

    async def listen(self) -> None:
        """Take the referee's lines until they end."""
        reader, self._writer = await asyncio.open_unix_connection(
            sock=self._end, limit=_LONGEST_LINE
        )
        with suppress(OSError, ValueError):
            while not self.over and (line := await reader.readline()).endswith(b"\n"):
                self.hear(line[:-1], monotonic())
                self.wake()
        self.leave()

    def hear(self, line: bytes, now: float) -> ToBot:
        """Take the next line of the referee, without its newline."""
        said = super().hear(line, now)
        self._greet()
        return said

    def follow(self) -> asyncio.Event:
        """Add a page, which may answer from now on."""
        page = super().follow()
        self.came = True
        self._greet()
        return page

    def answer(self, body: bytes) -> None:
        """Give an answer to the referee. Raises as `reply` does."""
        self._write(self.reply(body) or b"")

    def leave(self) -> None:
        """Leave the table, which ends the seat as a bot's seat ends with its program."""
        self.over = True
        (self._writer or self._end).close()
        self.wake()

    def look(self, now: float) -> None:
        """Leave if nobody has been there for too long."""
        if self.followers or self.busy:
            self.present_at = now
        timed = self.hello is None or self.hello.limits.move_s is not None
        if not self.over and timed and now - self.present_at > self._absent_s:
            self.leave()

    def _greet(self) -> None:
        if self.came and self.hello is not self._greeted:
            self._greeted = self.hello
            self._write(answer_line(READY).encode() + b"\n")

    def _write(self, line: bytes) -> None:
        if self._writer is not None and not self.over:
            self._writer.write(line)


def watched(said: ToBot) -> bytes | None:
    """The line for watchers in place of a message to the seat; None if there is none.

    Each is an object of JSON with a `type`: `hello`, `told`, `deal_end`, `bye`. `told` and
    `deal_end` have the deal's number and its `events`, as all seats are told them; `deal_end` has
    the `result`, as the protocol has it. So watchers are never ahead of the seat.
    """
    match said:
        case Hello(rules=rules, players=players):
            return _watched("hello", rules=rules, players=players)
        case DealEnd(deal=deal, events=events, result=result):
            return _watched("deal_end", deal=deal, events=_told(events), result=result)
        case Bye():
            return _watched("bye")
        case Refused():
            return None
    return _watched("told", deal=said.deal, events=_told(said.events)) if said.events else None


def _watched(kind: str, **more: object) -> bytes:
    return msgspec.json.encode({"type": kind, **more})


# Events as all seats are told them: a new deal tells the seat of its reader.
def _told(events: tuple[AnyEvent, ...]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = msgspec.to_builtins(events)
    for each in found:
        if each["event"] == "deal":
            del each["seat"]
    return found
