"""The emblem of a bot: a white suit on a round ground with a pattern and a hue, all by its name.

A name's number is the FNV-1a hash (32 bits) of its UTF-8, without the `.2` or `.3` that versions
and copies have, its upper half added to its lower by exclusive or. Divided by 4, the number of
patterns and 12, it leaves the suit, the pattern, and the hue in steps of 30 degrees. The viewer's
`emblem.tsx` draws the same; the colours are as dark as white on them needs.
"""

import re
from typing import Final

import msgspec
from markupsafe import Markup

SUITS: Final = "CSHD"

PATTERNS: Final = {
    "plain": "",
    "half": "M12 0A12 12 0 0 1 12 24Z",
    "slant": "M20.5 3.5A12 12 0 0 1 3.5 20.5Z",
    "quarters": "M12 0A12 12 0 0 1 24 12H0A12 12 0 0 0 12 24Z",
    "bars": "M2.25 5A12 12 0 0 1 21.75 5ZM2.25 19A12 12 0 0 0 21.75 19Z",
    "sides": "M5 2.25A12 12 0 0 0 5 21.75ZM19 2.25A12 12 0 0 1 19 21.75Z",
}
"""The lighter part of the ground, a circle of radius 12, by the name of the pattern."""

_VERSION: Final = re.compile(r"\.[0-9]+\Z")


class Emblem(msgspec.Struct, frozen=True):
    """What distinguishes an emblem: a suit's letter, a pattern's name, a hue in degrees."""

    suit: str
    pattern: str
    hue: int


def emblem_of(name: str) -> Emblem:
    """Return the emblem of a bot by its name."""
    number = 0x811C9DC5
    for byte in _VERSION.sub("", name).encode():
        number = (number ^ byte) * 0x01000193 % 2**32
    number, suit = divmod(number ^ number >> 16, len(SUITS))
    number, pattern = divmod(number, len(PATTERNS))
    return Emblem(SUITS[suit], [*PATTERNS][pattern], number % 12 * 30)


def emblem(name: str) -> Markup:
    """Return the emblem of a bot as a picture, which says nothing that its name does not."""
    it = emblem_of(name)
    return Markup(
        '<svg class="emblem" viewBox="0 0 24 24" aria-hidden="true">'
        '<circle cx="12" cy="12" r="12" fill="oklch(0.42 0.1 {0})"/>'
        '<path d="{1}" fill="oklch(0.58 0.12 {0})"/>'
        '<use href="#suit-{2}" x="5.5" y="5.5" width="13" height="13" fill="#fff"/></svg>'
    ).format(it.hue, PATTERNS[it.pattern], it.suit)
