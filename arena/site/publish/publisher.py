"""The publisher: makes documents of what is public of a league's record, as the league goes on.

It reads the record for moments only, each time what is new, and writes a version in one
transaction. Whatever compares all bots takes longer the larger a league is. So each time the table
is made there is a pause several times as long, and bots are compared in a thread of their own.
"""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

import msgspec

from arena.league.played import MatchOutline
from arena.record.store import Store
from arena.record.summary import final_table
from arena.site.config import Site
from arena.site.documents import league as documents
from arena.site.documents.league import StandingLine, Standings
from arena.site.documents.play import TablesDocument, Television
from arena.site.life import Life, no_table
from arena.site.processes import DRAWING_ORDERS
from arena.site.publish.about import about_text, changed_at
from arena.site.publish.before import published_before
from arena.site.publish.bots import bot_document
from arena.site.publish.comparison import FieldComparison
from arena.site.publish.edition import Edition
from arena.site.publish.league_state import LeagueState
from arena.site.publish.ledger_view import OrderView
from arena.site.publish.orders import OrderDocuments
from arena.site.publish.play import order_line
from arena.site.publish.rules import rules_document
from arena.site.publish.seen import KeptMatches, SeenMatches
from arena.site.publish.table import (
    Counts,
    league_document,
    numbers_document,
    proof_document,
    standing,
    table_remarks,
)
from arena.site.published import Publisher
from arena.site.registry.accounts import Account, accounts
from arena.site.registry.announcements import announcements
from arena.site.registry.bots import note_states
from arena.site.registry.file import Registry
from arena.site.registry.stops import paused
from arena.site.shown_leagues import shown_leagues

_AT_ONCE: Final = 120
"""The most matches that are taken into one version."""

TABLE_SHARE: Final = 10
BOTS_SHARE: Final = 20
BOTS_S: Final = 5.0
"""The table takes at most 1 / `TABLE_SHARE` of the time, comparing bots 1 / `BOTS_SHARE`, with a
rest of at least `BOTS_S` seconds.
"""

_LAST: Final = 20


