"""The deals that a seat could not distinguish from the real one, each of them equally likely.

`known` takes from a deal what the seat knew; worlds are made from that alone. A world gives every
hidden card a place: another hand, the talon, the cards laid aside. Hands have as many cards as
everybody sees, and none of a suit that they have shown themselves void in. Nothing else is sure.
A bid proves nothing, for a bot may bid as it likes; nor do the cards that a seat chose
to play or to lay aside, nor those that the arena played for it after a fault. So every placing is
as likely as any other: a declarer's hand is one of all that it could hold, laid aside are any two
of its ten cards, and any two of them were the talon.

Placings are counted and numbered, so that a uniform number is a uniform placing.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from arena.zole import view
from arena.zole.cards import DECK, SUIT_OF, TRUMPS, Card, Cards, mask, members
from arena.zole.deal import Deal, Seat, words
from arena.zole.state import State

_HAND = 8

Where = Seat | Literal["talon 1", "talon 2", "discards"]


class HidingPlace(msgspec.Struct, frozen=True):
    """A place that hides `size` cards, none of them one of the `barred`."""

    where: Where
    size: int
    barred: Cards = 0


class KnownCards(msgspec.Struct, frozen=True):
    """The cards of a deal that a seat knew at a moment, and no others.

    `table` is the state without its deal, and with only those hands and discards that the seat
    knew. `laid` are the cards that each seat has laid to tricks, `talon` the talon's cards as far
    as they were known. The `hidden` cards lie in the `places`, whose sizes sum to their number.
    """

    table: State
    laid: tuple[Cards, ...]
    talon: tuple[Card | None, Card | None]
    hidden: Cards
    places: tuple[HidingPlace, ...]


def known(past: Sequence[State], seat: Seat, usual: bool = False) -> KnownCards:
    """A seat's knowledge in the last of a deal's states; `past` are all of them from its start.

    Of hands that the seat does not see, only the cards that they lay in these states are used. If
    `usual`, the declarer laid no trumps aside, which the rules allow and players do not do.
    """
    state = past[-1]
    players = len(state.hands)
    sight = view.sight(state, seat)
    laid, voids = _shown(past)
    hands = tuple(hand if each in sight.hands else 0 for each, hand in enumerate(state.hands))
    discards = state.discards if sight.discards else 0
    first, second = (
        card if place in sight.talon else None for place, card in enumerate(state.deal.talon)
    )
    places = [
        HidingPlace(each, _HAND - laid[each].bit_count(), voids[each])
        for each in state.active
        if each not in sight.hands
    ]
    if state.contract != "ordinary":  # else the talon is among the declarer's cards
        places += [HidingPlace("talon 1", 1)] if first is None else []
        places += [HidingPlace("talon 2", 1)] if second is None else []
    elif not sight.discards:
        places.append(HidingPlace("discards", 2, TRUMPS if usual else 0))
    nothing = Deal(state.deal.dealer, (0,) * players, (0, 0))
    table = msgspec.structs.replace(state, deal=nothing, hands=hands, discards=discards)
    hidden = DECK & ~discards & ~mask(card for card in (first, second) if card is not None)
    for cards in (*laid, *hands):
        hidden &= ~cards
    return KnownCards(table, laid, (first, second), hidden, tuple(places))


class Worlds:
    """All worlds that fit a seat's knowledge; `placings` counts the ways the cards may lie."""

    def __init__(self, seen: KnownCards) -> None:
        self._seen = seen
        self._cards = members(seen.hidden)
        self._ways: dict[tuple[int, ...], int] = {(0,) * len(seen.places): 1}
        self.placings: int = self._count(tuple(place.size for place in seen.places))

    def sample(self, count: int, key: str) -> tuple[State, ...]:
        """`count` worlds, drawn independently; or each placing once, if there are no more.

        Drawn from the key's stream (`arena.zole.deal.words`), two words for each number.
        """
        stream = words(key)
        ranks: Iterable[int] = range(self.placings)
        if self.placings > count:
            ranks = (_below(self.placings, stream) for _ in range(count))
        return tuple(self._world(self._placing(rank), stream) for rank in ranks)

    def _count(self, free: tuple[int, ...]) -> int:
        """The number of ways in which the last cards, as many as fit, go into the free places."""
        ways = self._ways.get(free)
        if ways is None:
            card = self._cards[-sum(free)]
            ways = sum(self._count(rest) for _, rest in self._choices(card, free))
            self._ways[free] = ways
        return ways

    def _choices(self, card: Card, free: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The places that a card may go to, each with the free places left after that."""
        for number, place in enumerate(self._seen.places):
            if free[number] and not place.barred >> card & 1:
                yield number, (*free[:number], free[number] - 1, *free[number + 1 :])

    def _placing(self, rank: int) -> list[Cards]:
        """The placing of a number from 0: the cards of each place."""
        free = tuple(place.size for place in self._seen.places)
        held = [0] * len(free)
        for card in self._cards:
            for number, rest in self._choices(card, free):
                ways = self._count(rest)
                if rank < ways:
                    held[number] |= 1 << card
                    free = rest
                    break
                rank -= ways
        return held

    def _world(self, held: list[Cards], stream: Iterator[int]) -> State:
        """The state of a placing; the cards that a declarer took from the talon are drawn."""
        seen = self._seen
        table = seen.table
        lies: dict[Where, Cards] = {
            place.where: cards for place, cards in zip(seen.places, held, strict=True)
        }
        hands = [hand | lies.get(seat, 0) for seat, hand in enumerate(table.hands)]
        discards = table.discards | lies.get("discards", 0)
        dealt = [hand | laid for hand, laid in zip(hands, seen.laid, strict=True)]
        first, second = seen.talon
        if table.contract == "ordinary" and table.declarer is not None:
            ten = dealt[table.declarer] | discards
            if first is None or second is None:
                cards = list(members(ten))
                first, second = (cards.pop(_below(size, stream)) for size in (10, 9))
            dealt[table.declarer] = ten & ~mask((first, second))
        elif first is None or second is None:
            second = lies["talon 2"].bit_length() - 1
            first = lies["talon 1"].bit_length() - 1 if first is None else first
        deal = Deal(table.deal.dealer, tuple(dealt), (first, second))
        return msgspec.structs.replace(table, deal=deal, hands=tuple(hands), discards=discards)


def _shown(past: Sequence[State]) -> tuple[tuple[Cards, ...], list[Cards]]:
    """By seat, the cards laid to tricks, and those of suits that it could not follow."""
    laid, voids = ([0] * len(past[0].hands) for _ in range(2))
    for before, after in pairwise(past):
        seat = before.turn
        if before.phase != "play" or seat is None:
            continue
        card = before.hands[seat] & ~after.hands[seat]
        laid[seat] |= card
        if card and before.trick and not card & SUIT_OF[before.trick[0]]:
            voids[seat] |= SUIT_OF[before.trick[0]]
    return tuple(laid), voids


def _below(bound: int, stream: Iterator[int]) -> int:
    """A uniform number from 0 to `bound` - 1, which may need more than one word."""
    limit = (1 << 64) // bound * bound
    while True:
        number = next(stream) << 32 | next(stream)
        if number < limit:
            return number % bound
