"""Signs that strangers' names must never bring to a terminal, and names that hold them."""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

HOSTILE = (
    *("\x1b", "\x07", "\b", "\r", "\n", "\t", "\0", "\x7f", "\x85", "\x9b", "\x9d"),
    *("\u202a", "\u202b", "\u202d", "\u202e", "\u202c", "\u2066", "\u2067", "\u2068", "\u2069"),
    *("\u200e", "\u200f", "\u061c", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"),
    *("\u2028", "\u2029", "\ufe0f", "\U000e0101", "\U000e0041", "\u034f", "\u3164", "\u2800"),
    *("\u0378", "\ue000", "\U0010ffff", "\ud800"),
)
"""Controls, directions, invisible signs, ends of lines, and what is no sign at all."""

NAMES = (
    "\x1b[31mred\x1b[0m\x1b]0;owned\x07",
    "evil\u202etxt.exe\u2066\u200b",
    '=HYPERLINK("http://x";"y")',
    "\uff1d1+1",
    "+cmd|' /C calc'!A1",
    "@sum\x9b2J\u2028",
    "z" + "\u0301" * 40,
    "[bold]x[/bold]<script>alert(1)</script>",
    "name\n",
)
"""Names as an old record may hold them."""


def is_harmful(text: str) -> bool:
    """Whether a line holds a sign that a terminal obeys, turns or hides, or a tower of marks.

    Written apart from the function that it judges: by categories, not by `str.isprintable`.
    """
    marks = 0
    for sign in text:
        category = unicodedata.category(sign)
        if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            return True
        if sign in "\u034f\u115f\u1160\u3164\uffa0\u2800" or "\ufe00" <= sign <= "\ufe0f":
            return True
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > 4:
            return True
    return False


def computes(cell: str) -> bool:
    """Whether a spreadsheet would compute a cell; a plain number it only reads."""
    begin = unicodedata.normalize("NFKC", cell).strip().strip('"')
    try:
        float(cell)
    except ValueError:
        return begin[:1] in ("=", "+", "-", "@")
    return False


@contextmanager
def long_ago() -> Iterator[None]:
    """Leagues that begin in here let their bots have any name, as they once did."""
    with (
        patch("arena.bots.manifest.mistake_in_name", lambda name: ""),
        patch("arena.bots.manifest.mistake_in_words", lambda text: ""),
        patch("arena.league.file.mistake_in_name", lambda name: ""),
    ):
        yield
