"""Publishes orders: matches as they are stored, and deals once their order is over.

All of it is published again once it may be shown.
"""

import time
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final

from arena.match.projection import public
from arena.record.matches import seen, stored_matches
from arena.record.reviews import reviews_of
from arena.reports.page import Link, replay_document
from arena.reports.page_review import page_review
from arena.site.documents import league as documents
from arena.site.documents.play import ShownDeal, Television, TravellerDocument
from arena.site.publish.edition import Edition
from arena.site.publish.league_state import LeagueState
from arena.site.publish.ledger_view import OrderView
from arena.site.publish.play import (
    match_document,
    match_line,
    mixed,
    shown_travellers,
    travellers,
    worth_watching,
)
from arena.site.publish.seen import KeptMatches, SeenMatches

SHOWS: Final = 40
"""The number of deals that are shown one after another."""

SLICE_S: Final = 0.5
"""Seconds for making old matches anew in one version, once they may be shown."""


def seen_key(bot: str) -> str:
    """Return the key of what was seen of a bot, which is for the publisher alone."""
    return f"seen/{bot}"


class OrderDocuments:
    """Makes the documents of a league's orders.

    `shows` are the deals most worth watching, `waiting` says that a season is over but not
    all of its orders are shown, `seen` is what was seen of each bot.
    """

    def __init__(
        self,
        title: str,
        state: LeagueState,
        edition: Edition,
        shows: tuple[ShownDeal, ...],
        seen: Mapping[str, KeptMatches],
    ) -> None:
        self.shows = shows
        self.waiting = False
        self.seen = {bot: SeenMatches(kept) for bot, kept in seen.items()}
        self.above: Mapping[str, float] = {}
        """The share of the other bots that each bot in play is above, by the live table."""
        self.again: deque[OrderView] = deque()
        """The orders to be made anew."""
        self._title, self._state, self._edition = title, state, edition

    def show_all(self) -> None:
        """Have all orders made anew, unless that is under way."""
        if not self.waiting:
            self.again += self._state.view.orders.values()
        self.waiting = True

    def go_on(self) -> bool:
        """Make some orders anew; return whether the last one was made just now."""
        until = time.monotonic() + SLICE_S
        while self.again and time.monotonic() < until:
            view = self.again.popleft()
            if view.over:
                self.put(view, set())
        if self.again or not self.waiting:
            return False
        self.waiting = False
        return True

    def put(self, view: OrderView, new: set[int]) -> None:
        """Make the documents of an order; `new` are its matches that were not published before."""
        state, edition = self._state, self._edition
        outlines, later = state.take_order(view), state.later(view)
        shown = not later
        found = []
        for number in view.numbers:
            _, spec, record = next(iter(state.store.matches(number)))
            found.append((number, spec, record))
            line = match_line(outlines[number], view, shown)
            document, times = match_document(line, view, record, later)
            edition.put(documents.match_document_key(number), document)
            edition.add(documents.MATCHES, number, line)
            if shown and (number in new or self.waiting):
                edition.put_packed(documents.replay_key(number), self._replay(number))
            for seat, bot in enumerate(line.bots) if number in new else ():
                seen = self.seen.setdefault(bot, SeenMatches(KeptMatches()))
                seen.note(line, seat, document, times[seat])
                edition.put(seen_key(bot), seen.kept())
        if not view.over:
            return
        deals = list(
            shown_travellers(state.matches, view)
            if shown
            else travellers(view, found, state.terms, later)
        )
        for deal in deals:
            edition.put(documents.deal_key(view.order.order, deal.deal), deal)
        if shown and not view.void:
            self._watch(deals)

    def _replay(self, number: int) -> bytes:
        """Return what the replay of a match shows, with its moves' reviews as far as they exist."""
        store = self._state.matches
        match = next(stored_matches(store, number))
        shown, kept = public(seen(match)), reviews_of(match, store.path)
        back = Link(self._title, "/")
        return replay_document(shown, back, page_review(shown, kept) if kept else None)

    def _watch(self, deals: Iterable[TravellerDocument]) -> None:
        """Add the deal of an order that is most worth watching to those that are shown."""
        found = [show for deal in deals if (show := worth_watching(deal, self.above)) is not None]
        if found:
            best = max(found, key=lambda show: show.worth)
            self.shows = (best, *self.shows)[:SHOWS]
            self._edition.put(documents.TELEVISION, Television(deals=mixed(self.shows)))
