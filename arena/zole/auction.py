"""The auction: bids in turn, then the declarer's choice about the talon and its discard."""

from functools import cache

import msgspec

from arena.zole.cards import Cards, mask
from arena.zole.deal import Seat
from arena.zole.rules import RANK, AuctionRules, Bid
from arena.zole.state import Choice, Illegal, Phase, State, changed, require, turn_of
from arena.zole.tricks import first_lead


def legal_bids(state: State) -> tuple[Bid, ...]:
    """The bids open to the seat to bid: `pass` first, then from low to high."""
    return _outranking(state.rules.auction, _highest(state)[1])


@cache
def _outranking(rules: AuctionRules, standing: Bid) -> tuple[Bid, ...]:
    return "pass", *(
        bid
        for bid in RANK[RANK.index(standing) + 1 :]
        if bid in rules.contracts
        and bid != "blind"
        # lzsf: the bidder decides on the talon afterwards; giving it away is the solo.
        and not (bid == "solo" and rules.talon_decision == "after_bid")
    )


def _highest(state: State) -> tuple[Seat | None, Bid]:
    """The bidder and the highest bid, which is the last one; None and `pass` before any."""
    for seat, bid in reversed(state.bids):
        if bid != "pass":
            return seat, bid
    return None, "pass"


def ask(state: State, seat: Seat) -> State:
    """Give the seat its turn, with the blind question first if blind would outrank the last bid."""
    blind = "blind" in state.rules.auction.contracts
    outranks = RANK.index("blind") > RANK.index(_highest(state)[1])
    phase: Phase = "blind" if blind and outranks else "bid"
    return msgspec.structs.replace(state, phase=phase, turn=seat)


def answer_blind(state: State, blind: bool) -> State:
    """The state after the blind question. Raises `Illegal`."""
    require(state, "blind")
    if blind:
        return _spoken(state, "blind")
    return msgspec.structs.replace(state, phase="bid")


def make_bid(state: State, bid: Bid) -> State:
    """The state after a bid by the seat to speak. Raises `Illegal`."""
    require(state, "bid")
    if bid not in legal_bids(state):
        raise Illegal(f"the bid {bid} is not one of {', '.join(legal_bids(state))}")
    return _spoken(state, bid)


def _spoken(state: State, bid: Bid) -> State:
    """The state after a bid, which may close the auction.

    piedalies: the first offer opens the game.
    """
    bids = (*state.bids, (turn_of(state), bid))
    state = msgspec.structs.replace(state, bids=bids)
    opened = bid != "pass" and state.rules.auction.mode == "first_offer"
    if len(bids) == len(state.active) or opened:
        return _closed(state)
    return ask(state, state.active[len(bids)])


def _closed(state: State) -> State:
    declarer, bid = _highest(state)
    if declarer is None or bid == "pass":
        if state.rules.all_pass == "table":
            return first_lead(msgspec.structs.replace(state, contract="table"))
        return msgspec.structs.replace(state, phase="over", turn=None, contract="thrown_in")
    if bid != "ordinary":
        return first_lead(msgspec.structs.replace(state, declarer=declarer, contract=bid))
    state = msgspec.structs.replace(state, declarer=declarer, turn=declarer)
    if state.rules.auction.talon_decision == "after_bid":
        return msgspec.structs.replace(state, phase="talon")
    return choose_talon(msgspec.structs.replace(state, phase="talon"), "take")


def choose_talon(state: State, choice: Choice) -> State:
    """The state after the declarer took the talon or gave it away. Raises `Illegal`."""
    require(state, "talon")
    if choice == "give":
        return first_lead(msgspec.structs.replace(state, contract="solo"))
    seat = turn_of(state)
    hands = changed(state.hands, seat, state.hands[seat] | mask(state.deal.talon))
    return msgspec.structs.replace(state, phase="discard", contract="ordinary", hands=hands)


def discard(state: State, cards: Cards) -> State:
    """The state after the declarer laid two cards aside. Raises `Illegal`."""
    require(state, "discard")
    seat = turn_of(state)
    hand = state.hands[seat]
    if cards & ~hand or cards.bit_count() != 2:
        raise Illegal("the discard must be two different cards of the hand")
    hands = changed(state.hands, seat, hand & ~cards)
    return first_lead(msgspec.structs.replace(state, hands=hands, discards=cards))
