"""The shares of an open league's orders that its bots and their authors have had.

An equal share of an order is `players / bots` for each bot that may be drawn. A bot's count begins
when it comes, an author's never ends: whoever sends one version after the other has no more orders
than an author who keeps one.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import combinations, takewhile
from typing import Final

import msgspec

from arena.stats.figures import Lineup

LEAST_SHARE: Final = 0.6
"""The part of an equal share, over its stay, below which a bot sits at the next table."""

MOST_SHARE: Final = 1.2
"""The most of an equal share of the recent orders that an author has."""

_FOR_NEWCOMERS: Final = 0.5
"""The part of an equal share that an author's other bots leave to its newcomers, if need be."""

_PLACED: Final = 14
"""The orders that a newcomer needs until its interval is narrow."""

FIRST_ORDERS: Final = 16
"""An author's first orders, which count in no share: nobody is known before."""

_TOGETHER: Final = 200
"""Authors with fewer orders than this between their first ones came together."""

_WINDOW: Final = 100
"""The number of recent orders that count in a field of up to thirty bots, where three play."""

_SHARES: Final = 40
"""An equal share of the recent orders that count in large fields, where newcomers need more room.

In between, their number grows as the square of the field.
"""


class _Author(msgspec.Struct):
    """An author: when it came, all its orders, its bots, and when its last versions came.

    These are in orders of the league so far. `by_lot` is how often two bots would have met by then.
    `host` is the first of those that invited one the next and at last this one, or itself.
    """

    came: int
    by_lot: float
    host: str
    orders: int = 0
    bots: int = 0
    versions: deque[int] = msgspec.field(default_factory=deque)


