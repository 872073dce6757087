"""The progress of a league on standard error: live in a terminal, line by line elsewhere."""

from collections import deque
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import TracebackType

from rich.console import Group
from rich.live import Live
from rich.text import Text

from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.record.summary import Summary
from arena.reports.standings import standings_table
from arena.reports.terminal import console, harmless

_STANDINGS_EVERY_S = 2.0
_FAULTS_SHOWN = 5


class Progress:
    """Counts and shows the finished matches."""

    def __init__(self, summary: Summary, matches: int, refresh: Callable[[], Summary]) -> None:
        self._console = console(stderr=True)
        self._summary = summary
        self._refresh = refresh
        self._refreshed = self._began = monotonic()
        self._matches = matches
        self._done = 0
        self._decisions = 0
        self._faults: deque[str] = deque(maxlen=_FAULTS_SHOWN)
        live = self._console.is_terminal and matches > 0
        self._live = (
            Live(get_renderable=self._picture, console=self._console, transient=True)
            if live
            else None
        )

    def __enter__(self) -> "Progress":
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live:
            self._live.stop()

    def begin(self, record: Path) -> None:
        """Say what is about to be played."""
        summary = self._summary
        if not self._matches:
            self.tell(f"{summary.league}: everything has been played")
            return
        resumed = "going on with" if summary.decisions else "beginning"
        self.tell(f"{summary.league}: {resumed} {self._matches} matches, record {record}")
        self._commit()

    def begun(self, record: Path) -> None:
        """Say that the record was created and nothing is played yet."""
        self.tell(f"{self._summary.league}: begun, record {record}")
        self._commit()

    def next_round(
        self, matches: int, width: float | None, widest: Callable[[], float | None]
    ) -> None:
        """A round is over and the next has so many matches; say how wide the intervals are."""
        self._matches += matches
        if width is None:
            return
        now = widest()
        found = "some bot has no interval yet" if now is None else f"the widest is {now:.3f}"
        more = f"another round of {matches} matches" if matches else "no more rounds"
        self.tell(f"the league asks for intervals of {width:g}, {found}: {more}")

    def started(self, spec: MatchSpec) -> None:
        """A match begins."""
        if not self._live:
            self.tell(f"Started {_match(spec)}")

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        """A match is stored."""
        self._done += 1
        self._decisions += record.results.decisions
        for entry in record.results.faults:
            bot, deal = spec.seats[entry.fault.seat], spec.first + entry.deal
            self._fault(f"{bot}: {entry.fault.kind} in deal {deal}", entry.fault.detail)
        for seat in record.results.disqualified:
            self._fault(f"{spec.seats[seat]} is disqualified", _match(spec))
        if self._live:
            if monotonic() > self._refreshed + _STANDINGS_EVERY_S:
                self._summary = self._refresh()
                self._refreshed = monotonic()
        else:
            self.tell(f"Finished {_match(spec)} ({self._done} of {self._matches})")

    def void(self, spec: MatchSpec, why: str) -> None:
        """A match failed by no bot's fault."""
        self.tell(f"Void, to be played again: {_match(spec)}: {why}")

    def tell(self, line: str) -> None:
        """Say something about the run."""
        self._console.print(Text(line), soft_wrap=True)

    def interrupted(self, command: str) -> None:
        """The user stopped the run; say which command goes on."""
        self.tell(f"stopped; every finished match is stored. Go on with: {command}")

    def _commit(self) -> None:
        if not self._summary.practice:
            self.tell(f"commitment to the secret seed: SHA-256 {self._summary.commitment}")

    def _fault(self, what: str, detail: str) -> None:
        line = f"{what}: {harmless(detail)}"
        if self._live:
            self._faults.append(line)
        else:
            self.tell(line)

    def _picture(self) -> Group:
        spent = monotonic() - self._began
        left = spent / self._done * (self._matches - self._done) if self._done else None
        rate = self._decisions / spent if spent > 0 else 0.0
        line = f"{self._done} of {self._matches} matches, {rate:,.0f} decisions a second"
        line += "" if left is None else f", about {_duration(left)} left"
        faults = [Text(fault, style="yellow", overflow="ellipsis") for fault in self._faults]
        return Group(standings_table(self._summary), Text(line, style="bold"), *faults)


def _match(spec: MatchSpec) -> str:
    return f"{', '.join(spec.seats)}: deals {spec.first} to {spec.first + spec.deals - 1}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
