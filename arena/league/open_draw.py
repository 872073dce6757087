"""The next table of an open league: a pure function of what was stored before.

It depends on who sat with whom how often, on the shares of orders that bots and authors have had
and on the cost of tables, never on who won.
"""

import hashlib
import math
from bisect import bisect_left, insort
from collections import Counter, deque
from collections.abc import Iterator
from typing import Final

import numpy as np

from arena.base.errors import Mistake
from arena.base.words import count
from arena.bots.names import name_key
from arena.league.bench import Bench
from arena.league.best_table import Candidates, best_table, worth
from arena.league.field import Field
from arena.league.fold import LedgerFold
from arena.league.format import ORDER_DEALS
from arena.league.information import Information
from arena.league.ledger import Dated, Joined, Left, Line, Ordered, Resumed, Teamed
from arena.league.outcomes import StoredOutcome
from arena.league.shares import Shares
from arena.league.under_way import UnderWay
from arena.stats.figures import Lineup
from arena.stats.floats import Flags

DRAW: Final = 2
"""The number of this draw, which each epoch names; another draw gets another number."""

AT_RANDOM: Final = 8
"""One order in this many is drawn at random, which connects the field whatever happens."""

RECENT: Final = 32
"""Orders in a row of which at most three quarters have a newcomer."""

_KEYS: Final = 1 << 64

_ROUNDING: Final = 1e-6
"""The share by which gains may differ and still count as equal."""


