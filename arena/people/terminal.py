"""A person plays in the terminal, line by line: sentences come out, answers are typed.

Nothing is drawn and nothing moves: each event is a sentence, each question a numbered list.
"""

import os
import select
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from threading import Thread
from time import monotonic
from typing import Final

import msgspec
from rich.text import Text

from arena.base.words import duration
from arena.match.log import answer_line, answer_text
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskDiscard,
    AskPlay,
    AskSurrender,
    Bye,
    DealEnd,
    DiscardReply,
    Hello,
    Refused,
    Request,
    SurrenderReply,
)
from arena.people.advice import NoAdvice, hint
from arena.people.seat import READY, Conversation
from arena.people.terminal_words import (
    Heard,
    answer_words,
    card_names,
    event_words,
    happened,
    is_answer,
    is_key,
    plainly,
    question_words,
    reason_words,
    result_words,
    stakes_words,
    standing_words,
    typed,
)
from arena.reports.language import Language
from arena.reports.terminal import console, in_colours

# What is understood in every language.
_LEAVE: Final = ("q", "quit", "leave")
_HINT: Final = ("h", "hint")
_STANDING: Final = ("?", "help")

_END_S: Final = 3.0


class TerminalSeat:
    """A person's seat in this terminal, in a thread of its own."""

    def __init__(self, end: socket.socket, tag: str, plain: bool, names: Sequence[str]) -> None:
        self._end = end
        given = (end, tag, plain, names)
        self._thread = Thread(target=play_in_terminal, args=given, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Leave the table."""
        with suppress(OSError):  # it was left already
            self._end.shutdown(socket.SHUT_RDWR)

    def wait(self, longest_s: float | None = None) -> None:
        """Wait until the terminal is free again."""
        self._thread.join(longest_s)

    def close(self) -> None:
        """End it in any case."""
        self.end()
        self.wait(_END_S)


def play_in_terminal(
    end: socket.socket, tag: str, plain: bool = False, names: Sequence[str] = ()
) -> None:
    """Play a match over an end of a socketpair on standard input and output, in a language.

    The person leaves by a word, or by the end of the input. Lines typed ahead answer the questions
    that follow. Cards are written as `10♦` if they can be drawn, and in words with `plain` and
    everywhere else. `names`, by seat, are told at the beginning.
    """
    out = console()
    drawn = not plain and out.is_terminal and not out.is_dumb_terminal and sys.stdin.isatty()
    language = Language(tag, short_cards=drawn)
    told = Teller(language, partial(_send, end), names)
    lines, keys, leaving = _Reader(end.fileno()), _Reader(sys.stdin.fileno()), False

    def say(sentences: Iterable[str]) -> None:
        for line in sentences:
            out.print(in_colours(line) if drawn else Text(line), soft_wrap=not drawn)

    with end:
        while not (told.over or told.left or lines.ended):
            if told.asked is not None and keys.lines:
                say(told.enter(keys.lines.popleft().decode(errors="replace")))
            elif told.asked is not None and keys.ended:
                told.left = True
            elif lines.lines:
                say(told.hear(lines.lines.popleft()))
            else:
                ready, _, _ = select.select([lines] if keys.ended else [lines, keys], [], [])
                for reader in ready:
                    reader.read()
                if keys.ended and sys.stdin.isatty() and not leaving:  # by Ctrl-D
                    keys.ended, leaving = False, True
                    keys.lines.append(b"q")
        if not told.over:
            say([language.say("you-have-left")])


class Teller:
    """A match told in sentences of a language, which `send`s what the person answers.

    It is `over` at the end of the match; the person may have `left` before.
    """

    def __init__(
        self, language: Language, send: Callable[[bytes], object], names: Sequence[str] = ()
    ) -> None:
        self.heard: Heard | None = None
        self.over = self.left = False
        self._language, self._say = language, language.say
        self._send, self._names = send, names
        self._talk = Conversation()
        self._leaving = self._concedes = False

    @property
    def asked(self) -> AnyRequest | None:
        """The open question."""
        return self._talk.request

    def hear(self, line: bytes) -> Iterator[str]:
        """Take a line from the arena; yield its sentences."""
        message = self._talk.hear(line, monotonic())
        self._leaving = False
        if isinstance(message, Hello):
            self.heard = Heard(message.rules, (0,) * message.players)
            self._send(answer_line(READY).encode() + b"\n")
            yield from self._begin(message)
            return
        assert self.heard is not None
        if isinstance(message, Request | DealEnd):
            for event in message.events:
                self.heard = happened(self.heard, event)
                yield event_words(self._language, self.heard, event)
        match message:
            case AskSurrender(id=number):
                concedes, self._concedes = self._concedes, False
                self._answer(SurrenderReply(id=number, surrender=concedes))
            case Request():
                yield from question_words(self._language, self.heard, message)
            case Refused(fault=fault, detail=detail):
                yield self._say("refused", why=f"{fault}, {detail}")
            case DealEnd(result=result):
                self._concedes = False
                yield from result_words(self._language, self.heard, result)
                totals = map(sum, zip(self.heard.totals, result.payments, strict=True))
                paid = stakes_words(self._language, self.heard, totals)
                yield self._say("so-far", seats=paid)
            case Bye(reason=reason):
                self.over = True
                over = "disqualified" if reason == "disqualified" else "match-over-plain"
                yield self._say(over)

    def enter(self, text: str) -> Iterator[str]:
        """Take a typed line while a question is open; yield the sentences that follow."""
        assert self.asked is not None
        assert self.heard is not None
        word = plainly(text)
        if self._leaving:
            self._leaving = False
            self.left = is_answer(self._language, word, "yes")
            if not self.left:
                yield self._say("you-stay")
        elif word in (*_LEAVE, plainly(self._say("leave"))):
            self._leaving = True
            yield " ".join(map(self._say, ("leave-title", "leave-person", "yes-or-no")))
        elif word in (*_HINT, plainly(self._say("hint"))):
            yield self._hint(self.heard, self.asked)
        elif word in _STANDING:
            yield from standing_words(self._language, self.heard, self.asked)
            yield from question_words(self._language, self.heard, self.asked)
        elif self._may_concede(self.heard) and is_key(self._language, word, "concede"):
            self._concedes = not self._concedes
            yield self._say("will-concede" if self._concedes else "will-play-on")
        else:
            reply = typed(self._language, self.heard.rules, self.asked, text)
            if reply is None:
                yield self._refusal(self.asked, word)
                return
            if isinstance(reply, DiscardReply):
                self.heard = msgspec.structs.replace(self.heard, aside=reply.cards)
            self._answer(reply)

    def _begin(self, hello: Hello) -> Iterator[str]:
        yield f"{self._say('zole-for', players=hello.players)} {self._say('how-to-answer')}"
        if hello.limits.move_s is not None:
            yield self._say("time-for-answer", time=duration(hello.limits.move_s))
        if self._names:
            seats = enumerate(self._names)
            said = (f"{self._say('seat-name', seat=seat)}: {name}" for seat, name in seats)
            yield f"{', '.join(said)}."

    def _answer(self, reply: AnyReply) -> None:
        self._send(self._talk.reply(msgspec.json.encode(reply)) or b"")

    def _hint(self, heard: Heard, asked: AnyRequest) -> str:
        try:
            found = hint(self._talk.lines)
        except NoAdvice as error:
            return f"{self._say('no-hint')} {error}"
        self._talk.hint(found.answer)
        answer = answer_words(self._language, heard.rules, asked, answer_text(found.answer))
        why = (reason_words(self._language, each) for each in found.why)
        return " ".join((self._say("hint-is", answer=answer), *why))

    # Whether the rules still let the person concede as the declarer, before a lead.
    def _may_concede(self, heard: Heard) -> bool:
        allowed = heard.rules.surrender.declarer != "off"
        return allowed and heard.seat == heard.declarer is not None and len(heard.taken) < 2

    # Why a typed line is no answer.
    def _refusal(self, asked: AnyRequest, word: str) -> str:
        if isinstance(asked, AskPlay) and asked.trick:
            barred = [card for card in card_names(word) if card in asked.hand]
            if barred:
                return self._say("must-follow", card=barred[0], led=asked.trick[0].card)
        wanted = "cards" if isinstance(asked, AskDiscard) else "answer"
        return self._say("no-such-answer", wanted=wanted)


def _send(end: socket.socket, line: bytes) -> None:
    with suppress(OSError):  # then its end is read next
        end.sendall(line)


# Complete lines from a descriptor, until it has `ended`.
class _Reader:
    def __init__(self, fd: int) -> None:
        self.lines: deque[bytes] = deque()
        self.ended = False
        self._fd, self._rest = fd, b""

    def fileno(self) -> int:
        """The descriptor, for `select`."""
        return self._fd

    def read(self) -> None:
        """Read what there is."""
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:
            data = b""
        self.ended = not data
        *lines, self._rest = (self._rest + (data or b"\n" * bool(self._rest))).split(b"\n")
        self.lines += lines
