"""The dialogue with a person who plays line by line: lines go in, sentences come out.

Nothing is drawn and nothing moves: each event is a sentence, each question a numbered list.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from arena.base.words import duration
from arena.match.log import answer_text
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBlind,
    AskDiscard,
    AskPlay,
    AskSurrender,
    Bye,
    DealEnd,
    DiscardReply,
    Hello,
    Ready,
    Refused,
    Request,
    SurrenderReply,
    message_in,
)
from arena.people.advice import NoAdvice
from arena.people.conversation import READY
from arena.people.heard import Heard, begun, ended, happened, laid_aside
from arena.people.suggestion import Suggestion
from arena.people.terminal_choices import (
    answer_keys,
    card_names,
    choices,
    is_answer,
    is_key,
    plainly,
    reason_words,
    reply_words,
    typed,
)
from arena.people.terminal_words import (
    card_words,
    doer,
    event_words,
    hands_words,
    points_words,
    request_words,
    result_words,
    totals_words,
    trick_words,
)
from arena.reports.language import Language
from arena.zole.cards import NAMES

_LEAVE: Final = ("q", "quit", "leave")
_HINT: Final = ("h", "hint")
_STANDING: Final = ("?", "help")
"""What is understood in every language."""

Act = AnyReply | Literal["hint", "leave"]
"""The meaning of a typed line: an answer to send, a wish for a hint, or to leave."""


class Teller:
    """A match told in sentences of a language.

    `due` is an answer that the person is not asked for: the greeting, and whether to concede, which
    a word says before.
    """

    def __init__(self, language: Language, names: Sequence[str] = ()) -> None:
        self._language = language
        self._names = names
        self._say = language.say
        self.heard: Heard | None = None
        self.asked: AnyRequest | None = None
        self.due: Ready | SurrenderReply | None = None
        self.over = False
        self._last: AnyRequest | None = None
        self._leaving = False
        self._concedes = False

    def hear(self, line: bytes) -> Iterator[str]:
        """The sentences for a line from the arena."""
        message = message_in(line)
        if isinstance(message, Hello):
            self.heard, self.due = begun(message), READY
            yield f"{self._say('zole-for', players=message.players)} {self._say('how-to-answer')}"
            if message.limits.move_s is not None:
                yield self._say("time-for-answer", time=duration(message.limits.move_s))
            if self._names:
                seats = enumerate(self._names)
                said = (f"{self._say('seat-name', seat=seat)}: {name}" for seat, name in seats)
                yield f"{', '.join(said)}."
            return
        self.asked, self._leaving = None, False
        assert self.heard is not None
        if isinstance(message, Request | DealEnd):
            for event in message.events:
                self.heard = happened(self.heard, event)
                yield event_words(self._language, self.heard, event)
        match message:
            case AskSurrender(id=number):
                self.due = SurrenderReply(id=number, surrender=self._concedes)
                self._concedes = False
            case Request():
                self.asked = self._last = message
                yield from self._question(self.heard, message)
            case Refused(fault=fault, detail=detail):
                self.asked = self._last
                yield self._say("refused", why=f"{fault}, {detail}")
            case DealEnd(result=result):
                self._concedes = False
                self.heard = ended(self.heard, message)
                yield from result_words(self._language, self.heard, result)
                yield from hands_words(self._language, self.heard, result)
                yield totals_words(self._language, self.heard)
            case Bye(reason=reason):
                self.over = True
                over = "disqualified" if reason == "disqualified" else "match-over-plain"
                yield self._say(over)

    def enter(self, text: str) -> tuple[list[str], Act | None]:
        """The sentences after a typed line while a question is open, and the line's meaning."""
        assert self.asked is not None
        assert self.heard is not None
        word = plainly(text)
        if self._leaving:
            self._leaving = False
            leaves = is_answer(self._language, word, "yes")
            return ([], "leave") if leaves else ([self._say("you-stay")], None)
        if word in (*_LEAVE, plainly(self._say("leave"))):
            self._leaving = True
            return [" ".join(map(self._say, ("leave-title", "leave-person", "yes-or-no")))], None
        if word in (*_HINT, plainly(self._say("hint"))):
            return [], "hint"
        if word in _STANDING:
            standing = self._standing(self.heard, self.asked)
            return [*standing, *self._question(self.heard, self.asked)], None
        if self._may_concede(self.heard) and is_key(self._language, word, "concede"):
            self._concedes = not self._concedes
            return [self._say("will-concede" if self._concedes else "will-play-on")], None
        reply = typed(self._language, self.heard.rules, self.asked, text)
        if reply is None:
            return [self._refusal(self.asked, word)], None
        if isinstance(reply, DiscardReply):
            self.heard = laid_aside(self.heard, reply)
        self.asked = None
        return [], reply

    def _may_concede(self, heard: Heard) -> bool:
        """Whether the rules still let the person concede as the declarer, before a lead."""
        board = heard.board
        allowed = heard.rules.surrender.declarer != "off"
        return allowed and heard.seat == board.declarer is not None and sum(board.tricks) < 2

    def _refusal(self, asked: AnyRequest, word: str) -> str:
        """Why a typed line is no answer."""
        if isinstance(asked, AskPlay) and asked.trick:
            barred = [card for card in card_names(self._language, word) if card in asked.hand]
            if barred:
                return self._say("must-follow", card=barred[0], led=asked.trick[0].card)
        wanted = "cards" if isinstance(asked, AskDiscard) else "answer"
        return self._say("no-such-answer", wanted=wanted)

    def hinted(self, suggestion: Suggestion | NoAdvice) -> str:
        """A hint in words, or why there is none."""
        if isinstance(suggestion, NoAdvice):
            return f"{self._say('no-hint')} {suggestion}"
        assert self.heard is not None
        answer = reply_words(self._language, self.heard.rules, suggestion.answer)
        why = (reason_words(self._language, each) for each in suggestion.why)
        return " ".join((self._say("hint-is", answer=answer), *why))

    def _question(self, heard: Heard, request: AnyRequest) -> Iterator[str]:
        """The question, and its answers by number."""
        if isinstance(request, AskPlay):
            barred = [card for card in request.hand if card not in request.legal]
            if barred:
                yield self._say("not-allowed", cards=card_words(self._language, barred))
        elif not isinstance(request, AskBlind | AskDiscard):
            yield self._say("your-hand", cards=card_words(self._language, request.hand))
        yield request_words(self._language, heard, request)
        if isinstance(request, AskDiscard):
            for number, card in enumerate(request.hand, 1):
                line = "numbered-from-talon" if card in request.talon else "numbered"
                yield self._say(line, number=number, answer=self._language.card(card))
        for number, reply in enumerate(choices(request), 1):
            words = reply_words(self._language, heard.rules, reply)
            answer = answer_text(reply)
            if answer in NAMES:
                yield self._say("numbered", number=number, answer=words)
            else:
                key = answer_keys(self._language, answer)[0]
                yield self._say("numbered-with-key", number=number, answer=words, key=key)

    def _standing(self, heard: Heard, asked: AnyRequest) -> Iterator[str]:
        """The present state of the deal."""
        for seat, bid in heard.said:
            yield self._say("said-in-auction", **doer(self._language, heard, seat), word=bid)
        yield from points_words(self._language, heard)
        for title, trick in (("last-trick-was", heard.last), ("this-trick-is", heard.board.trick)):
            if trick:
                yield self._say(title, cards=trick_words(self._language, heard, trick))
        if isinstance(asked, AskPlay):
            yield self._say("your-hand", cards=card_words(self._language, asked.hand))
        yield totals_words(self._language, heard)
