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
from threading import Thread
from time import monotonic
from typing import Final, Literal

import msgspec
from rich.text import Text

from arena.base.words import deal_number, duration
from arena.match.log import YES_NO, answer_from, answer_line, answer_text
from arena.match.wire import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    AskBid,
    AskBlind,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    AskTalon,
    BidMade,
    BlindSaid,
    Bye,
    ContractMade,
    DealEnd,
    Dealt,
    Hello,
    Refused,
    Request,
    Result,
    SurrenderReply,
    TalonChosen,
    TrickTaken,
)
from arena.people.advice import NoAdvice, hint
from arena.people.outcome import outcome
from arena.people.seat import READY, Conversation
from arena.reports.language import SIGNS, Language, Phrase, Value
from arena.reports.terminal import console, in_colours
from arena.zole.cards import INDEX, TRUMPS
from arena.zole.deal import Seat

_END_S: Final = 3.0

_PLACES: Final = ("forehand", "middlehand", "rearhand")

_QUESTIONS: Final[dict[type[AnyRequest], str]] = {
    AskBlind: "ask-blind",
    AskBid: "your-turn-to-bid",
    AskTalon: "ask-talon",
    AskDiscard: "ask-discard",
    AskPlay: "ask-lead",
}
_ANSWERS: Final[dict[type[AnyRequest], str]] = {
    AskBlind: "answer-blind",
    AskBid: "answer-bid",
    AskTalon: "answer-talon",
    AskPlay: "answer-offer",
}

# What stands for a card's suit, and between the parts of an answer, when typed.
_TYPED: Final = str.maketrans({sign: suit for suit, sign in SIGNS.items()} | {",": " ", ".": " "})


class TerminalSeat:
    """A person's seat in this terminal, in its own thread, over an end of a socketpair.

    The person leaves by a letter, or by the end of the input. Lines typed ahead answer the
    questions that follow. Cards are written as `10♦` if they can be drawn, and in words with
    `plain` and everywhere else. `names` are the players', by seat.
    """

    def __init__(self, end: socket.socket, tag: str, plain: bool, names: Sequence[str]) -> None:
        self._end = end
        out = console()
        self._drawn = out.is_terminal and not out.is_dumb_terminal and sys.stdin.isatty()
        self._drawn = self._drawn and not plain
        self._language = Language(tag, short_cards=self._drawn)
        self._narrator = Narrator(self._language, self._send, names)
        self._thread = Thread(target=self._play, daemon=True)
        self._thread.start()

    def wait(self, longest_s: float | None = None) -> None:
        self._thread.join(longest_s)

    def close(self) -> None:
        """Leave the table, if it was not left."""
        with suppress(OSError):
            self._end.shutdown(socket.SHUT_RDWR)
        self.wait(_END_S)

    def _play(self) -> None:
        narrator, keys = self._narrator, deque[bytes | None]()
        with self._end:
            for fd, line in _lines(self._end.fileno(), sys.stdin.fileno()):
                if fd != self._end.fileno():
                    keys.append(line)
                elif line is None:
                    break
                else:
                    self._say(narrator.hear(line))
                while narrator.asked is not None and keys and not narrator.left:
                    typed = keys.popleft()
                    self._say(
                        narrator.enter("" if typed is None else typed.decode(errors="replace"))
                    )
                    narrator.left = narrator.left or typed is None
                if narrator.over or narrator.left:
                    break
        if not narrator.over:
            self._say([self._language.say("you-have-left")])

    def _send(self, line: bytes) -> None:
        with suppress(OSError):  # then its end is read next
            self._end.sendall(line)

    def _say(self, sentences: Iterable[str]) -> None:
        for line in sentences:
            shown = in_colours(line) if self._drawn else Text(line)
            console().print(shown, soft_wrap=not self._drawn)


# The lines of some descriptors as they come, without newlines; None at the end of each.
def _lines(*ends: int) -> Iterator[tuple[int, bytes | None]]:
    rest = dict.fromkeys(ends, b"")
    while rest:
        for end in select.select([*rest], [], [])[0]:
            try:
                data = os.read(end, 1 << 16)
            except OSError:
                data = b""
            *lines, rest[end] = (rest[end] + data).split(b"\n")
            yield from ((end, line) for line in lines)
            if not data:
                del rest[end]
                yield end, None


