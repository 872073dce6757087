"""The ledger of an open league being played, with the facts that go with its entries."""

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from arena.league.config import OpenConfig
from arena.league.field import Field
from arena.league.final import final_orders
from arena.league.ledger import (
    Closed,
    Dated,
    Entry,
    Joined,
    Left,
    Line,
    Ordered,
    Sealed,
    order_seed,
    read_line,
)
from arena.league.open_draw import OpenDraw
from arena.league.plans import Orders
from arena.league.terms import Entrant, Terms
from arena.record.store import Store
from arena.stats.figures import Lineup

_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


class OpenLedger:
    """The decisions so far, and the draw that follows from them.

    `terms` and `config` are the record's, `seeds` those of all orders. The draw knows every entry
    and every stored match.
    """

    def __init__(self, store: Store, terms: Terms, config: OpenConfig) -> None:
        self.terms, self.config = terms, config
        self.store = store
        self.seeds: list[str] = []
        self.draw = OpenDraw(config)
        [self._secret] = store.facts().seeds
        with store.reading():
            self._read()

    @property
    def field(self) -> Field:
        """The bots in play, by the ledger."""
        return self.draw.field

    @property
    def orders(self) -> Orders:
        """All orders, by lineup and first deal."""
        return self.draw.ledger.orders

    @property
    def next_trickle(self) -> datetime:
        """The moment of the next order once orders only trickle, in UTC."""
        return _utc(self.draw.ledger.ordered) + timedelta(hours=1 / self.config.trickle)

    @property
    def narrow(self) -> bool:
        """Whether every bot that is drawn has met enough others for the width that is wanted."""
        widths = self.draw.half_widths()
        return bool(widths) and 2 * max(widths.values()) <= self.config.width

    def change_field(self, entries: Sequence[Entry], versions: Mapping[str, str]) -> None:
        """Append entries of bots that come, leave or play again, and keep the terms up to date."""
        joined = {
            each.bot: Entrant(each.content, each.author, versions[each.bot])
            for each in entries
            if isinstance(each, Joined)
        }
        bots = dict(sorted({**self.terms.bots, **joined}.items()))
        left = {each.bot for each in entries if isinstance(each, Left)}
        field = (self.field.bots.keys() - left) | joined.keys()
        retired = tuple(name for name in bots if name not in field)
        terms = msgspec.structs.replace(self.terms, bots=bots, retired=retired)
        self.append(entries, terms=terms)
        self.terms = terms

    def append(self, entries: Sequence[Entry], **facts: object) -> None:
        """Append entries, together with facts. Raises `ValueError` for one that cannot follow."""
        self.store.append(entries, self._apply, **facts)

    def note_stored(self) -> None:
        """Tell the draw of the matches that have been stored since it was told last."""
        for outcome in self.store.outcomes(after=self.draw.known):
            self.draw.stored(outcome)

    def close(self, season: int, final: tuple[str, ...]) -> None:
        """Close a season: its whole final is ordered."""
        orders = final_orders(self.config, self.field, final, self.draw.known)
        self.append((Closed(season, final), *orders))

    def seal(self) -> None:
        """End a closed season whose matches are all stored: its secret is revealed."""
        assert self.field.season is not None
        self.append([Sealed(self.field.season, self._secret)])

    def order(self, lineup: Lineup) -> Ordered:
        """Write an order for a table into the ledger."""
        first, number = self.field.deals_of(lineup), self.field.orders + 1
        order = Ordered(number, lineup, first, self.config.order_deals, self.draw.known, "table")
        self.append([order])
        return order

    def _read(self) -> None:
        """Read the ledger, telling the draw each match before the first order that knew it."""
        outcomes = deque(self.store.outcomes())
        for line in self.store.ledger():
            dated = read_line(line.text)
            if isinstance(dated.entry, Ordered):
                while outcomes and outcomes[0].number <= dated.entry.known:
                    self.draw.stored(outcomes.popleft())
            self._take(line, dated)
        while outcomes:
            self.draw.stored(outcomes.popleft())

    def _apply(self, line: Line) -> None:
        self._take(line, read_line(line.text))

    def _take(self, line: Line, dated: Dated) -> None:
        self.draw.apply(line, dated)
        if isinstance(dated.entry, Ordered):
            self.seeds.append(order_seed(self._secret, line.hash))


def _utc(moment: float | None) -> datetime:
    """A moment of the ledger; long ago if there is none."""
    return _LONG_AGO if moment is None else datetime.fromtimestamp(moment, UTC)
