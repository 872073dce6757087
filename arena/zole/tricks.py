"""The play: leads, legal cards, and the taking of tricks."""

from msgspec.structs import replace

from arena.zole.cards import NAMES, POINTS, TRUMPS, Card, Cards, names, playable, winner
from arena.zole.deal import Seat
from arena.zole.state import Illegal, State, changed, require, turn_of


def legal_cards(state: State) -> Cards:
    """The legal cards of the seat to play."""
    return playable(state.hands[turn_of(state)], state.trick)


def first_lead(state: State) -> State:
    """The play begins. pagat, Play: the player to dealer's left leads."""
    order = _trick_order(state, state.active[0], 0)
    return replace(state, phase="play", turn=order[0], order=order)


def play_card(state: State, card: Card) -> State:
    """The state after the seat to play lays a card. Raises `Illegal`."""
    if state.phase != "play":
        require(state, "play")
    seat, hands = state.turn, state.hands
    trick, order = state.trick, state.order
    assert seat is not None
    hand = hands[seat]
    legal = playable(hand, trick)
    if not legal >> card & 1:
        raise Illegal(_refusal(card, hand, trick))
    hands = changed(hands, seat, hand ^ (1 << card))
    trick = (*trick, card)
    if len(trick) < len(order):
        turn = order[len(trick)]
        if turn is not None:
            return replace(state, turn=turn, hands=hands, trick=trick)
        trick = (*trick, state.deal.talon[state.completed])
    return _taken(state, hands, trick)


def _refusal(card: Card, hand: Cards, trick: tuple[Card, ...]) -> str:
    """Why a hand may not lay a card. The suit of queens and jacks is what bots get wrong."""
    if not hand >> card & 1:
        return f"{NAMES[card]} is not in the hand"
    led = trick[0]
    suit = "trumps" if TRUMPS >> led & 1 else _SUITS[NAMES[led][1]]
    legal = " ".join(names(playable(hand, trick)))
    told = "queens, jacks and diamonds are trumps"
    return f"{NAMES[card]} is not one of {legal}: {suit} were led; {told}"


_SUITS = {"C": "clubs", "S": "spades", "H": "hearts"}


def _taken(state: State, hands: tuple[Cards, ...], trick: tuple[Card, ...]) -> State:
    value = 0
    for card in trick:
        value += POINTS[card]
    taker = state.order[winner(trick)]
    tricks, points = state.tricks, state.points
    talon_tricks, talon_points = state.talon_tricks, state.talon_points
    if taker is None:  # lzsf: the talon's trick counts for nobody
        talon_tricks, talon_points = talon_tricks + 1, talon_points + value
    else:
        tricks = changed(tricks, taker, tricks[taker] + 1)
        points = changed(points, taker, points[taker] + value)
    completed = state.completed + 1
    over = completed == state.rules.play.tricks
    order = () if over else _trick_order(state, taker, completed)
    led: tuple[Card, ...] = ()
    if order and order[0] is None:
        led = (state.deal.talon[completed],)
    return replace(
        state,
        phase="over" if over else "play",
        turn=None if over else order[len(led)],
        hands=hands,
        tricks=tricks,
        points=points,
        order=order,
        trick=led,
        completed=completed,
        talon_tricks=talon_tricks,
        talon_points=talon_points,
    )


def _trick_order(state: State, leader: Seat | None, completed: int) -> tuple[Seat | None, ...]:
    """The seats that play to a trick, in order; None is the talon, last unless it leads.

    lzsf, Galds: the two cards left over play in the first two tricks of a table game. It does not
    define who follows the talon's lead or leads after it; here forehand does.
    """
    active = state.active
    place = 0 if leader is None else active.index(leader)
    players: tuple[Seat | None, ...] = active[place:] + active[:place]
    if (
        completed < 2
        and state.contract == "table"
        and state.rules.table.talon == "first_two_tricks"
    ):
        return (None, *players) if leader is None else (*players, None)
    return players
