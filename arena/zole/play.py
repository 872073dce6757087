"""A deal in progress: the state of the auction and the play, what is legal, and what follows.

`start` makes the first state, `legal` lists what the seat to act may do, `apply` gives the next
state; `surrender`, `offer` and `forfeit` are the ways to end a deal that need no turn.
"""

from itertools import combinations
from typing import Literal, assert_never

import msgspec

from arena.zole.cards import (
    NAMES,
    POINTS,
    STRENGTH,
    SUIT_OF,
    Card,
    Cards,
    mask,
    members,
    names,
)
from arena.zole.deal import Deal, Seat, active_seats
from arena.zole.rules import RANK, Bid, Rules

Game = Literal["ordinary", "solo", "small_solo", "blind", "table", "thrown_in"]
Choice = Literal["take", "give"]
Phase = Literal["blind", "bid", "talon", "discard", "play", "over"]
EndedBy = Literal["surrender", "offer", "fault"]


class Illegal(ValueError):
    """An action that the rules do not allow in this state; says why."""


class SayBlind(msgspec.Struct, frozen=True):
    """Before seeing the hand: declare a blind game, or not."""

    blind: bool


class Say(msgspec.Struct, frozen=True):
    """A bid in the auction."""

    bid: Bid


class Choose(msgspec.Struct, frozen=True):
    """The declarer's choice about the talon where the rules ask for it after the bid."""

    choice: Choice


class Discard(msgspec.Struct, frozen=True):
    """The two cards laid aside by the declarer of an ordinary game."""

    cards: Cards


class Play(msgspec.Struct, frozen=True):
    """One card to the trick."""

    card: Card


Action = SayBlind | Say | Choose | Discard | Play


class Ended(msgspec.Struct, frozen=True):
    """A deal that stopped before its last trick: how, and by which seat."""

    by: EndedBy
    seat: Seat


class State(msgspec.Struct, frozen=True):
    """Everything about a deal at one moment. `points` are card points in tricks, by seat.

    `order` is who plays to the current trick, the talon's own place being None.
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


def start(rules: Rules, deal: Deal) -> State:
    """The state after the deal, forehand to speak. 000 Bidding: from the dealer's left."""
    active = active_seats(rules.players, deal.dealer)
    zeros = (0,) * rules.players
    state = State(rules, deal, active, "bid", active[0], deal.hands, zeros, zeros)
    return _asked(state, active[0])


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
            pairs = combinations(members(state.hands[_turn(state)]), 2)
            return tuple(Discard(mask(pair)) for pair in pairs)
        case "play":
            return tuple(PLAYS[card] for card in members(legal_cards(state)))
        case "over":
            return ()


def legal_bids(state: State) -> tuple[Bid, ...]:
    """What the seat to bid may say, `pass` first, then from low to high."""
    rules = state.rules.auction
    floor = RANK.index(_highest(state)[1])
    return "pass", *(
        bid
        for bid in RANK[floor + 1 :]
        if bid in rules.contracts
        and bid != "blind"
        # 002: who has bid decides on the talon afterwards; giving it away is the solo.
        and not (bid == "solo" and rules.talon_decision == "after_bid")
    )


def legal_cards(state: State) -> Cards:
    """What the seat to play may lay. 000 Play: follow suit or trump led if able, else anything."""
    hand = state.hands[_turn(state)]
    trick = state.trick
    return (hand & SUIT_OF[trick[0]] or hand) if trick else hand


def may_surrender(state: State) -> bool:
    """Whether the declarer may give up now. 000 Surrender: before the lead to the third trick."""
    return (
        state.phase == "play"
        and state.rules.surrender.declarer == "before_lead_3"
        and state.declarer is not None
        and not state.trick
        and state.completed <= 2
    )


def may_offer(state: State) -> bool:
    """Whether the seat to play may offer its side's surrender. 000: a defender, at any time.

    Once a deal for each defender, at its turn (`protocol/README.md`).
    """
    return (
        state.rules.surrender.defender
        and state.phase == "play"
        and state.declarer is not None
        and state.turn != state.declarer
        and state.turn not in state.offered
    )


