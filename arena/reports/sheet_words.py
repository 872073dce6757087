"""Sentences about a traveller, for a terminal and a page alike."""

from collections.abc import Iterator

from arena.league.played import Traveller
from arena.reports.numbers import disqualified
from arena.stats.figures import HANDS


def place(sheet: Traveller, seat: int) -> str:
    """A seat's place from the dealer."""
    where = HANDS[sheet.active.index(seat)] if seat in sheet.active else "sits out"
    return f"{where}, dealer" if seat == sheet.dealer else where


def remarks_on_deal(sheet: Traveller) -> Iterator[str]:
    """Remarks that readers of a sheet need, a sentence each."""
    played = len(sheet.lines) + len(sheet.cut_short)
    if played < sheet.seatings:
        yield f"{played} of {sheet.seatings} seatings are played so far."
    for number in sheet.cut_short:
        yield f"Match {number} ended before this deal."
    if sheet.disqualified:
        yield f"The set is void: {disqualified(sheet.disqualified, played)}."
    if sheet.pools:
        yield "With pools a deal's stakes also depend on the pools before it."
