"""The publisher: makes documents of what is public of a league's record, as the league goes on.

It reads the record for moments only, each time what is new, and writes a version in one
transaction. Whatever compares all bots takes longer the larger a league is. So each time the table
is made there is a pause several times as long, and bots are compared in a thread of their own.
"""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError
from arena.base.files import read_text
from arena.league.played import MatchOutline
from arena.record.store import Store
from arena.record.summary import final_table
from arena.site import documents
from arena.site.config import DRAWING_ORDERS, Site
from arena.site.documents import (
    OrderLine,
    ShownDeal,
    StandingLine,
    Standings,
    TablesDocument,
    Television,
)
from arena.site.process import SitePart, no_table
from arena.site.publish.bots import (
    FieldCompared,
    SeenMatches,
    bot_document,
    compared,
    crosstable_document,
)
from arena.site.publish.league_state import LeagueState, OrderView
from arena.site.publish.orders import OrderDocuments
from arena.site.publish.table import (
    Counts,
    league_document,
    numbers_document,
    proof_document,
    rules_document,
    standing,
    table_remarks,
)
from arena.site.published import Published, Publisher, unpublish
from arena.site.registry.accounts import Account, accounts
from arena.site.registry.file import Registry
from arena.site.registry.jobs import paused
from arena.site.registry.requests import announcements
from arena.site.registry.uploads import note_states
from arena.site.report import shown_leagues

# The most bytes of the page of the organiser's own.
_MOST_BYTES: Final = 1 << 18

# The key of the part that is published, which is for the publisher alone.
MADE: Final = "made"


class PublishedPart(msgspec.Struct, frozen=True):
    """The part of a record that is published, up to a match and a line of the ledger.

    `waiting` says that a season is over but not all of its orders are shown yet.
    """

    record: str
    matches: int = 0
    lines: int = 0
    hash: str = ""
    counts: Counts = Counts()
    shows: tuple[ShownDeal, ...] = ()
    waiting: bool = False


def published_part(path: Path, store: Store) -> tuple[PublishedPart | None, bool]:
    """Return the part that is published at a path, and whether it is of this record."""
    Publisher(path).close()  # takes back a version that was cut off by a kill
    with closing(Published(path)) as published:
        found = published.document(MADE)
    if found is None:
        return None, False
    part = msgspec.json.decode(found.data, type=PublishedPart)
    line = next(iter(store.ledger(part.lines - 1)), None)
    same = part.record == store.facts().identity and line is not None and line.hash == part.hash
    return part, same


# The most matches that are taken into one version.
_AT_ONCE: Final = 120

TABLE_SHARE: Final = 10
BOTS_SHARE: Final = 20
# The table takes at most 1 / `TABLE_SHARE` of the time, comparing bots 1 / `BOTS_SHARE`, with a
# rest of at least `BOTS_S` seconds.
BOTS_S: Final = 5.0

_LAST: Final = 20


