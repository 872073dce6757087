"""Sentences for the events at the table and for the questions."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, assert_never

from arena.base.language import RANKS, SUITS
from arena.base.words import count, deal_name, in_words
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
    Result,
    Surrendered,
    TalonChosen,
    TrickTaken,
)
from arena.people.heard import Heard, SeatOrTalon
from arena.zole.deal import Seat
from arena.zole.scoring import Pools

Name = Callable[[str], str]
"""A card's name in words or signs, from its name on the wire."""

SIGNS: Final = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}

LEVELS: Final = {
    "all_tricks": "all tricks",
    "ge91": "91 points or more",
    "ge61": "61 to 90 points",
    "31_60": "31 to 60 points",
    "le30": "30 points or fewer",
    "no_tricks": "no trick",
    "made": "made",
    "lost": "lost",
}


def full_name(card: str) -> str:
    """A card as it is read aloud: `ten of diamonds`."""
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def short_name(card: str) -> str:
    """A card as it is printed: `10♦`."""
    return f"{'10' if card[0] == 'T' else card[0]}{SIGNS[card[1]]}"


def who(heard: Heard, player: SeatOrTalon) -> str:
    """A player in the middle of a sentence."""
    if player == "talon":
        return "the talon"
    return "you" if player == heard.seat else f"seat {player}"


def _does(heard: Heard, player: SeatOrTalon, verb: str) -> str:
    """The beginning of a sentence: `You play`, `Seat 1 plays`."""
    name = who(heard, player)
    ending = "" if name == "you" else "es" if verb.endswith("s") else "s"
    return f"{name[0].upper()}{name[1:]} {verb}{ending}"


def card_words(cards: Iterable[str], name: Name) -> str:
    """Cards by name, separated by commas; `none` if there are none."""
    return ", ".join(map(name, cards)) or "none"


def stakes_words(heard: Heard, paid: Iterable[int]) -> str:
    """Stakes of all seats, the reader's own first."""
    each = sorted(enumerate(paid), key=lambda one: one[0] != heard.seat)
    return ", ".join(f"{who(heard, seat)} {amount:+d}" for seat, amount in each)


def event_words(heard: Heard, event: AnyEvent, name: Name) -> str:
    """An event in a sentence, given the table before it; or an empty text."""
    match event:
        case Dealt():
            return _dealt(heard, event)
        case BlindSaid(seat, blind):
            if blind:
                return f"{_does(heard, seat, 'declare')} a blind game."
            return f"{_does(heard, seat, 'look')} at the cards."
        case BidMade(seat, bid):
            if bid == "pass":
                return f"{_does(heard, seat, 'pass')}."
            return f"{_does(heard, seat, 'bid')} {in_words(bid)}."
        case TalonChosen(seat, choice):
            return f"{_does(heard, seat, choice)} the talon."
        case ContractMade(declarer, contract):
            return _contract(heard, declarer, contract)
        case CardPlayed(seat, card):
            verb = "play" if heard.board.trick else "lead"
            return f"{_does(heard, seat, verb)} {name(card)}."
        case TrickTaken(number, winner, points):
            return f"Trick {number} goes to {who(heard, winner)}, {count(points, 'point')}."
        case Surrendered(seat):
            return f"{_does(heard, seat, 'surrender')}."
        case Offered(seat, accepted):
            end = "accepted" if accepted else "refused"
            return f"{_does(heard, seat, 'offer')} to give up: {end}."
        case FaultSeen(seat, fault, detail):
            of = "Your" if seat == heard.seat else f"Seat {seat}'s"
            return f"{of} fault: {fault}{f', {detail}' if detail else ''}."
        case _:
            assert_never(event)


def _dealt(heard: Heard, event: Dealt) -> str:
    own = Heard(heard.rules, event.totals, event.seat)
    said = f"{deal_name(event.deal).capitalize()}: {_does(own, event.dealer, 'deal')}."
    if event.seat not in event.active:
        said += " You sit out."
    else:
        place = ("forehand", "middlehand", "rearhand")[event.active.index(event.seat)]
        said += f" You are {place} in seat {event.seat}."
    pools = pools_words(own, event.pools)
    return f"{said} {pools}" if pools else said


def _contract(heard: Heard, declarer: Seat | None, contract: str) -> str:
    if declarer is None:
        if contract == "table":
            return "All pass: everybody plays alone, and few tricks are good."
        return "All pass: the deal is thrown in."
    against = " and ".join(who(heard, seat) for seat in heard.active if seat != declarer)
    return f"{in_words(contract).capitalize()}: {who(heard, declarer)} against {against}."


def pools_words(heard: Heard, pools: Pools) -> str:
    """Open pools; empty if there are none."""
    said = [f"{pools.collective} collective"] if pools.collective else []
    for seat in range(heard.rules.players):
        if owned := pools.personal.count(seat):
            said.append(f"{owned} of {'yours' if seat == heard.seat else f'seat {seat}'}")
    return f"Open pools: {', '.join(said)}." if said else ""


def request_words(heard: Heard, request: AnyRequest) -> str:
    """A request as a question to the person."""
    match request:
        case AskBlind():
            return "Do you declare a blind game, before you see your cards?"
        case AskBid():
            return "Your bid?"
        case AskTalon():
            return "Take the talon (ordinary), or give it to the defenders (solo)?"
        case AskDiscard():
            return "Lay two cards aside; they count for you."
        case AskPlay():
            return "Which card do you play?" if request.trick else "You lead. Which card?"
        case AskSurrender():
            return "Do you surrender? You lose as with 31 to 60 points."
        case AskOffer():
            offering = who(heard, request.from_).capitalize()
            return f"{offering} offers to give up; you win as with 61 to 90 points. Accept?"
        case _:
            assert_never(request)


def result_words(heard: Heard, result: Result) -> Iterator[str]:
    """The result of a deal, in sentences, without the hands."""
    over = f"{deal_name(heard.deal).capitalize()} is over"
    contract = in_words(result.contract or "no contract")
    declarer = result.declarer
    if declarer is None:
        yield f"{over}: {contract}."
        if result.contract == "table":
            won = (
                f"{who(heard, seat)} {count(result.tricks.seats[seat], 'trick')}"
                f" ({count(result.points.seats[seat], 'point')})"
                for seat in heard.active
            )
            yield f"Taken: {', '.join(won)}."
    else:
        yield f"{over}: {contract}, declared by {who(heard, declarer)}."
        points, tricks = result.points, result.tricks
        if points.declarer is not None and tricks.declarer is not None:
            level = f": {LEVELS[result.level]}" if result.level is not None else ""
            yield (
                f"The declarer has {count(points.declarer, 'point')} in"
                f" {count(tricks.declarer, 'trick')}, the defenders {points.defenders} in"
                f" {tricks.defenders}{level}."
            )
    if result.fault is not None:
        of = "your" if result.fault.seat == heard.seat else f"seat {result.fault.seat}'s"
        yield f"It was ended by {of} fault: {result.fault.fault}."
    yield f"Paid: {stakes_words(heard, result.payments)}."
    pools = pools_words(heard, result.pools)
    if pools:
        yield pools


def totals_words(heard: Heard) -> str:
    """The stakes so far."""
    return f"So far: {stakes_words(heard, heard.totals)}."


def cards_of(heard: Heard, result: Result) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Hands as dealt, the talon and the discards, each after its owner's name."""
    for seat, hand in enumerate(result.hands):
        if hand:
            yield who(heard, seat), hand
    yield "talon", result.talon
    if result.discards:
        yield "laid aside", result.discards
