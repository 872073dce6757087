"""The publisher: makes what is public of a league's record into documents, as the league goes on.

It reads the record for moments only, what is new of it each time, and writes one version in one
transaction. The table and what compares all bots take the longer the larger a league is: they are
made anew after pauses that are as many times as long as making them takes.
"""

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterable
from contextlib import closing
from math import factorial
from typing import Final

import msgspec

from arena.record.facts import IDENTITY, is_practice, read_season
from arena.record.matches import Matches
from arena.record.paths import record_path
from arena.record.publishing import may_show
from arena.record.rows import MatchOutline
from arena.record.store import Store
from arena.record.summary import summarize
from arena.site import documents
from arena.site.config import Site
from arena.site.documents import League, Standing, Standings
from arena.site.documents_bot import Fault
from arena.site.documents_play import Match, MatchLine, Shown, Tables, Television
from arena.site.house import House
from arena.site.house_bots import State, note_states
from arena.site.house_stops import PLAY, paused
from arena.site.ledger_view import LedgerView, OrderView
from arena.site.life import Life
from arena.site.publish_bots import Comparison, Kept, Seen, bot_document
from arena.site.publish_play import (
    match_document,
    match_line,
    order_document,
    out_of,
    shown_travellers,
    travellers,
    worth_watching,
)
from arena.site.publish_table import (
    epochs_document,
    ledger_line,
    remarks,
    rules_document,
    season_final,
    standing,
)
from arena.site.published import Published, Publisher
from arena.stats.blocks import Block, Lineup
from arena.stats.sets import SetBlock
from arena.stats.standings import standings

LOOK_S: Final = 1.0
AT_ONCE: Final = 120
"""Matches that are taken into one version at most."""

TABLE_SHARE: Final = 10
BOTS_SHARE: Final = 20
BOTS_S: Final = 5.0
"""The table takes a tenth of the time at most, the pages of bots a twentieth, and rest so long."""

LAST: Final = 20
SHOWS: Final = 40
SLICE_S: Final = 0.5
"""How long old matches are made anew in one version, once they may be shown."""

MADE: Final = "made"


class Made(msgspec.Struct, frozen=True):
    """How much of which record is published."""

    record: str
    matches: int = 0
    stored: int = 0
    games: int = 0
    decisions: int = 0
    lines: int = 0
    hash: str = ""
    last: tuple[MatchLine, ...] = ()
    shows: tuple[Shown, ...] = ()
    waiting: tuple[int, ...] = ()
    """Epochs that may be shown, and of which this is not published in full."""


