"""Deals written by hand: a file of JSON objects, one deal a line."""

from pathlib import Path

import msgspec

from arena.errors import ArenaError, Mistake
from arena.zole.cards import INDEX, NAMES, mask
from arena.zole.deal import Deal, flaw


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dealer: int
    hands: tuple[tuple[str, ...], ...]
    talon: tuple[str, str]


def read_deals(path: Path, players: int) -> list[Deal]:
    """The deals of a file, in order. Raises `ArenaError` with every line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ArenaError(Mistake(f"the deals cannot be read: {error}", str(path))) from None
    deals: list[Deal] = []
    mistakes: list[Mistake] = []
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            deals.append(_deal(text, players))
        except ValueError as error:
            mistakes.append(Mistake(str(error), f"{path}:{number}"))
    if mistakes:
        raise ArenaError(*mistakes)
    if not deals:
        raise ArenaError(Mistake("there are no deals in this file", str(path)))
    return deals


def _deal(text: str, players: int) -> Deal:
    """One line's deal. Raises ValueError that says what is wrong."""
    line = msgspec.json.decode(text, type=_Line)
    if len(line.hands) != players:
        raise ValueError(f"there must be {players} hands, one for each seat, not {len(line.hands)}")
    for card in (*line.talon, *(card for hand in line.hands for card in hand)):
        if card not in INDEX:
            raise ValueError(f"{card} is no card; there are {' '.join(NAMES)}")
    first, second = (INDEX[card] for card in line.talon)
    hands = tuple(mask(INDEX[card] for card in hand) for hand in line.hands)
    deal = Deal(line.dealer, hands, (first, second))
    wrong = flaw(deal)
    if wrong:
        raise ValueError(wrong)
    return deal
