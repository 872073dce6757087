"""Cards and answers for a terminal: suit signs in four colours."""

from rich.text import Text

from arena.base.harmless import harmless
from arena.match.replay import HIDDEN

_SUITS = {"C": ("♣", "green"), "S": ("♠", "bold"), "H": ("♥", "red"), "D": ("♦", "blue")}


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


def cards(names: str) -> Text:
    """Cards joined by dots, with blanks between."""
    return Text(" ").join(card(name) for name in names.split(".") if name)


def show_answer(word: str | None) -> Text:
    """An answer as the bot wrote it, without the log's mark: cards by name, in their colours."""
    if word is None:
        return Text("no answer", "red")
    parts = word.split(".")
    if all(part == HIDDEN for part in parts):
        return Text(" ".join(parts), "dim")
    if all(len(part) == 2 and part[1] in _SUITS for part in parts):
        return Text(" ").join(Text(part, _SUITS[part[1]][1]) for part in parts)
    return Text(harmless(word.removeprefix("?")))
