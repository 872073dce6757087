"""A deal as a seat knows it, made from the seat's own lines and from nothing else.

Hidden cards are put anywhere that fits what the seat has seen, since a review of such a deal uses
only what the seat knew. Once the deal is over, all its cards have been shown.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from arena.match.wire import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    AskBlind,
    AskDiscard,
    BidMade,
    BlindSaid,
    CardPlayed,
    ContractMade,
    DealEnd,
    Dealt,
    FaultSeen,
    Hello,
    Offered,
    Result,
    Surrendered,
    TalonChosen,
    TrickTaken,
    message_in,
)
from arena.review.decisions import Decision, answers_to, given_by, request_kind
from arena.review.worlds import HidingPlace, KnownCards, Where, Worlds
from arena.zole import play
from arena.zole.cards import DECK, INDEX, SUIT_OF, Card, Cards, mask
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules
from arena.zole.state import Choose, Discard, Play, Say, SayBlind, State

_HAND: Final = 8


class Asked(msgspec.Struct, frozen=True):
    """A request of a deal, and the number of the deal's events that the seat had been told with it.

    `line` is the number of its line, and `until` that of the seat's next request or deal's end.
    """

    request: AnyRequest
    told: int
    line: int
    until: int


class DealTold(msgspec.Struct, frozen=True):
    """A deal as a seat was told of it; `result` is None until it is over."""

    rules: Rules
    dealt: Dealt
    events: tuple[AnyEvent, ...]
    asked: tuple[Asked, ...]
    result: Result | None


def deal_told(lines: Sequence[bytes], number: int | None = None) -> DealTold | None:
    """A deal of the last match from a seat's lines, or the last deal; None if the lines lack it."""
    rules: Rules | None = None
    events: list[AnyEvent] = []
    asked: list[Asked] = []
    result: Result | None = None
    for line, said in enumerate(map(message_in, lines), 1):
        if isinstance(said, Hello):
            rules, events, asked, result = said.rules, [], [], None
        elif isinstance(said, AnyRequest | DealEnd) and number in (None, said.deal):
            if said.events and isinstance(said.events[0], Dealt):
                events, asked, result = [], [], None
            events += said.events
            if asked:
                asked[-1] = msgspec.structs.replace(asked[-1], until=line)
            if isinstance(said, DealEnd):
                result = said.result
            else:
                asked.append(Asked(said, len(events), line, line + 1))
    if rules is None or not events or not isinstance(events[0], Dealt):
        return None
    return DealTold(rules, events[0], tuple(events), tuple(asked), result)


def open_decision(told: DealTold) -> Decision:
    """The decision for the last request of a deal, with the first legal answer as given.

    Raises `LookupError` if no deal fits what was told.
    """
    now = told.asked[-1]
    world = _some_world(told, now.request)
    past = _past(told, world.deal, world.discards, now)
    return _decision(told, now, past, None)


def finished_decisions(told: DealTold, replies: Mapping[int, AnyReply]) -> tuple[Decision, ...]:
    """The seat's decisions in a deal that is over, with the answers that were carried out.

    Replies are by the number of the line after which they were given; one that was refused is
    followed by another.
    """
    result = told.result
    assert result is not None
    hands = tuple(mask(INDEX[card] for card in hand) for hand in result.hands)
    first, second = (INDEX[card] for card in result.talon)
    deal = Deal(told.dealt.dealer, hands, (first, second))
    discards = mask(INDEX[card] for card in result.discards)
    found: list[Decision] = []
    for number, each in enumerate(told.asked):
        given = [line for line in range(each.line, each.until) if line in replies]
        if not given or _faulted(told, number):
            continue
        made = _decision(told, each, _past(told, deal, discards, each), replies[given[-1]])
        if len(made.answers) > 1 and made.given in made.answers:
            found.append(made)
    return tuple(found)


# A decision; if there is no reply yet, the first legal answer counts as given.
def _decision(
    told: DealTold, asked: Asked, past: tuple[State, ...], reply: AnyReply | None
) -> Decision:
    kind = request_kind(asked.request)
    given = "" if reply is None else given_by(reply)
    answers = answers_to(past[-1], kind, given)
    return Decision(
        deal=asked.request.deal,
        step=asked.request.id,
        seat=told.dealt.seat,
        kind=kind,
        answers=answers,
        given=given or answers[0],
        past=past,
        pools=told.dealt.pools,
    )


