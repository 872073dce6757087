"""Which bots of an open league fail so often that they get no orders."""

from collections.abc import Iterable
from typing import Final

from arena.stats.blocks import Lineup

ORDERS: Final = 10
"""How many of a bot's last orders are looked at."""

VOID: Final = 3
"""How many of these it may not make void."""

STARTS: Final = 3
"""How many matches in a row may not end at a bot in their first deal."""


class Bench:
    """What each bot has done to its last orders."""

    def __init__(self) -> None:
        self._spoiled: dict[str, dict[tuple[Lineup, int], bool]] = {}
        self._failed: dict[str, int] = {}

    def stored(self, lineup: Lineup, first: int, deals: int, out: Iterable[str]) -> None:
        """Count a match of the order that begins with the deal `first`.

        `deals` have results; the bots `out` were disqualified.
        """
        spoilers = set(out)
        for bot in lineup:
            orders = self._spoiled.setdefault(bot, {})
            orders[lineup, first] = orders.get((lineup, first), False) or bot in spoilers
            while len(orders) > ORDERS:
                del orders[next(iter(orders))]
            lost = bot in spoilers and deals <= 1
            self._failed[bot] = self._failed.get(bot, 0) + 1 if lost else 0

    def forget(self, bot: str) -> None:
        """Begin anew with a bot that was resumed, or has left."""
        self._spoiled.pop(bot, None)
        self._failed.pop(bot, None)

    def why(self, bot: str) -> str | None:
        """Why a bot is to be benched, in words; None if it is not."""
        if self._failed.get(bot, 0) >= STARTS:
            return f"it was disqualified in the first deal of {STARTS} matches in a row"
        orders = self._spoiled.get(bot, {})
        void = sum(orders.values())
        if void >= VOID:
            return f"{void} of its last {len(orders)} orders are void by it"
        return None
