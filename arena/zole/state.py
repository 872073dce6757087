"""A deal at one moment as a value, the actions that change it, and why one may be refused."""

from typing import Literal, get_args

import msgspec

from arena.zole.cards import NAMES, Card, Cards
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Bid, Rules

Game = Literal["ordinary", "solo", "small_solo", "blind", "table", "thrown_in"]
GAMES: tuple[Game, ...] = get_args(Game)
"""The contracts of a deal, in the order in which a league's record numbers them."""

Choice = Literal["take", "give"]
Phase = Literal["blind", "bid", "talon", "discard", "play", "over"]
EndedBy = Literal["surrender", "offer", "fault"]


class Illegal(ValueError):
    """An action that the rules do not allow in this state; the text gives the reason."""


class SayBlind(msgspec.Struct, frozen=True):
    """Before seeing the hand: declare a `blind` game, or not."""

    blind: bool


class Say(msgspec.Struct, frozen=True):
    """A `bid` in the auction."""

    bid: Bid


class Choose(msgspec.Struct, frozen=True):
    """The declarer's `choice` about the talon, if the rules ask for it after the bid."""

    choice: Choice


class Discard(msgspec.Struct, frozen=True):
    """The two `cards`, as a set, laid aside by the declarer of an ordinary game."""

    cards: Cards


class Play(msgspec.Struct, frozen=True):
    """One `card` to the trick."""

    card: Card


Action = SayBlind | Say | Choose | Discard | Play
"""What a seat does on its turn."""


class Ended(msgspec.Struct, frozen=True):
    """A deal that stopped before its last trick: how, and because of which seat."""

    by: EndedBy
    seat: Seat


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything about a `deal`, played by some `rules`, at one moment.

    `active` are the seats that play, forehand first; `phase` is what is done now, `turn` whose turn
    it is, None once the deal is over. `bids` are those made, with their seats; `contract` and
    `declarer` follow from them, and `discards` are what it laid aside. `hands` are what seats hold.

    `order` has the seats that play to the current `trick`, with None for the talon, `trick` the
    cards in it. `completed` tricks are over: `tricks` and card `points` are what was taken, by
    seat, `talon_tricks` and `talon_points` what the talon took. `offered` are the defenders that
    have offered their side's surrender; `ended` says how the deal stopped before its last trick, if
    so.
    """

    rules: Rules
    deal: Deal
    active: tuple[Seat, ...]
    phase: Phase
    turn: Seat | None
    hands: tuple[Cards, ...]
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    order: tuple[Seat | None, ...] = ()
    trick: tuple[Card, ...] = ()
    completed: int = 0
    bids: tuple[tuple[Seat, Bid], ...] = ()
    declarer: Seat | None = None
    contract: Game | None = None
    discards: Cards = 0
    talon_tricks: int = 0
    talon_points: int = 0
    offered: tuple[Seat, ...] = ()
    ended: Ended | None = None


PLAYS: tuple[Play, ...] = tuple(Play(card) for card in range(len(NAMES)))
"""The action of playing each card, created once."""


def turn_of(state: State) -> Seat:
    """The seat to act. Raises `Illegal` when the deal is over."""
    if state.turn is None:
        raise Illegal("the deal is over")
    return state.turn


def require(state: State, phase: Phase) -> None:
    """Raise `Illegal` unless the deal is in the action's phase."""
    if state.phase != phase:
        raise Illegal(f"this is the moment for {state.phase}, not for {phase}")


def changed(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """A tuple with one value replaced."""
    new = list(values)
    new[place] = value
    return tuple(new)
