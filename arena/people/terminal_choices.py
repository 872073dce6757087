"""The choices of a question: each as a reply, in words, and as it may be typed."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final, assert_never

from arena.base.words import whole_number
from arena.match.log import YES_NO, answer_text
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
from arena.reports.language import ENGLISH, RANKS, SIGNS, SUITS, Language, Saying
from arena.zole.cards import NAMES
from arena.zole.rules import Rules

_WORD: Final = re.compile(r"[^\W\d_]+|[0-9]+|[♣♠♥♦]")
_ENGLISH: Final = Language(ENGLISH)


def choices(request: AnyRequest) -> tuple[AnyReply, ...]:
    """All choices, the one that changes least first; none for a discard, which takes two cards."""
    of = request.id
    match request:
        case AskBlind():
            return tuple(BlindReply(id=of, blind=blind) for blind in (False, True))
        case AskBid():
            return tuple(BidReply(id=of, bid=bid) for bid in request.legal)
        case AskTalon():
            return tuple(TalonReply(id=of, choice=choice) for choice in request.legal)
        case AskDiscard():
            return ()
        case AskPlay():
            cards = (PlayReply(id=of, card=card) for card in request.legal)
            return (*cards, *([PlayReply(id=of, offer=True)] if request.may_offer else []))
        case AskSurrender():
            return tuple(SurrenderReply(id=of, surrender=wish) for wish in (False, True))
        case AskOffer():
            return tuple(OfferReply(id=of, accept=accept) for accept in (False, True))
        case _:
            assert_never(request)


def reply_words(language: Language, rules: Rules, reply: AnyReply) -> str:
    """A reply as it stands in a list."""
    match reply:
        case BlindReply(blind=blind):
            return language.say("answer-blind", blind=YES_NO[blind])
        case BidReply(bid=bid):
            later = YES_NO[rules.auction.talon_decision == "after_bid"]
            return language.say("answer-bid", bid=bid, next=later)
        case TalonReply(choice=choice):
            return language.say("answer-talon", choice=choice)
        case DiscardReply(cards=(card, second)):
            return language.say("lay-aside-two", card=card, second=second)
        case PlayReply(card=card):
            return language.say("answer-offer") if card is None else language.card(card)
        case SurrenderReply(surrender=surrender):
            return language.say("answer-give-up" if surrender else "answer-play-on")
        case OfferReply(accept=accept):
            return language.say("answer-accept" if accept else "answer-play-on")
        case _:
            assert_never(reply)


def answer_keys(language: Language, answer: str) -> list[str]:
    """The words by which an answer is typed that has this word in logs; the first is shown."""
    return language.say("answer-keys", answer=answer).split()


def reason_words(language: Language, reason: Saying) -> str:
    """A reason for a hint in a sentence; values that are not whole numbers are stakes."""
    values = {
        name: value
        if isinstance(value, str | int)
        else format(value, ".1f" if name == "ahead" else "+.1f").replace(".", language.point)
        for name, value in reason.values.items()
    }
    return language.say(reason.message, **values)


def typed(language: Language, rules: Rules, request: AnyRequest, text: str) -> AnyReply | None:
    """The reply that was typed, by numbers, keys, words or cards; None if it is none."""
    text = plainly(text)
    if isinstance(request, AskDiscard):
        cards = _cards(language, request.hand, text)
        distinct = len(cards) == 2 and cards[0] != cards[1]
        return DiscardReply(id=request.id, cards=(cards[0], cards[1])) if distinct else None
    offered = choices(request)
    number = whole_number(text)
    if number is not None and 0 < number <= len(offered):
        return offered[number - 1]
    cards = card_names(language, text)
    for reply in offered:
        answer = answer_text(reply)
        if cards == [answer] if answer in NAMES else is_answer(language, text, answer):
            return reply
        if text == plainly(reply_words(language, rules, reply)):
            return reply
    return None


def is_answer(language: Language, text: str, answer: str) -> bool:
    """Whether a typed text is the answer that has this word in logs."""
    words = [each.say("answer-word", word=answer) for each in (language, _ENGLISH)]
    return is_key(language, text, answer) or plainly(text) in map(plainly, words)


def is_key(language: Language, text: str, answer: str) -> bool:
    """Whether a typed text is one of the keys of an answer, in the language or in English."""
    keys = [key for each in (language, _ENGLISH) for key in answer_keys(each, answer)]
    return plainly(text) in map(plainly, keys)


def plainly(text: str) -> str:
    """A text without capitals, accents, and blanks around it."""
    apart = unicodedata.normalize("NFD", text.strip().casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _cards(language: Language, hand: tuple[str, ...], text: str) -> list[str]:
    """The cards of a hand that were typed, by numbers or names."""
    words = _WORD.findall(text)
    numbers = [number for word in words if (number := whole_number(word)) is not None]
    if len(numbers) == len(words):
        return [hand[each - 1] for each in numbers if 0 < each <= len(hand)]
    return [card for card in card_names(language, text) if card in hand]


def card_names(language: Language, text: str) -> list[str]:
    """The cards that are named in a text: `qc`, `10 d`, `queen of clubs`, `kreiča dāma`."""
    ranks, suits = _card_words(language)
    parts: list[str] = []
    for word in _WORD.findall(text):
        split = len(word) == 2 and word[0] in ranks and word[1] in suits
        parts += list(word) if split else [word]
    parts = [part for part in parts if part in ranks or part in suits]
    found = []
    for pair in zip(parts[::2], parts[1::2], strict=False):
        rank, suit = sorted(pair, key=lambda part: part in suits)
        if rank in ranks and suit in suits:
            found.append(ranks[rank] + suits[suit])
    return found


@cache
def _card_words(language: Language) -> tuple[dict[str, str], dict[str, str]]:
    """What ranks and suits are called, and what they are on the wire."""
    return dict(_rank_words(language)), dict(_suit_words(language))


def _rank_words(language: Language) -> Iterator[tuple[str, str]]:
    """Each word for a rank, and the rank on the wire."""
    for rank, name in RANKS.items():
        yield rank.lower(), rank
        for each in (_ENGLISH, language):
            for word in (each.say("index", rank=name), *each.say("rank-words", rank=name).split()):
                yield plainly(word), rank


def _suit_words(language: Language) -> Iterator[tuple[str, str]]:
    """Each word or sign for a suit, and the suit on the wire."""
    for suit, name in SUITS.items():
        yield suit.lower(), suit
        yield SIGNS[suit], suit
        for each in (_ENGLISH, language):
            for word in each.say("suit-words", suit=name).split():
                yield plainly(word), suit