def apply(state: State, action: Action) -> State:
    """The state after an action of the seat to act. Raises `Illegal` where it may not do that."""
    if type(action) is Play:  # by far the most frequent
        return _played(state, action.card)
    match action:
        case Say(bid):
            return _bid(state, bid)
        case SayBlind(blind):
            return _answered_blind(state, blind)
        case Discard(cards):
            return _discarded(state, cards)
        case Choose(choice):
            return _chosen(state, choice)
        case Play():
            raise AssertionError("handled above")
        case _:
            assert_never(action)


def surrender(state: State) -> State:
    """The declarer gives the deal up. Raises `Illegal` outside the window."""
    if not may_surrender(state) or state.declarer is None:
        raise Illegal("the declarer may surrender only before the leads to tricks 1, 2 and 3")
    return _over(state, Ended("surrender", state.declarer))


def offer(state: State, accepted: bool) -> State:
    """The defender to play offers its side's surrender, and the declarer answers.

    000 Surrender: binding on the partner; the declarer may insist on playing.
    """
    if not may_offer(state):
        raise Illegal("only a defender may offer, once a deal, at its turn")
    seat = _turn(state)
    if accepted:
        return _over(state, Ended("offer", seat))
    return msgspec.structs.replace(state, offered=(*state.offered, seat))


def forfeit(state: State, seat: Seat) -> State:
    """The deal ends by a fault of a seat."""
    return _over(state, Ended("fault", seat))


PLAYS: tuple[Play, ...] = tuple(Play(card) for card in range(len(NAMES)))
_BLINDLY: dict[bool, Bid] = {True: "blind", False: "pass"}


def _turn(state: State) -> Seat:
    if state.turn is None:
        raise Illegal("the deal is over")
    return state.turn


def _over(state: State, ended: Ended) -> State:
    return msgspec.structs.replace(state, phase="over", turn=None, ended=ended)


def _require(state: State, phase: Phase) -> None:
    if state.phase != phase:
        raise Illegal(f"this is the moment for {state.phase}, not for {phase}")


def _highest(state: State) -> tuple[Seat | None, Bid]:
    """The bid that stands, and whose it is. Each offer outranks those before it."""
    for seat, bid in reversed(state.bids):
        if bid != "pass":
            return seat, bid
    return None, "pass"


def _asked(state: State, seat: Seat) -> State:
    """The seat's turn in the auction: first the blind question where it could still be bid."""
    blind = "blind" in state.rules.auction.contracts
    outranks = RANK.index("blind") > RANK.index(_highest(state)[1])
    phase: Phase = "blind" if blind and outranks else "bid"
    return msgspec.structs.replace(state, phase=phase, turn=seat)


def _answered_blind(state: State, blind: bool) -> State:
    _require(state, "blind")
    if blind:
        return _spoken(state, "blind")
    return msgspec.structs.replace(state, phase="bid")


def _bid(state: State, bid: Bid) -> State:
    _require(state, "bid")
    if bid not in legal_bids(state):
        raise Illegal(f"the bid {bid} is not one of {', '.join(legal_bids(state))}")
    return _spoken(state, bid)


def _spoken(state: State, bid: Bid) -> State:
    """A bid joins the auction, which goes on or closes. 001: the first offer opens the game."""
    bids = (*state.bids, (_turn(state), bid))
    state = msgspec.structs.replace(state, bids=bids)
    opened = bid != "pass" and state.rules.auction.mode == "first_offer"
    if len(bids) == len(state.active) or opened:
        return _closed(state)
    return _asked(state, state.active[len(bids)])


def _closed(state: State) -> State:
    declarer, bid = _highest(state)
    if declarer is None or bid == "pass":
        if state.rules.all_pass == "table":
            return _first_lead(msgspec.structs.replace(state, contract="table"))
        return msgspec.structs.replace(state, phase="over", turn=None, contract="thrown_in")
    if bid != "ordinary":
        return _first_lead(msgspec.structs.replace(state, declarer=declarer, contract=bid))
    state = msgspec.structs.replace(state, declarer=declarer, turn=declarer)
    if state.rules.auction.talon_decision == "after_bid":
        return msgspec.structs.replace(state, phase="talon")
    return _chosen(msgspec.structs.replace(state, phase="talon"), "take")


