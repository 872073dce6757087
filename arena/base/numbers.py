"""Whole numbers as people type them."""

from typing import Final

_MOST_DIGITS: Final = 18


def whole_number(text: str) -> int | None:
    """The number that ASCII digits spell, at most 18 of them; None for any other text.

    `str.isdigit` also takes "²", and `int` refuses thousands of digits.
    """
    plain = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if plain else None
