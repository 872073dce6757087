"""Makes the documents of matches as they are stored, and of deals once they may be shown.

Stderr, notes and details of faults never come into them, cards only where they may be shown.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

import msgspec

from arena.league.played import TravellerLine
from arena.match.projection import public
from arena.match.record import MatchRecord
from arena.match.wire import FaultShown
from arena.record.deals import seating_with_cards, traveller
from arena.record.matches import ReplayedMatch, seen, stored_matches
from arena.record.reviews import reviews_of
from arena.record.store import Store
from arena.reports.page import Link, page_review, replay_document
from arena.site import documents
from arena.site.documents import (
    DealResult,
    HiddenUntil,
    MatchDocument,
    MatchLine,
    ShownDeal,
    TravellerDocument,
)
from arena.site.publish.league import times_by_seat
from arena.site.publish.state import RecordState, TableKey
from arena.site.published import Publisher

# The declarer's card points between a deal that is just lost and one that is just won.
_MIDDLE: Final = 60.5

# Card points from there at which a deal is not close at all: 31 and 91 are other levels.
_FAR: Final = 30.0

# The worth that a deal loses for each worthier one of the same declarer.
_AGAIN: Final = 0.3


def match_document(
    line: MatchLine,
    seatings: Sequence[int],
    record: MatchRecord,
    times: Sequence[Sequence[int]],
    later: HiddenUntil | None,
) -> MatchDocument:
    """Return a match's document; `times` are the microseconds of answers by seat."""
    results = record.results
    faults = {each.deal: FaultShown(each.fault.seat, each.fault.kind) for each in results.faults}
    deals = [
        DealResult(
            **msgspec.structs.asdict(course),
            deal=line.first + number,
            payments=payments,
            fault=faults.get(number),
        )
        for number, (course, payments) in enumerate(
            zip(results.courses, results.payments, strict=True)
        )
    ]
    return MatchDocument(
        line=line,
        deals=tuple(deals),
        seatings=tuple(seatings),
        later=later,
        moves=tuple(map(len, times)),
        seconds=tuple(round(sum(each) / 1e6, 3) for each in times),
    )


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
    told: Counter[str | None] = Counter()
    places: list[tuple[float, ShownDeal]] = []
    for each in sorted(shows, key=lambda deal: (-deal.worth, -deal.match)):
        places.append((each.worth - _AGAIN * told[each.declarer], each))
        told[each.declarer] += 1
    return tuple(each for _, each in sorted(places, key=lambda place: -place[0]))


def put_table(
    state: RecordState, key: TableKey, to: Publisher, title: str, new: int
) -> list[TravellerDocument]:
    """Put the documents of a table and its matches; return its deals that may be shown now.

    Those of matches below `new` were put before, with their lists and replays.
    """
    store, lineup = state.store, key[0]
    over, numbers = state.is_over(key), state.matches[key]
    later: HiddenUntil | None = None if state.shows(lineup) else "season"
    for number in numbers:
        _, _, record = next(iter(store.matches(number)))
        [outline] = store.outlines(number - 1, number)
        line, times = state.line(outline), times_by_seat(record.log, len(outline.bots))
        to.put(f"matches/{number}", match_document(line, numbers, record, times, later))
        to.add(documents.MATCHES, number, line)
        for bot in outline.bots:
            to.add(f"own/{bot}", number, {})
    if later:
        return []
    shown = (number for number in numbers if over or number >= new)
    played = [match for number in shown for match in stored_matches(store, number)]
    for match in played:
        if match.number >= new:
            to.put_packed(f"replays/{match.number}", _replay(match, store, title))
    deals = list(_travellers(state, key, played)) if over else []
    for deal in deals:
        to.put(f"deals/{deal.order}/{deal.deal}", deal)
    return deals


# Return what the replay of a match shows, with its moves' reviews as far as they exist.
def _replay(match: ReplayedMatch, store: Store, title: str) -> bytes:
    shown, kept = public(seen(match)), reviews_of(match, store.path)
    return replay_document(shown, Link(title, "/"), page_review(shown, kept) if kept else None)


# Yield the deals of a table in all its seatings, with their cards.
def _travellers(
    state: RecordState, key: TableKey, played: Sequence[ReplayedMatch]
) -> Iterator[TravellerDocument]:
    (lineup, first), deals = key, max(len(each.deals) for each in played)
    for deal in range(first, first + deals):
        seatings = [seating_with_cards(each, deal, None) for each in played]
        sheet = traveller(state.terms, lineup, deal, seatings)
        order = state.number(key)
        made = msgspec.structs.asdict(sheet)
        yield TravellerDocument(**made, order=order, first=first, deals=deals)
