"""Deals as text: one per line, compact or as a JSON object, as people write and exchange them."""

import msgspec

from arena.zole.cards import INDEX, NAMES, Cards, mask, names
from arena.zole.deal import Deal, flaw


def hand_text(hand: Cards) -> str:
    """The names of a set's cards, strongest first, joined by dots."""
    return ".".join(names(hand))


def deal_text(deal: Deal) -> str:
    """A deal in one line: dealer, hands by seat and talon between bars, cards joined by dots."""
    hands = "|".join(map(hand_text, deal.hands))
    talon = ".".join(NAMES[card] for card in deal.talon)
    return f"{deal.dealer}|{hands}|{talon}"


def read_deal(text: str, players: int) -> Deal:
    """Read a deal from a line in either form. Raises `ValueError` that says what is wrong."""
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
