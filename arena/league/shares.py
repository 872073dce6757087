"""The shares of an open league's orders that its bots and their authors have had.

An equal share of an order is `players / bots` for each bot that may be drawn. A bot's due is the
sum of its equal shares while it may be drawn. An author's count never ends: an author who sends one
version after another has no more orders than an author who keeps one.
"""

from collections import Counter, deque
from collections.abc import Iterable
from typing import Final

import msgspec

from arena.stats.figures import Lineup

LEAST_SHARE: Final = 0.6
"""The part of an equal share below which a bot sits at the next table."""

MOST_SHARE: Final = 1.2
"""The most of an equal share of the recent orders that an author has."""

FIRST_ORDERS: Final = 16
"""An author's first orders, which do not count towards that: nobody knows the author's bot yet."""

_TOGETHER: Final = 200
"""Authors with fewer orders than this between their first ones came together."""

_WINDOW: Final = 100
"""The number of recent orders that count in a field of up to thirty bots, where three play."""

_SHARES: Final = 40
"""An equal share of the recent orders that count in large fields, where newcomers need more room.

In between, their number grows as the square of the field.
"""


class _Author(msgspec.Struct, eq=False):
    """An author, with its number of orders and the number of the order at which it came."""

    came: int
    orders: int = 0


class Shares:
    """The orders of each bot and author so far, compared with their equal shares."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._orders = 0
        self._authors: dict[str, _Author] = {}
        self._author_of: dict[str, _Author] = {}
        self._drawn: frozenset[str] = frozenset()
        self._equal = 0.0
        """The sum of a bot's equal shares of all orders so far."""
        self._due: dict[str, float] = {}
        """By bot: its due; while it may be drawn, less `_equal`."""
        self._recent: deque[tuple[float, frozenset[_Author]]] = deque()
        """Of the recent orders, the oldest first: a bot's equal share, and authors that count."""
        self.had: dict[str, int] = {}
        """The number of orders of each bot."""

    def join(self, bot: str, author: str) -> None:
        """Add a bot, or let one come again."""
        self._author_of[bot] = self._authors.setdefault(author, _Author(self._orders))
        self.had.setdefault(bot, 0)
        self._due.setdefault(bot, 0.0)

    def draws(self, bots: Iterable[str]) -> None:
        """Set the bots that may be drawn from now on."""
        drawn = frozenset(bots)
        for bot in drawn ^ self._drawn:
            self._due[bot] += -self._equal if bot in drawn else self._equal
        self._drawn = drawn

    def order(self, lineup: Lineup) -> None:
        """Count an order."""
        equal = self._players / len(self._drawn)
        self._orders += 1
        self._equal += equal
        for bot in lineup:
            self.had[bot] += 1
        authors = {self._author_of[bot] for bot in lineup}
        for author in authors:
            author.orders += 1
        counted = frozenset(author for author in authors if author.orders > FIRST_ORDERS)
        self._recent.append((equal, counted))
        while len(self._recent) > self._window:
            self._recent.popleft()

    def due(self, bot: str) -> float:
        """The sum of a bot's equal shares."""
        return self._due[bot] + (self._equal if bot in self._drawn else 0.0)

    def is_behind(self, bot: str) -> bool:
        """Whether a bot would have less than the least share even with another order."""
        due = self.due(bot)
        return due > 1 and self.had[bot] + 1 < LEAST_SHARE * due

    def within(self, bots: Iterable[str]) -> list[str]:
        """The bots whose authors may have another order.

        A bot that has had an order leaves its author one for a new version.
        """
        to_come = self._window - len(self._recent)
        equal = sum(each for each, _ in self._recent) + to_come * self._players / len(self._drawn)
        counts = Counter(author for _, counted in self._recent for author in counted)
        if not to_come:  # the oldest makes room for the next
            counts.subtract(self._recent[0][1])
        bots_of = Counter(self._author_of[bot] for bot in self._drawn)

        def may_sit(bot: str) -> bool:
            author = self._author_of[bot]
            orders = counts[author] + 1 + (self.had[bot] > 0)
            return author.orders < FIRST_ORDERS or orders <= MOST_SHARE * equal * bots_of[author]

        return list(filter(may_sit, bots))

    @property
    def _window(self) -> int:
        field = len(self._drawn) / self._players
        return int(max(_WINDOW, min(field * field, _SHARES * field)))

    def belong_together(self, one: str, other: str) -> bool:
        """Whether the authors of two bots came together, later than at the start."""
        author, another = self._author_of[one], self._author_of[other]
        if author is another:
            return False
        first, later = sorted((author.came, another.came))
        return first > 0 and later - first < _TOGETHER