class Shares:
    """Who has had how much of the orders, as far as they were told."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._orders = 0
        self._equal = 0.0
        """The sum of a bot's equal shares of all orders so far."""
        self._by_lot = 0.0
        """The number of times that two given bots would have met by lot."""
        self._author: dict[str, str] = {}
        self._authors: dict[str, _Author] = {}
        self._had: dict[str, int] = {}
        self._due: dict[str, float] = {}
        """By bot: its equal share so far; while it may be drawn, less `_equal`."""
        self._drawn: frozenset[str] = frozenset()
        self._recent: deque[tuple[float, tuple[str, ...]]] = deque()
        """Of the recent orders, the oldest first: a bot's equal share, and authors that count."""
        self._counts: Counter[str] = Counter()
        self._met: Counter[tuple[str, str]] = Counter()
        """How often authors that belong together have met."""

    def join(self, bot: str, author: str, inviter: str = "") -> None:
        """Begin a bot's count; its author may have come as a guest of another one."""
        self.forget(bot)
        self._author[bot] = author
        self._had[bot], self._due[bot] = 0, 0.0
        host = self._authors[inviter].host if inviter in self._authors else inviter or author
        known = self._authors.setdefault(author, _Author(self._orders, self._by_lot, host))
        known.versions.append(self._orders)

    def forget(self, bot: str) -> None:
        """End the count of a bot that is drawn no more."""
        for each in (self._author, self._had, self._due):
            each.pop(bot, None)

    def draws(self, bots: Iterable[str]) -> None:
        """Take note of the bots that may be drawn from now on."""
        drawn = frozenset(bots)
        for bot in drawn ^ self._drawn:
            if bot in self._due:
                self._due[bot] += -self._equal if bot in drawn else self._equal
        self._drawn = drawn
        for author in self._authors.values():
            author.bots = 0
        for bot in drawn:
            self._authors[self._author[bot]].bots += 1

    def order(self, lineup: Lineup) -> None:
        """Count an order."""
        equal = self._players / len(self._drawn)
        authors = tuple(sorted({self._author[bot] for bot in lineup}))
        self._orders += 1
        self._equal += equal
        self._by_lot += equal * (self._players - 1) / (len(self._drawn) - 1)
        self._met.update(pair for pair in combinations(authors, 2) if self._belong(*pair))
        for bot in lineup:
            self._had[bot] += 1
        counted = []
        for author in authors:
            known = self._authors[author]
            known.orders += 1
            if known.orders > FIRST_ORDERS:
                counted.append(author)
        self._recent.append((equal, tuple(counted)))
        self._counts.update(counted)
        while len(self._recent) > self._window:
            self._counts.subtract(self._recent.popleft()[1])

    def author(self, bot: str) -> str:
        """The author of a bot."""
        return self._author[bot]

    def is_new(self, bot: str) -> bool:
        """Whether a bot's author still has its first orders."""
        return self._authors[self._author[bot]].orders < FIRST_ORDERS

    def behind(self, bots: Iterable[str]) -> str | None:
        """The bot with the least part of its equal share; None if all have the least or more."""
        found = min(((self._part(bot), bot) for bot in bots), default=(1.0, ""))
        return found[1] if found[0] < LEAST_SHARE else None

    def within(self, bots: Collection[str], newcomers: Collection[str]) -> list[str]:
        """The bots whose authors may have another order, for one of the newcomers or any other."""
        share = self._recent_share if bots else 0.0
        return [bot for bot in bots if self._may_have(bot, bot in newcomers, share)]

    def strangers(self, bots: Collection[str]) -> Iterator[tuple[str, str]]:
        """Pairs of authors that belong together and have met as often as they would have by lot."""
        came = sorted((self._authors[each].came, each) for each in {self._author[b] for b in bots})
        families: dict[str, list[str]] = {}
        for place, (_, one) in enumerate(came):
            family = families.setdefault(self._authors[one].host, [])
            later = takewhile(partial(self._together, one), (each for _, each in came[place + 1 :]))
            for other in {*family, *later}:
                two = self._authors[one], self._authors[other]
                by_lot = self._by_lot - max(each.by_lot for each in two)
                met = self._met[min(one, other), max(one, other)]
                if met + 1 > by_lot * two[0].bots * two[1].bots:
                    yield one, other
            family.append(one)

    @property
    def _recent_share(self) -> float:
        """A bot's equal share of as many orders as count, the next ones with the field of now."""
        to_come = self._window - len(self._recent)
        return sum(equal for equal, _ in self._recent) + to_come * self._players / len(self._drawn)

    @property
    def _window(self) -> int:
        field = len(self._drawn) / self._players
        return int(max(_WINDOW, min(field * field, _SHARES * field)))

    def _belong(self, one: str, other: str) -> bool:
        """Whether two authors came together, or are guests of one author, be it one of them."""
        same = self._authors[one].host == self._authors[other].host
        return same or self._together(one, other)

    def _together(self, one: str, other: str) -> bool:
        """Whether two authors came together; those that were there at the start did not."""
        first, later = sorted((self._authors[one].came, self._authors[other].came))
        return first > 0 and later - first < _TOGETHER

    def _part(self, bot: str) -> float:
        due = self._due[bot] + (self._equal if bot in self._drawn else 0.0)
        return (self._had[bot] + 1) / due if due > 1 else 1.0

    def _may_have(self, bot: str, newcomer: bool, share: float) -> bool:
        """Whether a bot may have an order, where `share` is that of each of its author's bots.

        An order is kept for each new version, and for other bots than newcomers some more.
        """
        if self.is_new(bot):
            return True
        author = self._authors[self._author[bot]]
        share *= author.bots
        recent = self._counts[self._author[bot]]
        if len(self._recent) == self._window and self._author[bot] in self._recent[0][1]:
            recent -= 1  # the oldest makes room
        while author.versions and author.versions[0] <= self._orders - self._window:
            author.versions.popleft()
        kept = float(len(author.versions)) if self._had[bot] else 0.0
        if not newcomer:
            kept += min(_PLACED * kept, _FOR_NEWCOMERS * share)
        return recent + 1 <= MOST_SHARE * share - kept
