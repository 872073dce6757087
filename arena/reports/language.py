"""What people read, in their language: messages of the catalogues in `arena/words`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

import arena

if TYPE_CHECKING:
    from arena.reports.fluent import Formatter

ENGLISH: Final = "en"

RANKS: Final = dict(
    zip("AKQJT987", "ace king queen jack ten nine eight seven".split(), strict=True)
)
# The catalogues' names of what a card's name on the wire consists of
SUITS: Final = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
SIGNS: Final = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}

_WORDS: Final = Path(arena.__file__).parent / "words"
# A message, and the lines that continue it
_ENTRY: Final = re.compile(r"^([a-z][\w-]*) =.*(?:\n(?:[ }].*)?)*", re.M)

Value = str | int | float


class Phrase(msgspec.Struct, frozen=True):
    """A message of the catalogues with its values, for a reader of any language.

    Several phrases in a value are listed in the sentence, with semicolons between them.
    """

    message: str
    values: "dict[str, Value | tuple[Phrase, ...]]" = {}


class Language:
    """A language's messages, and English for those that it lacks; its numbers and dates.

    Cards are written as `10♦` with `short_cards`, and else by their names.
    """

    def __init__(self, tag: str, short_cards: bool = False) -> None:
        self.tag = tag
        self._short_cards = short_cards

    def say(self, message: str, /, **values: Value) -> str:
        """A message with its values. Raises `LookupError` if there is none, or it lacks a value."""
        tag = self.tag if message in _entries(self.tag) else ENGLISH
        known = {name: _within_bounds(value) for name, value in values.items()}
        return _formatter(tag, self._short_cards).text(message, known)

    def has(self, message: str) -> bool:
        return any(message in _entries(tag) for tag in (self.tag, ENGLISH))

    def said(self, phrase: Phrase) -> str:
        values = {
            name: "; ".join(map(self.said, value)) if isinstance(value, tuple) else value
            for name, value in phrase.values.items()
        }
        return self.say(phrase.message, **values)

    def card(self, name: str, case: str = "nominative") -> str:
        """A card by its name on the wire; a short one is alike in all cases."""
        rank, suit = RANKS[name[0]], name[1]
        if self._short_cards:
            return self.say("index", rank=rank) + SIGNS[suit]
        return self.say("card", rank=rank, suit=SUITS[suit], case=case)

    def cards(self, names: Iterable[str]) -> str:
        """Several cards, with commas between them."""
        return ", ".join(map(self.card, names))

    def number(self, value: float) -> str:
        """A number with its thousands separated, and with at most three decimals."""
        text = f"{value:,}" if isinstance(value, int) else f"{value:,.3f}".rstrip("0").rstrip(".")
        signs = {",": self.say("group-sign"), ".": self.point}
        return re.sub("[,.]", lambda found: signs[found[0]], text)

    def day_and_time(self, when: datetime) -> str:
        """A day of a year that the reader knows, and a time: `22 Nov, 14:03`."""
        return self.say("day-and-time", day=f"{when.day}", month=when.month, time=f"{when:%H:%M}")

    def date(self, when: datetime) -> str:
        """A day with its year: `22 November 2026`."""
        return self.say("date", day=f"{when.day}", month=when.month, year=f"{when.year}")

    def listed(self, names: Sequence[str]) -> str:
        """Names as a sentence lists them: `a, b and c`."""
        *before, last = names or [""]
        return self.say("listed", before=", ".join(before), last=last) if before else last

    @property
    def name(self) -> str:
        """What the language calls itself."""
        return self.say("language")

    @cached_property
    def point(self) -> str:
        """The sign before a number's decimals."""
        return self.say("decimal-sign")


@cache
def languages_with(catalogue: str) -> tuple[str, ...]:
    """The tags of the languages that have a catalogue, such as `table`; English is the first."""
    found = sorted(path.parent.name for path in _WORDS.glob(f"*/{catalogue}.ftl"))
    return (ENGLISH, *(tag for tag in found if tag != ENGLISH))


def preferred(wanted: str, among: Sequence[str]) -> str | None:
    """The first of some languages in a header `Accept-Language`; None if it names none.

    Browsers list theirs by weight.
    """
    tags = re.findall(r"(?:^|,)\s*([a-z]+)", wanted.lower())
    return next((tag for tag in tags if tag in among), None)


def of_environment(variables: Mapping[str, str]) -> str:
    """The language that a process's environment asks for, by POSIX: `lv` by `LANG=lv_LV.UTF-8`."""
    asked = (variables.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return re.split("[_.@]", next(filter(None, asked), ENGLISH))[0].lower()


@cache
def _formatter(tag: str, short_cards: bool) -> "Formatter":
    from arena.reports.fluent import Formatter

    language = Language(tag, short_cards)
    return Formatter(tag, _entries(tag).__getitem__, language.number, language.card)


# The messages of a language's catalogues as written: parsing all takes 0.1 s
@cache
def _entries(tag: str) -> dict[str, str]:
    texts = (file.read_text(encoding="utf-8") for file in (_WORDS / tag).glob("*.ftl"))
    return {entry[1]: entry[0] for text in texts for entry in _ENTRY.finditer(text)}


# A value, of a long text the beginning: it is a stranger's, and stands in a sentence
def _within_bounds(value: Any) -> Any:
    return f"{value[:2000]}…" if isinstance(value, str) and len(value) > 2000 else value
