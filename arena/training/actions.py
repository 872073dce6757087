"""The actions of a seat as numbers: one fixed list that serves all rules.

A discard is two actions, one card each, in any order. With `surrenders` the questions between turns
are actions too, asked as the referee asks them: the declarer is asked before the leads to tricks 1,
2 and 3 whether it gives up, and whether it accepts a defender's offer; otherwise nobody gives up.
"""

from typing import Literal

from arena.zole.cards import NAMES

ACTIONS: tuple[str, ...] = (
    *("pass", "ordinary", "solo", "small_solo", "blind", "look", "take", "give"),
    *(f"play {name}" for name in NAMES),
    *(f"discard {name}" for name in NAMES),
    *("surrender", "offer", "accept", "play_on"),
)
"""The actions by number: bids; the blind question (`blind`, or `look` at the hand); the talon; a
card to play; a card to lay aside; giving up. `play_on` answers both questions between turns."""

PASS, BLIND, LOOK, TAKE, GIVE = 0, 4, 5, 6, 7
PLAY = 8
"""The action of playing card 0; that of card c is `PLAY + c`."""
DISCARD = PLAY + len(NAMES)
"""The action of laying card 0 aside."""
SURRENDER, OFFER, ACCEPT, PLAY_ON = range(DISCARD + len(NAMES), len(ACTIONS))

QuestionKind = Literal["blind", "bid", "talon", "discard", "second", "play", "surrender", "accept"]
"""The question to a seat; `second` is the second card of a discard."""
