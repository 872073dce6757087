"""A person's seat: the lines to it and from it, as a bot has them, and the pages that follow it."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Final

import msgspec

from arena.base.refusals import Conflict
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
    Request,
    ToBot,
    decode,
    message_in,
    reply_to,
)
from arena.zole.cards import names
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules

# Every person's answer to `hello`: it wants all the questions there are.
READY: Final = Ready(1, name="person", asks=("surrender", "offer"))

_LONGEST_LINE: Final = 1 << 20

# The fields of each kind of message that watchers get; requests are `told`.
_WATCHED: Final = {
    "hello": ("rules", "players"),
    "told": ("deal", "events"),
    "deal_end": ("deal", "events", "result"),
    "bye": (),
}


class Conversation:
    """The lines to one seat until they are `over`, and its replies, each by the number of its line.

    Times are seconds of any one clock. A match that the arena spoilt is played again: then the
    lines continue with another `hello`.
    """

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.over: bool = False
        self.hello: Hello | None = None
        self.replies: dict[int, AnyReply] = {}
        self.request: AnyRequest | None = None  # the open one
        self._asked: AnyRequest | None = None
        self._since = 0.0
        self._note: str | None = None  # with the next reply

    def hear(self, line: bytes, now: float) -> ToBot:
        """Take the next line, without its newline."""
        said = message_in(line)
        self.lines.append(line)
        match said:
            case Hello():
                self.hello, self.request = said, None
            case Refused():
                self.request = self._asked
            case DealEnd():
                self.request = None
            case Bye():
                self.request, self.over = None, True
            case _:
                self.request = self._asked = said
                self._since, self._note = now, None
        return said

    def left_s(self, now: float) -> float | None:
        """The seconds left for the open request; None if it is not timed."""
        clock_s = None if self._asked is None else self._asked.clock_s
        return None if clock_s is None else max(0.0, clock_s - (now - self._since))

    def hint(self, reply: AnyReply) -> None:
        self._note = f"hint: {answer_text(reply)}"

    def reply(self, body: bytes) -> bytes:
        """The line of an answer. Raises `Malformed`, and `Conflict` if it is to nothing open."""
        said, request = decode(body), self.request
        if isinstance(said, Ready) or request is None or said.id != request.id:
            raise Conflict("this is not asked any more", "the next question comes by itself")
        reply = msgspec.structs.replace(reply_to(request, said), note=self._note)
        self.request = None
        self.replies[len(self.lines)] = reply
        return answer_line(reply).encode() + b"\n"


class Ahead(msgspec.Struct, frozen=True):
    """What happened at the table since a seat was told, and whose turn it is, if a person's.

    `hand` are the seat's cards where the events begin a deal, and it may see them. In the seats
    of those who are `away` a bot plays; it `stood_in` where it gave the seat's own last answer.
    """

    events: tuple[AnyEvent, ...]
    turn: Seat | None
    hand: tuple[str, ...] | None = None
    away: tuple[Seat, ...] = ()
    stood_in: bool = False


def dealt_hand(rules: Rules, deal: Deal, seat: Seat) -> tuple[str, ...] | None:
    """The cards that a seat may see before it is asked; None before a question of blind games."""
    blind = "blind" in rules.auction.contracts
    return None if blind or not deal.hands[seat] else names(deal.hands[seat])


class PersonSeat(Conversation):
    """A person's end of a socket to the referee, which is ready once the first page `came`.

    `followers` are its pages, each an event that is set when there may be news; the newest is last,
    and may answer. `watchers` are pages of others. `absent_s` are the seconds without anybody
    there after which the seat is left; None if it never is. `advised` are the kinds of advice
    that are being worked out.
    """

    def __init__(self, end: socket.socket, absent_s: float | None) -> None:
        super().__init__()
        self.followers: list[asyncio.Event] = []
        self.watchers: list[asyncio.Event] = []
        self.advised = set[str]()
        self.came: bool = False
        self.present_at: float = monotonic()
        self._absent_s = absent_s
        self._greeted: Hello | None = None
        self._end = end
        self._writer: asyncio.StreamWriter | None = None

    @property
    def ahead(self) -> Ahead | None:
        """What the page may show before the seat is told; None where nobody is waited for."""
        return None

    async def listen(self) -> None:
        reader, self._writer = await asyncio.open_unix_connection(
            sock=self._end, limit=_LONGEST_LINE
        )
        with suppress(OSError, ValueError):
            while not self.over and (line := await reader.readline()).endswith(b"\n"):
                self.hear(line[:-1], monotonic())
                self._greet()
                self.wake()
        self.leave()

    @contextmanager
    def page(self, pages: list[asyncio.Event]) -> Iterator[asyncio.Event]:
        """Add a page to the followers or to the watchers for as long as it is there."""
        pages.append(page := asyncio.Event())
        self.came = self.came or pages is self.followers
        self._greet()
        self.wake()
        try:
            yield page
        finally:
            pages.remove(page)
            self.wake()

    def wake(self) -> None:
        for page in (*self.followers, *self.watchers):
            page.set()

    def answer(self, body: bytes) -> None:
        """Give an answer to the referee. Raises as `reply` does."""
        self._write(self.reply(body))

    def leave(self) -> None:
        """Leave the table, which ends the seat as a bot's seat ends with its program."""
        self.over = True
        (self._writer or self._end).close()
        self.wake()

    def look(self, now: float) -> None:
        if self.followers:
            self.present_at = now
        if self._absent_s is None or self.over:
            return
        if now - self.present_at > self._absent_s:
            self.leave()

    def _greet(self) -> None:
        if self.came and self.hello is not self._greeted:
            self._greeted = self.hello
            self._write(answer_line(READY).encode() + b"\n")

    def _write(self, line: bytes) -> None:
        if self._writer is not None and not self.over:
            self._writer.write(line)


def watched(message: ToBot) -> bytes | None:
    """The line for watchers instead of a message to the seat; None if there is none.

    Each is an object of JSON with a `type`: `hello`, `told`, `deal_end`, `bye`. `told` and
    `deal_end` have the deal's number and its `events`, as all seats get them; `deal_end` has
    the `result`, as the protocol has it. So watchers are never ahead of the seat.
    """
    if isinstance(message, Refused) or (isinstance(message, Request) and not message.events):
        return None
    told = msgspec.to_builtins(message)
    for event in told.get("events", ()):
        if event["event"] == "deal":
            del event["seat"]  # each seat gets its own
    kind = told["type"] if told["type"] in _WATCHED else "told"
    return msgspec.json.encode({"type": kind, **{name: told[name] for name in _WATCHED[kind]}})
