"""Deals as text: a line each, compact or as a JSON object, as people write and exchange them."""

from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.zole.cards import INDEX, NAMES, mask, names
from arena.zole.deal import Deal, flaw


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dealer: int
    hands: tuple[tuple[str, ...], ...]
    talon: tuple[str, str]


def deal_text(deal: Deal) -> str:
    """A deal in one line: dealer, hands by seat and talon between bars, cards joined by dots."""
    hands = "|".join(".".join(names(hand)) for hand in deal.hands)
    talon = ".".join(NAMES[card] for card in deal.talon)
    return f"{deal.dealer}|{hands}|{talon}"


def read_deals(path: Path, players: int) -> list[Deal]:
    """The deals of a file, in order. Raises `ArenaError` with every line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        what = f"the deals cannot be read: {error.strerror}"
        raise ArenaError(Mistake(what, str(path))) from None
    except UnicodeDecodeError:
        raise ArenaError(Mistake("these deals are no text in UTF-8", str(path))) from None
    deals: list[Deal] = []
    mistakes: list[Mistake] = []
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            deals.append(_deal(_line(text), players))
        except ValueError as error:
            mistakes.append(Mistake(str(error), f"{path}:{number}"))
    if mistakes:
        raise ArenaError(*mistakes)
    if not deals:
        raise ArenaError(Mistake("there are no deals in this file", str(path)))
    return deals


def _line(text: str) -> _Line:
    """What a line says, in either form. Raises ValueError that says what is wrong."""
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


def _deal(line: _Line, players: int) -> Deal:
    """The deal of a line. Raises ValueError that says what is wrong."""
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
