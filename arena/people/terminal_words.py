"""Sentences for the events at the table and for the questions, in the reader's language."""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from arena.base.words import deal_number
from arena.match.log import YES_NO
from arena.match.wire import (
    AnyEvent,
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
from arena.people.heard import Heard, SeatOrTalon
from arena.reports.language import Language, Value
from arena.zole.cards import INDEX, mask, points
from arena.zole.scoring import Level, Pools

_PLACES: Final = ("forehand", "middlehand", "rearhand")

_LOST: Final[tuple[Level, ...]] = ("31_60", "le30", "no_tricks", "lost")
"""The levels at which the declarer pays."""


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


def trick_words(language: Language, heard: Heard, trick: Iterable[Placed]) -> str:
    """The cards of a trick, each with who laid it."""
    return ", ".join(
        language.say("laid-by", **doer(language, heard, each.seat), card=each.card)
        for each in trick
    )


def event_words(language: Language, heard: Heard, event: AnyEvent) -> str:
    """An event in a sentence or two, given the table after it."""

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
    if heard.seat in heard.active:
        place = _PLACES[heard.active.index(heard.seat)]
        yield language.say("your-place", place=place, seat=heard.seat)
    elif heard.seat is not None:
        yield language.say("you-sit-out")
    yield from pools_words(language, heard, event.pools)


def pools_words(language: Language, heard: Heard, pools: Pools) -> Iterator[str]:
    """A sentence about open pools, if there are any."""
    said = []
    if pools.collective:
        said.append(language.say("pools-collective", count=pools.collective))
    for seat in range(heard.rules.players):
        if owned := pools.personal.count(seat):
            said.append(language.say("pools-of", **doer(language, heard, seat), count=owned))
    if said:
        yield language.say("in-the-pools", pools=", ".join(said))


def request_words(language: Language, heard: Heard, request: AnyRequest) -> str:
    """A request as a question to the person."""
    match request:
        case AskBlind():
            return language.say("ask-blind")
        case AskBid():
            return language.say("your-turn-to-bid")
        case AskTalon():
            return language.say("ask-talon")
        case AskDiscard():
            return language.say("ask-discard")
        case AskPlay(trick=trick):
            if not trick:
                return language.say("ask-lead")
            led = doer(language, heard, trick[0].seat)
            return language.say("ask-card", **led, card=trick[0].card)
        case AskSurrender():
            return ""  # nobody is asked: `Teller` answers it
        case AskOffer():
            return language.say("ask-offer", **doer(language, heard, request.from_))
        case _:
            assert_never(request)


def result_words(language: Language, heard: Heard, result: Result) -> Iterator[str]:
    """The result of a deal, in sentences, without the hands."""
    yield " ".join([language.say("deal-is-over"), *_outcome(language, heard, result)])
    if result.contract == "table":
        taken = (_taken_by(language, heard, result, seat) for seat in heard.active)
        yield language.say("taken", seats=", ".join(taken))
    yield language.say("paid", seats=stakes_words(language, heard, result.payments))
    yield from pools_words(language, heard, result.pools)


def _outcome(language: Language, heard: Heard, result: Result) -> Iterator[str]:
    fault = result.fault
    failed = fault and language.say("name", **doer(language, heard, fault.seat))
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
            failed=failed or "",
        )
    if fault and failed:
        yield language.say("result-fault", name=failed, fault=fault.fault)


def _took(language: Language, result: Result) -> str:
    """What the declarer took in a deal."""
    count = result.tricks.declarer
    tricks = language.say("tricks", count=count) if count else language.say("no-trick")
    own, theirs = result.points.declarer, result.points.defenders
    if result.contract == "small_solo" or own is None or theirs is None:
        return tricks
    return language.say("took-points", count=own, tricks=tricks, theirs=theirs)


def _taken_by(language: Language, heard: Heard, result: Result, seat: int) -> str:
    """What a seat took in a table game."""
    return language.say(
        "taken-by",
        **doer(language, heard, seat),
        tricks=language.say("tricks", count=result.tricks.seats[seat]),
        points=language.say("points", count=result.points.seats[seat]),
    )


def points_words(language: Language, heard: Heard) -> Iterator[str]:
    """What both sides have so far, as far as the reader can tell, or what the talon has."""
    board, declarer = heard.board, heard.board.declarer
    if declarer is None:
        if board.talon_points:
            yield language.say("talon-so-far", count=board.talon_points)
    elif board.contract == "small_solo":
        yield language.say("may-take-none", **doer(language, heard, declarer))
    else:
        own = board.points[declarer]
        aside = [INDEX[card] for card in board.discards.split(".") if card]
        unseen = board.contract == "ordinary" and declarer != heard.seat
        yield language.say(
            "points-so-far",
            **doer(language, heard, declarer),
            count=own + points(mask(aside)),
            more=YES_NO[unseen],
            theirs=sum(board.points) - own,
        )


def totals_words(language: Language, heard: Heard) -> str:
    """The stakes so far."""
    return language.say("so-far", seats=stakes_words(language, heard, heard.totals))


def hands_words(language: Language, heard: Heard, result: Result) -> Iterator[str]:
    """Hands as dealt, the talon and the discards, each in a line."""
    shown = [(doer(language, heard, seat), hand) for seat, hand in enumerate(result.hands)]
    shown += [({"who": "talon"}, result.talon), ({"who": "aside"}, result.discards)]
    for whose, cards in shown:
        if cards:
            yield language.say("cards-of", **whose, cards=card_words(language, cards))
