"""An open league without processes: the arena's own draws and numbers, results from a model.

A set of one deal gives each bot its strength less the mean of the table's, and normal noise of
`NOISE` stakes a deal that adds up to nothing over the table.
"""

from collections import Counter, deque
from collections.abc import Sequence
from math import sqrt
from time import process_time
from typing import Final, NamedTuple

import numpy as np
from msgspec import structs

from arena.league.config import ORDER_DEALS, OpenConfig
from arena.league.ledger import (
    Committed,
    Entry,
    Joined,
    Left,
    Line,
    Ordered,
    lines_after,
)
from arena.league.open_draw import NOISE, OpenDraw
from arena.league.outcomes import StoredOutcome
from arena.league.schedule import commitment, seatings
from arena.stats.figures import Lineup
from arena.stats.sets import Floats, SetBlock, league_sets
from arena.stats.strengths import (
    anytime_plus_minus,
    plus_minus,
    relative_to,
    select,
    strengths,
)
from arena.zole.rules import preset
from benchmarks.figures import Row, Rows, Run

AT: Final = "2026-01-01T00:00:00+00:00"
PLAYERS: Final = 3
SPREAD: Final = 3.0
"""The spread of strengths assumed before anything is known, in stakes a deal."""

PLACED: Final = 0.35
"""Half of the 95 % interval at which a bot counts as placed, in stakes a deal."""


BOTS, AUTHORS, A_DAY, ARRIVE = 500, 200, 1000, 50
"""A large league: bots in the field, their authors, orders a day, and bots replaced a day."""


ARRIVALS: Final = ("nobody comes", "a new author every 10 orders", "a new version every 10 orders")


class Course(NamedTuple):
    """The course of a league: how well its field is known, how orders are shared, and hubs.

    `variance` is the mean over time of the variance of strengths against the field's mean, by least
    squares on who met whom: games needed for the same widths are in proportion to it. `least` and
    `most` are parts of equal shares; `hub` is the most of a hundred orders in a row that a bot had;
    `connected` is the number of orders from which on all that have played are connected.
    """

    variance: float
    least: float
    most: float
    hub: float
    connected: float


def measure(run: Run) -> Rows:
    """Some days of a large league for each round, and what the tables of small ones lead to."""
    for bots in (10, 30, 100):
        for arrivals in ARRIVALS:
            found = np.mean([course(bots, arrivals, seed) for seed in range(run.rounds)], axis=0)
            by_name = Course(*found.tolist())
            figures = (
                f"variance {by_name.variance:.4f}, shares {by_name.least:.2f} to"
                f" {by_name.most:.2f}, at most {by_name.hub:.0f} of 100 orders for a bot,"
                f" connected after {by_name.connected:.0f} orders"
            )
            yield Row(f"{bots} bots, {arrivals}", (figures,))
    league = large(run.rounds)
    milliseconds = 1e3 * np.percentile(league.draw_s, [50, 95])
    what = f"a draw among {BOTS} bots"
    yield Row(what, (f"{milliseconds[0]:.1f} ms, 19 of 20 below {milliseconds[1]:.1f} ms",))
    yield Row("its entry in the ledger", (f"{league.ledger_bytes / len(league.orders):.0f} bytes",))
    began = process_time()
    held = league.held()
    what = f"strengths of these, with {len(league.strength)} versions and new results"
    yield Row(what, (f"{process_time() - began:.1f} s",))
    at_once, always = (f"{100 * each:.1f} %" for each in held)
    yield Row("their 95 % intervals that hold", (f"{at_once}, those for all looks {always}",))
    yield Row("least served old bot of 11 beside a newcomer", (f"{beside_newcomer():.2f}",))
    waits = [np.mean([placed_after(24, seed, lot) for seed in range(4)]) for lot in (False, True)]
    what = f"orders until a newcomer among 24 bots is at ±{PLACED}"
    yield Row(what, (f"{waits[0]:.0f}, by lot {waits[1]:.0f}",))
    yield Row("least served of eight bots", (f"{np.mean([least(s) for s in range(20)]):.2f}",))
    yield Row("95 % intervals that hold", (f"{100 * covered(100):.1f} %",))


