"""Makes the documents of orders: matches as they are stored, and deals once they may be shown.

Stderr, notes and details of faults never come into them, cards only where they may be shown.
"""

import time
from collections import Counter, deque
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
from arena.reports.page import Link, replay_document
from arena.reports.page_review import page_review
from arena.site import documents
from arena.site.documents import (
    DealResult,
    HiddenUntil,
    MatchDocument,
    MatchLine,
    ShownDeal,
    Television,
    TravellerDocument,
)
from arena.site.publish.bots import SeenMatches, times_by_seat
from arena.site.publish.league_state import LeagueState, OrderView
from arena.site.published import Publisher

# The number of deals that are shown one after another.
SHOWS: Final = 40

# Seconds for making old matches anew in one version, once they may be shown.
SLICE_S: Final = 0.5

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


class OrderDocuments:
    """Makes the documents of a league's orders.

    `shows` are the deals most worth watching, `seen` is what was seen of each bot. Of a season that
    is over, `again` are the orders still to be made anew, since they may be shown. `above` is the
    share of the other bots that each bot in play is above, by the live table.
    """

    def __init__(
        self,
        title: str,
        state: LeagueState,
        to: Publisher,
        shows: tuple[ShownDeal, ...],
        known: Mapping[str, SeenMatches],
    ) -> None:
        self.shows = shows
        self.seen = dict(known)
        self.above: Mapping[str, float] = {}
        self.again: deque[OrderView] = deque()
        self._title, self._state, self._to = title, state, to

    def show_all(self) -> None:
        """Have all orders made anew, unless that is under way."""
        if not self.again:
            self.again += self._state.orders.values()

    def go_on(self) -> bool:
        """Make some orders anew; return whether the last one was made just now."""
        if not self.again:
            return False
        until = time.monotonic() + SLICE_S
        while self.again and time.monotonic() < until:
            view = self.again.popleft()
            if view.over:
                self.put(view, set(), anew=True)
        return not self.again

    def put(self, view: OrderView, new: set[int], anew: bool = False) -> None:
        """Make the documents of an order; `new` are its matches that were not published before."""
        state, to = self._state, self._to
        outlines, later = state.take_order(view), state.later(view)
        played: list[ReplayedMatch] = []
        for number in view.numbers:
            _, _, record = next(iter(state.store.matches(number)))
            line, times = (
                state.line(outlines[number]),
                times_by_seat(record.log, len(view.order.lineup)),
            )
            document = match_document(line, view.numbers, record, times, later)
            to.put(f"matches/{number}", document)
            to.add(documents.MATCHES, number, line)
            if not later and (view.over or number in new):
                played += stored_matches(state.matches, number)
            if number in new:
                for seat, bot in enumerate(line.bots):
                    found = self.seen.setdefault(bot, SeenMatches())
                    found.note(line, seat, document, times[seat])
                    to.put(f"seen/{bot}", found)
        for match in played:
            if anew or match.number in new:
                to.put_packed(f"replays/{match.number}", self._replay(match))
        if played and view.over:
            self._show(view, played)

    # Return what the replay of a match shows, with its moves' reviews as far as they exist.
    def _replay(self, match: ReplayedMatch) -> bytes:
        shown, kept = public(seen(match)), reviews_of(match, self._state.store.path)
        review = page_review(shown, kept) if kept else None
        return replay_document(shown, Link(self._title, "/"), review)

    # Show the deals of an order, and the best of them among those worth watching.
    def _show(self, view: OrderView, played: Sequence[ReplayedMatch]) -> None:
        worth: list[ShownDeal] = []
        for deal in travellers(self._state, view, played):
            self._to.put(f"deals/{view.order.order}/{deal.deal}", deal)
            if (show := worth_watching(deal, self.above)) is not None:
                worth.append(show)
        if worth and not view.void:
            self.shows = (max(worth, key=lambda show: show.worth), *self.shows)[:SHOWS]
            self._to.put(documents.TELEVISION, Television(deals=mixed(self.shows)))


def travellers(
    state: LeagueState, view: OrderView, played: Sequence[ReplayedMatch]
) -> Iterator[TravellerDocument]:
    """Yield the deals of an order in all its seatings, with their cards."""
    order, most = view.order, max(len(each.deals) for each in played)
    for deal in range(order.first, order.first + min(most, order.deals)):
        seatings = [seating_with_cards(each, deal, None) for each in played]
        sheet = traveller(state.terms, order.lineup, deal, seatings)
        yield TravellerDocument(
            **msgspec.structs.asdict(sheet),
            order=order.order,
            first=order.first,
            deals=order.deals,
        )
