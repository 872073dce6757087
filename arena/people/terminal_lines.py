"""The dialogue with a person who plays line by line: lines go in, sentences come out.

Nothing is drawn and nothing moves: each event is a sentence, each question a numbered list.
"""

from collections.abc import Iterator
from typing import Literal

from arena.base.words import duration
from arena.match.replay import count_words
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBlind,
    AskDiscard,
    AskPlay,
    Bye,
    DealEnd,
    DiscardReply,
    Hello,
    Ready,
    Refused,
    Request,
    message_in,
)
from arena.people.conversation import READY
from arena.people.heard import Heard, begun, ended, happened, laid_aside
from arena.people.suggestion import Suggestion
from arena.people.terminal_choices import choices, reason_words, reply_words, typed
from arena.people.terminal_words import (
    Name,
    card_words,
    cards_of,
    event_words,
    request_words,
    result_words,
    totals_words,
    who,
)

_HELP = "Type a number or the answer itself; h hint, ? where things stand, q leave."


Act = AnyReply | Literal["hint", "leave"]
"""The meaning of a typed line: an answer to send, a wish for a hint, or to leave."""


class Teller:
    """A match told in sentences, its cards by a `name`. `ready` is the greeting that is due."""

    def __init__(self, name: Name) -> None:
        self._name = name
        self.heard: Heard | None = None
        self.asked: AnyRequest | None = None
        self.ready: Ready | None = None
        self.over = False
        self._last: AnyRequest | None = None
        self._leaving = False

    def hear(self, line: bytes) -> Iterator[str]:
        """The sentences for a line from the arena."""
        message = message_in(line)
        if isinstance(message, Hello):
            self.heard, self.ready = begun(message), READY
            yield f"Zole for {message.players} players. {_HELP}"
            if message.limits.move_s is not None:
                yield f"You have {duration(message.limits.move_s)} for each answer."
            return
        self.asked, self._leaving = None, False
        assert self.heard is not None
        if isinstance(message, Request | DealEnd):
            for event in message.events:
                said = event_words(self.heard, event, self._name)
                self.heard = happened(self.heard, event)
                if said:
                    yield said
        match message:
            case Request():
                self.asked = self._last = message
                yield from self._question(message)
            case Refused(fault=fault, detail=detail):
                self.asked = self._last
                yield f"Refused: {fault}, {detail}. Answer again."
            case DealEnd(result=result):
                self.heard = ended(self.heard, message)
                yield from result_words(self.heard, result)
                for of, cards in cards_of(self.heard, result):
                    yield f"{of.capitalize()}: {card_words(cards, self._name)}."
                yield totals_words(self.heard)
            case Bye(reason=reason):
                self.over = True
                yield f"{reason.capitalize()}."

    def enter(self, text: str) -> tuple[list[str], Act | None]:
        """The sentences after a typed line while a question is open, and the line's meaning."""
        assert self.asked is not None
        assert self.heard is not None
        word = text.strip().lower()
        if self._leaving:
            self._leaving = False
            return ([], "leave") if word in ("y", "yes") else (["You stay."], None)
        if word in ("q", "quit", "leave"):
            self._leaving = True
            return ["Leave the match? Your seat then forfeits what is left. Type yes or no."], None
        if word in ("h", "hint"):
            return [], "hint"
        if word == "?":
            return [*self._standing(self.heard, self.asked), *self._question(self.asked)], None
        reply = typed(self.asked, text)
        if reply is None:
            two = "two numbers, such as 9 10" if isinstance(self.asked, AskDiscard) else "a number"
            return [f"That is not an answer: type {two} of the list, or ? to hear it again."], None
        if isinstance(reply, DiscardReply):
            self.heard = laid_aside(self.heard, reply)
        self.asked = None
        return [], reply

    def hinted(self, suggestion: Suggestion | None) -> str:
        """A hint in words."""
        if suggestion is None:
            return "There is no hint here."
        why = " ".join(reason_words(each) for each in suggestion.why)
        return f"Hint: {reply_words(suggestion.answer, self._name)}. {why}".rstrip()

    def _question(self, request: AnyRequest) -> Iterator[str]:
        """The question, and its answers by number."""
        assert self.heard is not None
        hand = () if isinstance(request, AskBlind) else request.hand
        if isinstance(request, AskPlay):
            barred = [card for card in hand if card not in request.legal]
            if barred:
                yield f"Not allowed now: {card_words(barred, self._name)}."
        elif hand and not isinstance(request, AskDiscard):
            yield f"Your hand: {card_words(hand, self._name)}."
        yield request_words(self.heard, request)
        if isinstance(request, AskDiscard):
            for number, card in enumerate(hand, 1):
                new = ", from the talon" if card in request.talon else ""
                yield f"{number}. {self._name(card)}{new}"
        for number, choice in enumerate(choices(request, self._name), 1):
            yield f"{number}. {choice.words}"

    def _standing(self, heard: Heard, asked: AnyRequest) -> Iterator[str]:
        """The present state of the deal."""
        for seat, bid in heard.said:
            yield f"{who(heard, seat).capitalize()}: {bid.replace('_', ' ')}."
        if count := count_words(heard.rules, heard.board, None):
            yield f"{count[0].upper()}{count[1:]}."
        for title, trick in (("Last trick", heard.last), ("This trick", heard.board.trick)):
            if trick:
                laid = (f"{who(heard, each.seat)} {self._name(each.card)}" for each in trick)
                yield f"{title}: {', '.join(laid)}."
        if not isinstance(asked, AskBlind):
            yield f"Your hand: {card_words(asked.hand, self._name)}."
        yield totals_words(heard)