def course(bots: int, arrivals: str, seed: int) -> Course:
    """The course of a league over six to fifteen orders a bot."""
    league = Played(seed)
    due: Counter[str] = Counter()
    variances: list[float] = []
    for number in range(bots):
        league.join(f"author {number}")
    orders = 150 if bots == 10 else 6 * bots + 120
    for number in range(1, orders + 1):
        league.play(1, results=False)
        field = league.draw.ledger.drawn
        due.update(dict.fromkeys(field, PLAYERS / len(field)))
        if number >= orders / 3 and number % 15 == 0:
            variances.append(league.variance())
        if number % 10 == 0 and arrivals == ARRIVALS[1]:
            league.join(f"newcomer {number}")
        elif number % 10 == 0 and arrivals == ARRIVALS[2]:
            league.replace(field[int(league.chance.integers(len(field)))])
    had = Counter(bot for table in league.orders for bot in table)
    parts = [had[bot] / due[bot] for bot in league.draw.ledger.bots if due[bot] >= PLAYERS]
    rows = (league.orders[at : at + 100] for at in range(orders - 99))
    hub = max(max(Counter(bot for table in row for bot in table).values()) for row in rows)
    return Course(float(np.mean(variances)), min(parts), max(parts), hub, connected(league.orders))


def connected(orders: Sequence[Lineup]) -> int:
    """The number of orders from which on all bots that have played are connected."""
    parts: list[set[str]] = []
    last = 0
    for number, table in enumerate(orders, 1):
        met = [part for part in parts if part & {*table}]
        parts = [part for part in parts if part not in met] + [{*table}.union(*met)]
        last = (last or number) if len(parts) == 1 else 0
    return last or len(orders)


