"""A deal for learners, action by action, by the pure rules: what N tables on arrays must equal.

Slow and plain, one table at a time: `arena.zole` says what is allowed and what follows, and
`arena.zole.view` what a seat sees.
"""

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
from arena.training.observation import (
    BIDS,
    CARDS,
    CONTRACTS,
    HISTORY_SIZE,
    OBSERVATION_SIZE,
    QUESTIONS,
    UNSEEN_SIZE,
    WHERE,
)
from arena.training.tables import Tables
from arena.zole import play, view
from arena.zole.auction import legal_bids
from arena.zole.cards import INDEX, SUIT_OF, Card, Cards, mask, members, points, winner
from arena.zole.deal import Deal, Seat, active_seats
from arena.zole.rules import Rules
from arena.zole.state import Choose, Discard, Illegal, Play, Say, SayBlind, State, changed
from arena.zole.tricks import legal_cards

_BIDS = {"pass": 0, "ordinary": 1, "solo": 2, "small_solo": 3}
_BID_OF = {number: Say(bid) for bid, number in _BIDS.items()}  # type: ignore[arg-type]


def deals_of(tables: Tables) -> tuple[Deal, ...]:
    """The deals being played at some tables."""
    state, players = tables._state, tables.rules.players
    rows = (array.tolist() for array in (state.dealer, state.dealt, state.talon))
    found = []
    for dealer, dealt, talon in zip(*rows, strict=True):
        hands = dict(zip(active_seats(players, dealer), dealt, strict=True))
        cards = tuple(hands.get(seat, 0) for seat in range(players))
        found.append(Deal(dealer, cards, (talon[0], talon[1])))
    return tuple(found)


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
        start = WHERE[name].start
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
        seen[WHERE["trick_points"].start] = points(mask(state.trick))
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
    seen[WHERE["aside_points"].start] = points(aside)
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
