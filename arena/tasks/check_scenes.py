"""The deals that ask a bot everything: its hands, and what its partners make of theirs.

A scene is played in forehand, middlehand and rearhand, so that a few of them bring every role.
"""

from collections.abc import Sequence
from itertools import cycle, islice
from typing import Literal, assert_never

import msgspec

from arena.engine.job import FunctionSeat
from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import MatchPlan
from arena.match.wire import (
    PROTOCOL,
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
    Limits,
    OfferReply,
    PlayReply,
    Ready,
    SurrenderReply,
    TalonReply,
)
from arena.zole.cards import INDEX, Card, mask
from arena.zole.deal import Deal, Seat, active_seats, shuffled
from arena.zole.rules import LARGEST_MAX_FAULTS, Contract, Rules

SEAT: Seat = 1
"""The seat of the checked bot where none is named."""

STRONG = "QC QS JC JS AD TD AC TC"
SURE_SOLO = "QC QS QH QD JC JS JH JD"
WEAK = "8D 7D KC 9C KS 9S KH 9H"
"""Hands that invite an ordinary game, a solo, and a pass or a small solo."""

POOR = "JD 9D 8D AC KC TS KS TH"
HIGH_TRUMPS = "QC QS"
"""A hand for no contract, and a talon that takes the first two tricks where it plays along."""

LOW_TRUMPS = "QD JD AD TD KD 9D AC AS"
LAST_TRUMPS = "8D 7D"
"""A hand for an ordinary game, and a talon with which one must discard trumps or aces."""

Habit = (
    Contract | Literal["pass", "offer", "accept", "surrender", "misbid", "misdiscard", "misplay"]
)
"""What a partner does in a deal, good or bad.

`pass` passes, and `offer` also offers to give up; a contract is declared if that is allowed;
`accept` declares and accepts offers, `surrender` declares and gives up; `misbid`, `misdiscard` and
`misplay` make that mistake.
"""

_BIDDING = ("solo", "accept", "surrender", "misdiscard")
"""Habits that bid an ordinary game if their name itself is not a legal bid."""


class Scene(msgspec.Struct, frozen=True):
    """The checked bot's hand, and the habits of the active seats after it and before it.

    The `talon` is left to chance if it is empty.
    """

    hand: str
    next: Habit = "pass"
    last: Habit = "pass"
    talon: str = ""


class Script(msgspec.Struct, frozen=True):
    """A match of the checked bot in its `seat`; `habits` has those of each seat, deal by deal.

    Its partners can play at as many `tables` at once.
    """

    plan: MatchPlan
    habits: tuple[tuple[Habit, ...], ...]
    seat: Seat = SEAT
    tables: int = 1


DECLARING = (Scene(STRONG), Scene(LOW_TRUMPS, talon=LAST_TRUMPS))
SOLO = (Scene(SURE_SOLO),)
ALL_PASS = (Scene(POOR, talon=HIGH_TRUMPS), Scene(WEAK))
GIVING_UP = (
    Scene(STRONG, "offer", "offer"),
    Scene(WEAK, "accept", "offer"),
    Scene(WEAK, "offer", "ordinary"),
    Scene(WEAK, "surrender"),
    Scene(SURE_SOLO, "offer"),
)
MISTAKES = (
    Scene(WEAK, "misbid"),
    Scene(WEAK, "pass", "misdiscard"),
    Scene(WEAK, "ordinary", "misplay"),
    Scene(STRONG, "misplay"),
)
"""Mistakes of others: in the auction, as declarer, as partner and as opponent."""


def defending(rules: Rules) -> tuple[Scene, ...]:
    """Scenes in which each neighbour declares each contract, against a weak hand and a strong."""
    return tuple(
        scene
        for contract in rules.auction.contracts
        for scene in (
            Scene(WEAK, contract),
            Scene(WEAK, "pass", contract),
            Scene(STRONG, contract, contract),
        )
    )


def every_role(rules: Rules) -> tuple[Scene, ...]:
    """All scenes without a mistake; where there are pools, the first deals fill them."""
    return ALL_PASS + DECLARING + defending(rules) + SOLO + GIVING_UP


