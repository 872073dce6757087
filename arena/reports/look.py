"""Parts that all pages share: style, the four suits, and a policy that lets nothing else in."""

import base64
import hashlib
from pathlib import Path
from typing import Final

import msgspec

SUIT_SHAPES: Final = {
    "clubs": (
        "M8 1a3.4 3.4 0 0 1 2.9 5.2A3.4 3.4 0 1 1 9 12l1 3H6l1-3a3.4 3.4 0 1 1-1.9-5.8A3.4 3.4"
        " 0 0 1 8 1Z"
    ),
    "spades": (
        "M8 1C9.5 4.2 14.5 6 14.5 9.6A3.1 3.1 0 0 1 9 11.6L10 15H6l1-3.4A3.1 3.1 0 0 1 1.5 9.6C1.5"
        " 6 6.5 4.2 8 1Z"
    ),
    "hearts": (
        "M8 14.5C5 11.5 1.2 8.8 1.2 5.2A3.5 3.5 0 0 1 8 4a3.5 3.5 0 0 1 6.8 1.2C14.8 8.8 11 11.5 8"
        " 14.5Z"
    ),
    "diamonds": "M8 .8 13.4 8 8 15.2 2.6 8Z",
}
"""The suits as the replay page draws them: paths in a square of 16."""


_RANKS: Final = dict(
    zip("AKQJT987", "ace king queen jack ten nine eight seven".split(), strict=True)
)


class CardFace(msgspec.Struct, frozen=True):
    """A card as pages draw it."""

    rank: str
    suit: str
    name: str


def read_card(name: str) -> CardFace:
    """A card by its two characters on the wire."""
    suit = next(each for each in SUIT_SHAPES if each[0] == name[1].lower())
    rank = "10" if name[0] == "T" else name[0]
    return CardFace(rank, suit, f"{_RANKS[name[0]]} of {suit}")


def page_part(name: str) -> str:
    """The text of a file that is part of a page: a template, a style, a script."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def page_policy(style: str, script: str | None = None) -> str:
    """A content security policy that allows this style and this script, and nothing else."""
    allowed = ["default-src 'none'", f"style-src '{_hash(style)}'"]
    if script is not None:
        allowed.append(f"script-src '{_hash(script)}'")
    return "; ".join((*allowed, "base-uri 'none'", "form-action 'none'"))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
