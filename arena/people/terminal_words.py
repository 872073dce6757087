"""What the terminal says of a match, and what may be typed there, in the reader's language."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final, Literal, assert_never

import msgspec
from msgspec.structs import replace

from arena.base.words import deal_number, whole_number
from arena.match.log import YES_NO, answer_from
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
    CardPlayed,
    ContractMade,
    Dealt,
    FaultSeen,
    Offered,
    Placed,
    Result,
    Surrendered,
    TalonChosen,
    TrickTaken,
)
from arena.reports.language import ENGLISH, SIGNS, Language, Saying, Value
from arena.zole.cards import INDEX, NAMES, mask, points
from arena.zole.deal import Seat
from arena.zole.rules import Rules
from arena.zole.scoring import Level, Pools

SeatOrTalon = Seat | Literal["talon"]

_PLACES: Final = ("forehand", "middlehand", "rearhand")

# The levels at which the declarer pays.
_LOST: Final[tuple[Level, ...]] = ("31_60", "le30", "no_tricks", "lost")

_QUESTIONS: Final[dict[type[AnyRequest], str]] = {
    AskBlind: "ask-blind",
    AskBid: "your-turn-to-bid",
    AskTalon: "ask-talon",
    AskDiscard: "ask-discard",
    AskPlay: "ask-lead",
}

_CARD: Final = re.compile(r"(?<!\w)(10|[akqjt987])[ .]?([cshd♣♠♥♦])(?!\w)", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"[0-9 ,]*")
_ENGLISH: Final = Language(ENGLISH)


class Heard(msgspec.Struct, frozen=True):
    """A match as one seat has heard of it. Fields of a deal are empty before the first.

    `last` is the trick before the current one, `said` has the bids of the auction, `aside` the
    seat's own discard; `totals` are stakes.
    """

    rules: Rules
    totals: tuple[int, ...]
    seat: Seat | None = None
    active: tuple[Seat, ...] = ()
    declarer: Seat | None = None
    contract: str | None = None
    said: tuple[tuple[Seat, str], ...] = ()
    aside: tuple[str, ...] = ()
    trick: tuple[Placed, ...] = ()
    last: tuple[Placed, ...] = ()
    taken: tuple[tuple[SeatOrTalon, int], ...] = ()

    def tricks_of(self, taker: SeatOrTalon) -> int:
        """How many tricks a seat has taken, or the talon."""
        return sum(winner == taker for winner, _ in self.taken)

    def points_of(self, taker: SeatOrTalon) -> int:
        """The card points of those tricks."""
        return sum(count for winner, count in self.taken if winner == taker)


def happened(heard: Heard, event: AnyEvent) -> Heard:
    """What a seat has heard after an event."""
    match event:
        case Dealt(active=active, seat=seat, totals=totals):
            return Heard(heard.rules, totals, seat, active)
        case BlindSaid(seat, True):
            return replace(heard, said=(*heard.said, (seat, "blind")))
        case BidMade(seat, bid):
            return replace(heard, said=(*heard.said, (seat, bid)))
        case ContractMade(declarer, contract):
            return replace(heard, declarer=declarer, contract=contract)
        case CardPlayed(seat, card):
            return replace(heard, trick=(*heard.trick, Placed(seat, card)))
        case TrickTaken(_, winner, count):
            taken = (*heard.taken, (winner, count))
            return replace(heard, trick=(), last=heard.trick, taken=taken)
    return heard


# --- sentences ---


def doer(language: Language, heard: Heard, player: SeatOrTalon) -> dict[str, Value]:
    """Who does something, as the catalogues want to know it."""
    if player == "talon":
        return {"who": "talon", "name": ""}
    who = "you" if player == heard.seat else "other"
    return {"who": who, "name": language.say("seat-name", seat=player)}


def card_words(language: Language, cards: Iterable[str]) -> str:
    """Cards by name, separated by commas."""
    return ", ".join(map(language.card, cards))


def stakes_words(language: Language, heard: Heard, paid: Iterable[int]) -> str:
    """Stakes of all seats, the reader's own first."""
    each = sorted(enumerate(paid), key=lambda one: one[0] != heard.seat)
    return ", ".join(
        language.say("stakes-of", **doer(language, heard, seat), amount=f"{amount:+d}")
        for seat, amount in each
    )