class OpenDraw:
    """The state of an open league from which its next order is drawn.

    It is told of entries and of stored matches in their order. An order counts as played from the
    moment that it is in the ledger; if a bot is disqualified in it, as never played. With
    `apart`, bots of one author never share a table. Each
    order has `deals` deals.
    """

    def __init__(self, players: int, apart: bool = True, deals: int = ORDER_DEALS) -> None:
        self.ledger = LedgerFold(players)
        self.known = 0
        """The number of the last match that the draw was told of."""
        self._players = players
        self._apart = apart
        self._deals = deals
        self._bench = Bench()
        self._information = Information()
        self._names: list[str] = []
        self._place: dict[str, int] = {}
        self._person: dict[str, str] = {}
        self._key: dict[str, int] = {}
        self._orders: dict[str, int] = {}
        self._drawn: dict[str, None] = {}
        self._counts: list[int] = []
        """The numbers of orders of the bots that may be drawn, in ascending order."""
        self._shares = Shares(players)
        self._under_way = UnderWay()
        self._over: Counter[str] = Counter()  # orders that ended since the last was drawn
        self._gone: dict[str, None] = {}
        """Bots that left with orders under way, to be dropped when the next order is drawn."""
        self._newcomers: deque[bool] = deque(maxlen=RECENT - 1)

    @property
    def field(self) -> Field:
        """The bots in play, by the ledger."""
        return self.ledger.field

    def apply(self, line: Line, dated: Dated) -> None:
        """Apply a line with its content. Raises `ValueError` as `LedgerFold.apply` does."""
        self.ledger.apply(line, dated)
        entry = dated.entry
        match entry:
            case Joined():
                self._join(entry)
            case Left():
                self._recount()
                self._leave(entry.bot)
            case Ordered():
                self._newcomers.append(any(map(self._is_newcomer, entry.lineup)))
                self._order(entry)
            case Teamed():
                self._person = {bot: self._person_of(bot) for bot in self._person}
                self._recount()
            case Resumed(organiser=False):
                self._bench.forgive(entry.bot, self._under_way)
                self._recount()
            case _:
                self._recount()

    def stored(self, match: StoredOutcome) -> None:
        """Take note of a stored match; they come in the order of their numbers.

        Raises `ValueError` for a match of no order that is under way.
        """
        if match.number <= self.known or not self._under_way.knows(match):
            raise ValueError(f"match {match.number} is of no order that is under way")
        self.known = match.number
        out = {match.seats[seat] for seat in match.disqualified}
        failed = {*match.gone, *(out if match.deals <= 1 else ())}
        self._bench.stored(match.lineup, match.first, out, failed)
        void, last = self._under_way.stored(match)
        if void:
            self._information.add([self._place[bot] for bot in match.lineup], -void)
        if last:
            self._over.update(match.lineup)

    def to_bench(self) -> dict[str, str]:
        """The bots that are to be benched before the next order, and the reasons."""
        if self.field.season is not None:
            return {}
        found = {bot: self._bench.why(bot) for bot in self.field.contents}
        return {bot: why for bot, why in found.items() if why is not None}

    def under_way(self, bot: str) -> int:
        """The number of a bot's orders that have matches to come."""
        return self._under_way.of(bot)

    def newcomers(self) -> set[str]:
        """Bots that have had less than two thirds as many orders as the median of the field."""
        return {bot for bot in self._drawn if self._is_newcomer(bot)}

    def half_widths(self) -> dict[str, float]:
        """Half of the 95 % interval of each bot's strength, from who sat with whom alone.

        In stakes a deal, as if every set had the spread `NOISE`.
        """
        information = self._information
        if not self._drawn:
            return {}
        errors = iter(information.known.errors(information.field).tolist())
        names = [name for name, is_in in zip(self._names, information.field, strict=True) if is_in]
        return {name: 1.96 * next(errors) for name in names}

    def obstacle(self) -> Mistake | None:
        """The rule by which the bots in play make no table even while all are free; None if any."""
        needed, drawn = self._players, len(self._drawn)
        if drawn < needed:
            what = f"a table of {needed} needs {needed} bots, and {count(drawn, 'bot')} can play"
            if self.field.benched:
                what += f" (benched: {', '.join(self.field.benched)})"
            remedy = "name more bots in the league's file, or submit some"
            if self.field.benched:
                remedy += ", or let one play again (arena resume)"
            return Mistake(what, "", remedy)
        persons = len({self._person[bot] for bot in self._drawn})
        if persons >= needed:
            return None
        rule = 'bots of one author never share a table (apart = "author")'
        remedy = 'submit bots of other authors, or set apart = "nobody"'
        if any(person.startswith("team ") for person in self._person.values()):
            rule, remedy = "bots of one team never share a table", "submit bots of other authors"
        return Mistake(f"{rule}, and the {drawn} bots that can play are of {persons}", "", remedy)

    def next_table(self) -> Lineup | None:
        """The bots of the next order; None if those that are free make no table."""
        return self._next()

    def allows(self, lineup: Lineup) -> bool:
        """Whether a lineup is the next table, or as good as that up to rounding."""
        if not set(lineup) <= self._place.keys():
            return False
        if self._is_random():
            return lineup == self._next()
        known = self._information.known
        for bots in self._candidates():
            best = best_table(known, bots)
            if best is not None:
                mine = worth(known, bots, [self._place[bot] for bot in lineup])
                return mine >= worth(known, bots, best) * (1 - _ROUNDING)
        return False

    def _next(self) -> Lineup | None:
        if self._is_random():
            free = self._free()
            return self._first_table(self._wanted(free)) or self._first_table(free)
        found = (best_table(self._information.known, bots) for bots in self._candidates())
        best = next((table for table in found if table is not None), None)
        return None if best is None else tuple(sorted(self._names[place] for place in best))

    def _free(self) -> list[str]:
        """The bots that may be drawn now, in an order drawn from the ledger."""
        turn = self._chance() | 1
        free = self._under_way.free(self._drawn, self._here())
        return sorted(free, key=lambda bot: self._key[bot] * turn % _KEYS)

    def _wanted(self, free: list[str]) -> list[str]:
        """Those whose authors may have more orders; no newcomers if enough orders had one."""
        newcomers = self.newcomers()
        within = self._shares.within(free, newcomers)
        if 4 * sum(self._newcomers) < 3 * RECENT:
            return within
        return [bot for bot in within if bot not in newcomers]

    def _first_table(self, able: list[str]) -> Lineup | None:
        """The table of the first bots that may meet, one of them a host."""
        table = self._hosts(able)[:1]
        for bot in able:
            persons = {self._person[each] for each in table}
            if table and len(table) < self._players and self._person[bot] not in persons:
                table.append(bot)
        return tuple(sorted(table)) if len(table) == self._players else None

    def _candidates(self) -> Iterator[Candidates]:
        """Those of which a table is made, the most wanted first; later ones if these make none.

        Whoever is behind sits first, whatever its author has had. New authors do not meet each
        other, nor do authors that came together and have met as often as by lot.
        """
        free = self._free()
        wanted, meet = self._wanted(free), self._may_meet()
        well_met = meet & self._well_met(free)
        behind = self._shares.behind(bot for bot in free if not self.field.bots[bot].house)
        if behind is not None:
            others = [bot for bot in wanted if bot != behind]
            yield self._of([behind, *others], well_met, [behind])
        yield self._of(wanted, well_met)
        yield self._of(free, well_met)
        yield self._of(free, meet)

    def _of(self, able: list[str], meet: Flags, first: list[str] | None = None) -> Candidates:
        """Candidates that are able and may meet."""
        cost = self._under_way.costs
        usual = cost.usual(self._here())
        if first is None:
            first = self._hosts(able)
        return Candidates(
            [self._place[bot] for bot in able],
            [self._place[bot] for bot in first],
            meet,
            np.array([cost.of(bot) or usual for bot in self._names]),
            self._players,
            self._deals,
        )

    def _hosts(self, able: list[str]) -> list[str]:
        """Those of whom each table has one: authors' bots, if there are any, else house bots."""
        bots = self.field.bots
        alone = all(bots[bot].house for bot in self._drawn)
        return [bot for bot in able if alone or not bots[bot].house]

    def _may_meet(self) -> Flags:
        """Whether two bots, by place, are of different persons."""
        persons = {person: number for number, person in enumerate(self._person.values())}
        person = np.array([persons[self._person[bot]] for bot in self._names], np.int64)
        return np.asarray(person[:, None] != person)

    def _well_met(self, free: list[str]) -> Flags:
        """Whether two bots, by place, should meet if the field allows it."""
        new = np.zeros(len(self._names), bool)
        new[[self._place[bot] for bot in free if self._shares.is_new(bot)]] = True
        meet = ~np.logical_and.outer(new, new)
        for pair in self._shares.strangers(free):
            one, other = (
                [self._place[bot] for bot in free if self._shares.author(bot) == author]
                for author in pair
            )
            meet[np.ix_(one, other)] = meet[np.ix_(other, one)] = False
        return meet

    def _here(self) -> list[str]:
        """The bots that have not left, or still play."""
        return [bot for bot in self._names if bot not in self._gone or self.under_way(bot)]

    def _is_random(self) -> bool:
        return self._chance() % AT_RANDOM == 0

    def _chance(self) -> int:
        """A number below `_KEYS` that the last line of the ledger and the order decide."""
        return _key(f"zole order 1\n{self.ledger.hash}\n{self.field.orders + 1}")

    def _join(self, entry: Joined) -> None:
        bot = entry.bot
        inviter = f"author {name_key(entry.inviter)}" if entry.inviter else ""
        alone = entry.house or entry.organiser
        author = f"bot {bot}" if alone else f"author {name_key(entry.author)}"
        self._shares.join(bot, author, inviter)
        self._person[bot] = self._person_of(bot)
        self._key[bot] = _key(bot)
        self._orders[bot] = 0
        self._bench.forgive(bot, self._under_way)
        self._gone.pop(bot, None)
        if bot not in self._place:  # else it has not been dropped since it left
            self._place[bot] = len(self._names)
            self._names.append(bot)
            self._information.join()
        self._recount()

    def _person_of(self, bot: str) -> str:
        """Whom a bot stands for: bots of one never share a table."""
        joined = self.field.bots.get(bot)
        return self._person[bot] if joined is None else self.field.person(joined, self._apart)

    def _is_newcomer(self, bot: str) -> bool:
        return (
            bot in self._drawn and 3 * self._orders[bot] < 2 * self._counts[len(self._drawn) // 2]
        )

    def _recount(self) -> None:
        """Make exactly the drawn bots count in the sum of variances."""
        drawn = dict.fromkeys(self.field.drawn)
        for bot in drawn.keys() ^ self._drawn.keys():
            self._information.count(self._place[bot], bot in drawn)
        self._drawn = drawn
        self._counts = sorted(self._orders[bot] for bot in drawn)
        self._shares.draws(drawn)

    def _leave(self, bot: str) -> None:
        """Drop a bot that leaves, later on if it had orders under way when the last was drawn.

        (A verifier, which draws again, is told of matches only when the next order knows of them.)
        """
        if self.under_way(bot) or self._over[bot]:
            self._gone[bot] = None
        else:
            self._drop(bot)

    def _drop(self, bot: str) -> None:
        """Forget a bot that has left and whose orders are over."""
        self._information.drop(self._place[bot])
        self._names.remove(bot)
        self._place = {name: place for place, name in enumerate(self._names)}
        self._bench.forget(bot)
        self._shares.forget(bot)
        self._under_way.forget(bot)
        for each in (self._person, self._key, self._orders, self._gone):
            each.pop(bot, None)

    def _order(self, entry: Ordered) -> None:
        self._over.clear()
        for bot in [bot for bot in self._gone if not self.under_way(bot)]:
            self._drop(bot)
        lineup = entry.lineup
        self._under_way.order(entry, math.factorial(self._players))
        for bot in lineup:
            if bot in self._drawn:
                del self._counts[bisect_left(self._counts, self._orders[bot])]
                insort(self._counts, self._orders[bot] + 1)
            self._orders[bot] += 1
        self._information.add([self._place[bot] for bot in lineup], entry.deals)
        self._shares.order(lineup)


def _key(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
