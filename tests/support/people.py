"""People by chance: answers to whatever is asked, some of them odd."""

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


def by_chance(request: AnyRequest, dice: random.Random, illegal: float = 0.0) -> AnyReply:
    """An answer to a request, with some share of illegal ones."""
    odd = dice.random() < illegal
    number = request.id
    match request:
        case AskBlind():
            return BlindReply(id=number, blind=dice.random() < 0.2)
        case AskBid():
            return BidReply(id=number, bid="all in" if odd else dice.choice(request.legal))
        case AskTalon():
            return TalonReply(id=number, choice="burn" if odd else dice.choice(request.legal))
        case AskDiscard():
            first, second = dice.sample(request.hand, 2)
            return DiscardReply(id=number, cards=(first, first if odd else second))
        case AskSurrender():
            return SurrenderReply(id=number, surrender=dice.random() < 0.1)
        case AskOffer():
            return OfferReply(id=number, accept=dice.random() < 0.3)
        case AskPlay():
            if request.may_offer and dice.random() < 0.1:
                return PlayReply(id=number, offer=True)
            return PlayReply(id=number, card="XX" if odd else dice.choice(request.legal))
