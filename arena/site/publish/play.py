"""Makes the documents of what is played: orders, matches, deals in all their seatings.

Stderr, notes and details of faults never come into them, cards only where they may be shown.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from arena.league.played import MatchOutline, Traveller, TravellerLine
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.commands import Fault
from arena.match.record import MatchRecord
from arena.match.wire import FaultShown
from arena.record.matches import Matches
from arena.record.times import times_by_seat
from arena.record.traveller import Travellers, sheet_without_cards
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

HIGH: Final = 12
"""Stakes won by one seat in a deal that make it worth watching."""


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
        epoch=view.order.epoch,
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
    order, forfeit = view.order, terms.rules.conduct.on_fault == "forfeit"
    for number in range(order.deals):
        dealt = [each for each in played if len(each[2].results.courses) > number]
        if not dealt:
            continue
        lines = [_line(match, number, spec, record, forfeit) for match, spec, record in dealt]
        dealer = dealt[0][2].results.courses[number].dealer
        short = [each[0] for each in played if each not in dealt]
        deal = order.first + number
        sheet = sheet_without_cards(terms, order.lineup, deal, dealer, lines, short, view.void)
        yield _document(view, sheet, later)


def _line(
    match: int, number: int, spec: MatchSpec, record: MatchRecord, forfeit: bool
) -> TravellerLine:
    """Return a deal in one seating, without what would tell its cards."""
    course, fault = record.results.courses[number], _fault_in(record, number)
    return TravellerLine(
        match=match,
        deal=number,
        bots=spec.seats,
        contract=course.contract,
        declarer=course.declarer,
        payments=record.results.payments[number],
        fault=fault,
        forfeited=fault is not None and forfeit,
    )


def shown_travellers(matches: Matches, view: OrderView) -> Iterator[TravellerDocument]:
    """Yield the deals of an order with their cards, from its matches replayed."""
    order, store = view.order, matches.league()
    played = [each for number in view.numbers for each in matches.read(number)]
    most = max(len(each.again.deals) for each in played)
    deals = ((order.lineup, order.first + number) for number in range(min(most, order.deals)))
    gathered = Travellers(store.terms(), dict.fromkeys(deals, view.numbers), None)
    for each in played:
        gathered.see(each)
    for sheet in gathered.sheets():
        yield _document(view, sheet, None)


def worth_watching(outline: MatchOutline, document: MatchDocument) -> ShownDeal | None:
    """Return the deal of a match that is most worth watching; None if none is."""
    highest = max(document.deals, key=lambda deal: max(map(abs, deal.payments)), default=None)
    stakes = 0 if highest is None else max(map(abs, highest.payments))
    if highest is None or stakes < HIGH:
        return None
    return ShownDeal(
        match=outline.match,
        number=highest.deal - outline.first,
        bots=outline.bots,
        stakes=stakes,
        contract=highest.contract,
        declarer=None if highest.declarer is None else outline.bots[highest.declarer],
    )


def _document(view: OrderView, sheet: Traveller, later: HiddenUntil | None) -> TravellerDocument:
    order = view.order
    return TravellerDocument(
        **msgspec.structs.asdict(sheet),
        order=order.order,
        first=order.first,
        deals=order.deals,
        epoch=order.epoch,
        later=later,
    )


def counts(view: OrderView) -> Literal["counts", "waiting", "void"]:
    """Return whether the matches of an order count, still wait to, or are void."""
    return "void" if view.void else "counts" if view.over else "waiting"


def out_of(outlines: Sequence[MatchOutline]) -> dict[str, int]:
    """Return by bot the number of an order's matches that disqualified it."""
    return dict(Counter(each.bots[seat] for each in outlines for seat in each.disqualified))


def _fault_in(record: MatchRecord, deal: int) -> FaultShown | None:
    found = next((each.fault for each in record.results.faults if each.deal == deal), None)
    return _fault(found)


def _fault(found: Fault | None) -> FaultShown | None:
    return None if found is None else FaultShown(found.seat, found.kind)
