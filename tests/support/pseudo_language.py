"""A language made up of English: every message is marked, and two fifths longer."""

import re
from html.parser import HTMLParser
from typing import Final

from arena.reports.language import ENGLISH, Language, Value

_TAG: Final = re.compile(r"(<[^>]*>|&\w+;)")
_KNOWN: Final = re.compile(r"NAMES|Zole|KiB|MiB|[0-9.,]+ m?s\b")
_STRANGERS: Final = frozenset(
    ("bdi", "code", "pre", "kbd", "script", "style", "option", "textarea")
)
_VOID: Final = frozenset(("meta", "link", "input", "br", "wbr", "use"))
_SAID: Final = ("aria-label", "title", "placeholder", "content")


class PseudoLanguage(Language):
    """Says what English says, in marks and longer: what has no marks comes from no catalogue."""

    def __init__(self, tag: str = ENGLISH) -> None:
        super().__init__(ENGLISH)

    def say(self, message: str, /, **values: Value) -> str:
        """A message in marks."""
        said = super().say(message, **values)
        letters = sum(each.isalpha() for each in _TAG.sub("", said))
        return f"⟦{said}{'~' * (letters * 2 // 5)}⟧"


class Unmarked(HTMLParser):
    """The texts of a page that no catalogue says; code and strangers' names are left out."""

    def __init__(self, page: str, names: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._known = re.compile(_KNOWN.pattern.replace("NAMES", names))
        self._strangers: list[str] = []
        self._depth = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if self._strangers:
            if tag not in _VOID:
                self._strangers.append(tag)
            return
        if tag in _STRANGERS or ("lang" in told and tag != "html"):
            self._strangers.append(tag)
            return
        for name in _SAID:
            self._look(told.get(name) or "" if (tag, name) != ("meta", "content") else "")

    def handle_endtag(self, tag: str) -> None:
        if self._strangers:
            self._strangers.pop()

    def handle_data(self, data: str) -> None:
        if not self._strangers:
            rest = ""
            for sign in data:
                self._depth += sign == "⟦"
                rest += sign if self._depth == 0 else ""
                self._depth -= sign == "⟧"
            self._look(rest)

    def _look(self, text: str) -> None:
        if "⟦" not in text and re.search(r"[^\W\d_]{2}", self._known.sub("", text)):
            self.found.append(text.strip())
