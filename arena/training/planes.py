"""Observations and masks of actions for many tables at once, equal to `observe` and `legal`."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.training.arrays import BIT, CARDS, CONTRACT, QUESTION, SUIT, TALON, Arrays, Ints, Masks
from arena.training.observation import BIDS, QUESTIONS, SIZE, WHERE
from arena.training.position import (
    ACCEPT,
    ACTIONS,
    BLIND,
    DISCARD,
    GIVE,
    LOOK,
    OFFER,
    PLAY,
    PLAY_ON,
    SURRENDER,
    TAKE,
    Question,
)
from arena.zole.auction import legal_bids
from arena.zole.cards import DECK
from arena.zole.deal import from_deck, shuffled
from arena.zole.play import start
from arena.zole.rules import Rules

Flags = NDArray[np.bool_]

_ROUND: Ints = np.array([[0, 1, 2, TALON], [1, 2, 0, TALON], [2, 0, 1, TALON]], np.int8)
"""By the viewer's place: the places of me, left, right and the talon."""
_FROM: Ints = np.array([[0, 1, 2, 3, -1], [2, 0, 1, 3, -1], [1, 2, 0, 3, -1]], np.int8)
"""By the viewer's place and another: which of me, left, right and talon that is."""
_SETS = 12 * CARDS
"""The planes of cards come first in an observation, the others after them."""


def observed(state: Arrays) -> Ints:
    """What the asked seats know: `SIZE` numbers by table."""
    rows = np.arange(state.count)
    viewer = state.asked
    around = _ROUND[viewer]
    left, right = around[:, 1], around[:, 2]
    declares = state.declarer == viewer
    unseen = state.question == QUESTION["blind"]
    in_play = state.question >= QUESTION["play"]
    first_aside = BIT[state.aside]
    took = declares & (state.contract == CONTRACT["ordinary"])
    talon = np.where(took, state.talon_mask(), state.laid[:, TALON])
    had = np.where(unseen, np.uint32(0), state.dealt[rows, viewer])
    laid = state.laid[rows[:, None], around]
    hidden = np.uint32(DECK) & ~(np.bitwise_or.reduce(laid, axis=1) | talon | had)

    sets = np.empty((state.count, 12), np.uint32)
    sets[:, 0] = np.where(unseen, np.uint32(0), state.hands[rows, viewer] & ~first_aside)
    sets[:, 1] = np.where(declares, state.discards, np.uint32(0)) | first_aside
    sets[:, 2] = talon
    sets[:, 3] = BIT[state.led]
    sets[:, 4] = BIT[state.taking]
    sets[:, 5] = state.trick
    sets[:, 6:9] = laid[:, :3]
    sets[:, 9] = hidden
    sets[:, 10] = hidden & ~state.voids[rows, left]
    sets[:, 11] = hidden & ~state.voids[rows, right]

    seen = np.empty((state.count, SIZE), np.int8)
    seen[:, :_SETS] = _bits(sets).reshape(state.count, _SETS)
    seen[:, WHERE["question"]] = _ONE_OF[8][state.question]
    seen[:, WHERE["place"]] = _ONE_OF[3][viewer]
    bids = state.bids[rows[:, None], around[:, :3]]
    seen[:, _between("bid_me", "bid_right")] = _ONE_OF[5][bids].reshape(state.count, 15)
    seen[:, WHERE["declarer"]] = _ONE_OF[3][_FROM[viewer, state.declarer]]
    seen[:, WHERE["contract"]] = _ONE_OF[5][state.contract]
    seen[:, WHERE["number"]] = _ONE_OF[8][np.where(in_play, state.completed, -1)]
    seen[:, WHERE["leader"]] = _ONE_OF[4][_FROM[viewer, np.where(in_play, state.leader, -1)]]
    begun = state.length > 0
    seen[:, WHERE["taker"]] = _ONE_OF[4][_FROM[viewer, np.where(begun, state.taker, -1)]]
    seen[:, WHERE["offered"]] = state.offered[rows[:, None], around[:, :3]]
    seen[:, WHERE["tricks"]] = state.tricks[rows[:, None], around]
    seen[:, WHERE["points"]] = state.points[rows[:, None], around]
    seen[:, WHERE["trick_points"].start] = state.trick_points
    seen[:, WHERE["aside_points"].start] = np.where(declares, state.aside_points, 0)
    return seen


class Legal:
    """Which actions the asked seats may take by some rules."""

    def __init__(self, rules: Rules) -> None:
        self._said = np.zeros((len(QUESTIONS), len(BIDS), len(ACTIONS)), np.bool_)
        """What may be said, by the question and the bid that stands."""
        said: tuple[tuple[Question, tuple[int, int]], ...] = (
            ("blind", (BLIND, LOOK)),
            ("talon", (TAKE, GIVE)),
            ("surrender", (SURRENDER, PLAY_ON)),
            ("accept", (ACCEPT, PLAY_ON)),
        )
        for question, answers in said:
            self._said[QUESTION[question], :, answers] = True
        state = start(rules, from_deck(shuffled(""), rules, 0))
        for standing, bid in enumerate(BIDS):
            spoken = msgspec.structs.replace(state, bids=((0, bid),))
            allowed = [BIDS.index(each) for each in legal_bids(spoken)]
            self._said[QUESTION["bid"], standing, allowed] = True
        self._offers = rules.surrender.defender

    def of(self, state: Arrays, surrenders: bool) -> Flags:
        """A mask over `ACTIONS` by table, as it is where seats may give up or not."""
        legal = self._said[state.question, state.highest]
        rows = np.arange(state.count)
        hand = state.hands[rows, state.asked]
        follows = hand & SUIT[state.led]
        playable = np.where(follows, follows, hand)
        plays = state.question == QUESTION["play"]
        discards = (state.question == QUESTION["discard"]) | (state.question == QUESTION["second"])
        sets = np.empty((state.count, 2), np.uint32)
        sets[:, 0] = np.where(plays, playable, np.uint32(0))
        sets[:, 1] = np.where(discards, hand & ~BIT[state.aside], np.uint32(0))
        legal[:, PLAY : DISCARD + CARDS] = _bits(sets).reshape(state.count, 2 * CARDS)
        if surrenders and self._offers:
            defends = (state.declarer >= 0) & (state.declarer != state.asked)
            legal[:, OFFER] = plays & defends & (state.offered[rows, state.asked] == 0)
        return legal


def _bits(sets: Masks) -> NDArray[np.uint8]:
    """The cards of sets as zeros and ones, along a new last axis."""
    by_byte = sets.astype("<u4", copy=False)[..., None].view(np.uint8)
    return np.unpackbits(by_byte, axis=-1, bitorder="little")[..., :CARDS]


def _between(first: str, last: str) -> slice:
    return slice(WHERE[first].start, WHERE[last].stop)


_ONE_OF: dict[int, Ints] = {
    size: np.vstack([np.eye(size, dtype=np.int8), np.zeros((2, size), np.int8)])
    for size in (3, 4, 5, 8)
}
"""By size: one-hot rows by number; -1, and the number after the last, are nothing."""