class LeaguePublisher:
    """The publisher of one record."""

    def __init__(self, site: Site, store: Store, registry: Registry, life: SitePart) -> None:
        self._site, self._store, self._registry, self._life = site, store, registry, life
        self._state = LeagueState(store)
        self._looked: object = None
        self._accounts: dict[str, Account] = {}
        self._lines: dict[str, StandingLine] = {}
        self._compared: FieldCompared | None = None
        self._comparing: Future[FieldCompared] | None = None
        self._beside = ThreadPoolExecutor(1)
        self._table_at = self._bots_at = 0.0
        self._table_due = self._bots_due = True
        known, same = published_part(site.published, store)
        self._path = site.published
        if known is not None and not same:  # what is there stays until this record is published
            self._path = site.published.with_name(f"anew-{site.published.name}")
        unpublish(site.published.with_name(f"anew-{site.published.name}"))
        self._to = Publisher(self._path)
        self._part = known if known and same else PublishedPart(store.facts().identity)
        with closing(Published(self._path)) as published:
            kept = {bot: published.document(f"seen/{bot}") for bot in self._state.terms.bots}
        seen = {
            bot: msgspec.json.decode(found.data, type=SeenMatches)
            for bot, found in kept.items()
            if found is not None
        }
        self._orders = OrderDocuments(site.title, self._state, self._to, self._part.shows, seen)
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
        said = self._about_text(), shown_leagues(self._site)
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
        self._make_league(waits, *said)
        self._write()
        more = more or bool(self._orders.again)
        if not more and self._compared is not None and self._path != self._site.published:
            self._path = self._site.published
            self._to.move(self._path)
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

    # Read on in the ledger, and publish the new lines.
    def _read_lines(self) -> None:
        lines = self._state.read_lines()
        if not lines:
            return
        self._table_due = True
        new = [line for line in lines if line.number > self._part.lines]
        for line in new:
            self._to.add(documents.LEDGER, line.number, line)
        if new and self._part.lines and self._state.ledger.secret is not None:
            self._orders.show_all()
        note_states(self._registry, self._state.states())

    # Read who is in which team; if that has changed, the table is due.
    def _read_accounts(self) -> None:
        found = {each.name: each for each in accounts(self._registry)}
        self._table_due |= found != self._accounts
        self._accounts = found

    # Take in the matches that were stored since, and return them.
    def _read_new(self) -> list[MatchOutline]:
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
                self._to.add(f"own/{bot}", outline.match, {})
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

    # Make the standings.
    def _make_table(self) -> None:
        began, first = time.process_time(), not self._lines
        ledger, rows = self._state.ledger, self._state.table(self._part.matches)
        width, known = self._state.config.width, self._accounts
        lines = tuple(standing(row, ledger, width, known) for row in rows)
        self._lines = {line.bot: line for line in lines}
        playing = [line for line in lines if not line.left]
        others = max(1, len(playing) - 1)
        self._orders.above = {it.bot: (len(playing) - it.rank) / others for it in playing}
        final = None if ledger.season is None else final_table(self._store, ledger)
        table = Standings(
            at=time.time(),
            lines=lines,
            final=final,
            remarks=tuple(table_remarks(lines, ledger)),
            identical=self._identical(),
        )
        self._to.put(documents.STANDINGS, table)
        self._table_due, self._bots_due = False, True
        spent = time.process_time() - began
        self._table_at = time.monotonic() + (0.0 if first else TABLE_SHARE * spent)

    # Begin to compare the bots, in another thread.
    def _compare(self) -> None:
        state = self._state
        blocks, bots = tuple(state.blocks), sorted(state.terms.bots)
        field, session = sorted(state.ledger.bots), state.terms.session
        authors = {bot: line.author for bot, line in self._lines.items()}

        def compare() -> FieldCompared:
            began = time.thread_time()
            found = compared(blocks, bots, field, session, authors)
            spent = time.thread_time() - began
            self._bots_at = time.monotonic() + max(BOTS_S, BOTS_SHARE * spent)
            return found

        self._comparing = self._beside.submit(compare)
        self._bots_due = False

    # Make the pages of bots from the finished comparison.
    def _make_bots(self) -> None:
        assert self._comparing is not None
        self._compared = found = self._comparing.result()
        self._comparing = None
        at, seen, lines = time.time(), self._orders.seen, self._lines
        times = {bot: each.answers.times(bot) for bot, each in seen.items()}
        known = {bot: each for bot, each in times.items() if each is not None}
        field = [bot for bot, line in lines.items() if line.state != "left"]
        self._to.put(documents.CROSSTABLE, crosstable_document(found.found, field, at, known))
        for bot, line in lines.items():
            own = seen.get(bot, SeenMatches())
            self._to.put(f"bots/{bot}", bot_document(line, at, lines, own, found, self._state))

    # Make what is told on every page, and the page of tables; no table where it `waits`.
    def _make_league(
        self, waits: str, text: str, leagues: tuple[documents.ShownLeague, ...]
    ) -> None:
        state, part, now = self._state, self._part, time.time()
        why = paused(self._registry, DRAWING_ORDERS)
        stopped = "" if why is None else why or "paused"
        said = announcements(self._registry)
        last = said[0] if said else None
        league = league_document(state, self._store.facts(), stopped, waits, last)
        self._to.put(documents.LEAGUE, league)
        plays = state.ledger.season is None and not waits
        numbers = numbers_document(state, part.counts, plays, now)
        self._to.put(documents.NUMBERS, numbers)
        about = documents.AboutDocument(text=text, announcements=said, leagues=leagues)
        self._to.put(documents.ABOUT, about)
        self._to.put(documents.PROOF, proof_document(state.ledger))
        self._to.put(documents.RULES, rules_document(state.config))
        if not self._orders.shows:
            self._to.put(documents.TELEVISION, Television(deals=()))
        outlines = list(self._store.outlines(part.matches - _LAST, part.matches))
        tables = TablesDocument(
            at=now,
            now=tuple(
                OrderLine(order=it.order, at=it.at, played=len(it.numbers), matches=state.seats)
                for it in state.open.values()
            ),
            last=tuple(map(state.line, reversed(outlines))),
            orders_an_hour=float(state.orders_since(now)),
        )
        self._to.put(documents.NOW, tables)

    # Return the page of the organiser's own; "" if there is none, or none to be read.
    def _about_text(self) -> str:
        if self._site.about is not None:
            with suppress(ArenaError):
                return read_text(self._site.about, _MOST_BYTES)
        return ""

    def _identical(self) -> tuple[tuple[str, str], ...]:
        pairs = () if self._compared is None else self._compared.found.pairs
        return tuple((it.bot, it.other) for it in pairs if it.identical and it.sets)

    # Write one version, and beat.
    def _write(self) -> None:
        ledger, orders = self._state.ledger, self._orders
        self._part = msgspec.structs.replace(
            self._part,
            lines=ledger.read,
            hash=ledger.hash,
            shows=orders.shows,
            waiting=bool(orders.again),
        )
        self._to.put(MADE, self._part)
        self._to.publish()
        self._life.beat(f"published {self._part.counts.stored} matches")
