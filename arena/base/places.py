"""The line of each key in a TOML text, found in one pass.

One regular expression cuts the text into tokens. It never goes back, so the work grows with the
text alone, whatever a stranger writes.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Final

KeyPath = tuple[str | int, ...]
"""The path of a value in a file: keys and indices of lists, outermost first."""

DEEPEST: Final = 32
"""The most parts of a dotted key: the time that `tomllib` takes grows with their square."""

_TOKEN: Final = re.compile(
    r"""
    (?P<comment> \#[^\n]* )
  | (?P<quoted>
        "{3} (?: [^"\\]++ | \\[\s\S] | "(?!"") )*+ "{0,5}
      | '{3} (?: [^']++ | '(?!'') )*+ '{0,5}
      | " (?: [^"\\\n]++ | \\[^\n] )*+ "?
      | ' [^'\n]*+ '?
    )
  | (?P<newline> \n )
  | (?P<mark> [\[\]{}=,] )
  | (?P<bare> [^\s\[\]{}=,\#"']+ )
  | (?P<space> [^\S\n]+ | [\s\S] )
    """,
    re.VERBOSE,
)
_NESTING: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


class TooDeep(Exception):
    """A dotted key has more than `DEEPEST` parts; `line` is its line."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def check_depth(text: str) -> None:
    """Raise `TooDeep` at the first key of a text, TOML or not, that has too many parts."""
    line, dots = 1, 0
    for kind, said in _tokens(text):
        if kind == "bare":
            dots += said.count(".")
        elif kind not in ("quoted", "space"):
            dots = 0
        if dots >= DEEPEST:
            raise TooDeep(line)
        line += said.count("\n")


class Places:
    """The line at which the statement of each key of a TOML text begins."""

    def __init__(self, text: str) -> None:
        """Find the places of a text that is known to be TOML."""
        self._top = self._table = _Place(1)
        line = begun = 1
        written = ""  # the part of a key or header read so far
        in_value, depth = False, 0
        for kind, said in _tokens(text):
            if in_value:
                depth += _NESTING.get(said, 0) if kind == "mark" else 0
                in_value = depth > 0 or kind != "newline"
            elif said == "=":
                _reach(self._table, _keys(written), begun)
                written, in_value = "", True
            elif kind == "newline":
                self._open(written, begun)
                written = ""
            elif kind not in ("comment", "space"):
                begun = begun if written else line
                written += said
            line += said.count("\n")
        self._open(written, begun)

    def line_of(self, where: KeyPath) -> int | None:
        """The line of a key, or of the innermost part of its path that is written anywhere."""
        place, line = self._top, None
        for key in where:
            below = place.below.get(key)
            if below is None:
                break
            place, line = below, below.line
        return line

    def _open(self, header: str, line: int) -> None:
        """Put the keys that follow below a header; a blank line has none."""
        if not header:
            return
        place = _reach(self._top, _keys(header.strip("[]")), line)
        if header.startswith("[["):
            place.below[place.tables] = _Place(line)
            place.tables += 1
        self._table = place.last()


class _Place:
    """The line of a key, the places below it, and for an array of tables their number."""

    __slots__ = ("below", "line", "tables")

    def __init__(self, line: int) -> None:
        self.line = line
        self.below: dict[str | int, _Place] = {}
        self.tables = 0

    def last(self) -> "_Place":
        """The place itself, or its last table: a key or header written here goes into it."""
        return self.below[self.tables - 1] if self.tables else self


def _reach(place: _Place, keys: list[str], line: int) -> _Place:
    """The place of a dotted key, made if the key is new."""
    for key in keys:
        place = place.last().below.setdefault(key, _Place(line))
    return place


def _tokens(text: str) -> Iterator[tuple[str | None, str]]:
    """The kind and text of each token."""
    return ((token.lastgroup, token[0]) for token in _TOKEN.finditer(text))


def _keys(written: str) -> list[str]:
    """The parts of a dotted key."""
    if not {'"', "'"} & set(written):
        return written.split(".")
    keys: list[str] = []
    value: object = tomllib.loads(f"{written}=0")
    while isinstance(value, dict):
        [(key, value)] = value.items()
        keys.append(key)
    return keys
