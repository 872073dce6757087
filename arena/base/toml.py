"""A user's TOML file read into values; every mistake in it is found at once, with its line."""

import difflib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Final, Literal, get_args, get_origin

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_text

Data = dict[str, object]

KeyPath = tuple[str | int, ...]
"""The path of a value in a file: keys and indices of lists, outermost first."""

_MOST: Final = 1 << 18
_MOST_DOTS: Final = 99
"""The most dots of a line: the time that `tomllib` takes for a dotted key grows with the square."""
_SHOWN: Final = 60

_UNCODED: Final = re.compile(
    r"""
    \#[^\n]*
  | "{3} (?: [^"\\]++ | \\[\s\S] | "(?!"") )*+ "{0,5}
  | '{3} (?: [^']++ | '(?!'') )*+ '{0,5}
  | " (?: [^"\\\n]++ | \\[^\n] )*+ "?
  | ' [^'\n]*+ '?
    """,
    re.VERBOSE,
)
"""A comment or a string. It never goes back, so the work grows with the text alone."""

_MOMENT: Final = "a moment such as 2026-12-01T18:00:00, without quotation marks"
_WORDS: Final = {
    "Expected ": "",
    " | null": "",
    "length >=": "length at least",
    "length <=": "length at most",
    " >=": " of at least",
    " >": " of more than",
    " <=": " of at most",
    "`int`": "a whole number",
    "`float`": "a number",
    "`str`": "a text",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a table",
    "`datetime`": _MOMENT,
    "Invalid RFC3339 encoded datetime": _MOMENT,
}
"""The parts of msgspec's messages in words."""


class TomlFile:
    """A TOML file and the mistakes found in it so far."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises `ArenaError` if it is missing, or not TOML."""
        self.path = path
        self._found: list[tuple[int, Mistake]] = []
        text = read_text(path, _MOST)
        self._code = _UNCODED.sub(lambda found: "\n" * found[0].count("\n"), text)
        for number, line in enumerate(self._code.split("\n"), 1):
            if line.count(".") > _MOST_DOTS:
                raise ArenaError(Mistake("this line has too many dots", f"{path}:{number}"))
        try:
            self.data: Data = tomllib.loads(text)
            str(self.data)  # raises ValueError for a number of thousands of digits
        except tomllib.TOMLDecodeError as error:
            what, _, where = str(error).partition(" (at line ")
            at = where.split(",")[0] if where else str(text.count("\n") + 1)
            what = f"this is not TOML: {what[:1].lower()}{what[1:]}"
            raise ArenaError(Mistake(what, f"{path}:{at}")) from None
        except (ValueError, RecursionError) as error:  # numbers too long, or lists too deep
            raise ArenaError(Mistake(f"cannot be read: {error}", str(path))) from None

    def add_error(self, where: KeyPath, what: str, remedy: str = "") -> None:
        """Note a mistake at a place in the file."""
        line = self.line_of(where)
        place = f"{self.path}:{line}" if line else str(self.path)
        self._found.append((line, Mistake(what, place, remedy)))

    def check(self) -> None:
        """Raise `ArenaError` with the mistakes, in the order of their lines, if there are any."""
        if self._found:
            raise ArenaError(*(mistake for _, mistake in sorted(self._found, key=itemgetter(0))))

    def line_of(self, where: KeyPath) -> int:
        """The line of a key, or of the innermost table around it that has one; else 0."""
        ends = range(len(where), 0, -1)
        return next((self._lines[where[:end]] for end in ends if where[:end] in self._lines), 0)

    @cached_property
    def _lines(self) -> dict[KeyPath, int]:
        """The line of each key and table that is written without quotation marks."""
        lines: dict[KeyPath, int] = {}
        tables: Counter[KeyPath] = Counter()
        table: KeyPath = ()
        depth = 0  # of the brackets that earlier lines have opened
        for number, line in enumerate(self._code.split("\n"), 1):
            if depth == 0:
                key, is_pair, _ = line.partition("=")
                parts = tuple(re.findall(r"[\w-]+", key))
                where = (*table, *parts) if is_pair else table
                if line.lstrip().startswith("["):
                    where = table = parts
                if line.lstrip().startswith("[["):
                    where = table = (*parts, tables[parts])
                    tables[parts] += 1
                for end in range(1, len(where) + 1):
                    lines.setdefault(where[:end], number)
            depth += sum(map(line.count, "[{")) - sum(map(line.count, "]}"))
        return lines


def read_table(
    document: TomlFile, data: object, kind: type[msgspec.Struct], at: KeyPath = ()
) -> Data:
    """The usable values of a table with a struct's keys, sub-tables included.

    Unknown and missing keys and unusable values are noted in the document; of a list's items the
    first such value.
    """
    if not isinstance(data, dict):
        document.add_error(at, f"{'.'.join(map(str, at))} must be a table, not {as_written(data)}")
        return {}
    inside = f" in [{'.'.join(key for key in at if isinstance(key, str))}]" if at else ""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key in [key for key in data if key not in fields]:
        document.add_error((*at, key), f"unknown key {_short(key)}{inside}", closest(key, fields))
    good: Data = {}
    for key, field in fields.items():
        if key not in data:
            if field.required:
                document.add_error(at, f"{key} is missing{inside}")
        elif isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            good[key] = read_table(document, data[key], field.type, (*at, key))
        else:
            try:
                msgspec.convert(data[key], field.type)
                good[key] = data[key]
            except msgspec.ValidationError as error:
                what, remedy = _explained(str(error), key, data[key], field.type)
                document.add_error((*at, key), what, remedy)
    return good


def closest(word: str, known: Iterable[str]) -> str:
    """A suggestion for a misspelt word, or the list of known ones."""
    known = list(known)
    near = difflib.get_close_matches(word, known, 1, 0.6)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"


def as_written(value: object) -> str:
    """A value as a message quotes it."""
    if isinstance(value, str):
        return f'"{_short(value)}"'
    if isinstance(value, dict):
        return "a table"
    return _short(str(value).lower() if isinstance(value, bool) else str(value))


def _explained(message: str, key: str, value: object, kind: object) -> tuple[str, str]:
    """What is wrong with a key's value, by msgspec's message, and the remedy."""
    wanted, _, where = message.partition(" - at `$")
    name = key
    for place in map(int, re.findall(r"\[(\d+)\]", where)):
        assert isinstance(value, list)
        name, value = f"{name}, item {place + 1},", value[place]
    if wanted.startswith("Invalid enum value"):
        return f"{as_written(value)} is not a value of {key}", closest(str(value), _choices(kind))
    wanted = wanted.partition(", got ")[0].removesuffix(".0")
    for word, english in _WORDS.items():
        wanted = wanted.replace(word, english)
    return f"{name} must be {wanted}, not {as_written(value)}", ""


def _choices(kind: object) -> list[str]:
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [word for arg in get_args(kind) for word in _choices(arg)]


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
