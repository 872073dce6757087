"""What a person at a whole screen sees and does: lines and keys go in, answers come out.

    hear(line) -> the moments of the line wait their turn
    pass_time  -> one moment after another is shown, each for a while
                  a question: its keys answer it        a result: it stays until Enter
    press(key) -> an answer to send, a hint to ask for, or the person leaves

It knows no terminal and no clock: the time, in seconds from anywhere, comes in.
"""

from collections import deque
from typing import Final, Literal

from arena.match.wire import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    AskDiscard,
    AskPlay,
    Bye,
    DealEnd,
    Dealt,
    DiscardReply,
    Hello,
    PlayReply,
    Ready,
    Refused,
    Request,
    ToBot,
    TrickTaken,
    message_in,
)
from arena.people.conversation import READY
from arena.people.terminal_choices import Choice, choices, reply_words
from arena.people.terminal_table import Table, begun, happened, laid_aside, told
from arena.people.terminal_words import event_words, short_name

_DIGITS: Final = "1234567890"
_LOG: Final = 50
_MOVES: Final = {
    **dict.fromkeys(("\x1b[C", "\x1bOC", "\x1b[B", "\x1bOB", "\t"), 1),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA", "\x1b[Z"), -1),
}
_ENTER: Final = ("\r", "\n")

Act = AnyReply | Literal["hint", "leave"]
"""What a key led to: an answer to send, a wish for a hint, or to leave."""


class Face:
    """The screen's content, without its drawing; `pause_s` is how long a card is on its own."""

    def __init__(self, pause_s: float) -> None:
        self.table: Table | None = None
        self.asked: AnyRequest | None = None
        self.choices: tuple[Choice, ...] = ()
        self.cursor: str | int | None = None
        """What Enter picks: a card, or the place of a choice in words."""
        self.picked: tuple[str, ...] = ()
        """The cards that are to be laid aside."""
        self.log: deque[str] = deque(maxlen=_LOG)
        self.said = ""
        self.leaving = False
        self.offering = False
        self.over = False
        """Whether the match has ended and its end was read."""
        self.deadline: float | None = None
        """When the clock of the last question runs out."""
        self._read = False
        self._last: AnyRequest | None = None
        self._pause_s = pause_s
        self._next_at = 0.0
        self._coming: deque[AnyEvent | ToBot] = deque()

    # --- what comes from the arena

    def hear(self, line: bytes, now: float) -> Ready | None:
        """Take a line; return the greeting that it asks for."""
        message = message_in(line)
        self._close()  # what was asked is given up
        if isinstance(message, Hello):
            self._coming.clear()
            self.table, self.deadline = begun(message), None
            return READY
        if isinstance(message, Request):
            left = message.clock_s
            self.deadline = None if left is None else now + left
        elif not isinstance(message, Refused):
            self.deadline = None
        if isinstance(message, Request | DealEnd):
            self._coming += message.events
        self._coming.append(message)
        return None

    def pass_time(self, now: float) -> float | None:
        """Show what is due; return when something is due again, None where nothing waits."""
        while self._coming and not self._reading():
            if now < self._next_at:
                return self._next_at
            self._show(self._coming.popleft(), now)
        return None

    def hinted(self, reply: AnyReply | None) -> None:
        """Tell a hint, and move the cursor to it."""
        if reply is None:
            self.said = "There is no hint here."
        elif self.asked is not None and reply.id == self.asked.id:
            self.said = f"Hint: {reply_words(reply, short_name)}."
            if isinstance(reply, DiscardReply):
                self.picked = reply.cards
            elif isinstance(reply, PlayReply) and reply.card is not None:
                self.cursor = reply.card
            else:
                self.cursor = next(
                    (at for at, each in enumerate(self.words) if each.reply == reply), None
                )

    @property
    def words(self) -> tuple[Choice, ...]:
        """The choices other than cards."""
        return tuple(each for each in self.choices if each.card is None)

    @property
    def legal(self) -> tuple[str, ...]:
        """The cards that may be picked."""
        if isinstance(self.asked, AskDiscard):
            return self.asked.hand
        return self.asked.legal if isinstance(self.asked, AskPlay) else ()

    @property
    def waits(self) -> bool:
        """Whether there is more to show."""
        return bool(self._coming) or self._reading()

    def _reading(self) -> bool:
        """Whether a result is looked at, which stays until Enter."""
        return self.table is not None and self.table.result is not None and not self._read

    def _show(self, moment: AnyEvent | ToBot, now: float) -> None:
        assert self.table is not None
        match moment:
            case DealEnd():
                self.table, self._read, self.said = told(self.table, moment), False, ""
            case Request():
                self.table = told(self.table, moment)
                if not self._coming:
                    self._open(moment)
            case Refused(fault=fault, detail=detail):
                if not self._coming and self._last is not None:
                    self._open(self._last)
                    self.said = f"{fault}: {detail}"
            case Bye():
                self.over = True
            case Hello():
                pass
            case _:
                self._tell(moment, now)

    def _tell(self, event: AnyEvent, now: float) -> None:
        assert self.table is not None
        own = getattr(event, "seat", None) == self.table.seat
        if isinstance(event, Dealt):
            self.log.clear()
        said = event_words(self.table, event, short_name)
        self.table = happened(self.table, event)
        if isinstance(event, Dealt):  # a request comes with the hand that was dealt
            asked = next((each for each in self._coming if isinstance(each, Request)), None)
            self.table = self.table if asked is None else told(self.table, asked)
        if said:
            self.log.append(said)
        whole_trick = bool(self._coming) and isinstance(self._coming[0], TrickTaken)
        long = whole_trick or isinstance(event, TrickTaken)
        rest = 1.5 if long else 0.0 if own else 1.0
        self._next_at = now + rest * self._pause_s

    def _open(self, request: AnyRequest) -> None:
        self.asked = self._last = request
        self.choices = choices(request)
        self.cursor, self.picked, self.said = None, (), ""
        self.offering = False

    def _close(self) -> None:
        self.asked, self.choices, self.picked, self.cursor = None, (), (), None
        self.offering = False
        self.said = ""

    # --- what the person does

    def press(self, key: str) -> Act | None:
        """What a key leads to; it may change what is shown."""
        if key == "\x03":
            return "leave"
        if self.leaving:
            self.leaving = False
            return "leave" if key in ("y", "Y") else None
        if key in ("q", "Q", "\x04"):
            self.leaving = True
            return None
        if self._reading():
            if key in _ENTER:
                self._read = True
                self._next_at = 0.0
            return None
        if self.asked is None:
            if key in (*_ENTER, " "):
                self._hurry()
            return None
        self.said = ""
        if self.offering:
            return self._offer(key)
        if key in ("h", "?"):
            return "hint"
        if key in _MOVES:
            self._move(_MOVES[key])
            return None
        if isinstance(self.asked, AskDiscard):
            return self._discard(key)
        return self._choose(key)

    def _hurry(self) -> None:
        """Show at once what waits, up to a question or a result."""
        self._next_at = 0.0
        while self._coming and self.asked is None and not self._reading():
            self._show(self._coming.popleft(), 0.0)
        self._next_at = 0.0

    def _places(self) -> list[str | int]:
        """Where the cursor can be."""
        return [*self.legal, *range(len(self.words))]

    def _move(self, way: int) -> None:
        places = self._places()
        if self.cursor in places:
            self.cursor = places[(places.index(self.cursor) + way) % len(places)]
        else:
            self.cursor = places[0 if way > 0 else -1]

    def _choose(self, key: str) -> Act | None:
        """A card by its number, a choice by its number or letter, or what the cursor is on."""
        hand = self.asked.hand if isinstance(self.asked, AskPlay) else ()
        if key in _ENTER:
            if self.cursor is None:
                self.said = "Choose with the arrow keys first, or by a key that is shown."
                return None
            chosen: str | int | None = self.cursor
        elif key in _DIGITS and hand:
            chosen = hand[place] if (place := _DIGITS.index(key)) < len(hand) else None
        elif key in _DIGITS:
            chosen = _DIGITS.index(key)
        else:
            letters = [each.letter for each in self.words]
            chosen = letters.index(key.lower()) if key.lower() in letters else None
        if isinstance(chosen, str) and chosen not in self.legal:
            self.said = f"{short_name(chosen)} is not allowed: follow suit."
            return None
        if chosen is None or (isinstance(chosen, int) and chosen >= len(self.words)):
            return None
        if isinstance(chosen, int):
            reply = self.words[chosen].reply
        else:
            reply = next(each.reply for each in self.choices if each.card == chosen)
        if isinstance(reply, PlayReply) and reply.offer:
            self.offering = True
            return None
        return self._answer(reply)

    def _offer(self, key: str) -> Act | None:
        """An offer binds the partner too, and is asked about once more."""
        self.offering = False
        if key in ("y", "Y") and self.asked is not None:
            return self._answer(PlayReply(id=self.asked.id, offer=True))
        return None

    def _discard(self, key: str) -> Act | None:
        """Two cards are picked, and may be put back; then Enter lays them aside."""
        assert isinstance(self.asked, AskDiscard)
        if key in _ENTER and len(self.picked) == 2:
            first, second = self.picked
            reply = DiscardReply(id=self.asked.id, cards=(first, second))
            assert self.table is not None
            self.table = laid_aside(self.table, reply)
            return self._answer(reply)
        if key in _DIGITS:
            place = _DIGITS.index(key)
            card = self.asked.hand[place] if place < len(self.asked.hand) else None
        elif key in (*_ENTER, " "):
            card = self.cursor if isinstance(self.cursor, str) else None
        else:
            return None
        if card in self.picked:
            self.picked = tuple(each for each in self.picked if each != card)
        elif card is not None and len(self.picked) < 2:
            self.picked += (card,)
        elif card is not None:
            self.said = "Two cards are picked: put one back first, or press Enter."
        return None

    def _answer(self, reply: AnyReply) -> AnyReply:
        self._close()
        return reply
