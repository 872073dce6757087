"""The ledger of an open league being played, with the facts that go with its entries."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.league.config import OpenConfig
from arena.league.final import final_orders, finalists
from arena.league.fold import LedgerFold
from arena.league.ledger import Closed, Entry, Joined, Left, Ordered, Sealed, order_seed, read_line
from arena.league.open_draw import OpenDraw
from arena.league.terms import Entrant, Terms
from arena.record.store import Store
from arena.record.summary import table_before_final


class OpenLedger:
    """The decisions so far, and the draw that follows from them.

    `terms` and `config` are the record's, `seeds` those of all orders. The draw knows every entry
    and every stored match.
    """

    def __init__(self, store: Store, terms: Terms, config: OpenConfig) -> None:
        self.terms, self.config = terms, config
        self.store = store
        self.draw = OpenDraw(config)
        [self._secret] = store.facts().seeds
        with store.reading():
            self.draw.read(store.ledger(), store.outcomes())
        self.seeds = [*self.fold.seeds(self._secret)]

    @property
    def fold(self) -> LedgerFold:
        """What the ledger comes to."""
        return self.draw.ledger

    @property
    def next_trickle(self) -> datetime | None:
        """The moment of the next order in UTC if orders only trickle, else None.

        They do once every bot that is drawn has met enough others for the width that is wanted.
        """
        widths, last = self.draw.half_widths(), self.fold.ordered
        if last is None or not widths or 2 * max(widths.values()) > self.config.width:
            return None
        return datetime.fromtimestamp(last, UTC) + timedelta(hours=1 / self.config.trickle)

    def change_field(self, entries: Sequence[Entry], versions: Mapping[str, str]) -> None:
        """Append entries of bots that come, leave or play again, and keep the terms up to date."""
        joined = {
            each.bot: Entrant(each.content, each.author, versions[each.bot])
            for each in entries
            if isinstance(each, Joined)
        }
        bots = dict(sorted({**self.terms.bots, **joined}.items()))
        left = {each.bot for each in entries if isinstance(each, Left)}
        field = (self.fold.bots.keys() - left) | joined.keys()
        retired = tuple(name for name in bots if name not in field)
        self.terms = msgspec.structs.replace(self.terms, bots=bots, retired=retired)
        self.append(entries, terms=self.terms)

    def append(self, entries: Sequence[Entry], **facts: object) -> None:
        """Append entries, together with facts."""
        for line in self.store.append(entries, **facts):
            dated = read_line(line.text)
            self.draw.apply(line, dated)
            if isinstance(dated.entry, Ordered):
                self.seeds.append(order_seed(self._secret, line.hash))

    def note_stored(self) -> None:
        """Tell the draw of the matches that have been stored since it was told last."""
        for outcome in self.store.outcomes(after=self.draw.known):
            self.draw.stored(outcome)

    def order(self) -> Ordered | None:
        """Write the next order into the ledger; None if there is no table for one."""
        order = self.draw.next_order()
        if order is not None:
            self.append([order])
        return order

    def best_bots(self) -> tuple[str, ...]:
        """The bots that a final would have now, the best first; empty if there are too few."""
        return finalists(self.config, self.fold, table_before_final(self.store, self.fold))

    def close(self) -> str:
        """Freeze the field, and order the final among the best of the live table; say who they are.

        All orders must be stored. Nothing changes in a season that is closed already. Raises
        `ArenaError` if there is nobody for a final.
        """
        if self.fold.season is not None:
            return f"season {self.fold.season} is closed; its final goes on"
        season, final = self.store.facts().season, self.best_bots()
        if not final:
            what = "too few bots, or bots of too few authors, have played for a table of the final"
            raise ArenaError(Mistake(what, str(self.store.path), "play on with arena league"))
        orders = final_orders(self.config, self.fold, final, self.draw.known)
        self.append([Closed(season, final), *orders])
        return f"season {season} is closed; its final is between {', '.join(final)}"

    def seal(self) -> str:
        """Show the season's secret, and end the season for good; say so.

        All orders must be stored.
        """
        season = self.store.facts().season
        self.append([Sealed(season, self._secret)])
        return f"season {season} is over; its record is sealed"
