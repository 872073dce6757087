"""The progress of a run on standard error: live in a terminal, a line now and then elsewhere."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from arena.base.harmless import harmless
from arena.base.run_events import Completed, Interrupted, Playing, RunEvent, Stopping, Void
from arena.base.words import count, deal_name, deal_names, duration, forfeited_text, stopping
from arena.league.config import ClosedConfig, OpenConfig
from arena.league.schedule import MatchSpec, commitment
from arena.match.record import MatchRecord
from arena.record.store import Store
from arena.reports.terminal import console, fit, show_prose

if TYPE_CHECKING:
    from arena.record.summary import Summary
    from arena.tasks.closed_league import ClosedLeague
    from arena.tasks.open_league import OpenLeague

_Key = TypeVar("_Key")
_Result = TypeVar("_Result")

_LINE_EVERY_S = 5.0
_LINES_AN_AGE = 20  # at most one line in each twentieth of the time that has passed
_STANDINGS_EVERY_S = 2.0
_BOTS_IN_A_LINE = 4


class RunDisplay(ABC, Generic[_Key, _Result]):
    """Shows a run from its start to its end, as a context manager; `live` while something runs.

    `what` is the plural of the things under way, of which the `finished` ones are kept.
    """

    def __init__(self, live: bool = True, what: str = "matches", finished: str = "match") -> None:
        self._what, self._finished = what, finished
        self._console = console(stderr=True)
        self._in_terminal = self._console.is_terminal and not self._console.is_dumb_terminal
        self._began, self._line_at_s, self._completed = monotonic(), 0.0, 0
        self._over, self._stopping = Event(), False
        self._live, self._ticker = None, None
        if live and self._in_terminal:
            self._live = Live(get_renderable=self.picture, console=self._console, transient=True)
        elif live:
            self._ticker = Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._over.set()
        if self._live:
            self._live.stop()
        if self._ticker and self._ticker.is_alive():
            self._ticker.join()
        if isinstance(error, Interrupted):
            self.interrupted()

    def show(self, event: RunEvent[_Key, _Result]) -> None:
        """Show what happened in the run."""
        match event:
            case Playing():
                self._tell()
                if self._ticker and not self._ticker.is_alive():
                    self._ticker.start()
            case Completed(key, result):
                self.finished(key, result)
                self._tell(always=not self._completed)
                self._completed += 1
            case Void(key, why, failed):
                self.void(key, why, failed)
            case Stopping(patience_s):
                self._stopping = True
                self.say(stopping(patience_s, self._what))

    @abstractmethod
    def finished(self, key: _Key, result: _Result) -> None:
        """A match is done."""

    def void(self, key: _Key, why: str, failed: bool) -> None:
        """A match failed by no player's fault, perhaps too often."""
        self.say(f"Void, to be played again: {why}")

    def interrupted(self) -> None:
        """The user stopped the run."""
        kept = f"every finished {self._finished} is stored"
        self.say(f"stopped after {self.how_far()}; {kept}. Run the same command to continue")

    def say(self, line: str) -> None:
        """Show a line about something else."""
        show_prose(line, self._console)

    @abstractmethod
    def how_far(self) -> str:
        """The amount that is done: `3 of 20 deals`."""

    def line(self) -> str:
        """The progress in a line."""
        return self.how_far()

    def picture(self) -> RenderableType:
        """The progress in a terminal."""
        return Text(self.line(), "bold")

    @property
    def _spent(self) -> float:
        return monotonic() - self._began

    def _tick(self) -> None:
        while not self._over.wait(1.0):
            self._tell()

    # Tell how far the run is in a log, if the last time is long enough ago
    def _tell(self, always: bool = False) -> None:
        if self._ticker and not self._stopping and (always or self._spent >= self._line_at_s):
            self._line_at_s = self._spent + max(_LINE_EVERY_S, self._spent / _LINES_AN_AGE)
            self.say(self.line())


