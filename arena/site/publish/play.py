"""Makes the documents of what is played: orders, matches, deals in all their seatings.

Nothing of stderr, notes and details of faults comes into them; cards only of what may be shown.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from arena.league.played import MatchOutline
from arena.league.played import Traveller as Sheet
from arena.league.schedule import MatchSpec
from arena.match.commands import Fault
from arena.match.record import MatchRecord
from arena.match.wire import Tally
from arena.record.matches import Matches
from arena.record.times import times_by_seat
from arena.record.traveller import Travellers
from arena.site.documents.play import (
    DealResult,
    Made,
    MatchDocument,
    MatchLine,
    Order,
    SeatFault,
    Seating,
    ShownDeal,
    TravellerDocument,
)
from arena.site.publish.ledger_view import OrderView
from arena.zole.deal import active_seats
from arena.zole.rules import Rules

HIGH: Final = 12
"""Stakes won by one seat in a deal that make it worth watching."""


def order_document(view: OrderView, matches: int) -> Order:
    """An order that is under way."""
    order = view.order
    return Order(
        order=order.order,
        bots=order.lineup,
        first=order.first,
        deals=order.deals,
        epoch=order.epoch,
        kind=order.kind,
        at=view.at,
        played=len(view.numbers),
        matches=matches,
    )


def match_line(outline: MatchOutline, view: OrderView, shown: bool) -> MatchLine:
    """A stored match in short. Its moment is that of its order: the record has no other."""
    return MatchLine(
        match=outline.match,
        order=view.order.order,
        at=view.at,
        bots=outline.bots,
        stakes=outline.stakes,
        first=outline.first,
        deals=outline.deals,
        faults=outline.faults,
        out=outline.disqualified,
        counts=counts(view),
        shown=shown,
    )


def match_document(
    line: MatchLine, view: OrderView, record: MatchRecord, later: str
) -> tuple[MatchDocument, list[list[int]]]:
    """A match, and the microseconds of its answers by seat."""
    results, first = record.results, line.first
    faults = {each.deal: each.fault for each in results.faults}
    deals = [
        DealResult(
            deal=first + number,
            dealer=course.dealer,
            contract=course.contract,
            declarer=course.declarer,
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
        isolation=record.isolation,
        decisions=results.decisions,
        deals=tuple(deals),
        seatings=tuple(view.numbers),
        replay=line.shown,
        later=later,
        moves=tuple(map(len, times)),
        seconds=tuple(round(sum(each) / 1e6, 3) for each in times),
    )
    return document, times


def travellers(
    view: OrderView, played: Sequence[tuple[int, MatchSpec, MatchRecord]], rules: Rules, later: str
) -> Iterator[TravellerDocument]:
    """The deals of an order as long as their cards are secret."""
    order = view.order
    for deal in range(order.first, order.first + order.deals):
        lines = [
            Seating(
                match=number,
                number=deal - order.first,
                bots=spec.seats,
                contract=course.contract,
                declarer=course.declarer,
                payments=record.results.payments[deal - order.first],
                fault=_fault_in(record, deal - order.first),
                forfeited=_fault_in(record, deal - order.first) is not None
                and rules.conduct.on_fault == "forfeit",
            )
            for number, spec, record in played
            for course in record.results.courses[deal - order.first :][:1]
        ]
        if lines:
            dealer = next(
                course.dealer
                for _, _, record in played
                for course in record.results.courses[deal - order.first :][:1]
            )
            yield _traveller(view, deal, dealer, rules, lines, later)


def shown_travellers(matches: Matches, view: OrderView, league: str) -> Iterator[TravellerDocument]:
    """The deals of an order with their cards, from its matches replayed."""
    order, store = view.order, matches.league()
    played = [each for number in view.numbers for each in matches.read(number)]
    most = max(len(each.again.deals) for each in played)
    deals = [(order.lineup, order.first + number) for number in range(min(most, order.deals))]
    gathered = Travellers(store, deals, league, view.numbers)
    for each in played:
        gathered.see(each)
    rules = store.terms().rules
    for sheet in gathered.sheets():
        yield _of_sheet(view, sheet, rules)


def worth_watching(outline: MatchOutline, document: MatchDocument) -> ShownDeal | None:
    """The deal of a match that is most worth watching, if one is."""
    highest = max(document.deals, key=lambda deal: max(map(abs, deal.payments)), default=None)
    if highest is None or max(map(abs, highest.payments)) < HIGH:
        return None
    declarer = highest.declarer
    won = max(highest.payments)
    who = outline.bots[declarer if declarer is not None else highest.payments.index(won)]
    what = f"{highest.contract.replace('_', ' ')}" if highest.contract else "table game"
    paid = highest.payments[outline.bots.index(who)]
    return ShownDeal(
        match=outline.match,
        number=highest.deal - outline.first,
        bots=outline.bots,
        why=f"{who}: {what}, {paid:+d}",
    )


def _of_sheet(view: OrderView, sheet: Sheet, rules: Rules) -> TravellerDocument:
    lines = [
        Seating(
            match=each.match,
            number=each.deal,
            bots=each.bots,
            contract=each.contract,
            declarer=each.declarer,
            discards=each.discards,
            points=_sides(each.points),
            tricks=_sides(each.tricks),
            level=each.level,
            payments=each.payments,
            fault=None
            if each.fault is None
            else SeatFault(seat=each.fault.seat, kind=each.fault.fault),
            forfeited=each.forfeited,
        )
        for each in sheet.lines
    ]
    return _traveller(view, sheet.deal, sheet.dealer, rules, lines, "", sheet.hands, sheet.talon)


def _traveller(
    view: OrderView,
    deal: int,
    dealer: int,
    rules: Rules,
    lines: Sequence[Seating],
    later: str,
    hands: tuple[tuple[str, ...], ...] = (),
    talon: tuple[str, ...] = (),
) -> TravellerDocument:
    order = view.order
    return TravellerDocument(
        order=order.order,
        deal=deal,
        first=order.first,
        deals=order.deals,
        epoch=order.epoch,
        bots=order.lineup,
        dealer=dealer,
        active=active_seats(rules.players, dealer),
        shown=bool(hands),
        later=later,
        void=_void(view.void),
        hands=hands,
        talon=talon,
        lines=tuple(lines),
        made=tuple(_made(lines, bot, rules.players) for bot in order.lineup),
        seatings=len(view.numbers),
        pools=rules.pools.enabled,
    )


def _void(out: dict[str, int]) -> str:
    return "; ".join(f"{bot} was disqualified in {count}" for bot, count in out.items())


def _made(lines: Sequence[Seating], bot: str, players: int) -> Made:
    by_seat = [
        [line.payments[seat] for line in lines if line.bots[seat] == bot] for seat in range(players)
    ]
    every = [paid for seat in by_seat for paid in seat]
    return Made(bot=bot, by_seat=tuple(map(_mean, by_seat)), mean=_mean(every))


def _mean(paid: Sequence[int]) -> float | None:
    return sum(paid) / len(paid) if paid else None


def counts(view: OrderView) -> Literal["counts", "waiting", "void"]:
    """Whether the matches of an order count."""
    return "void" if view.void else "counts" if view.over else "waiting"


def out_of(outlines: Sequence[MatchOutline]) -> dict[str, int]:
    """In how many matches of an order each bot was disqualified."""
    return dict(Counter(each.bots[seat] for each in outlines for seat in each.disqualified))


def _fault_in(record: MatchRecord, deal: int) -> SeatFault | None:
    found = next((each.fault for each in record.results.faults if each.deal == deal), None)
    return _fault(found)


def _fault(found: Fault | None) -> SeatFault | None:
    return None if found is None else SeatFault(seat=found.seat, kind=found.kind)


def _sides(tally: Tally) -> tuple[int, int] | None:
    if tally.declarer is None or tally.defenders is None:
        return None
    return tally.declarer, tally.defenders
