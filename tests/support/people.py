"""People by chance: answers to whatever is asked, some of them odd."""

import random

from arena.match.wire import (
    AnyReply,
    AnyRequest,
    BidReply,
    DiscardReply,
    PlayReply,
    TalonReply,
)
from tests.support import chance


def by_chance(request: AnyRequest, dice: random.Random, illegal: float = 0.0) -> AnyReply:
    """An answer to a request, with some share of illegal ones."""
    odd = dice.random() < illegal
    reply = chance.by_chance(dice, request, surrenders=0.1, accepts=0.3, offers=0.1)
    return _odd(reply) if odd else reply


def _odd(reply: AnyReply) -> AnyReply:
    """An answer that the rules do not allow; where any is allowed, as it was."""
    number = reply.id
    match reply:
        case BidReply():
            return BidReply(id=number, bid="all in")
        case TalonReply():
            return TalonReply(id=number, choice="burn")
        case DiscardReply(cards=(first, *_)):
            return DiscardReply(id=number, cards=(first, first))
        case PlayReply(card=str()):
            return PlayReply(id=number, card="XX")
        case _:
            return reply
