"""The progress of a league, closed or open: its standings beside how far it is."""

from abc import ABC, abstractmethod
from collections import deque
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, cast

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from arena.base.words import count, deal_names, duration
from arena.league.config import ClosedConfig, OpenConfig
from arena.league.schedule import MatchSpec, commitment
from arena.match.record import MatchRecord
from arena.record.store import Store
from arena.reports.display import RunDisplay
from arena.reports.terminal import fit

if TYPE_CHECKING:
    from arena.record.summary import Summary
    from arena.tasks.closed_league import ClosedLeague
    from arena.tasks.open_league import OpenLeague

_STANDINGS_EVERY_S = 2.0
_FAULTS_SHOWN = 5
_BOTS_IN_A_LINE = 4


class Progress(RunDisplay[MatchSpec, MatchRecord], ABC):
    """Counts and shows the finished matches.

    Standings count whole sets only. Until the first set is whole, plain averages of the deals
    played stand in for them and say so.
    """

    _secret: str
    """The name of the secret that a league commits to unless it is for practice."""

    def __init__(self, store: Store, plays: bool) -> None:
        """The progress of the league in a record; matches follow if it `plays`."""
        super().__init__()
        self._store = store
        self._name, self._practice = store.terms().config.name, store.facts().practice
        self._resumes = store.decisions() > 0
        self._found: Summary | None = None
        self._refresh_at = 0.0
        self._done = 0
        self._decisions = 0
        self._averages: dict[str, _Average] = {}
        self._faults: deque[str] = deque(maxlen=_FAULTS_SHOWN)
        self._lock = Lock()
        self._over = Event()
        self._ticker: Thread | None = None
        if plays and self._in_terminal:
            self._live = Live(get_renderable=self.picture, console=self._console, transient=True)
        elif plays:
            self._ticker = Thread(target=self._tick, daemon=True)

    def _end(self) -> None:
        self._over.set()
        if self._ticker and self._ticker.is_alive():
            self._ticker.join()

    @abstractmethod
    def begin(self) -> None:
        """Say what is about to be played."""

    def created(self) -> None:
        """Say that the record was created and nothing is played yet."""
        self._say_and_commit(f"begun, record {self._store.path}")

    def begun(self) -> None:
        """Show how far it is from now on."""
        if self._ticker and not self._ticker.is_alive():
            self._ticker.start()
            self._tell_line()

    def finished(self, spec: MatchSpec, record: MatchRecord) -> None:
        """A match is stored."""
        if record.results.faults:
            from arena.reports.faults import fault_lines

            for line in fault_lines(self._store, spec, record):
                self._fault(line)
        for seat in record.results.disqualified:
            number = self._store.number_of(spec)
            self._fault(f"{spec.seats[seat]} is disqualified from match {number}")
        first = not self._done
        with self._lock:
            self._done += spec.deals
            self._decisions += record.results.decisions
            for payments in record.results.payments:
                for bot, stakes in zip(spec.seats, payments, strict=True):
                    self._averages.setdefault(bot, _Average()).add(stakes)
        self._renew()
        if self._ticker and (first or self._line_is_due()):
            self._tell_line()

    def void(self, spec: MatchSpec, why: str, failed: bool) -> None:
        """A match failed by no bot's fault."""
        self.say(f"Void, to be played again: {_match(spec)}: {why}")

    def interrupted(self, command: str) -> None:
        """The user stopped the run; say which command goes on."""
        done = f"stopped after {self._how_far()}"
        self.say(f"{done}; every finished match is stored. Go on with: {command}")

    def picture(self) -> Group:
        """The picture in a terminal: how far it is, the last faults, the bots."""
        faults = [Text(fault, style="yellow", overflow="ellipsis") for fault in self._faults]
        with self._lock:
            line = Text(self._line(), style="bold")
            from arena.reports.standings import standings_order, standings_table

            if standings_order(self._summary):
                table, order = standings_table(self._summary)
            elif self._averages:
                table, order = self._first_table()
            else:
                return Group(line, *faults)
        return Group(line, *faults, *fit(table, self._console, order))

    @abstractmethod
    def _how_far(self) -> str:
        """The amount played since the progress began."""

    @abstractmethod
    def _line(self) -> str:
        """The progress so far, and the speed."""

    def _rate(self) -> str:
        spent = monotonic() - self._began
        return f"{self._decisions / spent if spent > 0 else 0.0:,.0f} decisions a second"

    @property
    def _summary(self) -> "Summary":
        """The standings as last computed."""
        self._found = self._found or self._summed()
        return self._found

    def _summed(self) -> "Summary":
        from arena.record.summary import summarize  # until a match ends, no statistics are needed

        return summarize(self._store)

    def _say_and_commit(self, what: str) -> None:
        self.say(f"{self._name}: {what}")
        if not self._practice:
            self.say(f"commitment to the {self._secret}: SHA-256 {self._commitment()}")

    def _commitment(self) -> str:
        """The hash of the secret, which was published before the first deal."""
        return commitment(self._store.seeds()[-1])

    def _fault(self, line: str) -> None:
        if self._live:
            self._faults.append(line)
        else:
            self.say(line)

    def _renew(self) -> None:
        """Compute the standings anew, if the last time is long enough ago for what that costs."""
        began = monotonic()
        if began > self._refresh_at:
            self._found = self._summed()
            now = monotonic()
            self._refresh_at = now + max(_STANDINGS_EVERY_S, 20 * (now - began))

    def _tick(self) -> None:
        """Tell how it goes while no match ends."""
        while not self._over.wait(1.0):
            if self._line_is_due():
                self._tell_line()

    def _tell_line(self) -> None:
        with self._lock:
            self._put_off()
            order = self._order()
            said = "; ".join([self._line(), *([order] if order else [])])
        self.say(said)

    def _order(self) -> str:
        """The bots from the best down, as many as a line has room for."""
        from arena.reports.numbers import signed
        from arena.reports.standings import standings_order

        found = standings_order(self._summary)
        said = [f"{bot} {signed(stakes)}" for bot, stakes in found]
        if not found:
            ordered = sorted(self._averages.items(), key=lambda each: -each[1].value)
            said = [f"{bot} {each}" for bot, each in ordered]
        more = ["…"] if len(said) > _BOTS_IN_A_LINE else []
        shown = ", ".join([*said[:_BOTS_IN_A_LINE], *more])
        return f"no whole set yet, so far {shown}" if said and not found else shown

    def _first_table(self) -> tuple[Table, tuple[str, ...]]:
        """A table of plain averages, until the first set is whole."""
        title = f"{self._name}: no whole set yet, averages so far"
        table = Table(title=title, title_justify="left", box=None, pad_edge=False)
        table.add_column("bot", overflow="fold", min_width=8)
        table.add_column("stakes/deal", justify="right", no_wrap=True)
        table.add_column("deals", justify="right", no_wrap=True)
        for bot, each in sorted(self._averages.items(), key=lambda each: -each[1].value):
            table.add_row(Text(bot), str(each), str(each.deals))
        return table, ("deals",)


