"""Sentences about a league for terminals and pages alike, as messages of the catalogues."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from arena.league.played import Traveller
from arena.reports.language import Phrase
from arena.stats.figures import HANDS, Company

_MOST_PAIRS: Final = 5


def about_rule(key: str) -> Phrase:
    """The meaning of a rule, by the dotted name of its key."""
    return Phrase(f"rule-{key.replace('.', '-').replace('_', '-')}")


def disqualified(counts: Mapping[str, int], matches: int) -> tuple[Phrase, ...]:
    """The bots that were disqualified, and in how many of some matches."""
    return tuple(
        Phrase("disqualified-in", {"bot": bot, "out": out, "count": matches})
        for bot, out in counts.items()
    )


def company_text(found: Sequence[Company]) -> Phrase:
    """A sentence on authors that gave each other more than strengths, style and luck explain."""
    told = tuple(
        Phrase("company-pair", {"giver": each.giver, "taker": each.taker})
        for each in found
        if each.improbable
    )
    if not told:
        return Phrase("no-company")
    return Phrase("company", {"pairs": told[:_MOST_PAIRS], "more": max(0, len(told) - _MOST_PAIRS)})


def place(sheet: Traveller, seat: int) -> Phrase:
    """A seat's place from the dealer in a deal."""
    hand = HANDS[sheet.active.index(seat)] if seat in sheet.active else "out"
    return Phrase(
        "place-of-seat", {"place": hand, "dealer": "yes" if seat == sheet.dealer else "no"}
    )


def remarks_on_deal(sheet: Traveller) -> Iterator[Phrase]:
    """Remarks that readers of a traveller need, a sentence each."""
    played = len(sheet.lines) + len(sheet.cut_short)
    if played < sheet.seatings:
        yield Phrase("seatings-so-far", {"played": played, "count": sheet.seatings})
    for number in sheet.cut_short:
        yield Phrase("match-ended-before", {"match": str(number)})
    if sheet.disqualified:
        yield Phrase("set-is-void", {"disqualified": disqualified(sheet.disqualified, played)})
    if sheet.has_pools:
        yield Phrase("pools-matter")
