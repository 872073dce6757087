"""A match as people view it: each request, its outcome, and the table after it.

`arena.zole.view` decides from the state which cards are face up for each seat, once, here;
`arena.match.projection` then reduces a match to what a viewer may see.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from arena.match.commands import PlayedDeal, Said
from arena.match.log import YES_NO, LoggedFailure, answer_text
from arena.match.wire import (
    AnyEvent,
    BidMade,
    BlindSaid,
    CardPlayed,
    FaultSeen,
    Offered,
    Placed,
    Refused,
    Result,
    Surrendered,
    TalonChosen,
    TrickTaken,
)
from arena.zole import view
from arena.zole.cards import NAMES, names
from arena.zole.deal import Seat
from arena.zole.rules import Rules
from arena.zole.state import State
from arena.zole.view import Sight

HIDDEN = "?"
"""Stands for a card lying face down, and for an answer that a seat may not see."""


class Layout(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cards on the table. Hands, the talon as dealt and discards are cards joined by dots.

    `trick` is the current or last one, with its `winner` once complete; `points` and `tricks`
    count complete tricks by seat, `talon_points` those that fell to the talon. The declarer of an
    ordinary game holds the talon as soon as there is a contract. `unlooked` are seats
    that may still declare a blind game and therefore do not know their own hand. `sees` is what
    is face up for each seat; it is left out if unchanged since the moment before.
    """

    hands: tuple[str, ...]
    points: tuple[int, ...]
    tricks: tuple[int, ...]
    talon: str
    talon_points: int = 0
    trick: tuple[Placed, ...] = ()
    winner: Seat | Literal["talon"] | None = None
    declarer: Seat | None = None
    contract: str | None = None
    discards: str = ""
    unlooked: tuple[Seat, ...] = ()
    sees: tuple[Sight, ...] = ()


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request to a seat, its outcome, and the table afterwards.

    `ask` is the request's type, `id` its number, `answer` the log's word, None if none came.
    `told` is what the other seats are sent, if not the answer: what the arena did instead, or
    `HIDDEN`. `fault` is the blame for the answer, or for its absence, `refused` the reason it was
    sent back. Only its own seat knows the `seconds`; for others they are None. `stderr` is what the
    bot wrote there meanwhile.
    """

    seat: Seat
    ask: str
    id: int
    answer: str | None
    seconds: float | None
    events: tuple[AnyEvent, ...]
    board: Layout
    told: str | None = None
    note: str | None = None
    fault: LoggedFailure | None = None
    refused: LoggedFailure | None = None
    stderr: str = ""


class SeenDeal(msgspec.Struct, frozen=True):
    """A deal from `begin`, as dealt, to its result, which is None until the deal is over.

    `first` are the events before the first request.
    """

    deal: int
    dealer: Seat
    active: tuple[Seat, ...]
    first: tuple[AnyEvent, ...]
    begin: Layout
    moments: tuple[Moment, ...]
    result: Result | None


class SeenMatch(msgspec.Struct, frozen=True):
    """A whole match. `bots` are by seat; `stderr` is there only on request.

    `match` is its number in the league's record. `deals` are numbered from 0 as the bots saw them.
    """

    league: str | None
    match: int | None
    bots: tuple[str, ...]
    rules: Rules
    isolation: str
    deals: tuple[SeenDeal, ...]
    stderr: tuple[str, ...] = ()


def seen_deal(game: PlayedDeal) -> SeenDeal:
    """A deal with nothing hidden, its events assigned to the requests that they followed."""
    asked = game.asked
    start, *after = game.states
    begin = layout = _layout(start, (), None)
    bounds = [step.events for step in asked] + [len(game.events)]
    faults = iter(game.faults)
    moments: list[Moment] = []
    sees = begin.sees
    for number, (step, state) in enumerate(zip(asked, after, strict=True)):
        request, outcome = step.question.request, step.outcome
        said = outcome.reply if isinstance(outcome, Said) else None
        events = game.events[bounds[number] : bounds[number + 1]]
        layout = _layout(state, *_trick(layout.trick, layout.winner, events))
        shown = msgspec.structs.replace(layout, sees=()) if layout.sees == sees else layout
        sees = layout.sees
        ask = str(request.__struct_config__.tag)
        answer = None if said is None else answer_text(said)
        told = _told(request.seat, ask, answer, events)
        blamed = next(faults) if any(isinstance(each, FaultSeen) for each in events) else None
        coming = asked[number + 1].question.line if number + 1 < len(asked) else None
        moments.append(
            Moment(
                request.seat,
                ask,
                request.id,
                answer,
                outcome.us / 1e6,
                events,
                shown,
                None if told == answer else told,
                None if said is None else said.note,
                None if blamed is None else LoggedFailure(blamed.kind, blamed.detail),
                LoggedFailure(coming.fault, coming.detail) if isinstance(coming, Refused) else None,
                outcome.stderr,
            )
        )
    return SeenDeal(
        game.number,
        game.deal.dealer,
        start.active,
        game.events[: bounds[0]],
        begin,
        tuple(moments),
        game.result,
    )


def _layout(
    state: State, trick: tuple[Placed, ...], winner: Seat | Literal["talon"] | None
) -> Layout:
    return Layout(
        tuple(".".join(names(hand)) for hand in state.hands),
        state.points,
        state.tricks,
        ".".join(NAMES[card] for card in state.deal.talon),
        state.talon_points,
        trick,
        winner,
        None if state.contract is None else state.declarer,
        state.contract,
        ".".join(names(state.discards)),
        tuple(seat for seat in state.active if view.still_blind(state, seat)),
        tuple(view.sight(state, seat) for seat in range(len(state.hands))),
    )


def _trick(
    trick: tuple[Placed, ...],
    winner: Seat | Literal["talon"] | None,
    events: Sequence[AnyEvent],
) -> tuple[tuple[Placed, ...], Seat | Literal["talon"] | None]:
    for event in events:
        match event:
            case CardPlayed(seat, card):
                trick = (*(trick if winner is None else ()), Placed(seat, card))
                winner = None
            case TrickTaken(_, taker):
                winner = taker
    return trick, winner


def _told(seat: Seat, ask: str, answer: str | None, events: Sequence[AnyEvent]) -> str | None:
    """A seat's answer as the events show it to the others, or the action taken instead."""
    for event in events:
        match event:
            case CardPlayed(who, card) if who == seat:
                return card
            case BidMade(who, bid) if who == seat:
                return bid
            case TalonChosen(who, choice) if who == seat:
                return choice
            case BlindSaid(who, said) if who == seat:
                return YES_NO[said]
            case Surrendered(who) if who == seat:
                return YES_NO[True]
            case Offered(_, accepted):
                return YES_NO[accepted] if ask == "offer" else answer
    if answer is None:
        return None
    return f"{HIDDEN}.{HIDDEN}" if ask == "discard" else HIDDEN
