"""The progress of an open league, which has no end: its orders, and what it waits for."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic

from arena.base.words import count, duration
from arena.record.summary import Summary
from arena.reports.progress import Progress


class OpenProgress(Progress):
    """Counts and shows the orders that were played since the league was opened.

    `under_way` says how many are begun, `waits` what the league waits for, if it does.
    """

    def __init__(
        self,
        summary: Summary,
        refresh: Callable[[], Summary],
        under_way: Callable[[], int],
        waits: Callable[[], str],
    ) -> None:
        self._under_way = under_way
        self._waits = waits
        self._orders = 0
        super().__init__(summary, None, refresh)  # which may already ask for the picture

    def begin(self, record: Path) -> None:
        """Say what is about to be played."""
        resumed = "going on" if self._summary.decisions else "beginning"
        self.tell(f"{self._summary.league}: {resumed}, record {record}; Ctrl-C stops it")
        self._commit()

    def order_played(self) -> None:
        """All matches of an order are stored."""
        with self._lock:
            self._orders += 1

    def interrupted(self, command: str) -> None:
        """The user stopped the run; say which command goes on."""
        done = f"stopped after {count(self._orders, 'order')}"
        self.tell(f"{done}; every finished match is stored. Go on with: {command}")

    def _commit(self) -> None:
        if not self._summary.practice:
            self.tell(f"commitment to the next epoch's secret: SHA-256 {self._summary.commitment}")

    def _line(self) -> str:
        spent = monotonic() - self._began
        line = f"{count(self._orders, 'order')} played, {self._under_way()} under way"
        rate = self._decisions / spent if spent > 0 else 0.0
        if waits := self._waits():
            return f"{line}, {waits}"
        return f"{line}, {rate:,.0f} decisions a second ({duration(spent)})"