class LeaguePublisher:
    """The publisher of one record."""

    def __init__(self, site: Site, store: Store, registry: Registry, life: Life) -> None:
        self._site, self._store, self._registry, self._life = site, store, registry, life
        self._state = LeagueState(store)
        self._edition = Edition()
        self._looked: object = None
        self._accounts: dict[str, Account] = {}
        self._lines: dict[str, StandingLine] = {}
        self._table: Standings | None = None
        self._compared: FieldComparison | None = None
        self._comparing: Future[FieldComparison] | None = None
        self._beside = ThreadPoolExecutor(1)
        self._table_at = self._bots_at = 0.0
        self._table_due = self._bots_due = True
        before = published_before(site.published, store, self._state.terms.bots)
        self._to, self._draft = Publisher.open(before.path), before.path
        self._part = before.part
        self._orders = OrderDocuments(
            site.title, self._state, self._edition, before.part.shows, before.seen
        )
        self._read_lines()
        self._state.read_blocks()
        if self._part.waiting:
            self._orders.show_all()

    def close(self) -> None:
        """Close the published file, and the record that matches are read from."""
        self._beside.shutdown(cancel_futures=True)
        self._to.close()
        self._state.close()

    @property
    def comparing(self) -> bool:
        """True while bots are being compared; the result is published later."""
        return self._comparing is not None

    def look(self) -> bool:
        """Publish what is new; return whether there may be more at once."""
        said = changed_at(self._site.about), shown_leagues(self._site)
        waits = no_table(self._site)
        version = (self._store.version(), self._registry.version(), said, waits)
        now = time.monotonic()
        compared = self._comparing is not None and self._comparing.done()
        table = self._table_due and now >= self._table_at
        bots = self._bots_due and now >= self._bots_at and self._comparing is None
        if version == self._looked and not (table or bots or compared or self._orders.again):
            return False
        self._read_accounts()
        new = self._read_new()
        more = len(new) == _AT_ONCE
        if not more:
            self._looked = version
        self._bots_due |= self._orders.go_on()
        if self._table_due and now >= self._table_at:
            self._make_table()
        if compared:
            self._make_bots()
        if self._bots_due and now >= self._bots_at and self._comparing is None and self._lines:
            self._compare()
        self._make_league(waits)
        self._write()
        more = more or bool(self._orders.again)
        if not more and self._compared is not None and self._draft != self._site.published:
            self._replace()
        return more

    def finish(self) -> None:
        """Publish all that is left, without pauses, before this process ends."""
        self._table_at = 0.0
        while self.look() and not self._orders.again:
            pass
        if self._table_due:
            self._table_at = 0.0
            self.look()

    # --- reading ---

    def _read_lines(self) -> None:
        """Read on in the ledger, and publish the new lines."""
        lines = self._state.read_lines()
        if not lines:
            return
        self._table_due = True
        new = [line for line in lines if line.number > self._part.lines]
        for line in new:
            self._edition.add(documents.LEDGER, line.number, line)
        if new and self._part.lines and self._state.view.ledger.secret is not None:
            self._orders.show_all()
        note_states(self._registry, self._state.states())

    def _read_accounts(self) -> None:
        """Read who is in which team; if that has changed, the table is due."""
        found = {each.name: each for each in accounts(self._registry)}
        self._table_due |= found != self._accounts
        self._accounts = found

    def _read_new(self) -> list[MatchOutline]:
        """Take in the matches that were stored since, and return them."""
        outlines = []
        for outline in self._store.outlines(self._part.matches):
            outlines.append(outline)
            if len(outlines) == _AT_ONCE:
                break
        self._read_lines()
        touched: dict[int, OrderView] = {}
        for outline in outlines:
            view = self._state.order_with(outline.bots, outline.first)
            touched[view.order.order] = view
            for bot in outline.bots:
                self._edition.add(f"own/{bot}", outline.match, {})
        new = {outline.match for outline in outlines}
        for view in touched.values():
            self._orders.put(view, new)
        if outlines:
            counts = self._part.counts
            self._part = msgspec.structs.replace(
                self._part,
                matches=outlines[-1].match,
                counts=Counts(
                    counts.stored + len(outlines),
                    counts.games + sum(each.deals for each in outlines),
                    counts.decisions + sum(each.decisions for each in outlines),
                ),
            )
            self._table_due = self._bots_due = True
        return outlines

    # --- making documents ---

    def _make_table(self) -> None:
        """Make the standings."""
        began, first = time.process_time(), not self._lines
        view, config = self._state.view, self._state.config
        rows = self._state.table(self._part.matches)
        width, known = config.width, self._accounts
        lines = tuple(standing(row, view, width, known) for row in rows)
        self._lines = {line.bot: line for line in lines}
        playing = [line for line in lines if not line.left]
        others = max(1, len(playing) - 1)
        self._orders.above = {it.bot: (len(playing) - it.rank) / others for it in playing}
        final = None if view.ledger.season is None else final_table(self._store, view.ledger)
        self._table = Standings(
            version=0,
            at=time.time(),
            lines=lines,
            final=final,
            remarks=tuple(table_remarks(lines, view)),
            identical=() if self._compared is None else self._compared.identical,
        )
        self._table_due, self._bots_due = False, True
        spent = time.process_time() - began
        self._table_at = time.monotonic() + (0.0 if first else TABLE_SHARE * spent)

    def _compare(self) -> None:
        """Begin to compare the bots, in another thread."""
        state = self._state
        blocks, bots = tuple(state.blocks), sorted(state.terms.bots)
        field, session = sorted(state.view.ledger.bots), state.terms.session
        authors = {bot: line.author for bot, line in self._lines.items()}

        def compare() -> FieldComparison:
            began = time.thread_time()
            found = FieldComparison(blocks, bots, field, session, authors)
            spent = time.thread_time() - began
            self._bots_at = time.monotonic() + max(BOTS_S, BOTS_SHARE * spent)
            return found

        self._comparing = self._beside.submit(compare)
        self._bots_due = False

    def _make_bots(self) -> None:
        """Make the pages of bots from the finished comparison."""
        assert self._comparing is not None
        self._compared = self._comparing.result()
        self._comparing = None
        at, seen = time.time(), self._orders.seen.items()
        times = [found for bot, each in seen if (found := each.clocks.times(bot)) is not None]
        crosstable = self._compared.crosstable(list(self._lines), at, times)
        self._edition.put(documents.CROSSTABLE, crosstable)
        for bot, line in self._lines.items():
            document = bot_document(
                line,
                at,
                self._lines,
                self._orders.seen.get(bot, SeenMatches(KeptMatches())),
                self._compared,
                self._state,
            )
            self._edition.put(documents.bot_key(bot), document)

    def _make_league(self, waits: str) -> None:
        """Make what is told on every page, and the page of tables; no table where it `waits`."""
        state, part, now = self._state, self._part, time.time()
        view = state.view
        why = paused(self._registry, DRAWING_ORDERS)
        stopped = "" if why is None else why or "paused"
        said = announcements(self._registry)
        last = said[0] if said else None
        league = league_document(state, self._store.facts(), stopped, waits, last)
        self._edition.put(documents.LEAGUE, league)
        plays = view.ledger.season is None and not waits
        numbers = numbers_document(state, part.counts, plays, now)
        self._edition.put(documents.NUMBERS, numbers)
        about = documents.AboutDocument(
            text=about_text(self._site.about), announcements=said, leagues=shown_leagues(self._site)
        )
        self._edition.put(documents.ABOUT, about)
        self._edition.put(documents.PROOF, proof_document(view))
        self._edition.put(documents.RULES, rules_document(state.config))
        if not self._orders.shows:
            self._edition.put(documents.TELEVISION, Television(deals=()))
        outlines = list(self._store.outlines(part.matches - _LAST, part.matches))
        tables = TablesDocument(
            at=now,
            now=tuple(order_line(each, state.seats) for each in view.open.values()),
            last=tuple(map(state.line, reversed(outlines))),
            orders_an_hour=float(view.recent(now)),
        )
        self._edition.put(documents.NOW, tables)

    # --- writing ---

    def _write(self) -> None:
        """Write one version, and beat."""
        view = self._state.view
        self._part = msgspec.structs.replace(
            self._part,
            lines=view.ledger.read,
            hash=view.ledger.hash,
            shows=self._orders.shows,
            waiting=self._orders.waiting,
        )
        with self._to.news() as news:
            if self._table is not None:
                table = msgspec.structs.replace(self._table, version=news.version)
                self._edition.put(documents.STANDINGS, table)
            self._edition.write(news, self._part)
        self._life.beat(f"published {self._part.counts.stored} matches")
        self._table = None

    def _replace(self) -> None:
        """Put the finished draft in place of what was published before."""
        path = self._site.published
        self._to.close()
        self._draft.replace(path)
        self._to, self._draft = Publisher.open(path), path