class Narrator:
    """A match described in sentences of a language, which `send`s what the person answers.

    It is `over` at the end of the match; the person may have `left` before.
    """

    def __init__(
        self, language: Language, send: Callable[[bytes], object], names: Sequence[str]
    ) -> None:
        self.over: bool = False
        self.left: bool = False
        self._language, self._say = language, language.say
        self._send, self._names = send, names
        self._talk = Conversation()
        self._dealt: Dealt | None = None
        self._events: list[AnyEvent] = []  # of the deal
        self._leaving = self._concedes = False

    @property
    def asked(self) -> AnyRequest | None:
        return self._talk.request

    def hear(self, line: bytes) -> Iterator[str]:
        """Take a line from the arena; yield its sentences."""
        message = self._talk.hear(line, monotonic())
        self._leaving = False
        if isinstance(message, Request | DealEnd):
            for event in message.events:
                if isinstance(event, Dealt):
                    self._dealt, self._events = event, []
                self._events.append(event)
                yield self._event(event)
        match message:
            case Hello(limits=limits):
                self._send(answer_line(READY).encode() + b"\n")
                yield self._say("zole-for", players=message.players, names=", ".join(self._names))
                yield self._say("how-to-answer")
                if limits.move_s is not None:
                    yield self._say("time-for-answer", time=duration(limits.move_s))
            case AskSurrender(id=number):
                self._answer(SurrenderReply(id=number, surrender=self._concedes))
            case Request():
                yield from self._question(message)
            case Refused(fault=fault, detail=detail):
                yield self._say("refused", why=f"{fault}, {detail}")
            case DealEnd(result=result):
                self._concedes = False
                yield from self._result(result)
            case Bye(reason=reason):
                self.over = True
                over = "disqualified" if reason == "disqualified" else "match-over-plain"
                yield self._say(over)

    def enter(self, text: str) -> Iterator[str]:
        """Take a typed line while a question is open; yield the sentences that follow."""
        asked, word = self.asked, text.strip().lower()
        assert asked is not None
        leaving, self._leaving = self._leaving, word == "q"
        if word == "q":
            self.left = leaving
            if not leaving:
                yield " ".join(map(self._say, ("leave-title", "leave-person", "leave-again")))
        elif word == "h":
            yield self._hint(asked)
        elif word == "?":
            yield from self._standing()
            yield from self._question(asked)
        elif word == "c" and self._declares():
            self._concedes = True
            yield self._say("will-concede")
        elif (reply := typed(asked, text)) is not None:
            self._answer(reply)
        else:
            wanted = "cards" if isinstance(asked, AskDiscard) else "answer"
            yield self._say("no-such-answer", wanted=wanted)

    def _declares(self) -> bool:
        made = (each for each in self._events if isinstance(each, ContractMade))
        return any(self._dealt and each.declarer == self._dealt.seat for each in made)

    def _answer(self, reply: AnyReply) -> None:
        self._send(self._talk.reply(msgspec.json.encode(reply)))

    def _hint(self, asked: AnyRequest) -> str:
        try:
            advised, reasons = hint(self._talk.lines)
        except NoAdvice as error:
            return f"{self._say('no-hint')} {error}"
        self._talk.hint(advised)
        answer = self._answer_words(asked, answer_text(advised))
        why = (reason_words(self._language, each) for each in reasons)
        return " ".join((self._say("hint-is", answer=answer), *why))

    # --- sentences ---

    # Who does something, as the catalogues want to know it.
    def _who(self, player: Seat | Literal["talon"]) -> dict[str, Value]:
        if player == "talon":
            return {"who": "talon", "name": ""}
        assert self._dealt is not None
        you = player == self._dealt.seat
        return {"who": "you" if you else "other", "name": self._names[player]}

    # Stakes of all seats, the person's own first.
    def _stakes(self, paid: Iterable[int]) -> str:
        each = [(self._who(seat), amount) for seat, amount in enumerate(paid)]
        each.sort(key=lambda one: one[0]["who"] != "you")
        said = (self._say("stakes-of", **who, amount=f"{amount:+d}") for who, amount in each)
        return ", ".join(said)

    def _deal(self, dealt: Dealt) -> Iterator[str]:
        yield self._say("deal-begins", deal=deal_number(dealt.deal))
        yield self._say("dealing", **self._who(dealt.dealer))
        if dealt.seat in dealt.active:
            place = _PLACES[dealt.active.index(dealt.seat)]
            yield self._say("your-place", place=place, seat=dealt.seat)
        else:
            yield self._say("you-sit-out")
        pools = [self._say("pools-collective", count=dealt.pools.collective)]
        for seat in sorted({*dealt.pools.personal}):
            count = dealt.pools.personal.count(seat)
            pools.append(self._say("pools-of", **self._who(seat), count=count))
        if pools := pools[not dealt.pools.collective :]:
            yield self._say("in-the-pools", pools=", ".join(pools))

    # The message of an event has its name, and its fields as values, with `who` for the seat.
    def _event(self, event: AnyEvent) -> str:
        if isinstance(event, Dealt):
            return " ".join(self._deal(event))
        told = msgspec.to_builtins(event)
        player = told.pop(next(key for key in ("declarer", "winner", "seat") if key in told))
        who = {"who": "nobody", "name": ""} if player is None else self._who(player)
        values = {key: YES_NO[it] if isinstance(it, bool) else it for key, it in told.items()}
        named = {"game": "contract", "count": "points", "trick": "number"}  # as table.ftl has it
        values |= {name: told[key] for name, key in named.items() if key in told}
        return self._say(f"event-{told['event']}", **who, **values)

    # The result of a deal, then hands as dealt, the talon and the discards, each in a line.
    def _result(self, result: Result) -> Iterator[str]:
        assert self._dealt is not None
        assert self._talk.hello is not None
        ended = outcome(self._talk.hello.rules, result, self._who)
        yield " ".join((self._say("deal-is-over"), *map(self._language.said, ended)))
        if result.fault:
            failed = self._who(result.fault.seat)
            yield self._say("result-fault", **failed, fault=result.fault.fault)
        yield self._say("paid", seats=self._stakes(result.payments))
        totals = map(sum, zip(self._dealt.totals, result.payments, strict=True))
        yield self._say("so-far", seats=self._stakes(totals))
        shown = [(self._who(seat), hand) for seat, hand in enumerate(result.hands)]
        shown += [({"who": "talon"}, result.talon), ({"who": "aside"}, result.discards)]
        for whose, cards in shown:
            if cards:
                yield self._say("cards-of", **whose, cards=self._language.cards(cards))

    # The auction, the last trick and the current one, points and stakes.
    def _standing(self) -> Iterator[str]:
        assert self._dealt is not None
        tricks = [n for n, event in enumerate(self._events, 1) if isinstance(event, TrickTaken)]
        since = tricks[-2] if len(tricks) > 1 else 0
        auction = BlindSaid | BidMade | TalonChosen | ContractMade
        for number, event in enumerate(self._events):
            if number >= since or isinstance(event, auction):
                yield self._event(event)
        made = next((each for each in self._events if isinstance(each, ContractMade)), None)
        if made is not None and made.declarer is not None and made.contract != "small_solo":
            taken = [each for each in self._events if isinstance(each, TrickTaken)]
            own = sum(each.points for each in taken if each.winner == made.declarer)
            theirs = sum(each.points for each in taken) - own
            more = YES_NO[made.contract == "ordinary"]
            who = self._who(made.declarer)
            yield self._say("points-so-far", **who, count=own, more=more, theirs=theirs)
        yield self._say("so-far", seats=self._stakes(self._dealt.totals))

    # A question, and its answers by number.
    def _question(self, request: AnyRequest) -> Iterator[str]:
        if not isinstance(request, AskBlind) and not {*request.hand} <= {*choices(request)}:
            yield self._say("your-hand", cards=self._language.cards(request.hand))
        if isinstance(request, AskPlay) and request.trick:
            first = request.trick[0]
            trump = YES_NO[bool(TRUMPS >> INDEX[first.card] & 1)]
            yield self._say("ask-card", **self._who(first.seat), card=first.card, trump=trump)
        elif isinstance(request, AskOffer):
            yield self._say("ask-offer", **self._who(request.from_))
        else:
            yield self._say(_QUESTIONS[type(request)])
        taken = request.talon if isinstance(request, AskDiscard) else ()
        for number, answer in enumerate(choices(request), 1):
            line = "numbered-from-talon" if answer in taken else "numbered"
            yield self._say(line, number=number, answer=self._answer_words(request, answer))

    def _answer_words(self, request: AnyRequest, answer: str) -> str:
        cards = answer.split(".")
        if cards[0] in INDEX:
            return self._language.cards(cards)
        if isinstance(request, AskOffer):
            return self._say("answer-accept" if answer == "yes" else "answer-play-on")
        words = self._say(_ANSWERS[type(request)], blind=answer, bid=answer, choice=answer)
        if not isinstance(request, AskBid) or answer in ("pass", "blind"):
            return words
        assert self._talk.hello is not None
        later = YES_NO[self._talk.hello.rules.auction.talon_decision == "after_bid"]
        return f"{words}: {self._say('answer-bid-more', bid=answer, next=later)}"


