"""What pages are made of: the viewer's page, and the style, the cards and the policy of all.

The web process has no more than this of the pages that replay matches.
"""

import base64
import hashlib
import os
import re
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec

import arena
from arena.reports.language import RANKS, SUITS, Language

PAGE: Final = Path(arena.__file__).parent / "viewer" / "page.html"
MARKER: Final = "@MATCH@"


@cache
def shared_page() -> str:
    """The page of any match, whose document it fetches from its own path with `.json`."""
    return PAGE.read_text(encoding="utf-8").replace(MARKER, "null")


def relative_address(*parts: str) -> str:
    """The address of a file by its path from the page that links to it."""
    return quote(os.fsencode("/".join(parts)))


_CARD: Final = re.compile(r'<symbol id="(?!suit-).*?</symbol>')


class CardFace(msgspec.Struct, frozen=True):
    """A card as pages draw it; `drawn` is the name of its picture in the deck."""

    rank: str
    suit: str
    name: str
    drawn: str


def read_card(language: Language, card: str) -> CardFace:
    """A card by its two characters on the wire; its rank and name are the language's."""
    rank, suit = RANKS[card[0]], SUITS[card[1]]
    drawn = f"court-{card[0]}" if card[0] in "KQJ" else f"pips-{card}"
    named = language.say("card", rank=rank, suit=suit, case="nominative")
    return CardFace(language.say("index", rank=rank), suit, named, drawn)


def page_part(name: str) -> str:
    """The text of a file that is part of a page: a template, a style, a script."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def drawn_deck(whole: bool) -> str:
    """The pictures that `use` elements of a page show: of all cards, or of the suits alone."""
    deck = page_part("deck.svg")
    return deck if whole else _CARD.sub("", deck)


def page_policy(style: str, script: str | None = None) -> str:
    """A content security policy that allows this style and this script, and nothing else."""
    allowed = ["default-src 'none'", f"style-src '{_hash(style)}'"]
    if script is not None:
        allowed.append(f"script-src '{_hash(script)}'")
    return "; ".join((*allowed, "base-uri 'none'", "form-action 'none'"))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
