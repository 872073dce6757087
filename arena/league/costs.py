"""The time for which the bots of an open league hold a lane."""

from collections.abc import Iterable, Sequence
from typing import Final

CHEAPEST_S: Final = 0.1
"""The least seconds that a seat of a match counts as."""


class Costs:
    """The mean seconds for which each bot held a lane in a match, by what was stored."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        """The bots that have a stored match, also one that was not measured."""
        self._held: dict[str, tuple[float, int]] = {}

    def stored(self, seats: Sequence[str], held_s: Sequence[float]) -> None:
        """Count a match; `held_s` is by seat, empty if it was not measured."""
        self.seen.update(seats)
        for bot, seconds in zip(seats, held_s, strict=False):
            total, matches = self._held.get(bot, (0.0, 0))
            self._held[bot] = total + seconds, matches + 1

    def forget(self, bot: str) -> None:
        """Forget a bot that has left."""
        self._held.pop(bot, None)
        self.seen.discard(bot)

    def of(self, bot: str) -> float | None:
        """The cost of a bot in seconds; None as long as no match of it was measured."""
        if bot not in self._held:
            return None
        total, matches = self._held[bot]
        return max(CHEAPEST_S, total / matches)

    def usual(self, bots: Iterable[str]) -> float:
        """The median of the costs of some bots, as far as they are known."""
        known = sorted(cost for bot in bots if (cost := self.of(bot)) is not None)
        return known[len(known) // 2] if known else CHEAPEST_S
