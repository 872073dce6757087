"""A user's TOML file read into values; every mistake in it is found at once, with its line."""

import difflib
import itertools
import math
import tomllib
import types
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, Union, get_args, get_origin

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_text
from arena.base.places import DEEPEST, KeyPath, Places, TooDeep, check_depth
from arena.base.words import whole_number

Data = dict[str, object]

_MOST = 1 << 18
_SHOWN = 60


class TomlFile:
    """A TOML file and the mistakes found in it so far."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises `ArenaError` if it is missing, or not TOML."""
        self.path = path
        self._text = read_text(path, _MOST)
        self.mistakes: list[Mistake] = []
        try:
            check_depth(self._text)
            self.data: Data = tomllib.loads(self._text)
            _check_numbers(self.data)
        except tomllib.TOMLDecodeError as error:
            what, _, where = str(error).partition(" (at line ")
            line = where.split(",")[0] if where else str(self._text.count("\n") + 1)
            what = f"this is not TOML: {what[:1].lower()}{what[1:]}"
            raise ArenaError(Mistake(what, f"{path}:{line}")) from None
        except TooDeep as error:
            what = f"this key has more than {DEEPEST} parts"
            raise ArenaError(Mistake(what, f"{path}:{error.line}")) from None
        except (ValueError, RecursionError) as error:  # numbers too long, or lists too deep
            raise ArenaError(Mistake(f"cannot be read: {error}", str(path))) from None

    def object(self, where: KeyPath, what: str, remedy: str = "") -> None:
        """Note a mistake at a place in the file."""
        self.mistakes.append(Mistake(what, self.place(where), remedy))

    def check(self) -> None:
        """Raise `ArenaError` with the mistakes, in the order of their lines, if there are any."""
        if self.mistakes:
            raise ArenaError(*sorted(self.mistakes, key=_line))

    def place(self, where: KeyPath) -> str:
        """`file:line` of a key, or of the innermost part of the path that is written there."""
        line = self._places.line_of(where)
        return str(self.path) if line is None else f"{self.path}:{line}"

    @cached_property
    def _places(self) -> Places:
        return Places(self._text)


def read_table(
    document: TomlFile, data: object, at: KeyPath, *shapes: type[msgspec.Struct]
) -> Data:
    """The usable values of a table that should have some structs' keys, sub-tables included.

    A key that several structs have is read as that of the first.

    Unknown keys and unusable values are noted in the document and left out. Missing keys are
    not told here: see `require`.
    """
    if not isinstance(data, dict):
        document.object(at, f"{_name(at)} must be a table, not {as_written(data)}")
        return {}
    fields: dict[str, object] = {}
    for field in itertools.chain.from_iterable(map(msgspec.structs.fields, shapes)):
        fields.setdefault(field.encode_name, field.type)
    good: Data = {}
    for key, value in data.items():
        if key not in fields:
            what = f"unknown key {_short(key)}{_inside(at)}"
            document.object((*at, key), what, closest(key, fields))
            continue
        kind = fields[key]
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            good[key] = read_table(document, value, (*at, key), kind)
            continue
        listed = get_args(_bare(kind))
        if isinstance(value, list) and listed[-1:] == (Ellipsis,):
            items = [
                item
                for place, item in enumerate(value)
                if _usable(
                    document, (*at, key, place), f"{key}, item {place + 1},", item, listed[0]
                )
            ]
            if len(items) < len(value) or _usable(document, (*at, key), key, value, kind):
                good[key] = items
        elif _usable(document, (*at, key), key, value, kind):
            good[key] = value
    return good


def require_keys(document: TomlFile, data: Data, keys: Iterable[str], at: KeyPath = ()) -> None:
    """Note each key that the table must have and lacks."""
    for key in keys:
        if key not in data:
            document.object(at, f"{key} is missing{_inside(at)}")


def closest(word: str, known: Iterable[str]) -> str:
    """A suggestion for a misspelt word, or the list of known ones."""
    known = list(known)
    near = difflib.get_close_matches(word, known, 1, 0.6)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"


