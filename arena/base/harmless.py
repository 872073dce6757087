"""Strangers' text made fit to be shown: in a terminal, in a sheet, in a JSON document.

Names, notes, errors of builds, members of archives: a terminal would obey some characters in them,
turn others around or hide them, and a spreadsheet would compute text that looks like a formula.
Everything printed passes `HarmlessStream`, which lets no such character through.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, Literal, TextIO

MOST_MARKS: Final = 4
"""Combining marks on one letter; more of them, or some without a letter, are escaped."""

_UNSEEN: Final = frozenset(
    "\N{COMBINING GRAPHEME JOINER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}"
    "\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}\N{BRAILLE PATTERN BLANK}"
    "\N{KHMER VOWEL INHERENT AQ}\N{KHMER VOWEL INHERENT AA}"
    "\N{MONGOLIAN FREE VARIATION SELECTOR ONE}\N{MONGOLIAN FREE VARIATION SELECTOR TWO}"
    "\N{MONGOLIAN FREE VARIATION SELECTOR THREE}\u180f"
)
"""Letters, marks and signs that show nothing; variation selectors are two ranges besides."""

_FORMULA: Final = frozenset("=+-@")
_BEFORE: Final = re.compile(r'^[\s"]+')
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NEXT_CELL: Final = re.compile(r'(;[\s"\']*)(?=(.))')
"""The beginning of a cell for a spreadsheet whose language separates cells by semicolons."""

_Kind = Literal["shown", "mark", "forbidden"]


def harmless(text: str) -> str:
    """A stranger's text in one line, escaping every character that a terminal would obey or hide.

    Controls (line ends and tabs among them), directions, invisible and unassigned signs, surrogates
    and overlong runs of combining marks become `\\x1b`, `\\u202e` and so on.
    """
    return _escaped(text, _by_python)


def harmless_signs(text: str) -> list[str]:
    """The output of `harmless` for each character of a text."""
    return _signs(text, _by_python)


def harmless_lines(text: str) -> str:
    """Text of several lines: as `harmless`, but line ends and tabs stay."""
    return _by_line(text, _by_python)


def harmless_json(document: str) -> str:
    """An equal JSON document, with JSON's own escapes in place of such characters."""
    return _by_line(document, _by_json)


def harmless_cell(value: object) -> object:
    """A cell of a sheet: its text is harmless, and no formula to any spreadsheet.

    Text that begins like a formula gets an apostrophe before it; numbers stay as they are.
    """
    if not isinstance(value, str):
        return value
    text = harmless(value)
    if _NUMBER.fullmatch(text):
        return text
    inside = _NEXT_CELL.sub(lambda cut: cut[1] + ("'" if _is_formula(cut[2]) else ""), text)
    return f"'{inside}" if _is_formula(inside) else inside


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
    """

    def __init__(self, bare: TextIO) -> None:
        self.bare = bare

    def write(self, text: str) -> int:
        """Write text; return its length, as streams do."""
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


def _by_python(sign: str) -> str:
    return ascii(sign)[1:-1]


def _by_json(sign: str) -> str:
    return json.dumps(sign)[1:-1]


def _by_line(text: str, escape: Callable[[str], str]) -> str:
    """The text, escaped but for its line ends and tabs."""
    return "\n".join(
        "\t".join(_escaped(part, escape) for part in line.split("\t")) for line in text.split("\n")
    )


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    return text if text.isascii() and text.isprintable() else "".join(_signs(text, escape))


def _signs(text: str, escape: Callable[[str], str]) -> list[str]:
    """The characters of a text, escaped if they are forbidden or too many marks."""
    shown: list[str] = []
    marks = MOST_MARKS  # there is no letter yet to put a mark on
    for sign in text:
        kind = _kind(sign)
        marks = marks + 1 if kind == "mark" else MOST_MARKS if kind == "forbidden" else 0
        good = kind == "shown" or (kind == "mark" and marks <= MOST_MARKS)
        shown.append(sign if good else escape(sign))
    return shown


@lru_cache(maxsize=4096)
def _kind(sign: str) -> _Kind:
    if not sign.isprintable() or sign in _UNSEEN:
        return "forbidden"
    if "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef":
        return "forbidden"
    return "mark" if unicodedata.category(sign) in ("Mn", "Me") else "shown"


def _is_formula(text: str) -> bool:
    """Whether text begins like a formula, also in full width and after blanks and quotes."""
    return _BEFORE.sub("", unicodedata.normalize("NFKC", text))[:1] in _FORMULA
