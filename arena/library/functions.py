"""Matches of functions: each answers for a seat as a bot would, in this process."""

from collections.abc import Callable, Sequence

import msgspec

from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import Finished, MatchPlan, Outcome, PlayedDeal, Question, Said
from arena.match.match import Match, play_through
from arena.match.wire import (
    PROTOCOL,
    AnyReply,
    AnyRequest,
    Ask,
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
    Limits,
    OfferReply,
    PlayReply,
    Ready,
    SurrenderReply,
    TalonReply,
)
from arena.zole.deal import Deal
from arena.zole.rules import DEFAULT, Rules, preset

Player = Callable[[AnyRequest], object]
"""Answers a request: a bid (`bid`), `take` or `give` (`talon`), two cards (`discard`), a card or
`offer` (`play`), true or false (`blind`, `surrender`, `offer`)."""

_LINE_BYTES = 65536


def deals(rules: Rules, seed: int | str, count: int, bots: Sequence[str] = ()) -> tuple[Deal, ...]:
    """The first `count` deals of a seed, as `arena match --seed` gives them to bots of these names.

    `protocol/deals.md` specifies them.
    """
    return tuple(league_deals(rules, str(seed), tuple(bots), 0, count))


def play_functions(
    players: Sequence[Player],
    dealt: Sequence[Deal],
    rules: Rules | str = DEFAULT,
    asks: Sequence[Ask] = (),
) -> tuple[PlayedDeal, ...]:
    """Play deals among functions, one for each seat; return the played deals.

    `rules` is a preset's name, or `Rules`; `asks` are the questions between turns that declarers
    are asked (`surrender`, `offer`). An answer that the rules do not allow is a fault, as a bot's
    would be. Nothing is timed. Raises `TypeError` for an answer that cannot be one, and whatever a
    function raises.
    """
    if isinstance(rules, str):
        rules = preset(rules, {"players": len(players)})
    if len(players) != rules.players:
        raise ValueError(f"a table of {rules.players} needs as many players, not {len(players)}")
    seeds = seat_seeds(rules, "", list(dealt))
    limits = Limits(None, None, _LINE_BYTES)
    plan = MatchPlan(rules, limits, rules.conduct.max_faults, dealt, seeds)
    readies = (Ready(PROTOCOL, asks=tuple(asks)),) * rules.players

    def answer(question: Question) -> Outcome:
        request = question.request
        return Said(_reply(request, players[question.seat](request)), 0)

    played = play_through(Match(plan, in_order=True), readies, answer)
    return tuple(command.played for command, _ in played if isinstance(command, Finished))


def _reply(request: AnyRequest, answer: object) -> AnyReply:
    """The reply to a request that a function's answer means. Raises `TypeError`."""
    number = request.id
    match request, answer:
        case AskPlay(), "offer":
            return PlayReply(id=number, offer=True)
        case AskPlay(), str(card):
            return PlayReply(id=number, card=card)
        case AskBid(), str(bid):
            return BidReply(id=number, bid=bid)
        case AskTalon(), str(choice):
            return TalonReply(id=number, choice=choice)
        case AskDiscard(), [str(first), str(second)]:
            return DiscardReply(id=number, cards=(first, second))
        case AskBlind(), bool(blind):
            return BlindReply(id=number, blind=blind)
        case AskSurrender(), bool(surrender):
            return SurrenderReply(id=number, surrender=surrender)
        case AskOffer(), bool(accept):
            return OfferReply(id=number, accept=accept)
    kind = msgspec.inspect.type_info(type(request))
    assert isinstance(kind, msgspec.inspect.StructType)
    raise TypeError(f"{answer!r} is not an answer to {kind.tag}")
