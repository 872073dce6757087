"""The orders of an open league that have matches to come, and the bots that may have another."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final

import msgspec

from arena.league.costs import Costs
from arena.league.ledger import Ordered
from arena.league.outcomes import StoredOutcome
from arena.stats.figures import Lineup

_AT_ONCE: Final = 2
"""The most orders of a bot that are under way at once, beside those of slow bots."""

_MOST_AT_ONCE: Final = 4
"""The most with those of slow bots, which may be under way for hours."""

_SLOW: Final = 4.0
"""The multiple of the usual cost from which a bot is slow."""


class _Coming(msgspec.Struct):
    """An order that has matches to come; it is `void` once a bot is disqualified in it."""

    deals: int
    matches: int
    void: bool = False


class UnderWay:
    """The orders under way, and what their matches cost.

    A slow bot takes several times as long as usual, or has not been seen to play yet. It has one
    order under way at a time, which does not count for the others of its table.
    """

    def __init__(self) -> None:
        self.costs = Costs()
        self._coming: dict[tuple[Lineup, int], _Coming] = {}
        self._of_bot: Counter[str] = Counter()

    def __iter__(self) -> Iterator[tuple[Lineup, int]]:
        """The orders by lineup and first deal."""
        return iter(self._coming)

    def order(self, entry: Ordered, matches: int) -> None:
        """Add an order with this number of matches."""
        self._coming[entry.lineup, entry.first] = _Coming(entry.deals, matches)
        self._of_bot.update(entry.lineup)

    def of(self, bot: str) -> int:
        """The number of a bot's orders."""
        return self._of_bot[bot]

    def knows(self, match: StoredOutcome) -> bool:
        """Whether a match is of an order under way."""
        return (match.lineup, match.first) in self._coming

    def stored(self, match: StoredOutcome) -> tuple[int, bool]:
        """Count a match of an order under way.

        Returns the deals that are void by it, of an order that was not void before, and whether it
        was the last of its order.
        """
        order = self._coming[match.lineup, match.first]
        void = 0
        if match.disqualified and not order.void:
            order.void, void = True, order.deals
        self.costs.stored(match.seats, match.held_s)
        order.matches -= 1
        if order.matches:
            return void, False
        del self._coming[match.lineup, match.first]
        self._of_bot.subtract(match.lineup)
        return void, True

    def free(self, bots: Iterable[str], here: Collection[str]) -> list[str]:
        """Those of some bots that may have another order; `here` are all that play."""
        usual = self.costs.usual(here)

        def is_slow(bot: str) -> bool:
            return bot not in self.costs.seen or (self.costs.of(bot) or 0.0) > _SLOW * usual

        slow = set(filter(is_slow, here))
        counted: Counter[str] = Counter()
        for lineup, _ in self._coming:
            counted.update([bot for bot in lineup if bot in slow] or lineup)
        return [
            bot
            for bot in bots
            if counted[bot] < (1 if bot in slow else _AT_ONCE) and self._of_bot[bot] < _MOST_AT_ONCE
        ]

    def forget(self, bot: str) -> None:
        """Forget a bot that has left and whose orders are over."""
        self.costs.forget(bot)
        del self._of_bot[bot]
