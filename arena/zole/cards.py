"""The 26 cards: their names, points, suits and strength, and sets of them as bit masks.

A card is its index in `NAMES`, which runs from the strongest to the weakest: the fourteen trumps,
then clubs, spades and hearts. So within trumps, and within a plain suit, the smaller index wins.
A set of cards is an int with bit `card` set.
"""

from collections.abc import Iterable

Card = int
Cards = int

NAMES: tuple[str, ...] = (
    *("QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "9D", "8D", "7D"),
    *("AC", "TC", "KC", "9C", "AS", "TS", "KS", "9S", "AH", "TH", "KH", "9H"),
)
"""The cards' names on the wire by number, trumps first, from the strongest."""
DECK: Cards = (1 << len(NAMES)) - 1
INDEX: dict[str, Card] = {name: card for card, name in enumerate(NAMES)}
"""The number of each card by its name."""

POINTS: tuple[int, ...] = tuple(
    {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(name[0], 0) for name in NAMES
)

# pagat, Players and Cards: queens, jacks and diamonds are one suit, whatever is printed on them.
_SUITS: tuple[range, ...] = (range(14), range(14, 18), range(18, 22), range(22, 26))
TRUMPS: Cards = sum(1 << card for card in _SUITS[0])
SUIT_OF: tuple[Cards, ...] = tuple(sum(1 << card for card in suit) for suit in _SUITS for _ in suit)
"""For each card, all cards of its suit: those that must follow when it is led."""

BEATEN_BY: tuple[Cards, ...] = tuple(
    suit & ((1 << card) - 1) | (0 if card in _SUITS[0] else TRUMPS)
    for card, suit in enumerate(SUIT_OF)
)
"""For each card, the cards that beat it: stronger ones of its suit; all trumps if it is plain."""


def mask(cards: Iterable[Card]) -> Cards:
    """The set of some cards."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def members(cards: Cards) -> tuple[Card, ...]:
    """The cards of a set, strongest first."""
    return _LOW_CARDS[cards & _LOW_BITS] + _HIGH_CARDS[cards >> _HALF]


def names(cards: Cards) -> tuple[str, ...]:
    """The names of a set's cards, strongest first."""
    return _LOW_NAMES[cards & _LOW_BITS] + _HIGH_NAMES[cards >> _HALF]


def points(cards: Cards) -> int:
    """The card points of a set, 0 to 120."""
    return sum(POINTS[card] for card in members(cards))


def playable(hand: Cards, trick: tuple[Card, ...]) -> Cards:
    """The legal cards of a hand. pagat, Play: follow the led suit if able, else play anything."""
    return (hand & SUIT_OF[trick[0]] or hand) if trick else hand


def winner(trick: tuple[Card, ...]) -> int:
    """The index in a trick of the card that takes it; the first card is the one led."""
    best = trick[0]
    for card in trick:
        if BEATEN_BY[best] >> card & 1:
            best = card
    return trick.index(best)


_HALF = 13
_LOW_BITS = (1 << _HALF) - 1


def _subsets(first: Card) -> list[tuple[Card, ...]]:
    table: list[tuple[Card, ...]] = [()]
    for card in range(first, first + _HALF):
        table += [(*cards, card) for cards in table]
    return table


_LOW_CARDS, _HIGH_CARDS = _subsets(0), _subsets(_HALF)
_LOW_NAMES, _HIGH_NAMES = (
    [tuple(map(NAMES.__getitem__, cards)) for cards in half] for half in (_LOW_CARDS, _HIGH_CARDS)
)