def event_words(language: Language, heard: Heard, event: AnyEvent) -> str:
    """An event in a sentence or two, given what was heard with it."""

    def does(message: str, player: SeatOrTalon, **values: Value) -> str:
        return language.say(message, **doer(language, heard, player), **values)

    match event:
        case Dealt():
            return " ".join(_dealt(language, heard, event))
        case BlindSaid(seat, blind):
            return does("blind-declared" if blind else "blind-not-declared", seat)
        case BidMade(seat, bid):
            return does("passes", seat) if bid == "pass" else does("bids", seat, bid=bid)
        case TalonChosen(seat, choice):
            return does("talon-taken" if choice == "take" else "talon-given", seat)
        case ContractMade(declarer, contract):
            if declarer is not None:
                return does("plays-against", declarer, game=contract)
            return language.say("all-pass-table" if contract == "table" else "all-pass-thrown-in")
        case CardPlayed(seat, card):
            return does("plays-card", seat, card=card)
        case TrickTaken(number, winner, taken):
            return does("trick-taken", winner, trick=number, count=taken)
        case Surrendered(seat):
            return does("gives-up", seat)
        case Offered(seat, accepted):
            end = language.say("offer-accepted" if accepted else "offer-refused")
            return f"{does('offers', seat)} {end}"
        case FaultSeen(seat, fault, detail):
            return does("fault-of", seat, fault=fault, detail=detail)
        case _:
            assert_never(event)


def _dealt(language: Language, heard: Heard, event: Dealt) -> Iterator[str]:
    yield language.say("deal-begins", deal=deal_number(event.deal))
    yield language.say("dealing", **doer(language, heard, event.dealer))
    if event.seat in event.active:
        place = _PLACES[event.active.index(event.seat)]
        yield language.say("your-place", place=place, seat=event.seat)
    else:
        yield language.say("you-sit-out")
    yield from _pools(language, heard, event.pools)


def _pools(language: Language, heard: Heard, pools: Pools) -> Iterator[str]:
    said = []
    if pools.collective:
        said.append(language.say("pools-collective", count=pools.collective))
    for seat in range(heard.rules.players):
        if owned := pools.personal.count(seat):
            said.append(language.say("pools-of", **doer(language, heard, seat), count=owned))
    if said:
        yield language.say("in-the-pools", pools=", ".join(said))


def result_words(language: Language, heard: Heard, result: Result) -> Iterator[str]:
    """The result of a deal, then hands as dealt, the talon and the discards, each in a line."""
    yield " ".join([language.say("deal-is-over"), *_outcome(language, heard, result)])
    if result.contract == "table":
        taken = (_taken(language, heard, result, seat) for seat in heard.active)
        yield language.say("taken", seats=", ".join(taken))
    yield language.say("paid", seats=stakes_words(language, heard, result.payments))
    yield from _pools(language, heard, result.pools)
    shown = [(doer(language, heard, seat), hand) for seat, hand in enumerate(result.hands)]
    shown += [({"who": "talon"}, result.talon), ({"who": "aside"}, result.discards)]
    for whose, cards in shown:
        if cards:
            yield language.say("cards-of", **whose, cards=card_words(language, cards))