def _usable(document: TomlFile, at: KeyPath, name: str, value: object, kind: object) -> bool:
    """Whether a value is of its kind; if not, a mistake is noted."""
    if _fits(value, kind):
        return True
    choices = _choices(_bare(kind))
    if choices and isinstance(value, str):
        key = next(part for part in reversed(at) if isinstance(part, str))
        document.object(at, f"{as_written(value)} is not a value of {key}", closest(value, choices))
    else:
        document.object(at, f"{name} must be {_described(kind)}, not {as_written(value)}")
    return False


def _fits(value: object, kind: object) -> bool:
    """Whether a value is of a kind; infinity and NaN are not numbers, since JSON lacks them."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return not isinstance(value, float) or math.isfinite(value)


def _choices(kind: object) -> list[str]:
    """The words that a type allows, if it is made of words."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return [str(arg) for arg in args]
    return [word for arg in args for word in _choices(arg)] if origin is tuple else []


def _described(kind: object) -> str:
    """A type in words."""
    if kind in _WORDS:
        return f"a {_WORDS[kind]}".replace("a true", "true")
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _described(args[0]) + _bounds(args[1:])
    if origin is Literal:
        return "one of " + ", ".join(map(str, args))
    if origin in (Union, types.UnionType):
        return " or ".join(_described(arg) for arg in args if arg is not type(None))
    if origin is tuple and _choices(kind):
        return "a list of " + ", ".join(_choices(kind))
    if origin is tuple:
        inner = " or ".join(f"{_WORDS.get(arg, 'value')}s" for arg in _alternatives(args[0]))
        return f"a list of {inner}" if args[-1] is Ellipsis else f"a list of {len(args)} {inner}"
    return f"a {_WORDS.get(origin, 'value')}"


_WORDS: dict[object, str] = {
    int: "whole number",
    float: "number",
    str: "text",
    bool: "true or false",
    dict: "table",
    datetime: "moment such as 2026-12-01T18:00:00, without quotation marks",
}


def _alternatives(kind: object) -> list[object]:
    """The plain types of a union; just the type itself if it is not one."""
    union = get_origin(kind) in (Union, types.UnionType)
    bare = map(_bare, get_args(kind) if union else (kind,))
    return [get_origin(arg) or arg for arg in bare]


def _bare(kind: object) -> object:
    """A type without its notes; of a union with None, the other type."""
    if get_origin(kind) is Annotated:
        return _bare(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        others = [arg for arg in get_args(kind) if arg is not type(None)]
        return _bare(others[0]) if len(others) == 1 else kind
    return kind


def _bounds(notes: tuple[object, ...]) -> str:
    bounds: list[str] = []
    words = ""
    for note in notes:
        if isinstance(note, msgspec.Meta):
            for name, sign in (("ge", "at least"), ("gt", "more than"), ("le", "at most")):
                bound = getattr(note, name)
                bounds += [] if bound is None else [f"{sign} {bound}"]
            if note.extra and "words" in note.extra:
                words = f" ({note.extra['words']})"
    return (f" of {' and '.join(bounds)}" if bounds else "") + words


def as_written(value: object) -> str:
    """A value as a message quotes it."""
    if isinstance(value, str):
        return f'"{_short(value)}"'
    if isinstance(value, dict):
        return "a table"
    return _short(str(value).lower() if isinstance(value, bool) else str(value))


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _name(at: KeyPath) -> str:
    return ".".join(map(str, at))


def _inside(at: KeyPath) -> str:
    return f" in [{'.'.join(str(key) for key in at if isinstance(key, str))}]" if at else ""


def _check_numbers(data: Data) -> None:
    """Raise ValueError for a whole number beyond the 64 bits that TOML has for them."""
    values: list[object] = [data]
    for value in values:
        if isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list):
            values += value
        elif isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise ValueError("a whole number has more than 64 bits")


def _line(mistake: Mistake) -> tuple[str, int]:
    file, _, line = mistake.place.rpartition(":")
    number = whole_number(line)
    return (mistake.place, 0) if number is None else (file, number)
