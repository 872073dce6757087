"""Visibility: the only place that decides which cards a seat may see at a moment of a deal.

Events carry what everybody may know (bids, cards laid, tricks). Any other card that a bot or a
page is shown has been allowed by this module. Once a deal is over, everybody sees everything.
`hidden` names the cards whose place a viewer must not learn, so that a test can redeal them and
check that what the viewer is shown stays the same.
"""

import msgspec

from arena.zole.cards import DECK, Cards, mask, names
from arena.zole.deal import Seat
from arena.zole.state import State


class Sight(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cards that lie face up for a viewer, other than those played to tricks.

    `hands` are the seats whose cards it sees, `talon` the places (0, 1) of the talon cards that
    it knows; `discards` is whether it knows them.
    """

    hands: tuple[Seat, ...] = ()
    talon: tuple[int, ...] = ()
    discards: bool = False


def sight(state: State, viewer: Seat) -> Sight:
    """The cards face up for a viewer in this state."""
    hands = tuple(seat for seat in state.active if _sees_hand(state, viewer, seat))
    return Sight(hands, _talon_seen(state, viewer), _sees_discards(state, viewer))


def hand(state: State, seat: Seat) -> tuple[str, ...]:
    """The seat's own cards; none until it has answered whether it plays blind."""
    if state.phase != "play" and still_blind(state, seat):
        return ()
    return names(state.hands[seat])


def talon(state: State, seat: Seat) -> tuple[str, ...]:
    """The talon's cards that the seat knows: both if it took them, else those that were turned."""
    return names(mask(state.deal.talon[place] for place in _talon_seen(state, seat)))


def hidden(state: State, viewer: Seat) -> Cards:
    """All cards whose place the viewer may not know: other hands, discards, an untaken talon."""
    seen = sight(state, viewer)
    known = _played(state) | mask(state.deal.talon[place] for place in seen.talon)
    for seat in seen.hands:
        known |= state.deal.hands[seat]
    return DECK & ~known


def still_blind(state: State, seat: Seat) -> bool:
    """Whether a seat may still declare a blind game, and has therefore not looked at its cards.

    lzsf, Melnais: blind is declared before looking at the cards.
    """
    return (
        state.phase in ("blind", "bid")
        and "blind" in state.rules.auction.contracts
        and (state.turn != seat or state.phase == "blind")
        and seat not in (bidder for bidder, _ in state.bids)
    )


def _sees_hand(state: State, viewer: Seat, seat: Seat) -> bool:
    if viewer == seat:
        return not still_blind(state, seat)
    return state.phase == "over"


def _talon_seen(state: State, viewer: Seat) -> tuple[int, ...]:
    """The places of the talon cards that a viewer knows, having taken them or seen them turned."""
    took = state.declarer == viewer and state.contract == "ordinary"
    return (0, 1) if took or state.phase == "over" else tuple(range(_turned(state)))


def _sees_discards(state: State, viewer: Seat) -> bool:
    return state.declarer == viewer or state.phase == "over"


def _played(state: State) -> Cards:
    held = state.discards
    for cards in state.hands:
        held |= cards
    shown = 0 if state.contract == "ordinary" else mask(state.deal.talon[_turned(state) :])
    return DECK & ~held & ~shown


def _turned(state: State) -> int:
    """The number of talon cards turned so far to the tricks of a table game."""
    if state.contract != "table" or state.rules.table.talon != "first_two_tricks":
        return 0
    leads = bool(state.order) and state.order[0] is None
    return min(2, state.completed + leads)
