"""Decodes single values of a record's rows, and checks that an arena can have stored each.

All functions raise `ValueError` or `TypeError` for other values.
"""

from functools import lru_cache
from typing import Final

import msgspec

_MOST: Final = 1 << 40
"""A bound above all numbers of rows; sums of very many of them still fit 64 bits."""

MOST_SEATS: Final = 5
"""The seats of the largest table."""

_LONGEST_NAMES: Final = 4096
_TEXTS: Final = msgspec.json.Decoder(tuple[str, ...])
_SECONDS: Final = msgspec.json.Decoder(tuple[float, ...])
_LONGEST_S: Final = 1e9
_NUMBERS: Final = msgspec.json.Decoder(tuple[int, ...])


def decode_seats(text: str, players: int) -> tuple[int, ...]:
    """Return seats of a table of `players`."""
    found = _NUMBERS.decode(text)
    if len(found) > players or not all(0 <= seat < players for seat in found):
        raise ValueError("there is no such seat")
    return found


def decode_seconds(text: str, players: int) -> tuple[float, ...]:
    """Return held seconds by seat of a table of `players`, or none where they are unknown."""
    found = _SECONDS.decode(text)
    if len(found) not in (0, players) or not all(0 <= each < _LONGEST_S for each in found):
        raise ValueError("not seconds by seat")
    return found


def decode_number(value: object) -> int:
    """Return a whole number that is neither negative nor too large to be summed."""
    if type(value) is not int or not 0 <= value < _MOST:
        raise ValueError(f"{value!r:.20} cannot be a number in a record")
    return value


def decode_names(text: str) -> tuple[str, ...]:
    """Return the bots of a lineup, or by seat.

    The same few come again and again, so results are cached.
    """
    if type(text) is not str or len(text) > _LONGEST_NAMES:
        raise ValueError("not names of bots")
    return _names(text)


@lru_cache(4096)
def _names(text: str) -> tuple[str, ...]:
    names = _TEXTS.decode(text)
    if not 2 <= len(names) <= MOST_SEATS or not all(names):
        raise ValueError("not names of bots")
    return names


def decode_text(value: object) -> str:
    """Return a short text, such as the name of a bot or of a level of isolation."""
    if type(value) is not str or len(value) > _LONGEST_NAMES:
        raise ValueError("not a short text")
    return value


def decode_log(value: object) -> bytes:
    """Return a log, still compressed."""
    if type(value) is not bytes:
        raise ValueError("not a log")
    return value


def decode_texts(text: str) -> tuple[str, ...]:
    """Return texts of any length, such as what each bot wrote to standard error."""
    return _TEXTS.decode(text)
