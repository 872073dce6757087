"""Observations and masks for many tables at once, as `observation.PLANES` explains them."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.training.actions import (
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
    QuestionKind,
)
from arena.training.arrays import (
    BIT,
    CONTRACT,
    NOBODY,
    QUESTION,
    SUIT,
    TALON,
    Arrays,
    SmallInts,
)
from arena.training.observation import (
    BIDS,
    CARDS,
    HISTORY_SIZE,
    OBSERVATION_SIZE,
    PLANES,
    QUESTIONS,
    UNSEEN_SIZE,
    WHERE,
)
from arena.zole.auction import legal_bids
from arena.zole.cards import DECK
from arena.zole.deal import from_deck, shuffled
from arena.zole.play import start
from arena.zole.rules import Rules

Bools = NDArray[np.bool_]
Words = NDArray[np.uint64]

_ROUND: SmallInts = np.array([[0, 1, 2, TALON], [1, 2, 0, TALON], [2, 0, 1, TALON]], np.int8)
"""By the viewer's place: the places of me, left, right and the talon."""
_FROM: SmallInts = np.array([[0, 1, 2, 3, -1], [2, 0, 1, 3, -1], [1, 2, 0, 3, -1]], np.int8)
"""By the viewer's place and another place: its index among me, left, right and talon."""
_SETS = 12
"""The number of planes of cards, which come first."""
_FLAGS = _SETS * CARDS
"""The beginning of the planes of ones and zeros, which follow them."""
_COUNTS = WHERE["tricks"].start
"""The beginning of the counts, which end an observation."""


def observed(state: Arrays, history: bool = False) -> SmallInts:
    """The asked seats' observations, a row for each table; zeros once its deal is over."""
    rows = np.arange(state.count)
    viewer = state.asked
    around = _ROUND[viewer]
    beside = rows[:, None]
    declares = state.declarer == viewer
    first_aside = BIT[state.aside]
    took = declares & (state.contract == CONTRACT["ordinary"])
    voids = state.voids[beside, around[:, 1:3]].T
    knows = np.uint32(DECK) * (state.question != QUESTION["blind"])  # its own cards

    bits = np.empty((_SETS + 1, state.count), np.uint64)
    bits[0] = state.hands[rows, viewer] & ~first_aside & knows
    bits[1] = np.where(declares, state.discards, np.uint32(0)) | first_aside
    talon = BIT[state.talon[:, 0]] | BIT[state.talon[:, 1]]
    bits[2] = np.where(took, talon, state.laid[:, TALON])
    bits[3] = BIT[state.led]
    bits[4] = BIT[state.taking]
    bits[5] = state.trick
    bits[6:9] = state.laid[beside, around[:, :3]].T
    bits[9] = state.dealt[rows, viewer] & knows
    bits[9] |= state.laid[:, TALON]
    bits[9] = np.uint64(DECK) & ~np.bitwise_or.reduce(bits[[2, 6, 7, 8, 9]], axis=0)
    bits[10:12] = bits[9] & ~voids
    bits[12] = _flags(state, around)

    seen = _SEEN.unpacked(bits)
    seen[:, WHERE["tricks"]] = state.tricks[beside, around]
    seen[:, WHERE["points"]] = state.points[beside, around]
    seen[:, WHERE["trick_points"].start] = state.trick_points
    seen[:, WHERE["aside_points"].start] = np.where(declares, state.aside_points, 0)
    if history:
        seen = np.hstack((seen, _history(state)))
    over = state.question == NOBODY
    if over.any():
        seen[over] = 0
    return seen


def unseen_cards(state: Arrays) -> SmallInts:
    """The planes `UNSEEN` from the asked seats, a row for each table."""
    around = _ROUND[state.asked]
    bits = np.empty((6, state.count), np.uint64)
    bits[:3] = state.hands[np.arange(state.count)[:, None], around[:, :3]].T
    bits[3:5] = BIT[state.talon].T
    bits[5] = state.discards
    return _UNSEEN.unpacked(bits)


def _history(state: Arrays) -> SmallInts:
    led = _FROM[state.asked[:, None], state.led_by]
    bits = np.empty((9, state.count), np.uint64)
    bits[:8] = state.in_trick.T
    bits[8] = np.where(led >= 0, 1 << (4 * np.arange(8) + led % 4), 0).sum(axis=1)
    return _HISTORY.unpacked(bits)


