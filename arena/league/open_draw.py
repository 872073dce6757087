"""The next order of an open league, and those of its final: they follow from what was stored.

A table depends on who sat with whom how often, on the shares of orders that bots and authors have
had and on the time of slow bots, never on who won. The final is among the best of the live table.
"""

import hashlib
import math
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Final

from arena.base.errors import Mistake
from arena.base.words import count
from arena.league.config import OpenConfig
from arena.league.fold import LedgerFold, author_key
from arena.league.ledger import (
    Benched,
    Closed,
    Entry,
    Joined,
    Left,
    Line,
    Ordered,
    Resumed,
    Sealed,
    read_line,
)
from arena.league.outcomes import Bench, PendingOrders, StoredOutcome
from arena.league.schedule import lineups
from arena.league.shares import Shares
from arena.stats.figures import Lineup, Standing

NOISE: Final = 1.3
"""The spread of a bot's result in a set of one deal, in stakes a deal.

It is 1.1 to 1.3 for sensible bots. It is not measured in the league itself, so that no result
decides who meets or when to stop.
"""

TURNS: Final = 4
"""One order in this many is not led by a newcomer."""


class OpenDraw:
    """The state of an open league from which its next order is drawn.

    Entries and stored matches are applied in their order. An order counts as played from the moment
    at which it is in the ledger.
    """

    def __init__(self, config: OpenConfig) -> None:
        players = config.rules.players
        self.ledger: LedgerFold = LedgerFold(players)
        self.known: int = 0
        """The number of the last match that the draw has taken into account."""
        self._config = config
        self._players = players
        self._bench = Bench()
        self._shares = Shares(players)
        self.under_way: PendingOrders = PendingOrders()
        self._drawn: dict[str, str] = {}
        """The bots that may be drawn, and the person for whom each plays."""
        self._met: Counter[tuple[str, ...]] = Counter()
        """How often pairs of bots in play have met, each in order of name."""

    def read(
        self,
        lines: Iterable[Line],
        outcomes: Iterable[StoredOutcome],
        check: Callable[[Entry], None] = lambda entry: None,
    ) -> None:
        """Read a whole ledger, after `check` of each entry.

        A match is noted before the first order drawn, or bot benched, in the knowledge of it.
        Raises `ValueError` or `LookupError` for lines and matches that cannot follow.
        """
        waiting = deque(outcomes)
        for line in lines:
            entry = read_line(line.text).entry
            while waiting and self._knew(entry, waiting[0]):
                self.stored(waiting.popleft())
            check(entry)
            self.apply(line)
        for match in waiting:
            self.stored(match)

    def _knew(self, entry: Entry, match: StoredOutcome) -> bool:
        """Whether an entry was written after the next match to be noted was stored."""
        match entry:
            case Ordered():
                return match.number <= entry.known
            case Benched(organiser=False) if self.to_bench().get(entry.bot) == entry.why:
                return False
            case Benched(organiser=False) | Closed() | Sealed():
                return (match.lineup, match.first) in self.under_way.orders
            case _:
                return False

    def apply(self, line: Line) -> None:
        """Apply a line. Raises `ValueError` and `LookupError` as `LedgerFold.apply` does."""
        entry = self.ledger.apply(line).entry
        if isinstance(entry, Ordered):
            self.under_way.order(entry, math.factorial(self._players))
            self._shares.order(entry.lineup)
            self._met.update(combinations(entry.lineup, 2))
            return
        if isinstance(entry, Joined):
            self._shares.join(entry.bot, author_key(entry))
        if isinstance(entry, Left):
            for pair in [pair for pair in self._met if entry.bot in pair]:
                del self._met[pair]
        if isinstance(entry, Joined) or (isinstance(entry, Resumed) and not entry.organiser):
            self._bench.forgive(entry.bot, len(self.ledger.orders))
        bots, apart = self.ledger.bots, self._config.apart == "author"
        self._drawn = {bot: self.ledger.person(bots[bot], apart) for bot in self.ledger.drawn}
        self._shares.draws(self._drawn)

    def stored(self, match: StoredOutcome) -> None:
        """Take note of a stored match; they come in the order of their numbers.

        Raises `ValueError` for a match of no order that is under way.
        """
        if match.number <= self.known or (match.lineup, match.first) not in self.under_way.orders:
            raise ValueError(f"match {match.number} is of no order that is under way")
        self.known = match.number
        self._bench.stored(self.ledger.orders[match.lineup, match.first].order, match)
        self.under_way.stored(match)

    def to_bench(self) -> dict[str, str]:
        """The bots that are to be benched before the next order, and the reasons."""
        if self.ledger.season is not None:
            return {}
        found = {bot: self._bench.why(bot) for bot in self.ledger.playing}
        return {bot: why for bot, why in found.items() if why is not None}

    def newcomers(self) -> set[str]:
        """Bots that have had less than two thirds as many orders as the median of the field."""
        had = {bot: self._shares.had[bot] for bot in self._drawn}
        median = sorted(had.values())[len(had) // 2] if had else 0
        return {bot for bot, orders in had.items() if 3 * orders < 2 * median}

    def half_widths(self) -> dict[str, float]:
        """Half of the 95 % interval to expect for each bot's strength, in stakes a deal.

        As if all sets had the spread `NOISE` and the bots of a table had met all others equally
        often; infinite for a bot without sets.
        """
        bots, players = len(self._drawn), self._players
        one = 1.96 * NOISE * players / (players - 1) * (1 - 1 / max(bots, 1))
        had, void = self._shares.had, self.under_way.void
        sets = {bot: had[bot] * self._config.order_deals - void[bot] for bot in self._drawn}
        return {bot: one / math.sqrt(n) if n else math.inf for bot, n in sets.items()}

    def obstacle(self) -> Mistake | None:
        """The reason why the bots in play make no table even while all are free; None if any."""
        needed, drawn, persons = self._players, len(self._drawn), len({*self._drawn.values()})
        if persons >= needed:
            return None
        what = f"a table of {needed} needs {needed} bots, and {count(drawn, 'bot')} can play"
        if persons < drawn:
            what += f", of {count(persons, 'author')} or teams, whose bots never share a table"
        if self.ledger.benched:
            what += f" (benched: {', '.join(self.ledger.benched)})"
        return Mistake(
            what, "", "name more bots in the league's file, submit some, or arena resume one"
        )

    def next_order(self) -> Ordered | None:
        """The next order, known to follow from all that was noted; None as `next_table`."""
        lineup = self.next_table()
        return None if lineup is None else self.order_of(lineup)

    def order_of(self, lineup: Lineup) -> Ordered:
        """The next order, if it is for these bots."""
        number, first = len(self.ledger.orders) + 1, self.ledger.deals_of(lineup)
        return Ordered(number, lineup, first, self._config.order_deals, self.known, "table")

    def next_table(self) -> Lineup | None:
        """The bots of the next order; None if those that are free make no table.

        The first bot of the table is one that is behind its least share; else, in three orders of
        four, the newcomer with the fewest orders. Each other seat, and the first one otherwise,
        goes to the bot with the least part of its share, then to the one that has met the others
        of the table least, then by lot. Limits give way where they leave no table.
        """
        orders = len(self.ledger.orders)
        seed = f"zole order 1\n{self.ledger.hash}\n{orders + 1}"
        lots = {bot: _number(f"{seed}\n{bot}") for bot in self._drawn}
        slow = self.under_way.slow(self._drawn)
        free = sorted(self.under_way.free(self._drawn, slow), key=lots.__getitem__)
        if not free:
            return None
        within = self._shares.within(free)
        usual = [bot for bot in within if bot not in slow]
        newcomers = set() if orders % TURNS == TURNS - 1 else self.newcomers()
        for able, lottery in ((usual, seed), (within, seed), (free, seed), (free, "")):
            first = self._first(free, able, newcomers)
            table = self._table(first, able, lottery)
            if table is not None:
                return table
        return None

    def finalists(self, table: Sequence[Standing]) -> tuple[str, ...]:
        """The bots of the final, best first: the best of those that are drawn, by the live `table`.

        If these have fewer authors than a table needs, the best bots of further authors join them.
        Empty if too few bots, or bots of too few authors, have played.
        """
        found: list[str] = []
        for bot in [line.bot for line in table if line.bot in self._drawn and line.sets]:
            seated = {self._drawn[other] for other in found}
            few = len(seated) < self._players
            if len(found) < self._config.final or (few and self._drawn[bot] not in seated):
                found.append(bot)
        return tuple(found) if self.final_tables(found) else ()

    def final_tables(self, final: Sequence[str]) -> list[Lineup]:
        """Every table of the finalists, except tables of house bots alone."""
        if len(final) < self._players:
            return []  # two bots would meet in mirror
        persons = {bot: self._drawn[bot] for bot in final}
        tables = lineups(tuple(final), self._players, authors=persons)
        house = {name for name, bot in self.ledger.bots.items() if bot.house}
        return [table for table in tables if not set(table) <= house]

    def final_orders(self, final: Sequence[str]) -> Iterator[Ordered]:
        """The orders of a final: all tables take turns until each has all its deals."""
        tables, number = self.final_tables(final), len(self.ledger.orders)
        deals, most = self._config.order_deals, self._config.final_deals
        for begin in range(0, most, deals):
            for lineup in tables:
                number += 1
                first = self.ledger.deals_of(lineup) + begin
                some = min(deals, most - begin)
                yield Ordered(number, lineup, first, some, self.known, "final")

    def _first(
        self, free: Sequence[str], able: Sequence[str], newcomers: Collection[str]
    ) -> list[str]:
        """The bots that may lead the table, the most wanted first; some hosts if there are any."""
        bots = self.ledger.bots
        alone = all(bots[bot].house for bot in self._drawn)
        behind = [bot for bot in free if not bots[bot].house and self._shares.is_behind(bot)]
        had = self._shares.had
        new = sorted((bot for bot in able if bot in newcomers), key=had.__getitem__)
        order = [*sorted(behind, key=self._part), *new, *sorted(able, key=self._part)]
        return [bot for bot in dict.fromkeys(order) if alone or not bots[bot].house]

    def _table(self, first: Sequence[str], able: Sequence[str], seed: str) -> Lineup | None:
        """The table of the earliest of the `first` that finds company among the bots that are able.

        Without a `seed`, authors that belong together may meet.
        """
        for lead in first:
            table = [lead]
            while len(table) < self._players:
                apart = self._apart_by_lot(table, seed) if seed else set()
                persons = {self._drawn[bot] for bot in table}
                others = [
                    bot for bot in able if bot not in apart and self._drawn[bot] not in persons
                ]
                if not others:
                    break
                wanted = partial(self._part_and_meetings, table=table)
                table.append(min(others, key=wanted))
            else:
                return tuple(sorted(table))
        return None

    def _apart_by_lot(self, table: Sequence[str], seed: str) -> set[str]:
        """The bots whose authors belong together with one at the table; empty if they may meet.

        It is drawn by lot whether they may, so that they meet no more often than at tables drawn
        by lot: with a share f of the field, f / (2 - f) of the other seats at their tables are
        theirs. A bot that has more than its equal share of orders meets them less in proportion.
        """
        shares, lead = self._shares, table[0]
        together = {
            bot
            for bot in self._drawn
            if bot not in table and any(shares.belong_together(bot, each) for each in table)
        }
        theirs = len(together) + 1
        chance = theirs / (2 * len(self._drawn) - theirs)
        chance *= min(1.0, (shares.due(lead) + 1) / (shares.had[lead] + 1))
        lot = _number(f"{seed}\n{len(table)}") / (1 << 64)
        return set() if lot < chance else together

    def _part_and_meetings(self, bot: str, table: Sequence[str]) -> tuple[float, int]:
        pairs = [(min(bot, other), max(bot, other)) for other in table]
        return self._part(bot), sum(self._met[pair] for pair in pairs)

    def _part(self, bot: str) -> float:
        return (self._shares.had[bot] + 1) / (self._shares.due(bot) + 1)


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
