"""Deals as text, one per line, as people write and exchange them."""

import itertools

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
    """Read a deal from its line. Raises `ValueError` that says what is wrong."""
    dealer, *sets = text.strip().split("|")
    if not dealer.isdecimal() or len(sets) != players + 1:
        raise ValueError(f"a deal of {players} is DEALER{'|HAND' * players}|TALON")
    cards = [each.split(".") if each else [] for each in sets]
    for card in itertools.chain(*cards):
        if card not in INDEX:
            raise ValueError(f"{card} is not a card; the cards are {' '.join(NAMES)}")
    *hands, talon = ([INDEX[card] for card in each] for each in cards)
    if len(talon) != 2:
        raise ValueError(f"the talon has two cards, not {sets[-1]}")
    deal = Deal(int(dealer), tuple(map(mask, hands)), (talon[0], talon[1]))
    if wrong := flaw(deal):
        raise ValueError(wrong)
    return deal