class LeagueProgress(RunDisplay[MatchSpec, MatchRecord]):
    """The progress of a league; standings, which count whole sets only, stand below it."""

    def __init__(self, league: "ClosedLeague | OpenLeague", plays: bool) -> None:
        self._league: Any = league
        self._store, self._config, self._plays = league.store, league.terms.config, plays
        self._is_open = isinstance(self._config, OpenConfig)
        self._resumes = league.store.decisions() > 0
        self._found: Summary | None = None
        self._refresh_at, self._done, self._decisions = 0.0, 0, 0
        super().__init__(plays and getattr(league, "deals", 1) > 0)

    def begin(self) -> None:
        """Say what is about to be played, the hash published before it, and who is new."""
        name, deals = self._config.name, 0 if self._is_open else self._league.deals
        if not self._plays:
            what = "begun"
        elif self._is_open:
            what = "continuing" if self._resumes else "beginning"
        elif deals:
            each = "seating" if isinstance(self._config, ClosedConfig) else "table"
            begun = "continuing with" if self._resumes else "beginning"
            what = f"{begun} {count(deals, 'deal')} (each {each} counts)"
        else:
            self.say(f"{name}: everything has been played")
            return
        stops = "; Ctrl-C stops it" if self._plays and self._is_open else ""
        self.say(f"{name}: {what}, record {self._store.path}{stops}")
        if not self._store.facts().practice:
            secret = "season's secret" if self._is_open else "secret seed"
            self.say(f"commitment to the {secret}: SHA-256 {self._commitment()}")
        bots, added = ([], 0) if self._is_open else self._league.newcomers()
        if added:
            who = ", ".join(bots) if len(bots) <= _BOTS_IN_A_LINE else count(len(bots), "bot")
            self.say(f"new since it was played: {who}, in {count(added, 'deal')} of these")

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        for line in fault_lines(self._store, spec, record):
            self.say(line)
        self._done += spec.deals
        self._decisions += record.results.decisions
        began = monotonic()
        if began > self._refresh_at:
            from arena.record.summary import summarize  # until a match ends, none is needed

            self._found = summarize(self._store)
            now = monotonic()
            self._refresh_at = now + max(_STANDINGS_EVERY_S, 20 * (now - began))

    def void(self, spec: MatchSpec, why: str, failed: bool) -> None:
        who = f"{', '.join(spec.seats)}: {deal_names(spec.first, spec.deals)}"
        self.say(f"Void, to be played again: {who}: {why}")

    def how_far(self) -> str:
        if self._is_open:
            return count(self._league.played, "order")
        return f"{self._done} of {count(self._league.deals, 'deal')}"

    def line(self) -> str:
        if self._found is None:
            return self._speed()
        from arena.reports.standings import leaders

        return "; ".join(filter(None, (self._speed(), leaders(self._found, _BOTS_IN_A_LINE))))

    def picture(self) -> RenderableType:
        line = Text(self._speed(), "bold")
        if self._found is None:
            return line
        from arena.reports.standings import standings_table

        return Group(line, *fit(standings_table(self._found), self._console))

    def _commitment(self) -> str:
        if self._is_open:
            return self._store.fold().commitment
        return commitment(self._store.seeds()[-1])

    def _speed(self) -> str:
        spent = self._spent
        rate = f"{self._decisions / spent if spent > 0 else 0.0:,.0f} decisions a second"
        if self._is_open:
            line = f"{self.how_far()} played, {self._league.under_way} under way"
            return f"{line}, {self._league.waits or f'{rate} ({duration(spent)})'}"
        if not self._done:
            return f"{self.how_far()}, the first matches are being played ({duration(spent)})"
        left = spent / self._done * (self._league.deals - self._done)
        return f"{self.how_far()}, {rate}, about {duration(left)} left"


def fault_lines(store: Store, spec: MatchSpec, record: MatchRecord) -> Iterator[str]:
    """The faults of a stored match, a line each, and who was disqualified by them."""
    if record.results.faults:
        where = f"match {store.number_of(spec)}"
        for entry, more in record.results.counted_faults():
            bot, kind = spec.seats[entry.fault.seat], entry.fault.kind
            detail = f"{harmless(entry.fault.detail)}{forfeited_text(more)}"
            yield f"{bot}: {kind} in {where}, {deal_name(spec.first + entry.deal)}: {detail}"
        for seat in record.results.disqualified:
            yield f"{spec.seats[seat]} is disqualified from {where}"