def _outcome(language: Language, heard: Heard, result: Result) -> Iterator[str]:
    fault = result.fault
    failed = language.say("name", **doer(language, heard, fault.seat)) if fault else ""
    if result.contract is None:
        yield language.say("result-none")
    elif result.declarer is None:
        yield language.say("result-table" if result.contract == "table" else "result-thrown-in")
        if count := result.tricks.talon:
            tricks = language.say("tricks", count=count)
            yield language.say("result-talon", count=result.points.talon, tricks=tricks)
    else:
        forfeit = fault is not None and heard.rules.conduct.on_fault == "forfeit"
        yield language.say(
            "result-forfeit" if forfeit else "result-declared",
            **doer(language, heard, result.declarer),
            game=result.contract,
            took=_took(language, result),
            end="none" if result.level is None else "lost" if result.level in _LOST else "won",
            failed=failed,
        )
    if fault:
        yield language.say("result-fault", name=failed, fault=fault.fault)


def _took(language: Language, result: Result) -> str:
    count = result.tricks.declarer
    tricks = language.say("tricks", count=count) if count else language.say("no-trick")
    own, theirs = result.points.declarer, result.points.defenders
    if result.contract == "small_solo" or own is None or theirs is None:
        return tricks
    return language.say("took-points", count=own, tricks=tricks, theirs=theirs)


def _taken(language: Language, heard: Heard, result: Result, seat: Seat) -> str:
    tricks = language.say("tricks", count=result.tricks.seats[seat])
    count = language.say("points", count=result.points.seats[seat])
    return language.say("taken-by", **doer(language, heard, seat), tricks=tricks, points=count)


def standing_words(language: Language, heard: Heard, asked: AnyRequest) -> Iterator[str]:
    """Where a deal stands: bids, points, the last trick and the current one, stakes."""
    for seat, bid in heard.said:
        yield language.say("said-in-auction", **doer(language, heard, seat), word=bid)
    yield from _points(language, heard)
    for title, trick in (("last-trick-was", heard.last), ("this-trick-is", heard.trick)):
        if trick:
            cards = (
                language.say("laid-by", **doer(language, heard, each.seat), card=each.card)
                for each in trick
            )
            yield language.say(title, cards=", ".join(cards))
    if isinstance(asked, AskPlay):
        yield language.say("your-hand", cards=card_words(language, asked.hand))
    yield language.say("so-far", seats=stakes_words(language, heard, heard.totals))


# What both sides have so far, as far as the reader can tell, or what the talon has.
def _points(language: Language, heard: Heard) -> Iterator[str]:
    declarer, in_talon = heard.declarer, heard.points_of("talon")
    if declarer is None:
        if in_talon:
            yield language.say("talon-so-far", count=in_talon)
    elif heard.contract == "small_solo":
        yield language.say("may-take-none", **doer(language, heard, declarer))
    else:
        own = heard.points_of(declarer)
        unseen = heard.contract == "ordinary" and declarer != heard.seat
        yield language.say(
            "points-so-far",
            **doer(language, heard, declarer),
            count=own + points(mask(INDEX[card] for card in heard.aside)),
            more=YES_NO[unseen],
            theirs=sum(count for _, count in heard.taken) - own - in_talon,
        )


def question_words(language: Language, heard: Heard, request: AnyRequest) -> Iterator[str]:
    """A question, and its answers by number."""
    barred: list[str] = []
    if isinstance(request, AskPlay):
        barred = [card for card in request.hand if card not in request.legal]
    elif not isinstance(request, AskBlind | AskDiscard):
        yield language.say("your-hand", cards=card_words(language, request.hand))
    if barred:
        yield language.say("not-allowed", cards=card_words(language, barred))
    yield _question(language, heard, request)
    if isinstance(request, AskDiscard):
        for number, card in enumerate(request.hand, 1):
            line = "numbered-from-talon" if card in request.talon else "numbered"
            yield language.say(line, number=number, answer=language.card(card))
    for number, answer in enumerate(offered_answers(request), 1):
        words = answer_words(language, heard.rules, request, answer)
        if answer in NAMES:
            yield language.say("numbered", number=number, answer=words)
        else:
            key = answer_keys(language, answer)[0]
            yield language.say("numbered-with-key", number=number, answer=words, key=key)


