"""The bots of an open league that fail so often that they get no orders."""

from collections.abc import Collection, Iterable
from typing import Final

from arena.stats.figures import Lineup

ORDERS: Final = 10
"""The number of a bot's last orders that are looked at."""

VOID: Final = 3
"""The number of void orders among these at which a bot is benched."""

FAILED_STARTS: Final = 3
"""The number of matches in a row, failed from the first deal on, at which a bot is benched."""


class Bench:
    """The failures of each bot in its last orders."""

    def __init__(self) -> None:
        self._spoiled: dict[str, dict[tuple[Lineup, int], bool]] = {}
        self._failed: dict[str, int] = {}
        self._forgiven: dict[str, frozenset[tuple[Lineup, int]]] = {}

    def stored(
        self, lineup: Lineup, first: int, out: Iterable[str], failed: Collection[str]
    ) -> None:
        """Count a match of the order that begins with the deal `first`.

        The bots `out` were disqualified, those that `failed` played no deal.
        """
        spoilers = set(out)
        for bot in lineup:
            if (lineup, first) in self._forgiven.get(bot, ()):
                continue
            orders = self._spoiled.setdefault(bot, {})
            orders[lineup, first] = orders.get((lineup, first), False) or bot in spoilers
            while len(orders) > ORDERS:
                del orders[next(iter(orders))]
            self._failed[bot] = self._failed.get(bot, 0) + 1 if bot in failed else 0

    def forgive(self, bot: str, under_way: Iterable[tuple[Lineup, int]]) -> None:
        """Begin anew with a bot that has come or was resumed.

        Its orders under way do not count either, so it does not matter which of them the draw has
        been told of by now.
        """
        self.forget(bot)
        self._forgiven[bot] = frozenset(each for each in under_way if bot in each[0])

    def forget(self, bot: str) -> None:
        """Forget a bot that has left."""
        self._forgiven.pop(bot, None)
        self._spoiled.pop(bot, None)
        self._failed.pop(bot, None)

    def why(self, bot: str) -> str | None:
        """The reason why a bot is to be benched, in words; None if it is not."""
        if self._failed.get(bot, 0) >= FAILED_STARTS:
            return f"it failed from the first deal on in {FAILED_STARTS} matches in a row"
        orders = self._spoiled.get(bot, {})
        void = sum(orders.values())
        if void >= VOID:
            return f"{void} of its last {len(orders)} orders are void by it"
        return None
