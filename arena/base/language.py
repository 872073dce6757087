"""What people read, in their language: messages of the catalogues in `arena/words`."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

import arena

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle
    from fluent.syntax.ast import Resource

ENGLISH: Final = "en"

RANKS: Final = dict(
    zip("AKQJT987", "ace king queen jack ten nine eight seven".split(), strict=True)
)
SUITS: Final = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
"""The catalogues' names of what a card's name on the wire consists of."""
SIGNS: Final = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}

_WORDS: Final = Path(arena.__file__).parent / "words"
_WANTED: Final = re.compile(r"([a-z]+)[^,;]*(?:;q=(\d(?:\.\d*)?))?")
"""A language and its weight in a header `Accept-Language`."""
_BRITISH: Final = {ENGLISH: "en_GB"}
"""The region whose dates a language has, where that is not its own choice: 22 Nov."""

Value = str | int | float


class Saying(msgspec.Struct, frozen=True):
    """A message of the catalogues with its values, for a reader of any language.

    Several sayings in a value are listed in the sentence, with semicolons between them.
    """

    message: str
    values: "dict[str, Value | tuple[Saying, ...]]" = {}


class Language:
    """A language's messages, and English for those that it lacks; its numbers and dates.

    Cards are written as `10♦` with `short_cards`, and else by their names.
    """

    def __init__(self, tag: str, short_cards: bool = False) -> None:
        self.tag = tag
        self._short_cards = short_cards

    def say(self, message: str, /, **values: Value) -> str:
        """A message with its values. Raises `LookupError` if there is none, or it lacks a value."""
        bundles = (_bundle(tag, self._short_cards) for tag in (self.tag, ENGLISH))
        bundle = next((each for each in bundles if each.has_message(message)), None)
        if bundle is None or (pattern := bundle.get_message(message).value) is None:
            raise LookupError(f"there is no message {message}")
        known = {name: _within_bounds(value) for name, value in values.items()}
        text, errors = bundle.format_pattern(pattern, known)
        if errors:
            raise LookupError(f"{message}: {errors[0]}")
        return str(text)

    def said(self, saying: Saying) -> str:
        """A message that comes with its values."""
        values = {
            name: "; ".join(map(self.said, value)) if isinstance(value, tuple) else value
            for name, value in saying.values.items()
        }
        return self.say(saying.message, **values)

    def card(self, name: str, case: str = "nominative") -> str:
        """A card by its name on the wire; a short one is alike in all cases."""
        rank, suit = RANKS[name[0]], name[1]
        if self._short_cards:
            return self.say("index", rank=rank) + SIGNS[suit]
        return self.say("card", rank=rank, suit=SUITS[suit], case=case)

    def number(self, value: int) -> str:
        """A number with its thousands separated."""
        from babel.numbers import format_decimal

        return format_decimal(value, locale=self.tag)

    def day_and_time(self, when: datetime) -> str:
        """A day of a year that the reader knows, and a time: `22 Nov, 14:03`."""
        from babel.dates import format_skeleton

        return f"{format_skeleton('MMMd', when, locale=self._region)}, {when:%H:%M}"

    def date(self, when: datetime) -> str:
        """A day with its year: `22 November 2026`."""
        from babel.dates import format_date

        return format_date(when, "long", locale=self._region)

    def listed(self, names: Sequence[str]) -> str:
        """Names as a sentence lists them: `a, b and c`."""
        from babel.lists import format_list

        return format_list(names, locale=self._region)

    @property
    def name(self) -> str:
        """The name that the language has for itself."""
        from babel import Locale

        return str(Locale.parse(self.tag).get_display_name()).capitalize()

    @property
    def point(self) -> str:
        """The sign before a number's decimals."""
        from babel.numbers import get_decimal_symbol

        return get_decimal_symbol(self.tag)

    @property
    def _region(self) -> str:
        return _BRITISH.get(self.tag, self.tag)


@cache
def languages_with(catalogue: str) -> tuple[str, ...]:
    """The tags of the languages that have a catalogue, such as `table`; English is the first."""
    found = sorted(path.parent.name for path in _WORDS.glob(f"*/{catalogue}.ftl"))
    return (ENGLISH, *(tag for tag in found if tag != ENGLISH))


def preferred(wanted: str, among: Sequence[str]) -> str | None:
    """The language that a header `Accept-Language` prefers of some; None if it names none."""
    found = _WANTED.findall("".join(wanted.lower().split()))
    known = [(float(weight or 1), tag) for tag, weight in found if tag in among]
    weight, tag = max(known, key=itemgetter(0), default=(0.0, None))
    return tag if weight > 0 else None


def of_environment(variables: Mapping[str, str]) -> str:
    """The language that a process's environment asks for, by POSIX: `lv` by `LANG=lv_LV.UTF-8`."""
    asked = (variables.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return re.split("[_.@]", next(filter(None, asked), ENGLISH))[0].lower()


@cache
def _bundle(tag: str, short_cards: bool) -> "FluentBundle":
    from fluent.runtime import FluentBundle

    def card(name: Any, case: Any = "nominative") -> Any:
        return Language(tag, short_cards).card(str(name), str(case))

    bundle = FluentBundle([tag], functions={"CARD": card}, use_isolating=False)
    for catalogue in _catalogues(tag):
        bundle.add_resource(catalogue)
    return bundle


@cache
def _catalogues(tag: str) -> "tuple[Resource, ...]":
    from fluent.runtime import FluentResource

    files = (_WORDS / tag).glob("*.ftl")
    return tuple(FluentResource(file.read_text(encoding="utf-8")) for file in files)


def _within_bounds(value: Any) -> Any:
    """A value, of a long text the begin: Fluent refuses texts of more than 2,500 characters."""
    return f"{value[:2000]}…" if isinstance(value, str) and len(value) > 2000 else value
