"""N deals at one moment as NumPy arrays, and the facts of the cards as lookups.

Players are numbered by their places in a deal: 0 forehand, 1 middlehand, 2 rearhand; `TALON` is
the talon when it plays. Sets of cards are bit masks as in `arena.zole.cards`; `NO_CARD` is none.
"""

import numpy as np
from numpy.typing import NDArray

from arena.training.observation import CARDS, CONTRACTS, QUESTIONS
from arena.zole.cards import DECK, POINTS, SUIT_OF, TRUMPS

SmallInts = NDArray[np.int8]
Masks = NDArray[np.uint32]
Indices = NDArray[np.intp]

NO_CARD = CARDS
TALON = 3
NOBODY = -1

QUESTION = {name: number for number, name in enumerate(QUESTIONS)}
CONTRACT = {name: number for number, name in enumerate(CONTRACTS)} | {"thrown_in": len(CONTRACTS)}

BIT: Masks = np.array([*(1 << card for card in range(CARDS)), 0], np.uint32)
VALUE: SmallInts = np.array([*POINTS, 0], np.int8)
"""Card points."""
SUIT: Masks = np.array([*SUIT_OF, DECK], np.uint32)
"""All cards of a card's suit; after `NO_CARD` every card follows."""
RISE: SmallInts = np.array(
    [
        [
            0 if not SUIT_OF[led] >> card & 1 and not TRUMPS >> card & 1 else CARDS - card
            for card in range(CARDS)
        ]
        for led in range(CARDS)
    ],
    np.int8,
)
"""The strength of each card, by the card that led. The strongest of a trick takes it."""


class Arrays:
    """The state of N deals; the first axis of each array is the table."""

    def __init__(self, count: int) -> None:
        def ints(*shape: int) -> SmallInts:
            return np.zeros((count, *shape), np.int8)

        def masks(*shape: int) -> Masks:
            return np.zeros((count, *shape), np.uint32)

        self.count = count
        self.dealer: SmallInts = ints()
        """The dealing seat."""
        self.dealt: Masks = masks(3)
        self.talon: SmallInts = ints(2)
        self.question: SmallInts = ints()
        """The question: a number of `QUESTION`, or `NOBODY` when the deal is over."""
        self.asked: SmallInts = ints()
        """The place that is asked."""
        self.turn: SmallInts = ints()
        """The place whose turn it is; between turns, another one is asked."""
        self.bids: SmallInts = ints(3)
        """By place: a number of `observation.BIDS`, or `NOBODY` before its bid."""
        self.highest: SmallInts = ints()
        """The highest bid, a number of `observation.BIDS`."""
        self.declarer: SmallInts = ints()
        self.contract: SmallInts = ints()
        """A number of `CONTRACT`, or `NOBODY`."""
        self.hands: Masks = masks(3)
        self.laid: Masks = masks(4)
        """Cards laid to tricks, by place and by the talon."""
        self.voids: Masks = masks(3)
        """Cards of the suits that a place has openly failed to follow."""
        self.aside: SmallInts = ints()
        """The first card of a discard while the second is asked for."""
        self.discards: Masks = masks()
        self.aside_points: SmallInts = ints()
        """Card points of the declarer's discards, counted from the first of the two cards on."""
        self.completed: SmallInts = ints()
        self.leader: SmallInts = ints()
        self.length: SmallInts = ints()
        """The number of cards in the current trick."""
        self.led: SmallInts = ints()
        self.trick: Masks = masks()
        self.taking: SmallInts = ints()
        """The card that takes the current trick so far."""
        self.taker: SmallInts = ints()
        self.trick_points: SmallInts = ints()
        self.in_trick: Masks = masks(8)
        """The cards of each trick, those of the current one so far."""
        self.led_by: SmallInts = ints(8)
        """By trick: the place that led, or `NOBODY`."""
        self.tricks: SmallInts = ints(4)
        self.points: SmallInts = ints(4)
        self.leads_asked: SmallInts = ints()
        """The number of leads before which the declarer was asked whether it gives up."""
        self.offered: SmallInts = ints(3)
        """By place: 1 if it has offered its side's surrender."""
        self.gave_up: SmallInts = ints()
        """1 after the declarer surrendered, -1 after it accepted an offer."""

    def deal(self, tables: Indices, dealer: SmallInts, decks: SmallInts) -> None:
        """Begin new deals: each deck has the hands by place, eight cards each, then the talon."""
        for array in self._all().values():
            array[tables] = 0
        hands = np.bitwise_or.reduce(BIT[decks[:, :24]].reshape(-1, 3, 8), axis=2)
        self.dealer[tables] = dealer
        self.dealt[tables] = hands
        self.hands[tables] = hands
        self.talon[tables] = decks[:, 24:]
        for nobody in (self.bids, self.declarer, self.contract, self.led_by):
            nobody[tables] = NOBODY
        for no_card in (self.aside, self.led, self.taking):
            no_card[tables] = NO_CARD

    def take(self, tables: Indices) -> "Arrays":
        """A copy of some of the deals, in this order; any of them more than once."""
        taken = Arrays(len(tables))
        for name, array in self._all().items():
            setattr(taken, name, array[tables])
        return taken

    def _all(self) -> dict[str, NDArray[np.generic]]:
        return {name: each for name, each in vars(self).items() if isinstance(each, np.ndarray)}
