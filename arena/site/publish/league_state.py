"""The publisher's view of a league: its ledger, orders and sets, read on as they come."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import factorial
from typing import Final, Literal

import msgspec

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot as Manifest
from arena.bots.manifest import read_bot
from arena.engine.builds import beside
from arena.league.fold import LedgerFold
from arena.league.ledger import Line, Ordered, moment
from arena.league.played import MatchOutline
from arena.record.publishing import may_show
from arena.record.store import Store
from arena.site.documents import HiddenUntil, MatchLine
from arena.site.registry.uploads import BotState
from arena.stats.figures import Lineup, Standing
from arena.stats.sets import Block, SetBlock
from arena.stats.standings import standings

_HOUR_S: Final = 3600.0


class OrderView(msgspec.Struct):
    """An order, the moment it was written (seconds since 1970), and what is stored of it."""

    order: Ordered
    at: float
    numbers: list[int] = []
    void: dict[str, int] = {}
    over: bool = False

    @property
    def counts(self) -> Literal["counts", "waiting", "void"]:
        """Whether its matches count, still wait to, or are void."""
        return "void" if self.void else "counts" if self.over else "waiting"


class LeagueState:
    """A record as far as it was read.

    `orders` are by lineup and first deal; those not stored in full are `open`, by number. `blocks`
    are all complete orders, void ones too.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.matches = Store.open(store.path, own=True)
        self.terms, self.config = store.terms(), store.open_config()
        self.ledger = LedgerFold(self.config.rules.players)
        self.orders: dict[tuple[Lineup, int], OrderView] = {}
        self.open: dict[int, OrderView] = {}
        self.seats = factorial(self.config.rules.players)
        self.entries = {entry.name: entry for entry in store.submissions()}
        self.blocks: list[Block] = []
        self._manifests: dict[str, Manifest | None] = {}
        self._faults: dict[str, dict[str, int]] = {}
        self._faults_until = 0
        self._shows = may_show(self.config, self.ledger)

    def close(self) -> None:
        """Close the record that matches are read from; the store belongs to whoever opened it."""
        self.matches.close()

    def read_lines(self) -> list[Line]:
        """Read on in the ledger; return the new lines."""
        lines = self.store.ledger(self.ledger.read)
        known = len(self.ledger.joined)
        for line in lines:
            dated = self.ledger.apply(line)
            if isinstance(order := dated.entry, Ordered):
                view = OrderView(order, moment(dated.at))
                self.orders[order.lineup, order.first] = self.open[order.order] = view
        if len(self.ledger.joined) != known:
            self._take_terms()
        self._shows = may_show(self.config, self.ledger)
        return lines

    def read_blocks(self) -> None:
        """Read which orders are complete, and which matches of the others are stored."""
        self.blocks = self.store.blocks(self.terms)
        for block in self.blocks:
            self._end(self.orders[block.lineup, block.first], block.disqualified)
        for view in self.open.values():
            played = self.store.run_of(view.order.lineup, view.order.first)
            view.numbers = [match.number for match in played]

    def take_order(self, view: OrderView) -> dict[int, MatchOutline]:
        """Read the matches stored of an order so far, and return them by number."""
        played = self.store.run_of(view.order.lineup, view.order.first)
        view.numbers = [match.number for match in played]
        outlines = {match.number: match.outline for match in played}
        if len(view.numbers) == self.seats and not view.over:
            out = (each.bots[seat] for each in outlines.values() for seat in each.disqualified)
            self._end(view, dict(Counter(out)))
            self.blocks += self.store.blocks(self.terms, played)
        return outlines

    def order_with(self, bots: Iterable[str], first: int) -> OrderView:
        """Return the order of a match, by its bots in any order and its first deal."""
        return self.orders[tuple(sorted(set(bots))), first]

    def line(self, outline: MatchOutline) -> MatchLine:
        """Return a match's entry in lists. `at` is its order's moment: the record has no other."""
        view = self.order_with(outline.bots, outline.first)
        return MatchLine(
            **msgspec.structs.asdict(outline),
            order=view.order.order,
            at=view.at,
            counts=view.counts,
            shown=not self.later(view),
        )

    def refreshed(self, lines: Sequence[MatchLine]) -> tuple[MatchLine, ...]:
        """Return entries that were made earlier as they are now, the last first."""
        views = (self.order_with(line.bots, line.first) for line in reversed(lines))
        return tuple(
            msgspec.structs.replace(line, counts=view.counts, shown=not self.later(view))
            for line, view in zip(reversed(lines), views, strict=True)
        )

    def later(self, view: OrderView) -> HiddenUntil | None:
        """Return what an order is hidden until the end of; None if it is not."""
        return None if self._shows(view.order.lineup) else "season"

    def order_of(self, lineup: Lineup, deal: int) -> tuple[int, bool]:
        """Return the number of a deal's order, and whether it may be shown."""
        size = self.config.order_deals
        for first in (deal - deal % size, *range(deal, -1, -1)):
            view = self.orders.get((lineup, first))
            if view is not None and first <= deal < first + view.order.deals:
                return view.order.order, not self.later(view)
        raise LookupError(f"{lineup} has no deal {deal}")

    def orders_since(self, at: float) -> int:
        """Return the number of orders that were written in the hour before a moment."""
        return sum(view.at >= at - _HOUR_S for view in self.orders.values())

    def table(self, last: int) -> list[Standing]:
        """Return the standings, with the faults up to match `last`, which must not decrease."""
        for bot, kinds in self.store.faults(self._faults_until, last).items():
            known = self._faults.get(bot, {})
            self._faults[bot] = dict(Counter(known) + Counter(kinds))
        self._faults_until = last
        return standings(self.blocks, sorted(self.terms.bots), self._faults, set(self.ledger.bots))

    def manifest(self, bot: str) -> Manifest | None:
        """Return a bot's manifest; None if the copy of its folder is gone."""
        if bot in self.entries:
            return self.entries[bot].manifest
        if bot not in self._manifests:
            self._manifests[bot] = None
            with suppress(ArenaError):
                home = self.store.path.with_suffix(".bots")
                self._manifests[bot] = read_bot(beside(home, self.ledger.joined[bot].content), bot)
        return self._manifests[bot]

    def states(self) -> dict[str, tuple[BotState, str]]:
        """Return by bot the state of everybody who ever joined or was submitted, and why."""
        ledger = self.ledger
        found: dict[str, tuple[BotState, str]] = {}
        for entry in self.store.submissions():
            found[entry.name] = entry.state, ""  # of those in the ledger, that tells more
        for bot in ledger.joined:
            if bot in ledger.benched:
                found[bot] = "benched", ledger.benched[bot]
            elif bot in ledger.bots:
                found[bot] = "playing", ""
            else:
                why = ledger.left[bot][1]
                found[bot] = "replaced" if why == "replaced" else "withdrawn", ""
        return found

    # Number the bots anew, once another has joined.
    def _take_terms(self) -> None:
        self.terms, self.config = self.store.terms(), self.store.open_config()
        self.entries = {entry.name: entry for entry in self.store.submissions()}
        place = {bot: number for number, bot in enumerate(sorted(self.terms.bots))}
        for number, block in enumerate(self.blocks):
            if block.stakes is not None:
                bots = tuple(place[bot] for bot in block.lineup)
                stakes = SetBlock(bots, block.stakes.stakes)
                self.blocks[number] = msgspec.structs.replace(block, stakes=stakes)

    def _end(self, view: OrderView, void: dict[str, int]) -> None:
        view.over, view.void = True, void
        self.open.pop(view.order.order, None)