# Whether the seat's answer to a request was a fault, by the events told next.
def _faulted(told: DealTold, number: int) -> bool:
    begin = told.asked[number].told
    end = told.asked[number + 1].told if number + 1 < len(told.asked) else len(told.events)
    seat = told.dealt.seat
    return any(
        isinstance(event, FaultSeen) and event.seat == seat for event in told.events[begin:end]
    )


# The states of a deal from its start to a request.
def _past(told: DealTold, deal: Deal, discards: Cards, until: Asked) -> tuple[State, ...]:
    past = [play.start(told.rules, deal)]

    def lay_aside() -> None:
        if past[-1].phase == "discard":
            past.append(play.apply(past[-1], Discard(discards)))

    for event in told.events[: until.told]:
        match event:
            case BlindSaid(_, blind):
                past.append(play.apply(past[-1], SayBlind(blind)))
            case BidMade(_, bid):
                past.append(play.apply(past[-1], Say(bid)))
            case TalonChosen(_, choice):
                past.append(play.apply(past[-1], Choose(choice)))
            case CardPlayed(seat, card) if seat != "talon":
                lay_aside()
                past.append(play.apply(past[-1], Play(INDEX[card])))
            case Offered(_, accepted):
                lay_aside()
                past.append(play.offer(past[-1], accepted))
            case Surrendered():
                lay_aside()
                past.append(play.surrender(past[-1]))
    if not isinstance(until.request, AskDiscard):
        lay_aside()
    return tuple(past)


# Some deal that fits all that was told before a request. Raises `LookupError`.
def _some_world(told: DealTold, request: AnyRequest) -> State:
    me, players = told.dealt.seat, told.rules.players
    laid: list[Cards] = [0] * players
    barred: list[Cards] = [0] * players  # suits that a seat has shown itself void in
    turned: list[Card] = []
    trick: list[Card] = []
    declarer: Seat | None = None
    contract: str | None = None
    for event in told.events:
        match event:
            case CardPlayed(seat, name):
                card = INDEX[name]
                if seat == "talon":
                    turned.append(card)
                else:
                    laid[seat] |= 1 << card
                    if trick and not 1 << card & SUIT_OF[trick[0]]:
                        barred[seat] |= SUIT_OF[trick[0]]
                trick.append(card)
            case TrickTaken():
                trick = []
            case ContractMade():
                declarer, contract = event.declarer, event.contract
    hand = 0 if isinstance(request, AskBlind) else mask(INDEX[card] for card in request.hand)
    took = next((it.request for it in told.asked if isinstance(it.request, AskDiscard)), None)
    discards = 0
    talon: tuple[Card | None, Card | None] = (*turned, None, None)[:2]  # type: ignore[assignment]
    if took is not None:
        discards = mask(INDEX[card] for card in took.hand) & ~hand & ~laid[me]
        first, second = (INDEX[card] for card in took.talon)
        talon = first, second
    places = [
        HidingPlace(each, _HAND - laid[each].bit_count(), barred[each])
        for each in told.dealt.active
        if each != me or isinstance(request, AskBlind)
    ]
    if took is None and contract == "ordinary":
        places.append(HidingPlace("discards", 2))
    elif took is None:
        names: tuple[Where, Where] = ("talon 1", "talon 2")
        places += [
            HidingPlace(name, 1) for name, card in zip(names, talon, strict=True) if card is None
        ]
    known = hand | discards | mask(turned)
    for cards in laid:
        known |= cards
    nothing = Deal(told.dealt.dealer, (0,) * told.rules.players, (0, 0))
    table = msgspec.structs.replace(
        play.start(told.rules, nothing),
        hands=tuple(hand if each == me else 0 for each in range(told.rules.players)),
        declarer=declarer,
        contract=contract,
        discards=discards,
    )
    worlds = Worlds(KnownCards(table, tuple(laid), talon, DECK & ~known, tuple(places)))
    if not worlds.placings:
        raise LookupError("no deal fits what was told")
    return worlds.sample(1, "any")[0]
