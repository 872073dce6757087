"""The publisher's view of a league: its ledger, orders and sets, read on as they come."""

from collections.abc import Iterable
from contextlib import suppress
from math import factorial

import msgspec

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot as Manifest
from arena.bots.manifest import read_bot
from arena.engine.builds import beside
from arena.league.ledger import Line
from arena.league.played import MatchOutline
from arena.record.publishing import may_show
from arena.record.store import Store
from arena.site.documents.play import HiddenUntil, MatchLine
from arena.site.publish.ledger_view import LedgerView, OrderView
from arena.site.publish.play import counts, match_line, out_of
from arena.site.registry.bots import BotState
from arena.stats.figures import Lineup, Standing
from arena.stats.sets import Block, SetBlock
from arena.stats.standings import standings


class LeagueState:
    """A record as far as it was read. `blocks` are all complete orders, void ones too."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.matches = Store.open(store.path, own=True)
        self.terms, self.config = store.terms(), store.open_config()
        players = self.config.rules.players
        self.view = LedgerView(players)
        self.seats = factorial(players)
        self.entries = {entry.name: entry for entry in store.submissions()}
        self.blocks: list[Block] = []
        self._manifests: dict[str, Manifest | None] = {}
        self._faults: dict[str, dict[str, int]] = {}
        self._faults_until = 0
        self._shows = may_show(self.config, self.view.ledger)

    def close(self) -> None:
        """Close the record that matches are read from; the store belongs to whoever opened it."""
        self.matches.close()

    def read_lines(self) -> list[Line]:
        """Read on in the ledger; return the new lines."""
        lines = self.store.ledger(self.view.ledger.read)
        known = len(self.view.ledger.joined)
        for line in lines:
            self.view.tell(line)
        if len(self.view.ledger.joined) != known:
            self._take_terms()
        if self.view.ledger.secret is not None:
            self._shows = may_show(self.config, self.view.ledger)
        return lines

    def read_blocks(self) -> None:
        """Read which orders are complete, and which matches of the others are stored."""
        self.blocks = self.store.blocks(self.terms)
        for block in self.blocks:
            self._end(self.view.orders[block.lineup, block.first], block.disqualified)
        for view in self.view.open.values():
            played = self.store.run_of(view.order.lineup, view.order.first)
            view.numbers = [match.number for match in played]

    def take_order(self, view: OrderView) -> dict[int, MatchOutline]:
        """Read the matches stored of an order so far, and return them by number."""
        order = view.order
        played = self.store.run_of(order.lineup, order.first)
        view.numbers = [match.number for match in played]
        outlines = {match.number: match.outline for match in played}
        if len(view.numbers) == self.seats and not view.over:
            self._end(view, out_of(list(outlines.values())))
            self.blocks += self.store.blocks(self.terms, played)
        return outlines

    def order_with(self, bots: Iterable[str], first: int) -> OrderView:
        """Return the order of a match, by its bots in any order and its first deal."""
        return self.view.orders[tuple(sorted(set(bots))), first]

    def line(self, outline: MatchOutline) -> MatchLine:
        """Return a match's entry in lists."""
        view = self.order_with(outline.bots, outline.first)
        return match_line(outline, view, not self.later(view))

    def refreshed(self, line: MatchLine) -> MatchLine:
        """Return an entry that was made earlier as it is now."""
        view = self.order_with(line.bots, line.first)
        return msgspec.structs.replace(line, counts=counts(view), shown=not self.later(view))

    def later(self, view: OrderView) -> HiddenUntil | None:
        """Return what an order is hidden until the end of; None if it is not."""
        if self._shows(view.order.lineup):
            return None
        return "season"

    def order_of(self, lineup: Lineup, deal: int) -> tuple[int, bool]:
        """Return the number of a deal's order, and whether it may be shown."""
        size = self.config.order_deals
        for first in (deal - deal % size, *range(deal, -1, -1)):
            view = self.view.orders.get((lineup, first))
            if view is not None and first <= deal < first + view.order.deals:
                return view.order.order, not self.later(view)
        raise LookupError(f"{lineup} has no deal {deal}")

    def table(self, last: int) -> list[Standing]:
        """Return the standings, with the faults up to match `last`, which must not decrease."""
        for bot, kinds in self.store.faults(self._faults_until, last).items():
            known = self._faults.setdefault(bot, {})
            for kind, count in kinds.items():
                known[kind] = known.get(kind, 0) + count
        self._faults_until = last
        bots = sorted(self.terms.bots)
        field = set(self.view.ledger.bots)
        return standings(self.blocks, bots, self._faults, field)

    def manifest(self, bot: str) -> Manifest | None:
        """Return a bot's manifest; None if the copy of its folder is gone."""
        if bot in self.entries:
            return self.entries[bot].manifest
        if bot not in self._manifests:
            home = self.store.path.with_suffix(".bots")
            self._manifests[bot] = None
            with suppress(ArenaError):
                folder = beside(home, self.view.ledger.joined[bot].content)
                self._manifests[bot] = read_bot(folder, bot)
        return self._manifests[bot]

    def states(self) -> dict[str, tuple[BotState, str]]:
        """Return by bot the state of everybody who ever joined or was submitted, and why."""
        ledger = self.view.ledger
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

    def _take_terms(self) -> None:
        """Number the bots anew, once another has joined."""
        self.terms, self.config = self.store.terms(), self.store.open_config()
        self.entries = {entry.name: entry for entry in self.store.submissions()}
        place = {bot: number for number, bot in enumerate(sorted(self.terms.bots))}
        self.blocks = [
            block
            if block.stakes is None
            else msgspec.structs.replace(
                block,
                stakes=SetBlock(tuple(place[bot] for bot in block.lineup), block.stakes.stakes),
            )
            for block in self.blocks
        ]

    def _end(self, view: OrderView, void: dict[str, int]) -> None:
        view.over, view.void = True, void
        self.view.open.pop(view.order.order, None)
