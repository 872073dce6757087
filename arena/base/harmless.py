"""Untrusted text made safe to show: in a terminal, in a sheet, in a JSON document.

Names, notes, errors of builds, members of archives: a terminal would obey some characters in them,
turn others around or hide them, and a spreadsheet would compute text that looks like a formula.
Everything printed passes `HarmlessStream`, which lets no such character through.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, TextIO

MOST_MARKS: Final = 4
"""Combining marks on one letter; more of them, or some without a letter, are escaped."""

_UNSEEN: Final = frozenset(
    "\N{COMBINING GRAPHEME JOINER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}"
    "\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}\N{BRAILLE PATTERN BLANK}"
    "\N{KHMER VOWEL INHERENT AQ}\N{KHMER VOWEL INHERENT AA}"
    "\N{MONGOLIAN FREE VARIATION SELECTOR ONE}\N{MONGOLIAN FREE VARIATION SELECTOR TWO}"
    "\N{MONGOLIAN FREE VARIATION SELECTOR THREE}\u180f"
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Letters, marks and signs that show nothing, and the variation selectors."""

_LINES: Final = "\n\t"

_LONGEST: Final = 1000
"""Characters that are shown of a line."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_FORMULA: Final = re.compile(r"""(^|;)(?=[\s"']*[=+\-@\uff1d\uff0b\uff0d\uff20])""")
"""The place before a formula, also in full width; semicolons separate cells in some languages."""


def harmless(text: str, kept: str = "", quoted: Callable[[str], str] = ascii) -> str:
    """Untrusted text in one line, escaping every character that a terminal would obey or hide.

    Controls (line ends and tabs among them), directions, invisible and unassigned signs, surrogates
    and overlong runs of combining marks become `\\x1b`, `\\u202e` and so on. `kept` are characters
    that stay; `quoted` writes one as in quotation marks.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(harmless_signs(text, kept, quoted))


def harmless_lines(text: str) -> str:
    """Text of several lines: as `harmless`, but line ends and tabs stay."""
    return harmless(text, _LINES)


def harmless_json(document: str) -> str:
    """An equal JSON document, with JSON's own escapes instead of such characters."""
    return harmless(document, _LINES, json.dumps)


def harmless_signs(
    text: str, kept: str = "", quoted: Callable[[str], str] = ascii
) -> Iterator[str]:
    """Each character of a text, escaped as in quotation marks if it is harmful and not `kept`."""
    marks = MOST_MARKS  # there is no letter yet to put a mark on
    for sign in text:
        if _is_mark(sign):
            marks += 1
            harmful = marks > MOST_MARKS
        else:
            harmful = not sign.isprintable() or sign in _UNSEEN
            marks = MOST_MARKS if harmful else 0
        yield quoted(sign)[1:-1] if harmful and sign not in kept else sign


def harmless_cell(value: object) -> object:
    """A cell of a sheet: its text is harmless, and no formula to any spreadsheet.

    Text that begins like a formula gets an apostrophe before it; numbers stay as they are.
    """
    if not isinstance(value, str):
        return value
    text = harmless(value)
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub(r"\1'", text)


def harmless_values(value: object) -> object:
    """A value of plain dictionaries, lists and text with every text in it harmless, keys too."""
    if isinstance(value, str):
        return harmless_lines(value)
    if isinstance(value, dict):
        return {harmless_values(key): harmless_values(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [harmless_values(each) for each in value]
    return value


class HarmlessStream:
    """A text stream that escapes harmful characters; line ends and tabs pass.

    `bare` is the stream itself, for the reports' console alone, which cleans before it styles.
    It is `unused` until something is written here.
    """

    def __init__(self, stream: TextIO) -> None:
        self.bare = stream
        self.unused: bool = True

    def write(self, text: str) -> int:
        """Write text; return its length, as streams do."""
        self.unused = False
        self.bare.write(harmless_lines(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of some lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)


def bare_stream(stream: TextIO) -> TextIO:
    """The stream below, if this is a `HarmlessStream`."""
    return stream.bare if isinstance(stream, HarmlessStream) else stream


@lru_cache(maxsize=4096)
def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign) in ("Mn", "Me") and sign not in _UNSEEN


def one_line(text: object) -> str:
    """The beginning of the first line of untrusted text, made harmless."""
    line = harmless(str(text)[: 2 * _LONGEST].partition("\n")[0])
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
