"""A deal in progress: the state of the auction and the play, what is legal, and what follows.

`start` makes the first state, `legal` lists what the seat to act may do, `apply` gives the next
state; `surrender`, `offer` and `forfeit` end a deal out of turn.
"""

from itertools import combinations
from typing import assert_never

import msgspec

from arena.zole.auction import answer_blind, ask, choose_talon, discard, legal_bids, make_bid
from arena.zole.cards import mask, members
from arena.zole.deal import Deal, Seat, active_seats
from arena.zole.rules import Rules
from arena.zole.state import (
    PLAYS,
    Action,
    Choose,
    Discard,
    Ended,
    Illegal,
    Play,
    Say,
    SayBlind,
    State,
    turn_of,
)
from arena.zole.tricks import legal_cards, play_card


def start(rules: Rules, deal: Deal) -> State:
    """The state after the deal, forehand to speak. pagat, Bidding: from the dealer's left."""
    active = active_seats(rules.players, deal.dealer)
    zeros = (0,) * rules.players
    state = State(rules, deal, active, "bid", active[0], deal.hands, zeros, zeros)
    return ask(state, active[0])


def legal(state: State) -> tuple[Action, ...]:
    """Everything the seat to act may do; empty only when the deal is over."""
    match state.phase:
        case "blind":
            return SayBlind(False), SayBlind(True)
        case "bid":
            return tuple(Say(bid) for bid in legal_bids(state))
        case "talon":
            return Choose("take"), Choose("give")
        case "discard":
            pairs = combinations(members(state.hands[turn_of(state)]), 2)
            return tuple(Discard(mask(pair)) for pair in pairs)
        case "play":
            return tuple(PLAYS[card] for card in members(legal_cards(state)))
        case "over":
            return ()


def may_surrender(state: State) -> bool:
    """Whether the declarer may give up. pagat, Surrender: before the lead to the third trick."""
    return (
        state.phase == "play"
        and state.rules.surrender.declarer == "before_lead_3"
        and state.declarer is not None
        and not state.trick
        and state.completed <= 2
    )


def may_offer(state: State) -> bool:
    """Whether the seat to play may offer its side's surrender. pagat: a defender, at any time.

    Each defender may do so once a deal, at its turn (`protocol/README.md`).
    """
    declarer = state.declarer
    return (
        declarer is not None
        and state.turn != declarer
        and state.rules.surrender.defender
        and state.phase == "play"
        and state.turn not in state.offered
    )


def apply(state: State, action: Action) -> State:
    """The state after an action of the seat to act. Raises `Illegal` if it is not allowed."""
    match action:
        case Say(bid):
            return make_bid(state, bid)
        case SayBlind(blind):
            return answer_blind(state, blind)
        case Discard(cards):
            return discard(state, cards)
        case Choose(choice):
            return choose_talon(state, choice)
        case Play(card):
            return play_card(state, card)
        case _:
            assert_never(action)


def surrender(state: State) -> State:
    """The declarer gives the deal up. Raises `Illegal` outside the window."""
    if not may_surrender(state) or state.declarer is None:
        raise Illegal("the declarer may surrender only before the leads to tricks 1, 2 and 3")
    return _over(state, Ended("surrender", state.declarer))


def offer(state: State, accepted: bool) -> State:
    """The defender to play offers its side's surrender, and the declarer answers.

    pagat, Surrender: binding on the partner; the declarer may insist on playing.
    """
    if not may_offer(state):
        raise Illegal("only a defender may offer, once a deal, at its turn")
    seat = turn_of(state)
    if accepted:
        return _over(state, Ended("offer", seat))
    return msgspec.structs.replace(state, offered=(*state.offered, seat))


def forfeit(state: State, seat: Seat) -> State:
    """A seat's fault ends the deal."""
    return _over(state, Ended("fault", seat))


def _over(state: State, ended: Ended) -> State:
    return msgspec.structs.replace(state, phase="over", turn=None, ended=ended)
