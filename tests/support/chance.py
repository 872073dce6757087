"""Bots that answer at random, the rules they are tried with, and the states they lead to."""

import random

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
from arena.zole import play
from arena.zole.cards import INDEX, mask
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules, preset
from arena.zole.state import PLAYS, Choose, Discard, Say, SayBlind, State

RULESETS = [
    preset(),
    preset("piedalies"),
    preset("lzsf"),
    preset("lzsf", {"players": 5}),
    preset("pagat", {"players": 4, "auction": {"contracts": ["ordinary", "solo", "blind"]}}),
    preset("pagat", {"table": {"talon": "first_two_tricks"}}),
]

Steps = list[tuple[Seat, AnyRequest, AnyReply]]
"""Who was asked what, and what it answered."""


def by_chance(
    dice: random.Random,
    request: AnyRequest,
    *,
    surrenders: float = 0.02,
    accepts: float = 0.2,
    offers: float = 0.05,
) -> AnyReply:
    """An allowed answer; it gives up, accepts an offer and offers with these chances."""
    number = request.id
    match request:
        case AskBlind():
            return BlindReply(id=number, blind=dice.random() < 0.2)
        case AskBid():
            return BidReply(id=number, bid=dice.choice(request.legal))
        case AskTalon():
            return TalonReply(id=number, choice=dice.choice(request.legal))
        case AskDiscard():
            first, second = dice.sample(request.hand, 2)
            return DiscardReply(id=number, cards=(first, second))
        case AskSurrender():
            return SurrenderReply(id=number, surrender=dice.random() < surrenders)
        case AskOffer():
            return OfferReply(id=number, accept=dice.random() < accepts)
        case AskPlay():
            if request.may_offer and dice.random() < offers:
                return PlayReply(id=number, offer=True)
            return PlayReply(id=number, card=dice.choice(request.legal))


def state_after(rules: Rules, deal: Deal, steps: Steps) -> State:
    """The state that some answers lead to."""
    state = play.start(rules, deal)
    for _, _, reply in steps:
        match reply:
            case BlindReply(blind=blind):
                state = play.apply(state, SayBlind(blind))
            case BidReply():
                state = play.apply(state, Say(reply.bid))  # type: ignore[arg-type]
            case TalonReply():
                state = play.apply(state, Choose(reply.choice))  # type: ignore[arg-type]
            case DiscardReply(cards=cards):
                state = play.apply(state, Discard(mask(INDEX[card] for card in cards)))
            case SurrenderReply(surrender=True):
                state = play.surrender(state)
            case OfferReply(accept=accepted):
                state = play.offer(state, accepted)
            case PlayReply(card=str(card)):
                state = play.apply(state, PLAYS[INDEX[card]])
    return state
