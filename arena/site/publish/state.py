"""The site's view of a record: what was played, table by table, read on as it comes."""

from bisect import bisect_right, insort
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, Literal

import msgspec

from arena.league.config import OpenConfig, TournamentConfig
from arena.league.fold import LedgerFold
from arena.league.played import MatchOutline
from arena.league.terms import Terms
from arena.record.publishing import may_show
from arena.record.store import Store
from arena.site.documents import MatchLine
from arena.site.registry.bots import BotState
from arena.stats.figures import Lineup

# The number of matches of a bot, and of the league, that are shown as the last ones.
LAST: Final = 20

# A table: its lineup and its first deal.
TableKey = tuple[Lineup, int]


class Counts(msgspec.Struct):
    """What was played: matches, the number of the last one, games and decisions."""

    stored: int = 0
    last: int = 0
    games: int = 0
    decisions: int = 0


class RecordState:
    """A record as far as it was read.

    A table is an order of an open league; in others it is numbered by its lineup. `matches` has the
    numbers of each table's matches, `void` those in which a bot was disqualified, `under_way` the
    orders that are being played. `last` are the last matches of each bot, and of all under "";
    `shows` is whether others may see how some bots played.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.matches: dict[TableKey, list[int]] = {}
        self._firsts: dict[Lineup, list[int]] = {}
        self.void: set[TableKey] = set()
        self.under_way: list[TableKey] = []
        self._ordered = 0
        self.last: dict[str, deque[MatchOutline]] = {}
        self.counts: Counts = Counts()
        self.read()

    def read(self) -> None:
        """Read what was written since."""
        outlines = list(self.store.outlines(self.counts.last))  # before the lines that order them
        self.ledger: LedgerFold = self.store.fold()
        self.terms: Terms = self.store.terms()
        self.is_open: bool = isinstance(self.terms.config, OpenConfig)
        self.shows: Callable[[Iterable[str]], bool] = may_show(self.terms.config, self.ledger)
        for each in outlines:
            key = key_of(each)
            if key not in self.matches:
                insort(self._firsts.setdefault(key[0], []), key[1])
            self.matches.setdefault(key, []).append(each.match)
            if each.disqualified:
                self.void.add(key)
            for name in ("", *set(each.bots)):
                self.last.setdefault(name, deque(maxlen=LAST)).append(each)
            self.counts.stored += 1
            self.counts.last = each.match
            self.counts.games += each.deals
            self.counts.decisions += each.decisions
        new = islice(self.ledger.orders, self._ordered, None)
        self.under_way = [key for key in (*self.under_way, *new) if not self.is_over(key)]
        self._ordered = len(self.ledger.orders)
        if not self.is_open:
            known = sorted({*self.terms.lineups, *self._firsts})
            self._tables = {lineup: number for number, lineup in enumerate(known, 1)}

    def seats(self, lineup: Lineup) -> int:
        """Return the number of matches of a table."""
        if isinstance(self.terms.config, TournamentConfig):
            return 1
        return len(self.terms.config.seats_of(lineup))

    def is_over(self, key: TableKey) -> bool:
        """Return whether all matches of a table are stored."""
        return len(self.matches.get(key, ())) >= self.seats(key[0])

    def number(self, key: TableKey) -> int:
        """Return the number of a table."""
        return self.ledger.orders[key].order if self.is_open else self._tables[key[0]]

    def table_of(self, lineup: Lineup, deal: int) -> TableKey:
        """Return the table of a deal."""
        firsts = self._firsts.get(lineup, [])
        place = bisect_right(firsts, deal)
        return lineup, firsts[place - 1] if place else deal

    def counts_as(self, key: TableKey) -> Literal["counts", "waiting", "void"]:
        """Return whether the matches of a table count, still wait to, or are void."""
        return "waiting" if not self.is_over(key) else "void" if key in self.void else "counts"

    def line(self, outline: MatchOutline) -> MatchLine:
        """Return a match's entry in lists. `at` is its order's moment: the record has no other."""
        key = key_of(outline)
        return MatchLine(
            **msgspec.structs.asdict(outline),
            order=self.number(key),
            at=self.ledger.ordered_at.get(key),
            counts=self.counts_as(key),
            shown=self.shows(key[0]),
        )

    def bot_states(self) -> dict[str, tuple[BotState, str]]:
        """Return by bot the state of everybody who ever joined or was submitted, and why."""
        ledger = self.ledger
        found: dict[str, tuple[BotState, str]] = {
            entry.name: (entry.state, "") for entry in self.store.submissions()
        }
        for bot in ledger.joined:  # of those in the ledger, which has more
            if bot in ledger.benched:
                found[bot] = "benched", ledger.benched[bot]
            elif bot in ledger.bots:
                found[bot] = "playing", ""
            else:
                why = ledger.left[bot][1]
                found[bot] = "replaced" if why == "replaced" else "withdrawn", ""
        return found


def key_of(outline: MatchOutline) -> TableKey:
    """Return the table of a match."""
    return tuple(sorted(set(outline.bots))), outline.first