class ClosedProgress(Progress):
    """Counts the deals of a league that has an end."""

    _secret = "secret seed"

    def __init__(self, league: "ClosedLeague", plays: bool = True) -> None:
        self._league = league  # a picture needs it
        super().__init__(league.store, plays and league.deals > 0)

    def begin(self) -> None:
        if self._league.deals:
            resumed = "going on with" if self._resumes else "beginning"
            each = "seating" if isinstance(self._league.terms.config, ClosedConfig) else "table"
            what = f"{count(self._league.deals, 'deal')} (each {each} counts)"
            self._say_and_commit(f"{resumed} {what}, record {self._store.path}")
            self._tell_newcomers()
        else:
            self.say(f"{self._name}: everything has been played")

    def created(self) -> None:
        super().created()
        self._tell_newcomers()

    def _tell_newcomers(self) -> None:
        """Say which bots were not there before, and what they add."""
        bots, deals = self._league.newcomers()
        if deals:
            who = ", ".join(bots) if len(bots) <= _BOTS_IN_A_LINE else count(len(bots), "bot")
            self.say(f"new since it was played: {who}, in {count(deals, 'deal')} of these")

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

    _secret = "season's secret"

    def __init__(self, league: "OpenLeague", plays: bool = True) -> None:
        self._league = league  # a picture needs it
        super().__init__(league.store, plays)

    def begin(self) -> None:
        resumed = "going on" if self._resumes else "beginning"
        self._say_and_commit(f"{resumed}, record {self._store.path}; Ctrl-C stops it")

    def _commitment(self) -> str:
        return self._store.fold().commitment

    def _how_far(self) -> str:
        return count(self._league.played, "order")

    def _line(self) -> str:
        line = f"{self._how_far()} played, {self._league.under_way} under way"
        if self._league.waits:
            return f"{line}, {self._league.waits}"
        return f"{line}, {self._rate()} ({duration(monotonic() - self._began)})"


def progress_of(league: "ClosedLeague | OpenLeague", plays: bool) -> Progress:
    """The progress of a league; matches follow if it `plays`."""
    if isinstance(league.store.terms().config, OpenConfig):
        return OpenProgress(cast("OpenLeague", league), plays)
    return ClosedProgress(cast("ClosedLeague", league), plays)


class _Average:
    """The stakes of a bot and the deals in which it made them."""

    def __init__(self) -> None:
        self.deals = self._stakes = 0

    def add(self, stakes: int) -> None:
        self.deals += 1
        self._stakes += stakes

    @property
    def value(self) -> float:
        """Stakes a deal."""
        return self._stakes / self.deals

    def __str__(self) -> str:
        """The value to a tenth with its sign, and never a negative zero."""
        return f"{round(self.value, 1) + 0.0:+.1f}"


def _match(spec: MatchSpec) -> str:
    return f"{', '.join(spec.seats)}: {deal_names(spec.first, spec.deals)}"
