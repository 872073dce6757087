"""The choices of a question: each in words, by a letter, and as a reply."""

import re
from typing import Final, assert_never

import msgspec

from arena.base.language import ENGLISH, RANKS, SUITS, Language, Saying
from arena.base.words import in_words
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskBlind,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    AskTalon,
    BidReply,
    BlindReply,
    DiscardReply,
    OfferReply,
    PlayReply,
    SurrenderReply,
    TalonReply,
)
from arena.people.terminal_words import SIGNS, Name, full_name

_BID_KEYS: Final = {"pass": "p", "ordinary": "o", "solo": "s", "small_solo": "m", "blind": "b"}
_WORD: Final = re.compile(r"[a-z]+|[0-9]+|[♣♠♥♦]")
_RANKS: Final = {"10": "T"} | {
    said: rank for rank, word in RANKS.items() for said in (rank.lower(), word)
}
_SUITS: Final = {
    said: suit for suit, word in SUITS.items() for said in (suit.lower(), word, SIGNS[suit])
}


class Option(msgspec.Struct, frozen=True):
    """One possible answer. A card has its name in place of a letter."""

    words: str
    reply: AnyReply
    letter: str = ""
    card: str | None = None


def choices(request: AnyRequest, name: Name) -> tuple[Option, ...]:
    """All choices, the one that changes least first; none for a discard, which takes two cards."""
    of = request.id
    match request:
        case AskBlind():
            return (
                Option("no, look at the cards", BlindReply(id=of, blind=False), "n"),
                Option("yes, declare blind", BlindReply(id=of, blind=True), "y"),
            )
        case AskBid():
            return tuple(
                Option(in_words(bid), BidReply(id=of, bid=bid), _BID_KEYS[bid])
                for bid in request.legal
            )
        case AskTalon():
            words = {"take": "take it: ordinary", "give": "give it: solo"}
            return tuple(
                Option(words[choice], TalonReply(id=of, choice=choice), choice[0])
                for choice in request.legal
            )
        case AskDiscard():
            return ()
        case AskPlay():
            cards = (
                Option(name(card), PlayReply(id=of, card=card), card=card) for card in request.legal
            )
            offer = Option("offer to give up", PlayReply(id=of, offer=True), "o")
            return (*cards, *([offer] if request.may_offer else []))
        case AskSurrender():
            return (
                Option("no, play on", SurrenderReply(id=of, surrender=False), "n"),
                Option("yes, surrender", SurrenderReply(id=of, surrender=True), "y"),
            )
        case AskOffer():
            return (
                Option("no, play on", OfferReply(id=of, accept=False), "n"),
                Option("yes, accept", OfferReply(id=of, accept=True), "y"),
            )
        case _:
            assert_never(request)


def reply_words(reply: AnyReply, name: Name) -> str:
    """A reply in a word or two."""
    match reply:
        case BlindReply(blind=blind):
            return "blind" if blind else "not blind"
        case BidReply(bid=bid):
            return in_words(bid)
        case TalonReply(choice=choice):
            return f"{choice} the talon"
        case DiscardReply(cards=cards):
            return f"lay aside {' and '.join(map(name, cards))}"
        case PlayReply(card=card):
            return "offer to give up" if card is None else name(card)
        case SurrenderReply(surrender=surrender):
            return "surrender" if surrender else "play on"
        case OfferReply(accept=accept):
            return "accept" if accept else "play on"
        case _:
            assert_never(reply)


def reason_words(reason: Saying) -> str:
    """A reason for a hint in a sentence."""
    values = {
        name: value
        if isinstance(value, str | int)
        else f"{value:.1f}"
        if name == "ahead"
        else f"{value:+.1f}"
        for name, value in reason.values.items()
    }
    return Language(ENGLISH).say(reason.message, **values)


def typed(request: AnyRequest, text: str) -> AnyReply | None:
    """The reply that was typed, by numbers, letters, words or cards; None if it is none."""
    text = text.strip().lower()
    if isinstance(request, AskDiscard):
        cards = _cards(request.hand, text)
        distinct = len(cards) == 2 and cards[0] != cards[1]
        return DiscardReply(id=request.id, cards=(cards[0], cards[1])) if distinct else None
    offered = choices(request, full_name)
    if text.isascii() and text.isdecimal() and 0 < int(text) <= len(offered):
        return offered[int(text) - 1].reply
    for each in offered:
        if each.card is None and text in (each.letter, each.words, _first_word(each.words)):
            return each.reply
    meant = _card_names(text)
    return next((each.reply for each in offered if [each.card] == meant), None)


def _first_word(words: str) -> str:
    return words.split()[0].rstrip(",:")


def _cards(hand: tuple[str, ...], text: str) -> list[str]:
    """The cards of a hand that were typed, by numbers or names."""
    words = _WORD.findall(text)
    if all(word.isdecimal() for word in words):
        numbers = [int(word) for word in words]
        return [hand[each - 1] for each in numbers if 0 < each <= len(hand)]
    return [card for card in _card_names(text) if card in hand]


def _card_names(text: str) -> list[str]:
    """The cards that are named in a text: `qc`, `10 d`, `queen of clubs`."""
    parts: list[str] = []
    for word in _WORD.findall(text):
        split = len(word) == 2 and word[0] in _RANKS and word[1] in _SUITS
        parts += list(word) if split else [word]
    parts = [part for part in parts if part in _RANKS or part in _SUITS]
    pairs = zip(parts[::2], parts[1::2], strict=False)
    return [
        _RANKS[rank] + _SUITS[suit] for rank, suit in pairs if rank in _RANKS and suit in _SUITS
    ]