def _question(language: Language, heard: Heard, request: AnyRequest) -> str:
    if isinstance(request, AskPlay) and request.trick:
        first = request.trick[0]
        return language.say("ask-card", **doer(language, heard, first.seat), card=first.card)
    if isinstance(request, AskOffer):
        return language.say("ask-offer", **doer(language, heard, request.from_))
    return language.say(_QUESTIONS[type(request)])


def reason_words(language: Language, reason: Saying) -> str:
    """A reason for a hint in a sentence; values that are not whole numbers are stakes."""
    values = {
        name: value
        if isinstance(value, str | int)
        else format(value, ".1f" if name == "ahead" else "+.1f").replace(".", language.point)
        for name, value in reason.values.items()
    }
    return language.say(reason.message, **values)


# --- answers, by the words that logs keep of them ---


def offered_answers(request: AnyRequest) -> tuple[str, ...]:
    """All answers, the one that changes least first; none for a discard, which takes two cards."""
    match request:
        case AskBid() | AskTalon():
            return request.legal
        case AskPlay():
            return (*request.legal, *(["offer"] if request.may_offer else []))
        case AskDiscard():
            return ()
        case _:
            return "no", "yes"


def answer_words(language: Language, rules: Rules, request: AnyRequest, answer: str) -> str:
    """An answer as it stands in a list."""
    match request:
        case AskBlind():
            return language.say("answer-blind", blind=answer)
        case AskBid():
            later = YES_NO[rules.auction.talon_decision == "after_bid"]
            return language.say("answer-bid", bid=answer, next=later)
        case AskTalon():
            return language.say("answer-talon", choice=answer)
        case AskDiscard():
            card, second = answer.split(".")
            return language.say("lay-aside-two", card=card, second=second)
        case AskPlay():
            return language.say("answer-offer") if answer == "offer" else language.card(answer)
        case AskSurrender() | AskOffer():
            accepts = "answer-accept" if isinstance(request, AskOffer) else "answer-give-up"
            return language.say(accepts if answer == "yes" else "answer-play-on")
        case _:
            assert_never(request)


def answer_keys(language: Language, answer: str) -> list[str]:
    """The words by which an answer is typed; the first is shown."""
    return language.say("answer-keys", answer=answer).split()


def typed(language: Language, rules: Rules, request: AnyRequest, text: str) -> AnyReply | None:
    """The reply that was typed, by numbers, keys, words or cards; None if it is none."""
    text = plainly(text)
    if isinstance(request, AskDiscard):
        cards = _cards(request.hand, text)
        distinct = len(cards) == 2 and cards[0] != cards[1]
        return answer_from(".".join(cards), request) if distinct else None
    answers = offered_answers(request)
    number = whole_number(text)
    if number is not None and 0 < number <= len(answers):
        return answer_from(answers[number - 1], request)
    cards = card_names(text)
    for answer in answers:
        meant = cards == [answer] if answer in NAMES else is_answer(language, text, answer)
        if meant or text == plainly(answer_words(language, rules, request, answer)):
            return answer_from(answer, request)
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


# The cards of a hand that were typed, by numbers or names.
def _cards(hand: tuple[str, ...], text: str) -> list[str]:
    if _NUMBERS.fullmatch(text):
        numbers = [whole_number(word) or 0 for word in re.findall("[0-9]+", text)]
        return [hand[each - 1] for each in numbers if 0 < each <= len(hand)]
    return [card for card in card_names(text) if card in hand]


def card_names(text: str) -> list[str]:
    """The cards that are named in a text: `qc`, `10 d`, `Q♥`."""
    suits = {sign: suit for suit, sign in SIGNS.items()}
    return [
        ("T" if rank == "10" else rank.upper()) + suits.get(suit, suit.upper())
        for rank, suit in _CARD.findall(text)
    ]
