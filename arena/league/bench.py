"""The bots of an open league that fail so often that they get no orders."""

from collections import Counter
from typing import Final

from arena.league.under_way import StoredOutcome

ORDERS: Final = 10
"""The number of a bot's last orders that are looked at."""

VOID: Final = 3
"""The number of void orders among these at which a bot is benched."""

FAILED_STARTS: Final = 3
"""The number of matches in a row, failed from the first deal on, at which a bot is benched."""


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
        """Begin anew with a bot that has come or was resumed after so many orders.

        Those that are under way do not count either, so it does not matter which matches of theirs
        the draw has been told of by now.
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
