"""Sentences about a traveller, for a terminal and a page alike."""

from collections.abc import Iterator

from arena.league.played import Traveller
from arena.reports.language import Saying
from arena.reports.numbers import disqualified
from arena.stats.figures import HANDS


def place(sheet: Traveller, seat: int) -> Saying:
    """A seat's place from the dealer."""
    plays = seat in sheet.active
    return Saying(
        "place-of-seat",
        {
            "place": HANDS[sheet.active.index(seat)] if plays else "out",
            "dealer": "yes" if seat == sheet.dealer else "no",
        },
    )


def remarks_on_deal(sheet: Traveller) -> Iterator[Saying]:
    """Remarks that readers of a sheet need, a sentence each."""
    played = len(sheet.lines) + len(sheet.cut_short)
    if played < sheet.seatings:
        yield Saying("seatings-so-far", {"played": played, "count": sheet.seatings})
    for number in sheet.cut_short:
        yield Saying("match-ended-before", {"match": str(number)})
    if sheet.disqualified:
        yield Saying("set-is-void", {"disqualified": disqualified(sheet.disqualified, played)})
    if sheet.has_pools:
        yield Saying("pools-matter")
