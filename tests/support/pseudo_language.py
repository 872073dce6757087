"""A language made up of English: every message is marked, and two fifths longer."""

import re
from html import unescape
from typing import Final

from arena.reports.language import ENGLISH, Language, Value

_TAG: Final = re.compile(r"<[^>]*>|&\w+;")
_STRANGERS: Final = "bdi|code|pre|kbd|script|style|option|textarea"
_LEFT_OUT: Final = (
    rf"<({_STRANGERS})\b[^>]*>.*?</\1>",
    r"<(?!html\b)(\w+)\b[^>]* lang=[^>]*>.*?</\1>",
    r"<meta[^>]*>",
)
_SAID: Final = r' (?:aria-label|title|placeholder)="([^"]*)"'


class PseudoLanguage(Language):
    """Says what English says, in marks and longer: what has no marks comes from no catalogue."""

    def __init__(self, tag: str = ENGLISH) -> None:
        super().__init__(ENGLISH)

    def say(self, message: str, /, **values: Value) -> str:
        said = super().say(message, **values)
        letters = sum(each.isalpha() for each in _TAG.sub("", said))
        return f"⟦{said}{'~' * (letters * 2 // 5)}⟧"


def unmarked(page: str, names: str) -> list[str]:
    """The texts of a page that no catalogue says; code and strangers' names are left out."""
    for pattern in _LEFT_OUT:
        page = re.sub(pattern, "", page, flags=re.DOTALL)
    said = re.findall(_SAID, page)
    text = unescape("\n".join((re.sub(r"<[^>]*>", "\n", page), *said)))
    for _ in range(9):  # messages may hold others
        text = re.sub("⟦[^⟦⟧]*⟧", "", text)
    text = re.sub(rf"{names}|Zole|KiB|MiB|[0-9.,]+ m?s\b", "", text)
    return [line.strip() for line in text.splitlines() if re.search(r"[^\W\d_]{2}|[⟦⟧]", line)]
