"""What people read at a table, in their language: messages of the catalogues in `arena/words`."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import arena

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

ENGLISH: Final = "en"

RANKS: Final = dict(
    zip("AKQJT987", "ace king queen jack ten nine eight seven".split(), strict=True)
)
SUITS: Final = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
"""The catalogues' names of what a card's name on the wire consists of."""

_WORDS: Final = Path(arena.__file__).parent / "words"

Value = str | int | float


class Language:
    """A language's messages, and English for those that it lacks."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self._bundles = [_bundle(each) for each in dict.fromkeys((tag, ENGLISH))]

    def say(self, message: str, /, **values: Value) -> str:
        """A message with its values. Raises `LookupError` if there is none, or it lacks a value."""
        for bundle in self._bundles:
            if bundle.has_message(message):
                return _formatted(bundle, message, values)
        raise LookupError(f"there is no message {message}")


@cache
def _bundle(tag: str) -> "FluentBundle":
    from fluent.runtime import FluentBundle, FluentResource

    def card(name: Any, case: Any = "nominative") -> Any:
        return _card(bundle, str(name), str(case))

    bundle = FluentBundle([tag], functions={"CARD": card}, use_isolating=False)
    text = (_WORDS / tag / "table.ftl").read_text(encoding="utf-8")
    bundle.add_resource(FluentResource(text))
    return bundle


def _card(bundle: "FluentBundle", name: str, case: str) -> str:
    values = {"rank": RANKS[name[0]], "suit": SUITS[name[1]], "case": case}
    return _formatted(bundle, "card", values)


def _formatted(bundle: "FluentBundle", message: str, values: dict[str, Any]) -> str:
    pattern = bundle.get_message(message).value
    assert pattern is not None
    text, errors = bundle.format_pattern(pattern, values)
    if errors:
        raise LookupError(f"{message}: {errors[0]}")
    return str(text)
