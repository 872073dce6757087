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
from contextlib import closing
from typing import Final

import msgspec

from arena.record.facts import IDENTITY
from arena.record.paths import record_path
from arena.record.rows import MatchOutline
from arena.record.store import Store
from arena.record.summary import final_table
from arena.site.config import Site
from arena.site.documents import league as documents
from arena.site.documents.league import Standing, Standings
from arena.site.documents.play import Match, Shown, Tables, Television
from arena.site.house.bots import note_states
from arena.site.house.file import House
from arena.site.house.stops import PLAY, paused
from arena.site.life import Life
from arena.site.publish.bots import Comparison, Kept, Seen, bot_document
from arena.site.publish.league_state import LeagueState
from arena.site.publish.ledger_view import OrderView
from arena.site.publish.play import (
    match_document,
    match_line,
    order_document,
    shown_travellers,
    travellers,
    worth_watching,
)
from arena.site.publish.table import (
    Counts,
    epochs_document,
    league_document,
    ledger_line,
    remarks,
    rules_document,
    season_final,
    standing,
)
from arena.site.published import Published, Publisher

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
TOPICS: Final = ("standings", "tables", "matches", "epochs")


class Made(msgspec.Struct, frozen=True):
    """How much of which record is published, up to a match and a line of the ledger.

    `waiting` are epochs that may be shown, and of which this is not published in full.
    """

    record: str
    matches: int = 0
    lines: int = 0
    hash: str = ""
    counts: Counts = Counts()
    shows: tuple[Shown, ...] = ()
    waiting: tuple[int, ...] = ()


