"""The lines of a person's seat, to it and from it: a bot's lines and nothing else."""

import msgspec

from arena.match.log import answer_line, answer_text
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    Bye,
    Hello,
    Ready,
    Refused,
    ToBot,
    decode,
    message_in,
    reply_to,
)

READY = Ready(1, name="person", asks=("surrender", "offer"))
"""Every person's answer to `hello`: it wants all the questions there are."""


class NotOpen(Exception):
    """An answer to a request that is not open: it was answered already, or given up."""


class Conversation:
    """The lines of one seat. Times are seconds of any one clock.

    A match that the arena spoilt is played again: then the lines go on with another `hello`.
    """

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        """All lines to the seat, without newlines."""
        self.hello: Hello | None = None
        """The last `hello`, which began the match under way."""
        self.replies: dict[int, AnyReply] = {}
        """The answers, each by the number of the line after which it was given."""
        self.over = False
        """Whether no more lines will come."""
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
                self.hello = said
                self._hints = {}
                self._open = False
            case Refused():
                self._open = self._asked is not None
            case _ if isinstance(said, AnyRequest):
                self._asked, self._open, self._since = said, True, now
            case _:
                self._open = False
                self.over = isinstance(said, Bye)
        return said

    def resume(self, is_open: bool, asked: float) -> None:
        """Take up lines heard elsewhere; `is_open` says whether the last request is still open.

        `asked` is the time at which it was asked.
        """
        self._open = is_open and self._asked is not None
        self._since = asked

    def left_s(self, now: float) -> float | None:
        """The seconds left for the open request; None if it is not timed."""
        clock_s = None if self._asked is None else self._asked.clock_s
        return None if clock_s is None else max(0.0, clock_s - (now - self._since))

    def hint(self, reply: AnyReply) -> None:
        """Note that a hint was given."""
        self._hints[reply.id] = f"hint: {answer_text(reply)}"

    def answer(self, body: bytes) -> bytes | None:
        """The line that gives an answer to the seat; None for a `ready`, which is given for it.

        Raises `NotOpen`, or `Malformed`.
        """
        said = decode(body)
        if isinstance(said, Ready):
            return None
        request = self.request
        if request is None or said.id != request.id:
            raise NotOpen
        reply = reply_to(request, said)
        note = self._hints.get(reply.id)
        if note is not None:
            reply = msgspec.structs.replace(reply, note=note)
        self._open = False
        self.replies[len(self.lines)] = reply
        return answer_line(reply).encode() + b"\n"
