"""Rules of thumb as a policy for many tables: an opponent that costs next to nothing.

It bids on trumps and aces, draws trumps, takes tricks as cheaply as it can and feeds its partner.
"""

import numpy as np
from numpy.typing import NDArray

from arena.training.actions import DISCARD, GIVE, PLAY, PLAY_ON, TAKE
from arena.training.arrays import RISE
from arena.training.observation import BIDS, CARDS, QUESTIONS, WHERE
from arena.zole.cards import NAMES, POINTS

Scores = NDArray[np.float32]

TRUMP = np.arange(CARDS) < 14
WEAKNESS = np.arange(CARDS, dtype=np.float32)  # within its suit
VALUE: Scores = np.array(POINTS, np.float32)
ACE = np.array([name[0] == "A" for name in NAMES]) & ~TRUMP
SUITS = np.array([[name[1] == suit for name in NAMES] for suit in "CSH"]) & ~TRUMP
RANKS = {"Q": 0.8, "J": 0.4, "A": 0.2, "T": 0.1}
TRUMP_WORTH: Scores = np.array(
    [
        0.75 + RANKS.get(name[0], 0) if trump else 0
        for name, trump in zip(NAMES, TRUMP, strict=True)
    ],
    np.float32,
)
ORDINARY, SOLO = 6.6, 9.4
"""The worth of a hand, in about tricks, from which it declares."""


def thumbs(seen: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.intp]:
    """An action by row; what no rule is about is the first that is allowed."""
    scores: Scores = np.zeros(masks.shape, np.float32)
    worth = hand_worth(seen[:, WHERE["hand"]])
    scores[:, BIDS.index("ordinary")] = worth - ORDINARY
    scores[:, BIDS.index("solo")] = 100 * (worth - SOLO)
    scores[:, BIDS.index("small_solo") : TAKE] = -100
    scores[:, GIVE], scores[:, PLAY_ON] = worth - SOLO, 1
    scores[:, DISCARD : DISCARD + CARDS] = to_discard(seen)
    play = np.flatnonzero(seen[:, WHERE["question"].start + QUESTIONS.index("play")])
    scores[play, PLAY : PLAY + CARDS] = to_play(seen[play])
    actions: NDArray[np.intp] = np.where(masks, scores, -np.inf).argmax(axis=1)
    return actions


def hand_worth(hand: NDArray[np.int8]) -> Scores:
    """What hands are worth to a declarer."""
    worth: Scores = hand @ TRUMP_WORTH
    for suit in SUITS:
        cards = hand[:, suit].sum(axis=1)
        ace, ten = hand[:, suit & ACE][:, 0] == 1, hand[:, np.flatnonzero(suit)[1]] == 1
        plain = np.where(ace, 1.25 - 0.15 * cards, np.where(ten & (cards > 1), 0.2, 0))
        worth += np.where(cards == 0, 0.6, plain).astype(np.float32)
    return worth


def to_discard(seen: NDArray[np.int8]) -> Scores:
    """Plain cards with points from short suits; neither aces nor trumps."""
    hand = seen[:, WHERE["hand"]]
    lengths = np.stack([hand[:, suit].sum(axis=1) for suit in SUITS], axis=1)
    left = (lengths @ SUITS.astype(np.float32)).astype(np.float32)
    scores: Scores = VALUE + 8 / np.maximum(left, 1) - 50 * TRUMP - 40 * ACE
    return scores


def to_play(seen: NDArray[np.int8]) -> Scores:
    """What each card promises as the next of its trick."""
    plane = {
        name: seen[:, WHERE[name]] for name in ("hidden", "led", "taking", "declarer", "taker")
    }
    declares, nobody = plane["declarer"][:, 0] == 1, plane["declarer"].sum(axis=1) == 0
    leads, last = plane["led"].sum(axis=1) == 0, seen[:, WHERE["trick"]].sum(axis=1) == 2
    mine = ~nobody & ~declares & ~(plane["taker"][:, :3] & plane["declarer"]).any(axis=1)
    rise = RISE[plane["led"].argmax(axis=1)]
    taken = np.take_along_axis(rise, plane["taking"].argmax(axis=1)[:, None], axis=1)
    wins = rise > taken
    outside = np.where(plane["hidden"] == 1, rise, 0).max(axis=1, keepdims=True)
    sure = wins & ((rise > outside) | last[:, None])
    cheap: Scores = -2 * VALUE + WEAKNESS / 4 - 8 * TRUMP
    thrift = np.where(sure, 30 + np.where(TRUMP, -VALUE + WEAKNESS, 2 * VALUE), cheap)
    fat = 2 * VALUE - np.where(TRUMP, 6, 0)
    duck = np.where(leads[:, None], WEAKNESS * TRUMP, np.where(wins, -20, 30 - WEAKNESS))
    out = plane["hidden"][:, TRUMP].sum(axis=1, keepdims=True) > 0
    draw = np.where(TRUMP & out, 30 - WEAKNESS, np.where(ACE, 20, cheap))
    lead = np.where(declares[:, None], draw, np.where(ACE, 20, cheap))
    follow = np.where(mine[:, None], fat, thrift)
    chosen: Scores = np.where(leads[:, None], lead, follow)
    return np.where(nobody[:, None], duck, chosen).astype(np.float32)