class LeaguePublisher:
    """What publishes one record."""

    def __init__(self, site: Site, store: Store, house: House, life: Life) -> None:
        self._site, self._store, self._house, self._life = site, store, house, life
        self._state = LeagueState(store)
        self._looked: object = None
        self._lines: dict[str, Standing] = {}
        self._table: Standings | None = None
        self._compared: Comparison | None = None
        self._seen: dict[str, Seen] = {}
        self._puts: dict[str, bytes] = {}
        self._rows: dict[tuple[str, int], bytes] = {}
        self._anew: deque[OrderView] = deque()
        self._table_at = self._bots_at = 0.0
        self._table_due = self._bots_due = True
        Publisher.open(site.published).close()  # takes back a version that was cut off by a kill
        with closing(Published(site.published)) as published:
            self._made = self._take_up(published, store.facts().get(IDENTITY, ""))
        if not self._made.lines:
            for path in site.published.parent.glob(f"{site.published.name}*"):
                path.unlink()
        self._to = Publisher.open(site.published)
        self._read_lines()
        self._state.read_blocks()
        for epoch in self._made.waiting:
            self._anew += self._state.view.by_epoch.get(epoch, ())

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
                for bot in self._state.terms.bots:
                    kept = published.document(f"seen/{bot}")
                    if kept is not None:
                        self._seen[bot] = Seen(msgspec.json.decode(kept.data, type=Kept))
                return made
        return Made(identity)

    def _read_lines(self) -> None:
        """Read on in the ledger."""
        lines = self._state.read_lines()
        if not lines:
            return
        self._table_due = True
        new = [line for line in lines if line.number > self._made.lines]
        for line in new:
            self._add(documents.LEDGER, line.number, ledger_line(line))
        if new and self._made.lines:
            self._reveal(new[0].number)
        note_states(self._house, self._state.states())

    def _reveal(self, since: int) -> None:
        """Have all made anew that may be shown by the lines from one on."""
        view = self._state.view
        late = [epoch for epoch, line in view.revealed.items() if line >= since]
        if view.field.sealed:
            late = list(view.by_epoch)
        for epoch in late:
            self._anew += view.by_epoch.get(epoch, ())
        waiting = tuple(dict.fromkeys((*self._made.waiting, *late)))
        self._made = msgspec.structs.replace(self._made, waiting=waiting)

    def _read_new(self) -> list[MatchOutline]:
        """Take in the matches that were stored since."""
        outlines = []
        for outline in self._store.outlines(self._made.matches):
            outlines.append(outline)
            if len(outlines) == AT_ONCE:
                break
        self._read_lines()
        touched: dict[int, OrderView] = {}
        for outline in outlines:
            view = self._state.order_with(outline.bots, outline.first)
            touched[view.order.order] = view
            for bot in outline.bots:
                self._rows[f"own/{bot}", outline.match] = b"{}"
        new = {outline.match for outline in outlines}
        for view in touched.values():
            self._put_order(view, new)
        if outlines:
            counts = self._made.counts
            self._made = msgspec.structs.replace(
                self._made,
                matches=outlines[-1].match,
                counts=Counts(
                    counts.stored + len(outlines),
                    counts.games + sum(each.deals for each in outlines),
                    counts.decisions + sum(each.decisions for each in outlines),
                ),
            )
            self._table_due = self._bots_due = True
        return outlines

    # --- what is made ---

    def _put_order(self, view: OrderView, new: set[int]) -> None:
        """Make the documents of an order's matches, and of its deals once it is over."""
        state = self._state
        outlines, later = state.take_order(view), state.later(view)
        shown = not later
        found = []
        for number in view.numbers:
            _, spec, record = next(iter(self._store.matches(number)))
            found.append((number, spec, record))
            line = match_line(outlines[number], view, shown)
            document, times = match_document(line, view, record, later)
            self._put(documents.match_key(number), document)
            self._add(documents.MATCHES, number, line)
            for seat, bot in enumerate(line.bots) if number in new else ():
                seen = self._seen.setdefault(bot, Seen(Kept()))
                seen.note(line, seat, document, times[seat])
                self._put(f"seen/{bot}", seen.kept())
        if not view.over:
            return
        deals = (
            shown_travellers(state.matches, view, self._site.league.name)
            if shown
            else travellers(view, found, state.terms.rules, later)
        )
        for deal in deals:
            self._put(documents.deal_key(deal.order, deal.deal), deal)
        if shown and not view.void:
            self._watch(outlines)

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
                self._put_order(view, set())
        if self._made.waiting and not self._anew:
            self._made = msgspec.structs.replace(self._made, waiting=())
            self._bots_due = True

    def _make_table(self) -> None:
        """Make the standings."""
        began, first = time.process_time(), not self._lines
        view, terms = self._state.view, self._state.terms
        assert terms.open is not None
        rows = self._state.table(self._made.matches)
        lines = tuple(standing(row, view, terms.open.width) for row in rows)
        self._lines = {line.bot: line for line in lines}
        final = None if view.field.season is None else final_table(self._store)
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
        began, state = time.process_time(), self._state
        if state.blocks:
            bots, field = sorted(state.terms.bots), sorted(state.view.field.bots)
            self._compared = Comparison(state.blocks, bots, field, state.terms.session or 1)
        at, none = time.time(), Seen(Kept())
        for bot, line in self._lines.items():
            seen = self._seen.get(bot, none)
            found = bot_document(line, at, self._lines, seen, self._compared, state)
            self._put(documents.bot_key(bot), found)
        self._bots_due = False
        spent = time.process_time() - began
        self._bots_at = time.monotonic() + max(BOTS_S, BOTS_SHARE * spent)

    def _make_league(self) -> None:
        """Make what is told on every page, and the tables."""
        state, made, now = self._state, self._made, time.time()
        view, terms = state.view, state.terms
        assert terms.open is not None
        why = paused(self._house, PLAY)
        stopped = "" if why is None else why or "paused"
        league = league_document(state, self._store.facts(), made.counts, stopped, now)
        self._put(documents.LEAGUE, league)
        self._put(documents.EPOCHS, epochs_document(view, terms.open.epoch_hours))
        self._put(documents.RULES, rules_document(terms))
        if not made.shows:
            self._put(documents.TELEVISION, Television(deals=()))
        last = list(self._store.outlines(made.matches - LAST, made.matches))
        tables = Tables(
            at=now,
            now=tuple(order_document(each, state.seats) for each in view.open.values()),
            last=tuple(map(state.line, reversed(last))),
            orders_an_hour=float(view.recent(now)),
        )
        self._put(documents.NOW, tables)

    # --- what is written ---

    def _put(self, key: str, document: object) -> None:
        self._puts[key] = msgspec.json.encode(document)

    def _add(self, name: str, number: int, row: object) -> None:
        self._rows[name, number] = msgspec.json.encode(row)

    def _write(self) -> None:
        """Write one version."""
        view = self._state.view
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
            for topic in TOPICS:
                told = {"version": news.version, "matches": self._made.counts.stored}
                news.tell(topic, msgspec.json.encode(told))
        self._life.beat(f"published {self._made.counts.stored} matches")
        self._puts, self._rows, self._table = {}, {}, None


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