class LeaguePublisher:
    """What publishes one record."""

    def __init__(self, site: Site, store: Store, house: House, life: Life) -> None:
        self._site, self._store, self._house, self._life = site, store, house, life
        self._matches = Matches(store.path)
        self._terms = store.terms()
        self._view = LedgerView(self._terms.rules.players)
        self._seats = factorial(self._terms.rules.players)
        self._looked: object = None
        self._blocks: list[Block] = []
        self._faults: dict[str, dict[str, int]] = {}
        self._faults_after = 0
        self._lines: dict[str, Standing] = {}
        self._table: Standings | None = None
        self._compared: Comparison | None = None
        self._seen: dict[str, Seen] = {}
        self._puts: dict[str, bytes] = {}
        self._topics: set[str] = set()
        self._rows: dict[tuple[str, int], bytes] = {}
        self._anew: deque[OrderView] = deque()
        self._table_at = self._bots_at = 0.0
        self._table_due = self._bots_due = True
        self._entries = {entry.name: entry for entry in store.submissions()}
        self._shows_match = may_show(store)
        identity = store.facts().get(IDENTITY, "")
        published = Published(site.published)
        with closing(published):
            self._made = self._take_up(published, identity)
            if not self._made.lines:
                for path in site.published.parent.glob(f"{site.published.name}*"):
                    path.unlink()
        self._to = Publisher.open(site.published)
        self._read_all()

    def close(self) -> None:
        """Close what is written to."""
        self._to.close()

    def look(self) -> bool:
        """Publish what is new; whether there may be more at once."""
        version = (self._store.version(), self._house.version())
        now = time.monotonic()
        due = (self._table_due and now >= self._table_at) or (
            self._bots_due and now >= self._bots_at
        )
        if version == self._looked and not due and not self._anew:
            return False
        new = self._read_new()
        more = len(new) == AT_ONCE
        if not more:
            self._looked = version
        self._make_again()
        if self._table_due and now >= self._table_at:
            self._make_table()
        if self._bots_due and now >= self._bots_at and self._lines:
            self._make_bots()
        self._make_league()
        self._write()
        return more or bool(self._anew)

    def finish(self) -> None:
        """Publish the last that there is, without pauses, before this process ends."""
        self._table_at = 0.0
        while self.look() and not self._anew:
            pass
        if self._table_due:
            self._table_at = 0.0
            self.look()

    # --- what is read ---

    def _take_up(self, published: Published, identity: str) -> Made:
        """What is published already of this very record; nothing where it is another one."""
        found = published.document(MADE)
        if found is not None:
            made = msgspec.json.decode(found.data, type=Made)
            line = next(iter(self._store.ledger(made.lines - 1)), None)
            if made.record == identity and line is not None and line.hash == made.hash:
                for bot in self._terms.bots:
                    kept = published.document(f"seen/{bot}")
                    if kept is not None:
                        self._seen[bot] = Seen(msgspec.json.decode(kept.data, type=Kept))
                return made
        return Made(identity)

    def _read_all(self) -> None:
        """Read the ledger, and which orders are complete."""
        self._read_lines()
        self._blocks = self._store.blocks(self._terms)
        for block in self._blocks:
            view = self._view.orders[block.lineup, block.first]
            self._end(view, block.disqualified)
        for view in self._view.open.values():
            view.numbers = self._store.numbers_of(view.order.lineup, view.order.first)
        for epoch in self._made.waiting:
            self._anew += self._view.by_epoch.get(epoch, ())

    def _read_lines(self) -> None:
        """Read on in the ledger."""
        lines = self._store.ledger(self._view.read)
        if not lines:
            return
        known = len(self._view.joined)
        for line in lines:
            self._view.tell(line)
        for line in lines:
            if line.number > self._made.lines:
                self._add(documents.LEDGER, line.number, ledger_line(line))
        self._table_due = True
        if len(self._view.joined) != known:
            self._take_terms()
        self._store.orders()  # which may be shown is asked of these
        self._reveal(lines[0].number)
        note_states(self._house, self._states())

    def _reveal(self, since: int) -> None:
        """Have all made anew that may be shown by the lines since one that was not published."""
        view, made = self._view, self._made
        over = [epoch for epoch, line in view.revealed.items() if line >= since]
        if not over and not view.field.sealed:
            return
        self._shows_match = may_show(self._store)
        late = [each for each in over if 0 < made.lines < view.revealed[each]]
        if view.field.sealed and 0 < made.lines < view.read:
            late = list(view.by_epoch)
        for epoch in late:
            self._anew += view.by_epoch.get(epoch, ())
        waiting = tuple(dict.fromkeys((*made.waiting, *late)))
        self._made = msgspec.structs.replace(made, waiting=waiting)

    def _take_terms(self) -> None:
        """Number the bots anew, once another has come."""
        self._terms = self._store.terms()
        self._entries = {entry.name: entry for entry in self._store.submissions()}
        place = {bot: number for number, bot in enumerate(sorted(self._terms.bots))}
        self._blocks = [
            block
            if block.stakes is None
            else msgspec.structs.replace(
                block,
                stakes=SetBlock(tuple(place[bot] for bot in block.lineup), block.stakes.stakes),
            )
            for block in self._blocks
        ]

    def _read_new(self) -> list[MatchOutline]:
        """Take in the matches that were stored since."""
        made = self._made
        outlines = []
        for outline in self._store.outlines(made.matches):
            outlines.append(outline)
            if len(outlines) == AT_ONCE:
                break
        self._read_lines()
        touched: dict[int, OrderView] = {}
        for outline in outlines:
            view = self._view.orders[_lineup(outline.bots), outline.first]
            touched[view.order.order] = view
            for bot in outline.bots:
                self._rows[f"own/{bot}", outline.match] = b"{}"
        new = {outline.match for outline in outlines}
        for view in touched.values():
            self._take_order(view, new)
        if outlines:
            last = outlines[-1].match
            made = self._made
            self._made = msgspec.structs.replace(
                made,
                matches=last,
                stored=made.stored + len(outlines),
                games=made.games + sum(each.deals for each in outlines),
                decisions=made.decisions + sum(each.decisions for each in outlines),
                last=tuple(self._line(each) for each in reversed(outlines[-LAST:])),
            )
            if len(outlines) < LAST:
                more = (*self._made.last, *made.last)[:LAST]
                self._made = msgspec.structs.replace(self._made, last=more)
            self._table_due = self._bots_due = True
        return outlines

    def _take_order(self, view: OrderView, new: set[int]) -> None:
        """Take in what is stored of an order, of which some matches are new."""
        order = view.order
        view.numbers = self._store.numbers_of(order.lineup, order.first)
        outlines = {each: next(iter(self._store.outlines(each - 1, each))) for each in view.numbers}
        if len(view.numbers) == self._seats and not view.over:
            self._end(view, out_of(view, list(outlines.values())))
            self._blocks += self._store.blocks(self._terms, order.lineup, order.first)
        self._put_order(view, outlines, new)

    def _end(self, view: OrderView, void: dict[str, int]) -> None:
        view.over, view.void = True, void
        self._view.open.pop(view.order.order, None)

    # --- what is made ---

    def _put_order(self, view: OrderView, outlines: dict[int, MatchOutline], new: set[int]) -> None:
        """Make the documents of an order's matches, and of its deals once it is over."""
        later = self._later(view)
        shown = not later
        found = []
        for number in view.numbers:
            _, spec, record = next(iter(self._store.matches(number)))
            found.append((number, spec, record))
            line = match_line(outlines[number], view, shown)
            document, times = match_document(line, view, record, later)
            self._put(documents.match_key(number), document)
            self._add(documents.MATCHES, number, line)
            if number in new:
                self._note(line, document, times)
        if view.over:
            deals = (
                shown_travellers(self._matches, view, self._site.league.name)
                if shown
                else travellers(view, found, self._terms.rules, later)
            )
            for deal in deals:
                self._put(documents.deal_key(deal.order, deal.deal), deal)
        if view.over and shown and not view.void:
            self._watch(outlines)

    def _note(self, line: MatchLine, document: Match, times: list[list[int]]) -> None:
        """Note a new match with each of its bots."""
        for seat, bot in enumerate(line.bots):
            seen = self._seen.setdefault(bot, Seen(Kept()))
            seen.matches.append(line)
            seen.isolation = document.isolation
            seen.clocks.add(times[seat])
            for number, deal in enumerate(document.deals):
                if deal.fault is not None and deal.fault.seat == seat:
                    seen.faults.append(
                        Fault(
                            match=line.match,
                            number=number,
                            order=line.order,
                            deal=deal.deal,
                            kind=deal.fault.kind,
                            shown=line.shown,
                        )
                    )
            self._put(f"seen/{bot}", seen.kept())

    def _watch(self, outlines: dict[int, MatchOutline]) -> None:
        """Keep the deal of an order that is most worth watching."""
        for number, outline in outlines.items():
            document = msgspec.json.decode(self._puts[documents.match_key(number)], type=Match)
            found = worth_watching(outline, document)
            if found is not None:
                shows = (found, *self._made.shows)[:SHOWS]
                self._made = msgspec.structs.replace(self._made, shows=shows)
                self._put(documents.TELEVISION, Television(deals=shows))
                return

    def _make_again(self) -> None:
        """Make some of the documents anew of what may be shown by now."""
        until = time.monotonic() + SLICE_S
        while self._anew and time.monotonic() < until:
            view = self._anew.popleft()
            if view.over:
                self._take_order(view, set())
        if self._made.waiting and not self._anew:
            self._made = msgspec.structs.replace(self._made, waiting=())
            self._bots_due = True

    def _make_table(self) -> None:
        """Make the standings."""
        began, first = time.process_time(), not self._lines
        store, view, terms = self._store, self._view, self._terms
        assert terms.open is not None
        for bot, kinds in store.faults(self._faults_after).items():
            known = self._faults.setdefault(bot, {})
            for kind, count in kinds.items():
                known[kind] = known.get(kind, 0) + count
        self._faults_after = max(self._faults_after, self._made.matches)
        bots = sorted(terms.bots)
        rows = standings(self._blocks, bots, self._faults, set(view.field.bots))
        lines = tuple(standing(row, view, terms.open.width) for row in rows)
        self._lines = {line.bot: line for line in lines}
        final = None if view.field.season is None else summarize(store).final
        self._table = Standings(
            version=0,
            at=time.time(),
            lines=lines,
            final=None if final is None else season_final(final, view),
            remarks=tuple(remarks(lines, view)),
            identical=() if self._compared is None else self._compared.identical,
        )
        self._table_due, self._bots_due = False, True
        spent = time.process_time() - began
        self._table_at = time.monotonic() + (0.0 if first else TABLE_SHARE * spent)

    def _make_bots(self) -> None:
        """Make the pages of bots."""
        began = time.process_time()
        bots, field = sorted(self._terms.bots), sorted(self._view.field.bots)
        session = self._terms.session or 1
        if self._blocks:
            self._compared = Comparison(self._blocks, bots, field, session)
        at = time.time()
        for bot, line in self._lines.items():
            seen = self._seen.get(bot, Seen(Kept()))
            document = bot_document(
                line,
                at,
                self._view,
                self._entries,
                self._lines,
                seen,
                self._compared,
                self._order_of,
            )
            self._put(documents.bot_key(bot), document)
        self._bots_due = False
        spent = time.process_time() - began
        self._bots_at = time.monotonic() + max(BOTS_S, BOTS_SHARE * spent)

    def _make_league(self) -> None:
        """Make what is told on every page, and the tables."""
        view, terms, made = self._view, self._terms, self._made
        open_terms, facts, now = terms.open, self._store.facts(), time.time()
        assert open_terms is not None
        why = paused(self._house, PLAY)
        ends = None if view.begun is None else view.begun + 3600 * open_terms.epoch_hours
        league = League(
            name=terms.name,
            practice=is_practice(facts),
            state="sealed"
            if view.field.sealed
            else "closed"
            if view.field.season is not None
            else "playing"
            if view.open
            else "waiting",
            paused="" if why is None else why or "paused",
            at=now,
            season=read_season(facts),
            epoch=view.field.epoch,
            epoch_ends=ends,
            lines=view.read,
            hash=view.hash,
            orders=view.field.orders,
            matches=made.stored,
            games=made.games,
            decisions=made.decisions,
            width=open_terms.width,
            trickle=open_terms.trickle,
            publish=open_terms.publish,
        )
        self._put(documents.LEAGUE, league)
        self._put(documents.EPOCHS, epochs_document(view, open_terms.epoch_hours))
        self._put(documents.RULES, rules_document(terms))
        if not made.shows:
            self._put(documents.TELEVISION, Television(deals=()))
        tables = Tables(
            at=now,
            now=tuple(order_document(each, self._seats) for each in view.open.values()),
            last=made.last,
            orders_an_hour=float(view.recent(now)),
        )
        self._put(documents.NOW, tables)
        self._topics |= {"standings", "tables", "matches", "epochs"}

    def _line(self, outline: MatchOutline) -> MatchLine:
        view = self._view.orders[_lineup(outline.bots), outline.first]
        return match_line(outline, view, not self._later(view))

    def _later(self, view: OrderView) -> str:
        """When an order may be shown, in words; "" where it may be by now."""
        if self._shows_match(view.order.lineup, view.order.first):
            return ""
        assert self._terms.open is not None
        if self._terms.open.publish == "season":
            return "once the season is over"
        return f"once epoch {view.order.epoch} is over"

    def _order_of(self, lineup: Lineup, deal: int) -> tuple[int, bool]:
        """The order of a deal, and whether it may be shown."""
        size = self._terms.session or 10
        for first in (deal - deal % size, *range(deal, -1, -1)):
            view = self._view.orders.get((lineup, first))
            if view is not None and first <= deal < first + view.order.deals:
                return view.order.order, not self._later(view)
        raise LookupError(f"{lineup} has no deal {deal}")

    def _states(self) -> dict[str, tuple[State, str]]:
        """What became of everybody who ever came."""
        field = self._view.field
        found: dict[str, tuple[State, str]] = {}
        for bot in self._view.joined:
            if bot in field.benched:
                found[bot] = "benched", field.benched[bot]
            elif bot in field.bots:
                found[bot] = "playing", ""
            else:
                why = self._view.left[bot][1]
                found[bot] = "replaced" if why == "replaced" else "withdrawn", ""
        return found

    # --- what is written ---

    def _put(self, key: str, document: object) -> None:
        self._puts[key] = msgspec.json.encode(document)

    def _add(self, name: str, number: int, row: object) -> None:
        self._rows[name, number] = msgspec.json.encode(row)

    def _write(self) -> None:
        """Write one version."""
        view = self._view
        self._made = msgspec.structs.replace(self._made, lines=view.read, hash=view.hash)
        with self._to.news() as news:
            if self._table is not None:
                table = msgspec.structs.replace(self._table, version=news.version)
                news.put(documents.STANDINGS, msgspec.json.encode(table))
            for key, data in self._puts.items():
                news.put(key, data)
            for (name, number), data in self._rows.items():
                news.add(name, number, data)
            news.put(MADE, msgspec.json.encode(self._made))
            for topic in self._topics:
                told = {"version": news.version, "matches": self._made.stored}
                news.tell(topic, msgspec.json.encode(told))
        self._life.beat(f"published {self._made.stored} matches")
        self._puts, self._rows, self._topics, self._table = {}, {}, set(), None


def _lineup(bots: Iterable[str]) -> Lineup:
    return tuple(sorted(set(bots)))


def run_publisher(site: Site, life: Life) -> None:
    """Publish until this process is told to end; begin anew where the record is another file."""
    record = record_path(site.league)
    ending = threading.Event()
    signal.signal(signal.SIGINT, lambda number, frame: ending.set())  # never amid a version
    with closing(House.open(site.house, site.quotas)) as house:
        while not ending.is_set():
            if not record.exists():
                life.beat("waits for the league")
                ending.wait(LOOK_S)
                continue
            file = _identity(os.stat(record))
            with (
                closing(Store.open(record)) as store,
                closing(LeaguePublisher(site, store, house, life)) as publisher,
            ):
                while record.exists() and _identity(os.stat(record)) == file:
                    life.beat("publishes")
                    if ending.is_set():
                        publisher.finish()
                        break
                    if not publisher.look():
                        ending.wait(LOOK_S)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
