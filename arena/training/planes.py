"""Observations and masks of actions for many tables at once, equal to `observe` and `legal`."""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.training.arrays import BIT, CARDS, CONTRACT, NOBODY, QUESTION, SUIT, TALON, Arrays, Ints
from arena.training.observation import BIDS, PLANES, QUESTIONS, SIZE, WHERE
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
_SETS = 12
"""The planes of cards, which come first."""
_FLAGS = _SETS * CARDS
"""Where the planes of ones and zeros that follow them begin."""
_COUNTS = WHERE["tricks"].start
"""Where the counts begin that end an observation."""


def observed(state: Arrays) -> Ints:
    """What the asked seats know: `SIZE` numbers by table, all zeros where the deal is over."""
    rows = np.arange(state.count)
    viewer = state.asked
    around = _ROUND[viewer]
    declares = state.declarer == viewer
    unseen = state.question == QUESTION["blind"]
    first_aside = BIT[state.aside]
    took = declares & (state.contract == CONTRACT["ordinary"])
    talon = np.where(took, state.talon_mask(), state.laid[:, TALON])
    had = np.where(unseen, np.uint32(0), state.dealt[rows, viewer])
    laid = state.laid[rows[:, None], around].T
    hidden = np.uint32(DECK) & ~(laid[0] | laid[1] | laid[2] | laid[3] | talon | had)
    sets = (
        np.where(unseen, np.uint32(0), state.hands[rows, viewer] & ~first_aside),
        np.where(declares, state.discards, np.uint32(0)) | first_aside,
        talon,
        BIT[state.led],
        BIT[state.taking],
        state.trick,
        *laid[:3],
        hidden,
        hidden & ~state.voids[rows, around[:, 1]],
        hidden & ~state.voids[rows, around[:, 2]],
    )
    seen = np.empty((state.count, SIZE), np.int8)
    seen[:, :_COUNTS] = _unpacked([*((each, CARDS) for each in sets), _flags(state, around)])
    seen[:, WHERE["tricks"]] = state.tricks[rows[:, None], around]
    seen[:, WHERE["points"]] = state.points[rows[:, None], around]
    seen[:, WHERE["trick_points"].start] = state.trick_points
    seen[:, WHERE["aside_points"].start] = np.where(declares, state.aside_points, 0)
    over = state.question == NOBODY
    if over.any():
        seen[over] = 0
    return seen


def _flags(state: Arrays, around: Ints) -> tuple[NDArray[np.uint64], int]:
    """The planes that are neither cards nor counts, as the bits of a number, and how many."""
    viewer = state.asked
    in_play = state.question >= QUESTION["play"]
    bids = np.take_along_axis(state.bids, around[:, :3], axis=1)
    offered = np.take_along_axis(state.offered, around[:, :3], axis=1) - np.int8(1)
    flags = _FLAG["question"][state.question] | _FLAG["place"][viewer]
    flags |= _FLAG["contract"][state.contract]
    flags |= _FLAG["declarer"][_FROM[viewer, state.declarer]]
    flags |= _FLAG["number"][np.where(in_play, state.completed, NOBODY)]
    flags |= _FLAG["leader"][_FROM[viewer, np.where(in_play, state.leader, NOBODY)]]
    flags |= _FLAG["taker"][_FROM[viewer, np.where(state.length > 0, state.taker, NOBODY)]]
    for who, name in enumerate(("bid_me", "bid_left", "bid_right")):
        flags |= _FLAG[name][bids[:, who]]
        flags |= _FLAG["offered"][np.where(offered[:, who] < 0, NOBODY, who)]
    return flags, _COUNTS - _FLAGS


def _unpacked(parts: Sequence[tuple[NDArray[np.unsignedinteger], int]]) -> NDArray[np.uint8]:
    """The bits of numbers, the lowest first, so many of each, one after another in a row."""
    total = sum(size for _, size in parts)
    words = np.zeros((-(-total // 64), len(parts[0][0])), np.uint64)
    at = 0
    for part, size in parts:
        word, shift = divmod(at, 64)
        wide = part.astype(np.uint64, copy=False)
        words[word] |= wide << np.uint64(shift)
        if shift + size > 64:
            words[word + 1] |= wide >> np.uint64(64 - shift)
        at += size
    octets = np.ascontiguousarray(words.T.astype("<u8", copy=False)).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=total, bitorder="little")


_FLAG: dict[str, NDArray[np.uint64]] = {
    plane.name: np.array(
        [*(1 << (WHERE[plane.name].start - _FLAGS + each) for each in range(plane.size)), 0, 0],
        np.uint64,
    )
    for plane in PLANES
    if _FLAGS <= WHERE[plane.name].start < _COUNTS
}
"""By plane: the bit of each of its numbers; -1, and the number after the last, have none."""


class Legal:
    """Which actions the asked seats may take by some rules."""

    def __init__(self, rules: Rules) -> None:
        self._said = np.zeros((len(QUESTIONS) + 1, len(BIDS), len(ACTIONS)), np.bool_)
        """What may be said, by the question and the bid that stands; nothing where it is over."""
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
        play = np.where(plays, playable, np.uint32(0))
        discard = np.where(discards, hand & ~BIT[state.aside], np.uint32(0))
        legal[:, PLAY : DISCARD + CARDS] = _unpacked([(play, CARDS), (discard, CARDS)])
        if surrenders and self._offers:
            defends = (state.declarer >= 0) & (state.declarer != state.asked)
            legal[:, OFFER] = plays & defends & (state.offered[rows, state.asked] == 0)
        return legal
