"""Sentences about a league for terminals and pages alike, as messages of the catalogues."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from arena.league.played import Traveller
from arena.reports.language import Saying
from arena.stats.figures import HANDS, Company

_MOST_PAIRS: Final = 5


def about_rule(key: str) -> Saying:
    """The meaning of a rule, by the dotted name of its key."""
    return Saying(f"rule-{key.replace('.', '-').replace('_', '-')}")


def disqualified(counts: Mapping[str, int], matches: int) -> tuple[Saying, ...]:
    """The bots that were disqualified, and in how many of some matches."""
    return tuple(
        Saying("disqualified-in", {"bot": bot, "out": out, "count": matches})
        for bot, out in counts.items()
    )


def company_text(found: Sequence[Company]) -> Saying:
    """A sentence on authors that gave each other more than strengths, style and luck explain."""
    told = tuple(
        Saying("company-pair", {"giver": each.giver, "taker": each.taker})
        for each in found
        if each.improbable
    )
    if not told:
        return Saying("no-company")
    return Saying("company", {"pairs": told[:_MOST_PAIRS], "more": max(0, len(told) - _MOST_PAIRS)})


def place(sheet: Traveller, seat: int) -> Saying:
    """A seat's place from the dealer in a deal."""
    hand = HANDS[sheet.active.index(seat)] if seat in sheet.active else "out"
    return Saying(
        "place-of-seat", {"place": hand, "dealer": "yes" if seat == sheet.dealer else "no"}
    )


def remarks_on_deal(sheet: Traveller) -> Iterator[Saying]:
    """Remarks that readers of a traveller need, a sentence each."""
    played = len(sheet.lines) + len(sheet.cut_short)
    if played < sheet.seatings:
        yield Saying("seatings-so-far", {"played": played, "count": sheet.seatings})
    for number in sheet.cut_short:
        yield Saying("match-ended-before", {"match": str(number)})
    if sheet.disqualified:
        yield Saying("set-is-void", {"disqualified": disqualified(sheet.disqualified, played)})
    if sheet.has_pools:
        yield Saying("pools-matter")
