"""A seat's knowledge of a deal as a flat vector of int8, plane by plane.

Others are named by where they sit: `left` is the next active seat after the viewer, `right` the one
after that; `talon` is the talon when it plays. Every number follows from what `arena.zole.view`
lets the seat see and from what all are told, so that a bot can make the same vector from its own
lines. The vector of a seat that sits out is all zeros.
"""

from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from arena.training.position import Position, QuestionKind
from arena.zole import view
from arena.zole.cards import INDEX, NAMES, Cards, mask, members, points, winner
from arena.zole.deal import Seat
from arena.zole.rules import Bid
from arena.zole.state import State

QUESTIONS: tuple[QuestionKind, ...] = get_args(QuestionKind)
PLACES = ("forehand", "middlehand", "rearhand")
WHO = ("me", "left", "right", "talon")
BIDS: tuple[Bid, ...] = ("pass", "ordinary", "solo", "small_solo", "blind")
CONTRACTS = ("ordinary", "solo", "small_solo", "blind", "table")
CARDS = len(NAMES)


class Plane(NamedTuple):
    """A run of numbers in the vector: its size, the largest value, and the numbers' meaning."""

    name: str
    size: int
    most: int
    about: str


PLANES: tuple[Plane, ...] = (
    Plane("hand", CARDS, 1, "cards in my hand; none until I said whether I play blind"),
    Plane("aside", CARDS, 1, "cards that I laid aside, the first of two at once"),
    Plane("talon", CARDS, 1, "cards of the talon that I know: I took them, or they were turned"),
    Plane("led", CARDS, 1, "the card that led the current trick"),
    Plane("taking", CARDS, 1, "the card that takes the current trick so far"),
    Plane("trick", CARDS, 1, "all cards of the current trick"),
    Plane("laid_me", CARDS, 1, "cards that I laid to tricks, the current one included"),
    Plane("laid_left", CARDS, 1, "cards that left laid"),
    Plane("laid_right", CARDS, 1, "cards that right laid"),
    Plane("hidden", CARDS, 1, "cards whose place I do not know"),
    Plane("left_may", CARDS, 1, "of those, the suits that left has always followed"),
    Plane("right_may", CARDS, 1, "of those, the suits that right has always followed"),
    Plane("question", len(QUESTIONS), 1, "what I am asked: " + ", ".join(QUESTIONS)),
    Plane("place", 3, 1, "where I sit: " + ", ".join(PLACES)),
    Plane("bid_me", 5, 1, "my bid: " + ", ".join(BIDS)),
    Plane("bid_left", 5, 1, "left's bid"),
    Plane("bid_right", 5, 1, "right's bid"),
    Plane("declarer", 3, 1, "who declares, if anybody: me, left, right"),
    Plane("contract", 5, 1, "what is played: " + ", ".join(CONTRACTS)),
    Plane("number", 8, 1, "the current trick, from the first; none before and after the play"),
    Plane("leader", 4, 1, "who leads the current trick: " + ", ".join(WHO)),
    Plane("taker", 4, 1, "whose card takes the current trick so far"),
    Plane("offered", 3, 1, "who of me, left, right has offered its side's surrender"),
    Plane("tricks", 4, 8, "tricks taken by " + ", ".join(WHO)),
    Plane("points", 4, 120, "card points in the tricks taken by " + ", ".join(WHO)),
    Plane("trick_points", 1, 44, "card points of the current trick"),
    Plane("aside_points", 1, 22, "card points of the cards that I laid aside"),
)
"""The planes in the order in which they follow one another. Cards are in the order of `NAMES`."""

HISTORY: tuple[Plane, ...] = (
    *(
        Plane(f"trick_{n}", CARDS, 1, f"cards of trick {n}, so far or complete")
        for n in range(1, 9)
    ),
    *(Plane(f"led_{n}", 4, 1, f"who led trick {n}: " + ", ".join(WHO)) for n in range(1, 9)),
)
"""The planes that a history adds: with those before, the order of all cards."""

UNSEEN: tuple[Plane, ...] = (
    *(Plane(f"hand_{who}", CARDS, 1, f"all cards that {who} holds now") for who in WHO[:3]),
    Plane("talon_first", CARDS, 1, "the first card of the talon"),
    Plane("talon_second", CARDS, 1, "its second card"),
    Plane("discards", CARDS, 1, "cards that the declarer laid aside, both at once"),
)
"""The planes of what the rules hide, for a critic that sees all cards; never for a player."""

OBSERVATION_SIZE = sum(plane.size for plane in PLANES)
"""The number of values in an observation without its history."""

HISTORY_SIZE = sum(plane.size for plane in HISTORY)
"""The number of values that a history adds to it."""

UNSEEN_SIZE = sum(plane.size for plane in UNSEEN)
"""The number of values in `unseen`."""

