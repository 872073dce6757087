"""What closed leagues and open ones each say of their progress."""

from time import monotonic

from arena.base.words import count, duration
from arena.reports.progress import Progress
from arena.tasks.closed_league import ClosedLeague
from arena.tasks.open_league import OpenLeague


def progress_of(league: ClosedLeague | OpenLeague, plays: bool = True) -> Progress:
    """The progress of a league, of which matches follow if it `plays`."""
    if isinstance(league, OpenLeague):
        return OpenProgress(league, plays)
    return ClosedProgress(league, plays)


class ClosedProgress(Progress):
    """Counts the deals of a league that has an end."""

    _secret = "secret seed"

    def __init__(self, league: ClosedLeague, plays: bool = True) -> None:
        self._league = league
        super().__init__(
            league.store, plays and league.deals > 0
        )  # which may already ask for the picture

    def begin(self) -> None:
        if self._league.deals:
            resumed = "going on with" if self._summary.decisions else "beginning"
            what = f"{count(self._league.deals, 'deal')} (each seating counts)"
            self._say_and_commit(f"{resumed} {what}, record {self._store.path}")
        else:
            self.tell(f"{self._summary.league}: everything has been played")

    def _how_far(self) -> str:
        return f"{self._done} of {count(self._league.deals, 'deal')}"

    def _line(self) -> str:
        spent = monotonic() - self._began
        if not self._done:
            return f"{self._how_far()}, the first matches are being played ({duration(spent)})"
        left = spent / self._done * (self._league.deals - self._done)
        return f"{self._how_far()}, {self._rate()}, about {duration(left)} left"


class OpenProgress(Progress):
    """Counts the orders of a league that has no end."""

    _secret = "next epoch's secret"

    def __init__(self, league: OpenLeague, plays: bool = True) -> None:
        self._league = league
        super().__init__(league.store, plays)  # which may already ask for the picture

    def begin(self) -> None:
        resumed = "going on" if self._summary.decisions else "beginning"
        self._say_and_commit(f"{resumed}, record {self._store.path}; Ctrl-C stops it")

    def _how_far(self) -> str:
        return count(self._league.played, "order")

    def _line(self) -> str:
        line = f"{self._how_far()} played, {self._league.under_way} under way"
        if self._league.waits:
            return f"{line}, {self._league.waits}"
        return f"{line}, {self._rate()} ({duration(monotonic() - self._began)})"