def script_of(
    rules: Rules,
    limits: Limits,
    scenes: Sequence[Scene],
    seat: Seat = SEAT,
    most: int | None = None,
) -> Script:
    """A match of scenes, each with every dealer; at larger tables the bot sits some of them out.

    There are at most this many deals: first each scene once, with different dealers.
    """
    players = rules.players
    numbered = [
        (scene, (number + turn) % players)
        for turn in range(players)
        for number, scene in enumerate(scenes)
    ]
    deals = [
        _set(scene, seat, players, dealer, number)
        for number, (scene, dealer) in enumerate(numbered[:most])
    ]
    by_seat = tuple(zip(*(habits for _, habits in deals), strict=True))
    return Script(_plan(rules, limits, [deal for deal, _ in deals]), by_seat, seat)


def by_chance(
    rules: Rules, limits: Limits, deals: int, habits: Sequence[Habit] = ("pass",)
) -> Script:
    """A match over deals from the seed "check"; all partners have these habits by turns."""
    some = league_deals(rules, "check", tuple("abcde"[: rules.players]), 0, deals)
    turns = tuple(islice(cycle(habits), deals))
    return Script(_plan(rules, limits, some), (turns,) * rules.players)


def _plan(rules: Rules, limits: Limits, deals: list[Deal]) -> MatchPlan:
    """A match that nobody's faults end: partners make mistakes, and a bot's fail the check."""
    seeds = seat_seeds(rules, "check", deals)
    return MatchPlan(rules, limits, LARGEST_MAX_FAULTS, deals, seeds)


def partner_of(script: Script, seat: Seat) -> FunctionSeat:
    """The partner in a seat, which follows the script and repeats an answer that is refused."""
    habits = script.habits[seat]
    return FunctionSeat(
        "partner",
        Ready(PROTOCOL, tables=script.tables, asks=("surrender", "offer")),
        lambda request: _answer(request, habits[request.deal]),
    )


def _answer(request: AnyRequest, habit: Habit) -> AnyReply:
    number = request.id
    match request:
        case AskBlind():
            return BlindReply(id=number, blind=habit == "blind")
        case AskBid():
            wishes = habit, "ordinary" if habit in _BIDDING else "pass", "pass"
            bid = next(wish for wish in wishes if wish in request.legal)
            return BidReply(id=number, bid="grand" if habit == "misbid" else bid)
        case AskTalon():
            return TalonReply(id=number, choice="give" if habit == "solo" else "take")
        case AskDiscard():
            low, lowest = request.hand[-2:]
            return DiscardReply(id=number, cards=(lowest if habit == "misdiscard" else low, lowest))
        case AskSurrender():
            return SurrenderReply(id=number, surrender=habit == "surrender")
        case AskOffer():
            return OfferReply(id=number, accept=habit == "accept")
        case AskPlay():
            if habit == "offer" and request.may_offer:
                return PlayReply(id=number, offer=True)
            card = request.legal[number % len(request.legal)]
            return PlayReply(id=number, card="7C" if habit == "misplay" else card)
        case _:
            assert_never(request)


def _set(
    scene: Scene, seat: Seat, players: int, dealer: Seat, number: int
) -> tuple[Deal, tuple[Habit, ...]]:
    """The deal of a scene with the rest dealt by chance, and the habit of each seat in it."""
    active = active_seats(players, dealer)
    mine = _cards(scene.hand) if seat in active else []
    deck = (*mine, *_cards(scene.talon))
    rest = [card for card in shuffled(f"check {number}") if card not in deck]
    rest += deck[len(mine) :]
    others = sorted((each for each in active if each != seat), key=lambda s: (s - seat) % players)
    dealt = [0] * players
    habits: list[Habit] = ["pass"] * players
    dealt[seat] = mask(mine)
    for place, each in enumerate(others):
        dealt[each] = mask(rest[8 * place : 8 * place + 8])
        habits[each] = (scene.next, scene.last, "pass")[place]
    return Deal(dealer, tuple(dealt), (rest[-2], rest[-1])), tuple(habits)


def _cards(text: str) -> list[Card]:
    return [INDEX[card] for card in text.split()]
