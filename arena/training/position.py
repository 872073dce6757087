"""A deal as a sequence of single actions, each one of a fixed list that serves all rules.

A discard is two actions, one card each, in any order. With `surrenders` the questions between turns
are actions too, asked as the referee asks them: the declarer is asked before the leads to tricks 1,
2 and 3 whether it gives up, and whether it accepts a defender's offer; otherwise nobody gives up.
"""

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.zole import play
from arena.zole.auction import legal_bids
from arena.zole.cards import NAMES, SUIT_OF, Card, Cards, mask, members
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules
from arena.zole.state import Choose, Discard, Illegal, Play, Say, SayBlind, State, changed
from arena.zole.tricks import legal_cards

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

_BIDS = {"pass": 0, "ordinary": 1, "solo": 2, "small_solo": 3}
_BID_OF = {number: Say(bid) for bid, number in _BIDS.items()}  # type: ignore[arg-type]


class Position(msgspec.Struct, frozen=True):
    """A deal between two actions.

    `seat` is asked `question`; both are None when the deal is over. `voids` are, by seat, the cards
    of the suits that a seat has openly failed to follow. `aside` is the first card of a discard.
    `past` has the complete tricks: who led (None is the talon), and the cards.
    """

    state: State
    seat: Seat | None
    question: QuestionKind | None
    voids: tuple[Cards, ...]
    aside: Card | None = None
    surrenders: bool = False
    leads_asked: int = 0
    past: tuple[tuple[Seat | None, Cards], ...] = ()


def begin(rules: Rules, deal: Deal, surrenders: bool = False) -> Position:
    """The position after the deal."""
    position = Position(play.start(rules, deal), None, None, (0,) * rules.players)
    return _ask(msgspec.structs.replace(position, surrenders=surrenders))


def legal_actions(position: Position) -> NDArray[np.bool_]:
    """The asked seat's legal actions: a mask over `ACTIONS`, all false once the deal is over."""
    mask = np.zeros(len(ACTIONS), np.bool_)
    mask[list(_legal(position))] = True
    return mask


def step(position: Position, action: int) -> Position:
    """The position after an action of the asked seat. Raises `Illegal`."""
    if action not in _legal(position):
        name = ACTIONS[action] if 0 <= action < len(ACTIONS) else action
        raise Illegal(f"the action {name} is not allowed here")
    state = position.state
    match position.question:
        case "surrender" if action == SURRENDER:
            return _now(position, play.surrender(state))
        case "surrender":
            asked = msgspec.structs.replace(position, leads_asked=state.completed + 1)
            return _ask(asked)
        case "accept":
            return _now(position, play.offer(state, action == ACCEPT))
        case "discard":
            return msgspec.structs.replace(position, question="second", aside=action - DISCARD)
        case "second":
            assert position.aside is not None
            cards = 1 << position.aside | 1 << (action - DISCARD)
            return _now(position, play.apply(state, Discard(cards)))
        case "bid":
            return _now(position, play.apply(state, _BID_OF[action]))
        case "blind":
            return _now(position, play.apply(state, SayBlind(action == BLIND)))
        case "talon":
            choice: Choose = Choose("take" if action == TAKE else "give")
            return _now(position, play.apply(state, choice))
    if action == OFFER:
        return msgspec.structs.replace(position, seat=state.declarer, question="accept")
    return _play(position, action - PLAY)


def _legal(position: Position) -> tuple[int, ...]:
    state = position.state
    match position.question:
        case None:
            return ()
        case "blind":
            return BLIND, LOOK
        case "bid":
            return tuple(_BIDS[bid] for bid in legal_bids(state))
        case "talon":
            return TAKE, GIVE
        case "surrender":
            return SURRENDER, PLAY_ON
        case "accept":
            return ACCEPT, PLAY_ON
        case "play":
            offers = (OFFER,) if position.surrenders and play.may_offer(state) else ()
            return *(PLAY + card for card in members(legal_cards(state))), *offers
    assert position.seat is not None
    hand = members(state.hands[position.seat])
    return tuple(DISCARD + card for card in hand if card != position.aside)


def _play(position: Position, card: Card) -> Position:
    state, seat, voids = position.state, position.seat, position.voids
    assert seat is not None
    if state.trick and not SUIT_OF[state.trick[0]] >> card & 1:
        voids = changed(voids, seat, voids[seat] | SUIT_OF[state.trick[0]])
    after, past = play.apply(state, Play(card)), position.past
    if after.completed > state.completed:
        cards = mask((*state.trick, card))
        if state.order[-1] is None:
            cards |= 1 << state.deal.talon[state.completed]
        past = (*past, (state.order[0], cards))
    return _now(msgspec.structs.replace(position, voids=voids, past=past), after)


def _now(position: Position, state: State) -> Position:
    return _ask(msgspec.structs.replace(position, state=state, aside=None))


def _ask(position: Position) -> Position:
    """The position with the referee's next question, and the seat it is put to."""
    state = position.state
    if state.phase == "over":
        return msgspec.structs.replace(position, seat=None, question=None)
    if (
        position.surrenders
        and position.leads_asked <= state.completed
        and play.may_surrender(state)
    ):
        return msgspec.structs.replace(position, seat=state.declarer, question="surrender")
    return msgspec.structs.replace(position, seat=state.turn, question=state.phase)
