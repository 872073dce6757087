"""Makes the documents of what is played: orders, matches, deals in all their seatings.

Stderr, notes and details of faults never come into them, cards only where they may be shown.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, Literal

import msgspec

from arena.league.played import MatchOutline, Traveller, TravellerLine
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.commands import Fault
from arena.match.record import MatchRecord
from arena.match.wire import FaultShown
from arena.record.deals import seating, seating_with_cards, traveller
from arena.record.matches import stored_matches
from arena.record.store import Store
from arena.site.documents.play import (
    DealResult,
    HiddenUntil,
    MatchDocument,
    MatchLine,
    OrderLine,
    ShownDeal,
    TravellerDocument,
)
from arena.site.publish.ledger_view import OrderView
from arena.site.publish.times import times_by_seat

_MIDDLE: Final = 60.5
"""The declarer's card points between a deal that is just lost and one that is just won."""

_FAR: Final = 30.0
"""Card points from there at which a deal is not close at all: 31 and 91 are other levels."""

_AGAIN: Final = 0.3
"""The worth that a deal loses for each worthier one of the same declarer."""


def order_line(view: OrderView, matches: int) -> OrderLine:
    """Return the entry of an order that is under way."""
    return OrderLine(order=view.order, at=view.at, played=len(view.numbers), matches=matches)


def match_line(outline: MatchOutline, view: OrderView, shown: bool) -> MatchLine:
    """Return a match's entry in lists. `at` is its order's moment: the record has no other."""
    return MatchLine(
        **msgspec.structs.asdict(outline),
        order=view.order.order,
        at=view.at,
        counts=counts(view),
        shown=shown,
    )


def match_document(
    line: MatchLine, view: OrderView, record: MatchRecord, later: HiddenUntil | None
) -> tuple[MatchDocument, list[list[int]]]:
    """Return a match's document, and the microseconds of its answers by seat."""
    results, first = record.results, line.first
    faults = {each.deal: each.fault for each in results.faults}
    deals = [
        DealResult(
            **msgspec.structs.asdict(course),
            deal=first + number,
            payments=payments,
            fault=_fault(faults.get(number)),
        )
        for number, (course, payments) in enumerate(
            zip(results.courses, results.payments, strict=True)
        )
    ]
    times = times_by_seat(record.log, len(line.bots))
    document = MatchDocument(
        line=line,
        deals=tuple(deals),
        seatings=tuple(view.numbers),
        later=later,
        moves=tuple(map(len, times)),
        seconds=tuple(round(sum(each) / 1e6, 3) for each in times),
    )
    return document, times


def travellers(
    view: OrderView,
    played: Sequence[tuple[int, MatchSpec, MatchRecord]],
    terms: Terms,
    later: HiddenUntil | None,
) -> Iterator[TravellerDocument]:
    """Yield the deals of an order while their cards are secret."""
    order, forfeits = view.order, terms.config.rules.conduct.on_fault == "forfeit"
    for number in range(order.deals):
        seatings = [
            seating(match, spec.seats, record.results, number, forfeits)
            for match, spec, record in played
        ]
        if any(each.line for each in seatings):
            sheet = traveller(terms, order.lineup, order.first + number, seatings)
            yield _document(view, sheet, later)


def shown_travellers(store: Store, view: OrderView) -> Iterator[TravellerDocument]:
    """Yield the deals of an order with their cards, from its matches replayed."""
    order = view.order
    played = [each for number in view.numbers for each in stored_matches(store, number)]
    most = max(len(each.deals) for each in played)
    terms = store.terms()
    for deal in range(order.first, order.first + min(most, order.deals)):
        seatings = [seating_with_cards(each, deal, None) for each in played]
        yield _document(view, traveller(terms, order.lineup, deal, seatings), None)


def worth_watching(deal: TravellerDocument, above: Mapping[str, float]) -> ShownDeal | None:
    """Return the seating of a deal that is most worth watching; None if none has a declarer.

    It is worth the sum of three numbers between 0 and 1: how close it was, how differently the same
    cards ended in other seatings, and how strong its players are, the declarer counting twice. That
    is the share of the other bots that each is `above`, half if it is not known.
    """
    played = [it for it in deal.lines if it.declarer is not None and it.result and not it.fault]
    if not played:
        return None
    endings = {(it.contract, it.result and it.result.level) for it in played}
    variety = (len(endings) - 1) / max(1, len(deal.lines) - 1)

    def worth(line: TravellerLine) -> float:
        assert line.declarer is not None
        assert line.result is not None
        points = line.result.points.declarer or 0
        close = max(0.0, 1 - abs(points - _MIDDLE) / _FAR)
        players = (*line.bots, line.bots[line.declarer])
        return close + variety + fmean(above.get(bot, 0.5) for bot in players)

    best = max(played, key=worth)
    assert best.declarer is not None
    return ShownDeal(
        match=best.match,
        number=best.deal,
        bots=best.bots,
        stakes=max(map(abs, best.payments)),
        contract=best.contract,
        declarer=best.bots[best.declarer],
        worth=round(worth(best), 3),
    )


def mixed(shows: Sequence[ShownDeal]) -> tuple[ShownDeal, ...]:
    """Return deals in the order in which they are shown: the worthiest first, declarers in turn."""
    seen: Counter[str | None] = Counter()
    places: list[tuple[float, ShownDeal]] = []
    for each in sorted(shows, key=lambda deal: (-deal.worth, -deal.match)):
        places.append((each.worth - _AGAIN * seen[each.declarer], each))
        seen[each.declarer] += 1
    return tuple(each for _, each in sorted(places, key=lambda place: -place[0]))


def _document(view: OrderView, sheet: Traveller, later: HiddenUntil | None) -> TravellerDocument:
    order = view.order
    return TravellerDocument(
        **msgspec.structs.asdict(sheet),
        order=order.order,
        first=order.first,
        deals=order.deals,
        later=later,
    )


def counts(view: OrderView) -> Literal["counts", "waiting", "void"]:
    """Return whether the matches of an order count, still wait to, or are void."""
    return "void" if view.void else "counts" if view.over else "waiting"


def out_of(outlines: Sequence[MatchOutline]) -> dict[str, int]:
    """Return by bot the number of an order's matches that disqualified it."""
    return dict(Counter(each.bots[seat] for each in outlines for seat in each.disqualified))


def _fault(found: Fault | None) -> FaultShown | None:
    return None if found is None else FaultShown(found.seat, found.kind)
