"""The names allowed for bots, their versions and authors, and which names count as equal.

Names are equal where they differ at most in case and in how Unicode composes their letters.
"""

import itertools
import unicodedata
from collections.abc import Collection, Iterable
from typing import Final

from arena.base.harmless import harmless

LONGEST_NAME: Final = 40

NAME_RULE: Final = (
    f"a name has 1 to {LONGEST_NAME} characters: a letter or digit of any script, and then also"
    " . _ - + and single spaces"
)
"""The rule for names, in words."""

_SIGNS: Final = frozenset("._-+ ")


def mistake_in_words(text: str) -> str:
    """The mistake in a bot's version, or its author's name; "" if there is none."""
    if text == harmless(text) == " ".join(text.split()):
        return ""
    return f"{text} is not plain words with single spaces and without invisible characters"


def mistake_in_name(name: str) -> str:
    """The mistake in a bot's name; "" if there is none."""
    if not 1 <= len(name) <= LONGEST_NAME:
        return f"the name has {len(name)} characters"
    for sign in name:
        if sign not in _SIGNS and unicodedata.category(sign)[0] not in "LMN":
            return f"the name {name} has {harmless(sign)} in it"
    if name != harmless(name):
        return f"the name {name} has invisible characters in it"
    if name != unicodedata.normalize("NFC", name):
        return f"the name {name} is not in Unicode's composed form (NFC)"
    if name[0] in _SIGNS or name != " ".join(name.split()):
        return f"the name {name} begins with a sign, or has a space too many"
    return ""


def name_key(name: str) -> str:
    """A key that is the same for equal names of bots, authors or teams."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def equal_name(name: str, others: Iterable[str]) -> str | None:
    """The first of the others that is equal to a name; None if there is none."""
    key = name_key(name)
    return next((other for other in others if name_key(other) == key), None)


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or the first of `name.2`, `name.3` that equals none that is taken."""
    names = itertools.chain([name], (f"{name}.{number}" for number in itertools.count(2)))
    return next(own for own in names if equal_name(own, taken) is None)
