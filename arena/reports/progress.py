"""The progress of a run on standard error: live in a terminal, a line now and then elsewhere."""

from collections.abc import Iterator
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from arena.base.harmless import harmless
from arena.base.run_events import (
    Completed,
    Interrupted,
    Playing,
    RunEvent,
    Stopping,
    Void,
    Waiting,
)
from arena.base.words import count, deal_name, duration, forfeited_text, stopping
from arena.league.config import OpenConfig
from arena.league.schedule import MatchSpec, commitment
from arena.match.record import MatchRecord
from arena.record.store import IN_MEMORY, Store
from arena.reports.terminal import console, fit, show_prose

if TYPE_CHECKING:
    from arena.tasks.closed_league import ClosedLeague
    from arena.tasks.compare import Comparison
    from arena.tasks.match import BotMatch
    from arena.tasks.open_league import OpenLeague

_Key = TypeVar("_Key")
_Result = TypeVar("_Result")

_LINE_EVERY_S = 5.0
_LINES_AN_AGE = 20  # at most one line in each twentieth of the time that has passed
_STANDINGS_EVERY_S = 2.0


class RunDisplay(Generic[_Key, _Result]):
    """Shows a run from its start to its end, as a context manager.

    `what` is the plural of the things under way; `kept` describes what an interrupted run leaves.
    """

    what = "matches"
    kept = "every finished match is stored. Run the same command to continue"

    def __init__(self) -> None:
        self._console = console(stderr=True)
        self._began, self._line_at_s, self._idle = monotonic(), 0.0, ""
        self._live = Live(get_renderable=self.picture, console=self._console, transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._live.stop()
        if isinstance(error, Interrupted):
            self.say(f"stopped; {self.kept}")

    def show(self, event: RunEvent[_Key, _Result]) -> None:
        """Show what happened in the run."""
        in_log = not self._console.is_terminal
        match event:
            case Playing() if in_log:
                self.say(self.line())
            case Waiting(idle_s):
                self._idle = f"; no end of one for {duration(idle_s)}, a bot may be slow"
                if in_log:
                    self.say(f"{self.line()}{self._idle}")
            case Completed(key, result):
                self._idle = ""
                self.finished(key, result)
                if in_log and self._spent >= self._line_at_s:
                    self._line_at_s = self._spent + max(_LINE_EVERY_S, self._spent / _LINES_AN_AGE)
                    self.say(self.line())
            case Void(key, why, failed):
                self.void(key, why, failed)
            case Stopping(patience_s):
                self._line_at_s = inf
                self.say(stopping(patience_s, self.what))

    def finished(self, key: _Key, result: _Result) -> None:
        """A match is done."""

    def void(self, key: _Key, why: str, failed: bool) -> None:
        """A match failed by no player's fault, perhaps too often."""
        self.say(f"Void, to be played again: {why}")

    def say(self, line: str) -> None:
        """Show a line about something else."""
        show_prose(line, self._console)

    def line(self) -> str:
        """The progress in a line."""
        return ""

    def picture(self) -> RenderableType:
        """The progress in a terminal."""
        return Text(f"{self.line()}{self._idle}", "bold")

    @property
    def _spent(self) -> float:
        return monotonic() - self._began


class LeagueProgress(RunDisplay[MatchSpec, MatchRecord]):
    """The progress of a league; standings, which count whole sets only, stand below it."""

    def __init__(self, league: "ClosedLeague | OpenLeague") -> None:
        self._league: Any = league
        self._store, self._config = league.store, league.terms.config
        self._is_open = isinstance(self._config, OpenConfig)
        self._standings: list[RenderableType] = []
        self._refresh_at, self._done, self._decisions = 0.0, 0, 0
        super().__init__()

    def begin(self) -> None:
        """Print what is about to be played, and the hash published before it."""
        deals = "Ctrl-C stops it" if self._is_open else count(self._league.deals, "deal")
        begun = "continuing" if self._store.decisions() else "beginning"
        if not (self._is_open or self._league.deals):
            begun, deals = "everything has been played", "none is left"
        self.say(f"{self._config.name}: {begun}, {deals}, record {self._store.path}")
        if not self._store.facts().practice:
            secret = "season's secret" if self._is_open else "secret seed"
            fold = self._store.fold() if self._is_open else None
            found = fold.commitment if fold else commitment(self._store.seeds()[-1])
            self.say(f"commitment to the {secret}: SHA-256 {found}")

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        for line in fault_lines(self._store, spec, record):
            self.say(line)
        self._done += spec.deals
        self._decisions += record.results.decisions
        began = monotonic()
        if self._console.is_terminal and began > self._refresh_at:
            from arena.record.summary import summarize  # until a match ends, none is needed
            from arena.reports.standings import standings_table

            self._standings = [*fit(standings_table(summarize(self._store)), self._console)]
            now = monotonic()
            self._refresh_at = now + max(_STANDINGS_EVERY_S, 20 * (now - began))

    def line(self) -> str:
        rate = f"{self._decisions / max(self._spent, 1e-9):,.0f} decisions a second"
        if self._is_open:
            line = (
                f"{count(self._league.played, 'order')} played, {self._league.under_way} under way"
            )
            return f"{line}, {self._league.waits or rate}"
        line = f"{self._done} of {count(self._league.deals, 'deal')}"
        if not self._done:
            return f"{line}, the first matches are being played"
        left = self._spent / self._done * (self._league.deals - self._done)
        return f"{line}, {rate}, about {duration(left)} left"

    def picture(self) -> RenderableType:
        return Group(super().picture(), *self._standings)


class MatchProgress(RunDisplay[MatchSpec, MatchRecord]):
    """The number of seatings played."""

    def __init__(self, match: "BotMatch") -> None:
        self._store = match.store
        self._played = len(match.store.stored())
        self._all = self._played + len(match.remaining())
        if match.store.path == IN_MEMORY:
            self.kept = "without a --record nothing is kept"
        super().__init__()

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        for line in fault_lines(self._store, spec, record):
            self.say(line)
        self._played += 1

    def line(self) -> str:
        return f"{self._played} of {count(self._all, 'seating')}"


class ComparisonProgress(RunDisplay[MatchSpec, MatchRecord]):
    """The progress of a comparison in one line."""

    def __init__(self, comparison: "Comparison") -> None:
        self._comparison = comparison
        super().__init__()

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        for line in fault_lines(self._comparison.store, spec, record):
            self.say(line)

    def line(self) -> str:
        decision = self._comparison.decision
        so_far = f"{decision.sets} of {self._comparison.max_sets} sets"
        if decision.gap is None or decision.llr is None:
            return f"{so_far}; nothing is decided before {self._comparison.first_look}"
        lower, upper = self._comparison.config.hypotheses.bounds
        ends = f"better at {upper:+.2f}, not better at {lower:+.2f}"
        return (
            f"{so_far}: {decision.gap:+z.3f} stakes/deal,"
            f" log likelihood ratio {decision.llr:+z.2f} ({ends})"
        )


def fault_lines(store: Store, spec: MatchSpec, record: MatchRecord) -> Iterator[str]:
    """The faults of a stored match, a line each, and who was disqualified by them."""
    where = f"match {store.number_of(spec)}" if record.results.faults else ""
    for entry, more in record.results.counted_faults():
        bot, kind = spec.seats[entry.fault.seat], entry.fault.kind
        detail = f"{harmless(entry.fault.detail)}{forfeited_text(more)}"
        yield f"{bot}: {kind} in {where}, {deal_name(spec.first + entry.deal)}: {detail}"
    for seat in record.results.disqualified:
        yield f"{spec.seats[seat]} is disqualified from {where}"