def reason_words(language: Language, reason: Phrase) -> str:
    """A reason for a hint in a sentence; values that are not whole numbers are stakes."""
    values = {name: _told(language, name, value) for name, value in reason.values.items()}
    return language.say(reason.message, **values)


# A value of a reason: several cards, a word, a count, or stakes.
def _told(language: Language, name: str, value: object) -> str | int:
    match name, value:
        case "cards", str():
            return language.cards(value.split("."))
        case _, str() | int():
            return value
    return f"{value:{'' if name == 'ahead' else '+'}.1f}".replace(".", language.point)


def choices(request: AnyRequest) -> tuple[str, ...]:
    """What may be chosen, by the words of logs; for a discard, two of ten cards."""
    match request:
        case AskBid() | AskTalon():
            return request.legal
        case AskPlay():
            return (*request.legal, *(["offer"] if request.may_offer else []))
        case AskDiscard():
            return request.hand
    return "no", "yes"


def typed(request: AnyRequest, text: str) -> AnyReply | None:
    """The reply that was typed, by numbers, or cards as `qc` or `10d`; None if it is none."""
    meant: dict[str, str] = {}
    for number, choice in enumerate(choices(request), 1):
        meant |= {str(number): choice, choice.replace("T", "10"): choice, choice: choice}
    chosen = [meant.get(word, "") for word in text.upper().translate(_TYPED).split()]
    wanted = 2 if isinstance(request, AskDiscard) else 1
    if not all(chosen) or not len({*chosen}) == len(chosen) == wanted:
        return None
    return answer_from(".".join(chosen), request)
