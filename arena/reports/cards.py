"""Cards and answers for a terminal: suit signs in four colours."""

import re

from rich.text import Text

from arena.base.harmless import harmless
from arena.match.replay import HIDDEN

_SUITS = {"C": ("♣", "green"), "S": ("♠", "bold"), "H": ("♥", "red"), "D": ("♦", "blue")}
_NAMES = re.compile(r"\b[AKQJT987][CSHD]\b")


def card(name: str) -> Text:
    """A card by its name, or the sign of one that lies face down."""
    if name[-1:] not in _SUITS or len(name) != 2:
        return Text(name, "dim")
    sign, colour = _SUITS[name[1]]
    return Text(f"{'10' if name[0] == 'T' else name[0]}{sign}", colour)


def in_colours(words: str) -> Text:
    """A sentence in which cards are written as `10♦`."""
    text = Text(words)
    for sign, colour in _SUITS.values():
        text.highlight_regex(rf"\w+{sign}", colour)
    return text


def with_signs(words: str) -> str:
    """A sentence of the arena's own, its cards written as `card` does."""
    return _NAMES.sub(lambda found: card(found[0]).plain, words)


def cards(names: str) -> Text:
    """Cards joined by dots, with blanks between."""
    return Text(" ").join(card(name) for name in names.split(".") if name)


def show_answer(word: str | None) -> Text:
    """An answer: cards as cards, anything else as the bot wrote it, without the log's mark."""
    if word is None:
        return Text("no answer", "red")
    parts = word.split(".")
    if all(part == HIDDEN for part in parts):
        return Text(" ".join(parts), "dim")
    if all(map(_NAMES.fullmatch, parts)):
        return cards(word)
    return Text(harmless(word.removeprefix("?")))
