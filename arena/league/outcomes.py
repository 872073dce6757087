"""What an open league's draw takes from matches: orders under way, slow and failing bots.

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

ORDERS: Final = 10
"""The number of a bot's last orders that are looked at."""

VOID: Final = 3
"""The number of void orders among these at which a bot is benched."""

FAILED_STARTS: Final = 3
"""The number of matches in a row, failed from the first deal on, at which a bot is benched."""


class StoredOutcome(DealRun, frozen=True):
    """A stored match without its results, by its number in the record.

    `first` is that of its order, `deals` the number of those that have results; `held_s` are the
    seconds for which each seat held the match's worker, empty if they were not measured. The
    programs of bots that were `gone` had ended, or were never ready, in every deal.
    """

    number: int
    seats: tuple[str, ...]
    disqualified: tuple[Seat, ...]
    held_s: tuple[float, ...] = ()
    gone: tuple[str, ...] = ()


class _PendingOrder(msgspec.Struct):
    """An order that has matches to come; it is `void` once a bot is disqualified in it."""

    deals: int
    matches: int
    void: bool = False


class PendingOrders:
    """The orders under way by lineup and first deal, and the time each bot holds a worker.

    A slow bot has one order under way at a time, which does not count for the others of its table.
    So does a bot that has not been seen to play yet.
    """

    def __init__(self) -> None:
        self.orders: dict[tuple[Lineup, int], _PendingOrder] = {}
        self.void: Counter[str] = Counter()
        """By bot: the deals of void orders, over or not."""
        self._seen: set[str] = set()
        self._held: dict[str, tuple[float, int]] = {}
        """By bot: the seconds for which it held a worker, and the matches that were measured."""

    def order(self, entry: Ordered, matches: int) -> None:
        """Add an order with this number of matches."""
        self.orders[entry.lineup, entry.first] = _PendingOrder(entry.deals, matches)

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


class Bench:
    """The failures of each bot in its last orders."""

    def __init__(self) -> None:
        self._spoiled: dict[str, dict[int, bool]] = {}
        """By bot: the numbers of its last orders, and whether it was disqualified in them."""
        self._failed: Counter[str] = Counter()
        self._forgiven: Counter[str] = Counter()
        """By bot: the number of the last order that does not count."""

    def stored(self, order: int, match: StoredOutcome) -> None:
        """Count a match of an order."""
        out = {match.seats[seat] for seat in match.disqualified}
        failed = {*match.gone, *(out if match.deals <= 1 else ())}
        for bot in match.lineup:
            if order <= self._forgiven[bot]:
                continue
            orders = self._spoiled.setdefault(bot, {})
            orders[order] = orders.get(order, False) or bot in out
            while len(orders) > ORDERS:
                del orders[next(iter(orders))]
            self._failed[bot] = self._failed[bot] + 1 if bot in failed else 0

    def forgive(self, bot: str, orders: int) -> None:
        """Start again with a bot that has joined or was resumed after this many orders.

        Those that are under way do not count either, so it does not matter which matches of theirs
        the draw has taken into account by now.
        """
        self._forgiven[bot] = orders
        self._spoiled.pop(bot, None)
        self._failed.pop(bot, None)

    def why(self, bot: str) -> str | None:
        """The reason why a bot is to be benched, in words; None if it is not."""
        if self._failed[bot] >= FAILED_STARTS:
            return f"it failed from the first deal on in {FAILED_STARTS} matches in a row"
        orders = self._spoiled.get(bot, {})
        void = sum(orders.values())
        if void >= VOID:
            return f"{void} of its last {len(orders)} orders are void by it"
        return None