def _chosen(state: State, choice: Choice) -> State:
    _require(state, "talon")
    if choice == "give":
        return _first_lead(msgspec.structs.replace(state, contract="solo"))
    seat = _turn(state)
    hands = _changed(state.hands, seat, state.hands[seat] | mask(state.deal.talon))
    return msgspec.structs.replace(state, phase="discard", contract="ordinary", hands=hands)


def _discarded(state: State, cards: Cards) -> State:
    _require(state, "discard")
    seat = _turn(state)
    hand = state.hands[seat]
    if cards & ~hand or cards.bit_count() != 2:
        raise Illegal("the discard must be two different cards of the hand")
    hands = _changed(state.hands, seat, hand & ~cards)
    return _first_lead(msgspec.structs.replace(state, hands=hands, discards=cards))


def _first_lead(state: State) -> State:
    """The play begins. 000 Play: the player to dealer's left leads, whoever declared."""
    order = _trick_order(state, state.active[0], 0)
    return msgspec.structs.replace(state, phase="play", turn=order[0], order=order)


def _talon_plays(state: State, completed: int) -> bool:
    """002 Galds: the two cards left over play in the first two tricks of a table game."""
    return (
        completed < 2
        and state.contract == "table"
        and state.rules.table.talon == "first_two_tricks"
    )


def _trick_order(state: State, leader: Seat | None, completed: int) -> tuple[Seat | None, ...]:
    """Who plays to a trick, in order; the talon (None) last, or first where it leads.

    002 says only when the talon plays, not who follows its lead or leads after it: forehand.
    """
    active = state.active
    place = 0 if leader is None else active.index(leader)
    players: tuple[Seat | None, ...] = active[place:] + active[:place]
    if not _talon_plays(state, completed):
        return players
    return (None, *players) if leader is None else (*players, None)


def _played(state: State, card: Card) -> State:
    if state.phase != "play":
        _require(state, "play")
    seat = _turn(state)
    if not legal_cards(state) >> card & 1:
        raise Illegal(
            f"{NAMES[card]} is not one of {' '.join(names(legal_cards(state)))}"
            if state.hands[seat] >> card & 1
            else f"{NAMES[card]} is not in the hand"
        )
    hands = _changed(state.hands, seat, state.hands[seat] & ~(1 << card))
    trick = (*state.trick, card)
    if len(trick) < len(state.order):
        turn = state.order[len(trick)]
        if turn is not None:
            return _moved(state, turn, hands, trick)
        trick = (*trick, state.deal.talon[state.completed])
    return _taken(state, hands, trick)


def _taken(state: State, hands: tuple[Cards, ...], trick: tuple[Card, ...]) -> State:
    """A complete trick goes to the one whose card is strongest, who leads to the next."""
    strength = STRENGTH[trick[0]]
    best = trick[0]
    value = 0
    for card in trick:
        value += POINTS[card]
        if strength[card] < strength[best]:
            best = card
    winner = state.order[trick.index(best)]
    tricks, points = state.tricks, state.points
    talon_tricks, talon_points = state.talon_tricks, state.talon_points
    if winner is None:  # 002: the talon's trick counts for nobody
        talon_tricks, talon_points = talon_tricks + 1, talon_points + value
    else:
        tricks = _changed(tricks, winner, tricks[winner] + 1)
        points = _changed(points, winner, points[winner] + value)
    completed = state.completed + 1
    over = completed == state.rules.play.tricks
    order = () if over else _trick_order(state, winner, completed)
    led: tuple[Card, ...] = ()
    if order and order[0] is None:
        led = (state.deal.talon[completed],)
    return State(
        state.rules,
        state.deal,
        state.active,
        "over" if over else "play",
        None if over else order[len(led)],
        hands,
        tricks,
        points,
        order,
        led,
        completed,
        state.bids,
        state.declarer,
        state.contract,
        state.discards,
        talon_tricks,
        talon_points,
        state.offered,
    )


def _moved(state: State, turn: Seat, hands: tuple[Cards, ...], trick: tuple[Card, ...]) -> State:
    return State(
        state.rules,
        state.deal,
        state.active,
        "play",
        turn,
        hands,
        state.tricks,
        state.points,
        state.order,
        trick,
        state.completed,
        state.bids,
        state.declarer,
        state.contract,
        state.discards,
        state.talon_tricks,
        state.talon_points,
        state.offered,
    )


def _changed(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])
