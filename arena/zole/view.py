"""What a seat may know of a deal: the one place that decides which cards leave the arena.

Everything public (bids, played cards, tricks) goes out as events; cards that only some may see go
through here. `hidden` lists what a seat must not learn, so that a test can deal it anew and ask
whether anything sent to the seat changes.
"""

from arena.zole.cards import DECK, Cards, mask, names
from arena.zole.deal import Seat
from arena.zole.state import State

Names = tuple[str, ...]


def hand(state: State, seat: Seat) -> Names:
    """The seat's own cards; none while it has still to say whether it plays blind."""
    if state.phase != "play" and _still_blind(state, seat):
        return ()
    return names(state.hands[seat])


def talon(state: State, seat: Seat) -> Names:
    """The two talon cards, for the declarer that took them; nothing for anybody else."""
    return names(mask(state.deal.talon)) if _took_talon(state, seat) else ()


def hidden(state: State, seat: Seat) -> Cards:
    """All cards whose place the seat may not know yet: other hands, discards, an untaken talon."""
    if _still_blind(state, seat):
        return DECK
    known = state.deal.hands[seat] | mask(state.trick) | _played(state)
    if _took_talon(state, seat):
        known |= mask(state.deal.talon)
    return DECK & ~known


def _still_blind(state: State, seat: Seat) -> bool:
    """lzsf, Melnais: blind is declared before looking at the cards."""
    return (
        state.phase in ("blind", "bid")
        and "blind" in state.rules.auction.contracts
        and (state.turn != seat or state.phase == "blind")
        and seat not in (bidder for bidder, _ in state.bids)
    )


def _took_talon(state: State, seat: Seat) -> bool:
    return state.declarer == seat and state.contract == "ordinary"


def _played(state: State) -> Cards:
    """Every card that has been laid openly to a trick, the talon's own included."""
    held = state.discards
    for cards in state.hands:
        held |= cards
    shown = 0 if state.contract == "ordinary" else mask(state.deal.talon[_turned(state) :])
    return DECK & ~held & ~shown


def _turned(state: State) -> int:
    """How many talon cards have been turned to a trick of a table game."""
    if state.contract != "table" or state.rules.table.talon != "first_two_tricks":
        return 0
    leads = bool(state.order) and state.order[0] is None
    return min(2, state.completed + leads)
