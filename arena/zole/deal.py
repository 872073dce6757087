"""A deal before its first bid: dealer, players, hands, talon; dealt from a seed, and as text."""

import hashlib
import itertools
import struct
from collections.abc import Iterator
from typing import Final

import msgspec

from arena.zole.cards import DECK, INDEX, NAMES, TRUMPS, Card, Cards, mask, names
from arena.zole.rules import Rules

Seat = int


class Deal(msgspec.Struct, frozen=True):
    """The cards as a `dealer` dealt them: the `hands`, and the two cards of the `talon` in order.

    Hands are sets of eight cards by seat, empty where a seat sits out. There are `players` seats.
    """

    dealer: Seat
    hands: tuple[Cards, ...]
    talon: tuple[Card, Card]

    @property
    def players(self) -> int:
        return len(self.hands)


def active_seats(players: int, dealer: Seat) -> tuple[Seat, ...]:
    """Forehand, middlehand and rearhand of a deal among 3, 4 or 5 players.

    pagat, Four players: the dealer sits out.
    lzsf: of five, the dealer and the third seat to the left.
    """
    places = (1, 2, 4) if players == 5 else (1, 2, 3)
    return tuple((dealer + place) % players for place in places)


def from_deck(deck: tuple[Card, ...], rules: Rules, dealer: Seat) -> Deal:
    """Deal a shuffled deck in packets, forehand first. pagat, Deal: 4-2-4; lzsf: 4-4-2."""
    second, talon = (14, 12) if rules.deal.packets == "4-2-4" else (12, 24)
    hands: list[Cards] = [0] * rules.players
    for place, seat in enumerate(active_seats(rules.players, dealer)):
        first, then = 4 * place, second + 4 * place
        hands[seat] = mask(deck[first : first + 4]) | mask(deck[then : then + 4])
    return Deal(dealer, tuple(hands), (deck[talon], deck[talon + 1]))


def flaw(deal: Deal) -> str | None:
    """The reason why a handmade deal is invalid, or None."""
    if deal.dealer not in range(deal.players):
        return f"the dealer must be a seat from 0 to {deal.players - 1}, not {deal.dealer}"
    active = active_seats(deal.players, deal.dealer)
    for seat, hand in enumerate(deal.hands):
        due = 8 if seat in active else 0
        if hand.bit_count() != due:
            return f"seat {seat} must hold {due} cards, not {hand.bit_count()}"
    held = mask(deal.talon)
    for hand in deal.hands:
        held |= hand
    if held != DECK:
        return "each of the 26 cards must be dealt exactly once"
    return None


_WORDS: Final = struct.Struct(">8I")


def words(key: str) -> Iterator[int]:
    """An endless stream of 32-bit numbers: SHA-256 of the key's digest and a counter.

    `protocol/deals.md` specifies this stream, the shuffle and the keys for other languages.
    """
    digest = hashlib.sha256(key.encode()).digest()
    counter = 0
    while True:
        yield from _WORDS.unpack(hashlib.sha256(digest + counter.to_bytes(8, "big")).digest())
        counter += 1


def below(bound: int, stream: Iterator[int]) -> int:
    """A uniform number from 0 to `bound` - 1; words that would favour small numbers are dropped."""
    limit = (1 << 32) // bound * bound
    while (word := next(stream)) >= limit:
        pass
    return word % bound


def shuffled(key: str) -> tuple[Card, ...]:
    """The deck of a key: Fisher-Yates from the last card down, on the stream of the key."""
    stream = words(key)
    deck = list(range(len(NAMES)))
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1, stream)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def high_card(draws: tuple[Card, ...]) -> int | None:
    """The index of the strongest drawn card, or None if the best tie and cards are drawn again.

    lzsf: the strongest card deals, the queen of clubs being the top. All plain suits are equal.
    """
    strengths = [card if 1 << card & TRUMPS else 14 + (card - 14) % 4 for card in draws]
    best = min(strengths)
    return strengths.index(best) if strengths.count(best) == 1 else None


def first_dealer(rules: Rules, key: str) -> Seat:
    """The first dealer of a session; whatever is left to chance follows from the key."""
    match rules.deal.first_dealer:
        case "given":
            return 0
        case "random":
            return below(rules.players, words(key))
        case "high_card":
            draws = (shuffled(f"{key}\n{draw}")[: rules.players] for draw in itertools.count())
            return next(dealer for dealer in map(high_card, draws) if dealer is not None)


def hand_text(hand: Cards) -> str:
    """The names of a set's cards, strongest first, joined by dots."""
    return ".".join(names(hand))


def deal_text(deal: Deal) -> str:
    """A deal in one line: dealer, hands by seat and talon between bars, cards joined by dots."""
    hands = "|".join(map(hand_text, deal.hands))
    talon = ".".join(NAMES[card] for card in deal.talon)
    return f"{deal.dealer}|{hands}|{talon}"


def read_deal(text: str, players: int) -> Deal:
    """Read a deal from a line in either form. Raises `ValueError` with what is wrong."""
    line = _line(text)
    if len(line.hands) != players:
        raise ValueError(f"there must be {players} hands, one for each seat, not {len(line.hands)}")
    for card in (*line.talon, *(card for hand in line.hands for card in hand)):
        if card not in INDEX:
            raise ValueError(f"{card} is not a card; the cards are {' '.join(NAMES)}")
    first, second = (INDEX[card] for card in line.talon)
    hands = tuple(mask(INDEX[card] for card in hand) for hand in line.hands)
    deal = Deal(line.dealer, hands, (first, second))
    if wrong := flaw(deal):
        raise ValueError(wrong)
    return deal


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dealer: int
    hands: tuple[tuple[str, ...], ...]
    talon: tuple[str, str]


def _line(text: str) -> _Line:
    if text.lstrip().startswith("{"):
        return msgspec.json.decode(text, type=_Line)
    dealer, *hands = text.strip().split("|")
    if len(hands) < 2 or not dealer.isdecimal():
        raise ValueError("this is neither a JSON object nor dealer|hand|hand|hand|talon")
    *hands, talon = hands
    pair = talon.split(".")
    if len(pair) != 2:
        raise ValueError(f"the talon has two cards, not {talon}")
    held = tuple(tuple(hand.split(".")) if hand else () for hand in hands)
    return _Line(int(dealer), held, (pair[0], pair[1]))
