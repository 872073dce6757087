"""The orders of an open league that have matches to come, and the bots that may have another."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final

import msgspec

from arena.league.ledger import Ordered
from arena.league.outcomes import StoredOutcome
from arena.stats.figures import Lineup

_AT_ONCE: Final = 2
"""The most orders of a bot that are under way at once, not counting those of slow bots."""

_MOST_AT_ONCE: Final = 4
"""The most orders of a bot under way, counting those of slow bots, which may take hours."""

_SLOW: Final = 4.0
"""The multiple of the median time from which a bot is slow."""

_CHEAPEST_S: Final = 0.1
"""The least seconds that a match of a bot counts as."""


class _Pending(msgspec.Struct):
    """An order that has matches to come; it is `void` once a bot is disqualified in it."""

    deals: int
    matches: int
    void: bool = False


class UnderWay:
    """The orders under way, and the time for which each bot holds a lane.

    A slow bot has one order under way at a time, which does not count for the others of its table.
    So does a bot that has not been seen to play yet.
    """

    def __init__(self) -> None:
        self._pending: dict[tuple[Lineup, int], _Pending] = {}
        self._of_bot: Counter[str] = Counter()
        self._seen: set[str] = set()
        self._held: dict[str, tuple[float, int]] = {}
        """By bot: the seconds for which it held a lane, and the matches that were measured."""

    def __iter__(self) -> Iterator[tuple[Lineup, int]]:
        """The orders by lineup and first deal."""
        return iter(self._pending)

    def order(self, entry: Ordered, matches: int) -> None:
        """Add an order with this number of matches."""
        self._pending[entry.lineup, entry.first] = _Pending(entry.deals, matches)
        self._of_bot.update(entry.lineup)

    def of(self, bot: str) -> int:
        """The number of a bot's orders."""
        return self._of_bot[bot]

    def has(self, match: StoredOutcome) -> bool:
        """Whether a match is of an order under way."""
        return (match.lineup, match.first) in self._pending

    def stored(self, match: StoredOutcome) -> int:
        """Count a match of an order under way; return the number of deals that it makes void."""
        order = self._pending[match.lineup, match.first]
        void = order.deals if match.disqualified and not order.void else 0
        order.void |= bool(match.disqualified)
        self._seen.update(match.seats)
        for bot, seconds in zip(match.seats, match.held_s, strict=False):
            total, matches = self._held.get(bot, (0.0, 0))
            self._held[bot] = total + seconds, matches + 1
        order.matches -= 1
        if not order.matches:
            del self._pending[match.lineup, match.first]
            self._of_bot.subtract(match.lineup)
        return void

    def slow(self, field: Iterable[str]) -> set[str]:
        """The bots of a field that take several times as long as its median."""
        times = {
            bot: max(_CHEAPEST_S, self._held[bot][0] / self._held[bot][1])
            for bot in field
            if bot in self._held
        }
        usual = sorted(times.values())[len(times) // 2] if times else 0.0
        return {bot for bot, time in times.items() if time > _SLOW * usual}

    def free(self, field: Collection[str], slow: Collection[str]) -> list[str]:
        """The bots of a field that may have another order."""
        single = {
            bot for bot in self._of_bot.keys() | field if bot in slow or bot not in self._seen
        }
        counted: Counter[str] = Counter()
        for lineup, _ in self._pending:
            counted.update([bot for bot in lineup if bot in single] or lineup)
        return [
            bot
            for bot in field
            if counted[bot] < (1 if bot in single else _AT_ONCE)
            and self._of_bot[bot] < _MOST_AT_ONCE
        ]
