"""A seat's knowledge of a deal, as one value with names."""

import msgspec

from arena.zole import play, view
from arena.zole.cards import NAMES, names
from arena.zole.deal import Seat
from arena.zole.rules import Bid
from arena.zole.state import Action, Game, Phase, State


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The knowledge of a `seat` at a moment of a deal. Cards are names, from the strongest.

    `active` are the seats that play, forehand first, `dealer` is the one that dealt, `phase` what
    is done now, and `turn` whose turn it is. `bids` are those made, with their seats; `declarer`
    and `contract` are None until there is one. `completed` counts the tricks that are over.

    `hand` are its cards, `legal` has its actions if it is its turn. `talon` are the cards of the
    talon that it knows, `discards` those that it laid aside, `hidden` all whose place it does not
    know. `trick` has the cards of the current trick with their seats (None is the talon); `tricks`
    and `points` are those taken so far, by seat.
    """

    seat: Seat
    dealer: Seat
    active: tuple[Seat, ...]
    phase: Phase
    turn: Seat | None
    legal: tuple[Action, ...]
    hand: tuple[str, ...]
    talon: tuple[str, ...]
    discards: tuple[str, ...]
    hidden: tuple[str, ...]
    bids: tuple[tuple[Seat, Bid], ...]
    declarer: Seat | None
    contract: Game | None
    trick: tuple[tuple[Seat | None, str], ...]
    completed: int
    tricks: tuple[int, ...]
    points: tuple[int, ...]


def view_of(state: State, seat: Seat) -> View:
    """The knowledge of a seat. Before a deal's end, a seat that sits out gets nothing of it.

    Raises `ValueError` for a seat that sits out.
    """
    if seat not in state.active and state.phase != "over":
        raise ValueError(f"seat {seat} sits out; seats {state.active} play")
    sees = view.sight(state, seat)
    return View(
        seat=seat,
        dealer=state.deal.dealer,
        active=state.active,
        phase=state.phase,
        turn=state.turn,
        legal=play.legal(state) if state.turn == seat else (),
        hand=view.hand(state, seat),
        talon=view.talon(state, seat),
        discards=names(state.discards) if sees.discards else (),
        hidden=names(view.hidden(state, seat)),
        bids=state.bids,
        declarer=state.declarer,
        contract=state.contract,
        trick=tuple((state.order[place], NAMES[card]) for place, card in enumerate(state.trick)),
        completed=state.completed,
        tricks=state.tricks,
        points=state.points,
    )
