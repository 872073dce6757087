"""A traveller as a page: one file that opens from disk, with links to replays."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import jinja2
import msgspec
from markupsafe import Markup

from arena.record.traveller import Traveller
from arena.reports.traveller import place, points_text, remarks, stakes_text

_HERE: Final = Path(__file__).parent

_RANKS: Final = dict(
    zip("AKQJT987", "ace king queen jack ten nine eight seven".split(), strict=True)
)

_SUITS: Final = {
    "clubs": "M8 1a3.4 3.4 0 0 1 2.9 5.2A3.4 3.4 0 1 1 9 12l1 3H6l1-3a3.4 3.4 0 1 1-1.9-5.8A3.4 3.4"
    " 0 0 1 8 1Z",
    "spades": "M8 1C9.5 4.2 14.5 6 14.5 9.6A3.1 3.1 0 0 1 9 11.6L10 15H6l1-3.4A3.1 3.1 0 0 1 1.5"
    " 9.6C1.5 6 6.5 4.2 8 1Z",
    "hearts": "M8 14.5C5 11.5 1.2 8.8 1.2 5.2A3.5 3.5 0 0 1 8 4a3.5 3.5 0 0 1 6.8 1.2C14.8 8.8 11"
    " 11.5 8 14.5Z",
    "diamonds": "M8 .8 13.4 8 8 15.2 2.6 8Z",
}
"""The suits as the replay page draws them, in a square of 16."""


class _Card(msgspec.Struct, frozen=True):
    """A card as the page draws it."""

    rank: str
    suit: str
    name: str


def traveller_page(sheet: Traveller, links: Mapping[int, str]) -> str:
    """The whole page. `links` are the addresses of replays by the number of the match."""
    words = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    words.globals |= {each.__name__: each for each in (place, points_text, stakes_text)}
    page: str = words.from_string(_read("traveller_page.html")).render(
        sheet=sheet,
        links=links,
        remarks=list(remarks(sheet)),
        discards=any(line.discards for line in sheet.lines),
        style=Markup(_read("style.css")),
        suits=_SUITS,
        read=_card,
    )
    return page


def _card(name: str) -> _Card:
    suit = next(each for each in _SUITS if each[0] == name[1].lower())
    rank = "10" if name[0] == "T" else name[0]
    return _Card(rank, suit, f"{_RANKS[name[0]]} of {suit}")


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