def _flags(state: Arrays, around: SmallInts) -> Words:
    """The planes that are neither cards nor counts, as the bits of a number."""
    viewer = state.asked
    who = _FROM[viewer]
    rows = np.arange(state.count)
    in_play = state.question >= QUESTION["play"]
    bids = state.bids[rows[:, None], around[:, :3]].T
    flags = _FLAG["question"][state.question]
    flags |= _FLAG["place"][viewer]
    flags |= _FLAG["contract"][state.contract]
    flags |= _FLAG["declarer"][who[rows, state.declarer]]
    flags |= _FLAG["number"][np.where(in_play, state.completed, NOBODY)]
    flags |= _FLAG["leader"][who[rows, np.where(in_play, state.leader, NOBODY)]]
    flags |= _FLAG["taker"][who[rows, np.where(state.length > 0, state.taker, NOBODY)]]
    for name, bid in zip(("bid_me", "bid_left", "bid_right"), bids, strict=True):
        flags |= _FLAG[name][bid]
    if state.offered.any():
        offered = state.offered[rows[:, None], around[:, :3]].T
        for number, offers in enumerate(offered):
            flags |= np.where(offers, _FLAG["offered"][number], np.uint64(0))
    return flags


class _Packing:
    """Numbers of some bits each, to be packed one after another into rows of `width` bits."""

    def __init__(self, width: int, *sizes: int) -> None:
        self._width = width
        word, shift = np.divmod(np.cumsum([0, *sizes[:-1]]), 64)
        self._first = np.flatnonzero(np.diff(word, prepend=-1))
        self._shift = shift.astype(np.uint64)[:, None]
        self._split = np.flatnonzero(shift + sizes > 64)
        """The numbers that continue in the next word; no two of them in the same word."""
        self._next = word[self._split] + 1
        self._back = np.uint64(64) - self._shift[self._split]

    def unpacked(self, bits: Words) -> SmallInts:
        """The bits of each row of numbers, the lowest of each first, as zeros and ones."""
        words = np.zeros((-(-self._width // 64), bits.shape[1]), np.uint64)
        words[: len(self._first)] = np.bitwise_or.reduceat(bits << self._shift, self._first)
        words[self._next] |= bits[self._split] >> self._back
        octets = np.ascontiguousarray(words.T, "<u8").view(np.uint8)
        return np.unpackbits(octets, axis=1, count=self._width, bitorder="little").view(np.int8)


_SEEN = _Packing(OBSERVATION_SIZE, *[CARDS] * _SETS, _COUNTS - _FLAGS)
_PLAYED = _Packing(2 * CARDS, CARDS, CARDS)
_HISTORY = _Packing(HISTORY_SIZE, *[CARDS] * 8, 4 * 8)
_UNSEEN = _Packing(UNSEEN_SIZE, *[CARDS] * 6)
_FLAG: dict[str, Words] = {
    plane.name: np.array(
        [*(1 << (WHERE[plane.name].start - _FLAGS + each) for each in range(plane.size)), 0, 0],
        np.uint64,
    )
    for plane in PLANES
    if _FLAGS <= WHERE[plane.name].start < _COUNTS
}
"""By plane: the bit of each of its numbers; -1, and the number after the last, have none."""


class Legal:
    """The legal actions of the asked seats by some rules."""

    def __init__(self, rules: Rules) -> None:
        self._said = np.zeros((len(QUESTIONS) + 1, len(BIDS), len(ACTIONS)), np.bool_)
        """Legal actions without a card, by question and highest bid; none once a deal is over."""
        said: tuple[tuple[QuestionKind, tuple[int, int]], ...] = (
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

    def of(self, state: Arrays, surrenders: bool) -> Bools:
        """A mask over `ACTIONS` by table; `surrenders` is whether seats may concede."""
        legal = self._said[state.question, state.highest]
        rows = np.arange(state.count)
        hand = state.hands[rows, state.asked]
        follows = hand & SUIT[state.led]
        playable = np.where(follows, follows, hand)
        plays = state.question == QUESTION["play"]
        discards = (state.question == QUESTION["discard"]) | (state.question == QUESTION["second"])
        bits = np.zeros((2, state.count), np.uint64)
        bits[0] = np.where(plays, playable, np.uint32(0))
        bits[1] = np.where(discards, hand & ~BIT[state.aside], np.uint32(0))
        legal[:, PLAY : DISCARD + CARDS] = _PLAYED.unpacked(bits)
        if surrenders and self._offers:
            defends = (state.declarer >= 0) & (state.declarer != state.asked)
            legal[:, OFFER] = plays & defends & (state.offered[rows, state.asked] == 0)
        return legal
