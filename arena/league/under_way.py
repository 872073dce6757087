"""The orders of an open league that have matches to come, and the bots that may have another.

Of a stored match it knows what a draw may know: not who won.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from arena.league.ledger import Ordered
from arena.stats.figures import DealRun, Lineup
from arena.zole.deal import Seat

_AT_ONCE: Final = 2
"""The most orders of a bot that are under way at once, not counting those of slow bots."""

_MOST_AT_ONCE: Final = 4
"""The most orders of a bot under way, counting those of slow bots, which may take hours."""

_SLOW: Final = 4.0
"""The multiple of the median time from which a bot is slow."""

_CHEAPEST_S: Final = 0.1
"""The least seconds that a match of a bot counts as."""


class StoredOutcome(DealRun, frozen=True):
    """A stored match without its results, by its number in the record.

    `first` is that of its order, `deals` the number of those that have results; `held_s` are the
    seconds for which each seat held the match's lane, empty if they were not measured. The programs
    of bots that were `gone` had ended, or were never ready, in every deal.
    """

    number: int
    seats: tuple[str, ...]
    disqualified: tuple[Seat, ...]
    held_s: tuple[float, ...] = ()
    gone: tuple[str, ...] = ()


class _Pending(msgspec.Struct):
    """An order that has matches to come; it is `void` once a bot is disqualified in it."""

    deals: int
    matches: int
    void: bool = False


class UnderWay:
    """The orders under way by lineup and first deal, and the time each bot holds a lane.

    A slow bot has one order under way at a time, which does not count for the others of its table.
    So does a bot that has not been seen to play yet.
    """

    def __init__(self) -> None:
        self.orders: dict[tuple[Lineup, int], _Pending] = {}
        self.void: Counter[str] = Counter()
        """By bot: the deals of void orders, over or not."""
        self._seen: set[str] = set()
        self._held: dict[str, tuple[float, int]] = {}
        """By bot: the seconds for which it held a lane, and the matches that were measured."""

    def order(self, entry: Ordered, matches: int) -> None:
        """Add an order with this number of matches."""
        self.orders[entry.lineup, entry.first] = _Pending(entry.deals, matches)

    def stored(self, match: StoredOutcome) -> None:
        """Count a match of an order under way."""
        order = self.orders[match.lineup, match.first]
        if match.disqualified and not order.void:
            order.void = True
            self.void.update(dict.fromkeys(match.lineup, order.deals))
        self._seen.update(match.seats)
        for bot, seconds in zip(match.seats, match.held_s, strict=False):
            total, matches = self._held.get(bot, (0.0, 0))
            self._held[bot] = total + seconds, matches + 1
        order.matches -= 1
        if not order.matches:
            del self.orders[match.lineup, match.first]

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
        all_orders, counted = Counter[str](), Counter[str]()
        for lineup, _ in self.orders:
            all_orders.update(lineup)
            counted.update([bot for bot in lineup if self._has_one_at_a_time(bot, slow)] or lineup)
        return [
            bot
            for bot in field
            if counted[bot] < (1 if self._has_one_at_a_time(bot, slow) else _AT_ONCE)
            and all_orders[bot] < _MOST_AT_ONCE
        ]

    def _has_one_at_a_time(self, bot: str, slow: Collection[str]) -> bool:
        return bot in slow or bot not in self._seen