def large(days: int) -> "Played":
    """Some days of a large league; a bot by chance is replaced every now and then."""
    league = Played(1)
    for number in range(BOTS):
        league.join(f"author {number % AUTHORS}")
    for _ in range(days * ARRIVE):
        league.play(A_DAY // ARRIVE, results=False)
        field = list(league.draw.ledger.bots)
        league.replace(field[int(league.chance.integers(BOTS))])
    return league


def placed_after(bots: int, seed: int, lot: bool) -> int:
    """How many orders all play until a newcomer's interval is narrow."""
    league = Played(seed, lot)
    for number in range(bots):
        league.join(f"author {number}")
    league.play(10 * bots)
    bot, begin = league.join("newcomer"), len(league.orders)
    while (half := league.half_width(bot)) is None or half > PLACED:
        league.play(1)
    return len(league.orders) - begin


def least(seed: int) -> float:
    """The least served bot's share of the tables of eight bots after sixty orders; 1 is fair."""
    league = Played(seed)
    bots = [league.join(f"author {number}") for number in range(8)]
    league.play(60)
    return min(sum(bot in table for table in league.orders) for bot in bots) / (60 * PLAYERS / 8)


def beside_newcomer() -> float:
    """The same among eleven bots in the sixty orders after a newcomer has come."""
    league = Played(1)
    old = [league.join(f"author {number}") for number in range(11)]
    league.play(110, results=False)
    league.join("newcomer")
    league.play(60, results=False)
    least = min(sum(bot in table for table in league.orders[110:]) for bot in old)
    return least / (60 * PLAYERS / 12)


def covered(leagues: int, lot: bool = False) -> float:
    """The share of 95 % intervals that hold the truth, in leagues of which bots are replaced."""
    off: list[float] = []
    for seed in range(leagues):
        league = Played(seed, lot)
        for number in range(8):
            league.join(f"author {number}")
        for _ in range(2):
            league.play(30)
            league.replace(list(league.draw.ledger.bots)[int(league.chance.integers(8))])
        league.play(30)
        off += league.off().tolist()
    return float(np.mean(np.array(off) <= 1))


class Played:
    """An open league under way, of bots that are what they are.

    With `uniform`, tables are drawn by lot instead. `lag` orders are under way at once.
    """

    def __init__(self, seed: int, uniform: bool = False, lag: int = 2) -> None:
        self.chance = np.random.default_rng(seed)
        self.draw = OpenDraw(OpenConfig(rules=preset()))
        self.strength: dict[str, float] = {}
        self.orders: list[Lineup] = []
        self.sets: list[SetBlock] = []
        self.draw_s: list[float] = []
        self.ledger_bytes = 0
        self._place: dict[str, int] = {}
        self._uniform = uniform
        self._lag = lag
        self._last: Line | None = None
        self._matches = 0
        self._under_way: deque[Ordered] = deque()
        self._write(Committed(commitment("secret")))

    def join(self, author: str, strength: float | None = None) -> str:
        """A new bot, of a strength by chance if none is given."""
        name = f"bot {len(self.strength)}"
        self._place[name] = len(self.strength)
        drawn = self.chance.normal(scale=0.5) if strength is None else strength
        self.strength[name] = float(drawn)
        self._write(Joined(name, "a" * 64, author, False))
        return name

    def replace(self, bot: str) -> str:
        """A new version of a bot, by the same author."""
        author = self.draw.ledger.bots[bot].author
        self._write(Left(bot, "replaced"))
        return self.join(author)

    def play(self, orders: int, results: bool = True) -> None:
        """Draw this many orders and play them, or only note that they were played."""
        for _ in range(orders):
            began = process_time()
            while (lineup := self._by_lot() if self._uniform else self.draw.next_table()) is None:
                self._store(self._under_way.popleft())
            first, known = self.draw.ledger.deals_of(lineup), self.draw.known
            number = len(self.orders) + 1
            order = Ordered(number, lineup, first, ORDER_DEALS, known, "table")
            self._write(order)
            self.draw_s.append(process_time() - began)
            self.orders.append(lineup)
            self._under_way.append(order)
            if results:
                self.sets.append(self._results(lineup))
            if len(self._under_way) >= self._lag:
                self._store(self._under_way.popleft())

    def off(self) -> Floats:
        """By how many of its half widths each bot's strength is estimated wrongly.

        By the project's own standings, over all that ever played and has an interval.
        """
        estimate = strengths(league_sets(self.sets, len(self.strength)))
        truth = np.array(list(self.strength.values()))
        found: list[float] = []
        for bot in np.flatnonzero(estimate.part == 0):
            half = plus_minus(estimate, int(bot))
            if half:
                mean = truth[estimate.part == 0].mean()
                found.append(abs(estimate.values[bot] - truth[bot] + mean) / half)
        return np.array(found)

    def held(self) -> tuple[float, float]:
        """Which shares of the field's intervals hold, at one look and at all, with new results."""
        playing = [self._place[bot] for bot in self.draw.ledger.bots]
        whole = strengths(
            league_sets([self._results(lineup) for lineup in self.orders], len(self.strength))
        )
        truth = structs.replace(whole, values=np.array(list(self.strength.values())))
        field, true = (select(relative_to(each, playing), playing) for each in (whole, truth))
        off = np.abs(field.values - true.values)
        at_once, always = (
            [off[bot] <= half for bot in range(len(off)) if (half := width(field, bot)) is not None]
            for width in (plus_minus, anytime_plus_minus)
        )
        return float(np.mean(at_once)), float(np.mean(always))

    def variance(self) -> float:
        """The mean variance of the field's strengths against their mean, by who met whom."""
        matrix = np.eye(len(self._place)) / SPREAD**2
        centre = (np.eye(PLAYERS) - 1 / PLAYERS) * (PLAYERS - 1) / PLAYERS * ORDER_DEALS / NOISE**2
        for table in self.orders:
            places = [self._place[bot] for bot in table]
            matrix[np.ix_(places, places)] += centre
        field = [self._place[bot] for bot in self.draw.ledger.drawn]
        covariance = np.linalg.inv(matrix)[np.ix_(field, field)]
        weigh = np.eye(len(field)) - 1 / len(field)
        return float(np.diagonal(weigh @ covariance @ weigh).mean())

    def half_width(self, bot: str) -> float | None:
        """Half of a bot's 95 % interval in the project's own standings."""
        return plus_minus(strengths(league_sets(self.sets, len(self.strength))), self._place[bot])

    def _by_lot(self) -> Lineup:
        able = list(self.draw.ledger.drawn)
        authors: dict[str, str] = {}
        for place in self.chance.permutation(len(able)):
            authors.setdefault(self.draw.ledger.bots[able[place]].author, able[place])
        return tuple(sorted(list(authors.values())[:PLAYERS]))

    def _results(self, lineup: Lineup) -> SetBlock:
        true = np.array([self.strength[bot] for bot in lineup])
        spread = NOISE * sqrt(PLAYERS / (PLAYERS - 1))
        sets = true + self.chance.normal(scale=spread, size=(ORDER_DEALS, PLAYERS))
        centred = sets - sets.mean(axis=1, keepdims=True)
        return SetBlock(tuple(self._place[bot] for bot in lineup), centred)

    def _store(self, order: Ordered) -> None:
        for seats in seatings(order.lineup, PLAYERS):
            self._matches += 1
            self.draw.stored(
                StoredOutcome(
                    order.lineup, order.first, ORDER_DEALS, self._matches, seats, (), (1.0,) * 3
                )
            )

    def _write(self, entry: Entry) -> None:
        [line] = lines_after(self._last, AT, [entry])
        self.draw.apply(line)
        self._last = line
        self.ledger_bytes += len(line.text) + len(line.hash)