_START: dict[str, int] = {
    plane.name: sum(before.size for before in (*PLANES, *HISTORY)[:number])
    for number, plane in enumerate((*PLANES, *HISTORY))
}
WHERE: dict[str, slice] = {
    plane.name: slice(_START[plane.name], _START[plane.name] + plane.size)
    for plane in (*PLANES, *HISTORY)
}
"""The slice of each plane in the vector."""

LARGEST_NUMBERS: NDArray[np.int8] = np.repeat(
    np.array([plane.most for plane in PLANES], np.int8), [plane.size for plane in PLANES]
)
"""The largest value of each number; an observation divided by it is from 0 to 1."""


def largest(history: bool) -> NDArray[np.int8]:
    """`LARGEST_NUMBERS`, with the ones of a history if observations have one."""
    return np.concatenate((LARGEST_NUMBERS, np.ones(HISTORY_SIZE if history else 0, np.int8)))


def observe(position: Position, seat: Seat, history: bool = False) -> NDArray[np.int8]:
    """The observation of a seat, whoever is asked: `OBSERVATION_SIZE` numbers.

    With a `history`, `HISTORY_SIZE` more.
    """
    seen = np.zeros(OBSERVATION_SIZE + (HISTORY_SIZE if history else 0), np.int8)
    state = position.state
    if seat not in state.active:
        return seen
    place = state.active.index(seat)
    me, left, right = seats = state.active[place:] + state.active[:place]
    who: tuple[Seat | None, ...] = (*seats, None)
    ones: list[int] = []

    def put(name: str, *places: int) -> None:
        start = _START[name]
        ones.extend([start + each for each in places])

    aside = 1 << position.aside if position.aside is not None and position.seat == me else 0
    if state.declarer == me and view.sight(state, me).discards:
        aside |= state.discards
    put("hand", *(card for card in _cards(view.hand(state, me)) if not aside >> card & 1))
    put("aside", *members(aside))
    put("talon", *_cards(view.talon(state, me)))
    for name, other in (("laid_me", me), ("laid_left", left), ("laid_right", right)):
        put(name, *members(_laid(state, other)))
    hidden = view.hidden(state, me)
    put("hidden", *members(hidden))
    put("left_may", *members(hidden & ~position.voids[left]))
    put("right_may", *members(hidden & ~position.voids[right]))

    if position.seat == me and position.question is not None:
        put("question", QUESTIONS.index(position.question))
    put("place", place)
    bids = dict(state.bids)
    for name, other in (("bid_me", me), ("bid_left", left), ("bid_right", right)):
        if other in bids:
            put(name, BIDS.index(bids[other]))
    if state.declarer is not None:
        put("declarer", seats.index(state.declarer))
    if state.contract in CONTRACTS:
        put("contract", CONTRACTS.index(state.contract))
    if state.phase == "play":
        put("number", state.completed)
        put("leader", who.index(state.order[0]))
    if state.trick:
        taking = winner(state.trick)
        put("led", state.trick[0])
        put("taking", state.trick[taking])
        put("trick", *state.trick)
        put("taker", who.index(state.order[taking]))
        seen[_START["trick_points"]] = points(mask(state.trick))
    offered = state.offered
    if position.question == "accept" and position.seat == me and state.turn is not None:
        offered = (*offered, state.turn)  # the others hear of an offer once it is answered
    put("offered", *map(seats.index, offered))
    if history:
        current = ((state.order[0], mask(state.trick)),) if state.trick else ()
        for number, (leader, cards) in enumerate((*position.past, *current), 1):
            put(f"trick_{number}", *members(cards))
            put(f"led_{number}", who.index(leader))
    seen[ones] = 1
    seen[WHERE["tricks"]] = (*(state.tricks[other] for other in seats), state.talon_tricks)
    seen[WHERE["points"]] = (*(state.points[other] for other in seats), state.talon_points)
    seen[_START["aside_points"]] = points(aside)
    return seen


def unseen(position: Position, seat: Seat) -> NDArray[np.int8]:
    """The cards that the rules hide, as `UNSEEN` has them from a seat: `UNSEEN_SIZE` numbers."""
    state = position.state
    if seat not in state.active:
        return np.zeros(UNSEEN_SIZE, np.int8)
    place = state.active.index(seat)
    hands = [state.hands[each] for each in state.active[place:] + state.active[:place]]
    sets = (*hands, *(1 << card for card in state.deal.talon), state.discards)
    return np.array([each >> card & 1 for each in sets for card in range(CARDS)], np.int8)


def _cards(names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(INDEX[name] for name in names)


def _laid(state: State, seat: Seat) -> Cards:
    """The cards that a seat has laid to tricks; all lie open."""
    if state.phase != "play" and state.phase != "over":
        return 0
    had = state.deal.hands[seat]
    if state.declarer == seat and state.contract == "ordinary":
        had |= mask(state.deal.talon)
    return had & ~state.discards & ~state.hands[seat]
