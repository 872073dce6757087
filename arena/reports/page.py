"""The page that replays a match in a browser: one file that needs no network."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import msgspec

import arena
from arena.base.harmless import harmless_values
from arena.match.replay import Moment, SeenMatch
from arena.match.wire import CardPlayed

if TYPE_CHECKING:
    from arena.reports.page_review import PageReview

PAGE: Final = Path(arena.__file__).parent / "viewer" / "page.html"
MARKER: Final = "@MATCH@"
REVIEW_MARKER: Final = "@REVIEW@"

_COMPUTES: Final = " 'wasm-unsafe-eval'; worker-src blob:"
"""Addition to the policy of a page with a review: its solver, in a worker."""

_ESCAPED: Final = str.maketrans({each: f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"})
"""JSON has none of these outside its strings, so each may be written as JSON's own escape."""


class Link(msgspec.Struct, frozen=True):
    """The way from a replay to the page that links to it: that page's name, and its address."""

    words: str
    address: str


def relative_address(*parts: str) -> str:
    """The address of a file by its path from the page that links to it."""
    return quote(os.fsencode("/".join(parts)))


def commands_note(league: str) -> str:
    """The folder in which a page's commands work: they name a league's file without one."""
    return f"Commands are for the folder in which {league} lies."


def replay_page(
    match: SeenMatch, back: Link | None = None, review: "PageReview | None" = None
) -> str:
    """The whole page. No text of the match can end the element that holds it, or turn others.

    Without a `review` that has a solver, the page can compute nothing.
    """
    parts = {"match": _without_what_follows(match), "back": back, "review": review}
    shown = harmless_values(msgspec.to_builtins(parts))
    document = msgspec.json.encode(shown).decode().translate(_ESCAPED)
    page = PAGE.read_text(encoding="utf-8")
    page = page.replace(REVIEW_MARKER, _COMPUTES if review is not None and review.solver else "")
    return page.replace(MARKER, document)


def _without_what_follows(match: SeenMatch) -> dict[str, Any]:
    """The match without what the page finds by itself: `src/layout.ts` and `src/match.ts` of it.

    Those are tables after each request, cards played as they were answered, and hands once more
    at the end. Seconds keep two digits, as many as are shown.
    """
    told: dict[str, Any] = msgspec.to_builtins(match)
    for deal, seen in zip(told["deals"], match.deals, strict=True):
        begin = deal.pop("begin")
        deal |= {"hands": begin["hands"], "talon": begin["talon"], "sees": begin["sees"]}
        del deal["result"]["hands"], deal["result"]["talon"]
        for moment, each in zip(deal["moments"], seen.moments, strict=True):
            del moment["id"]
            sees = moment.pop("board").get("sees")
            if sees is not None:
                moment["sees"] = sees
            if each.seconds is not None:
                moment["seconds"] = float(f"{each.seconds:.2g}")
            events = moment.pop("events")
            if each.fault is None and each.events[:1] == (_played(each),):
                events = events[1:]
            if events:
                moment["events"] = events
    return told


def _played(moment: Moment) -> CardPlayed:
    """The event of a card that was played as it was answered."""
    return CardPlayed(moment.seat, moment.answer or "")
