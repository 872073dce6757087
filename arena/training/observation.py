"""A seat's knowledge of a deal as a flat vector of int8, plane by plane.

Others are named by where they sit: `left` is the next active seat after the viewer, `right` the one
after that; `talon` is the talon when it plays. Every number follows from what `arena.zole.view`
lets the seat see and from what all seats are sent, so that a bot can make the same vector from its
own lines. The vector of a seat that sits out is all zeros.
"""

from itertools import accumulate
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from arena.training.actions import QuestionKind
from arena.zole.cards import NAMES
from arena.zole.rules import Bid

QUESTIONS: tuple[QuestionKind, ...] = get_args(QuestionKind)
PLACES = ("forehand", "middlehand", "rearhand")
WHO = ("me", "left", "right", "talon")
BIDS: tuple[Bid, ...] = ("pass", "ordinary", "solo", "small_solo", "blind")
CONTRACTS = ("ordinary", "solo", "small_solo", "blind", "table")
CARDS = len(NAMES)


class Plane(NamedTuple):
    """A run of `size` numbers in the vector, with its `name`.

    `most` is the largest value, `about` is what the numbers mean.
    """

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

WHERE: dict[str, slice] = {
    plane.name: slice(end - plane.size, end)
    for plane, end in zip(
        (*PLANES, *HISTORY),
        accumulate(plane.size for plane in (*PLANES, *HISTORY)),
        strict=True,
    )
}
"""The slice of each plane in the vector."""

LARGEST_NUMBERS: NDArray[np.int8] = np.repeat(
    np.array([plane.most for plane in PLANES], np.int8), [plane.size for plane in PLANES]
)
"""The largest value of each number; an observation divided by it is from 0 to 1."""


def largest(history: bool) -> NDArray[np.int8]:
    """`LARGEST_NUMBERS`, with the ones of a history if observations have one."""
    return np.concatenate((LARGEST_NUMBERS, np.ones(HISTORY_SIZE if history else 0, np.int8)))
