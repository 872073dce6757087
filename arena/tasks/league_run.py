"""Running matches into a record: the run of anything, and that of a league of any kind."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from arena.base.errors import MachineError
from arena.base.run_events import Completed, RunEvent, Void
from arena.engine.builds import Copy, install
from arena.engine.job import FunctionSeat, Job, PersonLink
from arena.engine.runner import PATIENCE_S, Executor, run, void_error
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms, match_plan
from arena.match.commands import untimed
from arena.match.record import MatchRecord
from arena.record.store import IN_MEMORY, Store
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation

Jobs = Iterable[tuple[MatchSpec, Job] | None]
"""Matches to play, None if there are none for now."""


class Roster:
    """Copies and programs by the bots' names; they grow as bots come.

    `home` is the folder of the copies. In a match people and functions sit, too.
    """

    def __init__(self, home: Path, isolation: Isolation) -> None:
        self.home = home
        self.isolation = isolation
        self.copies: dict[str, Copy] = {}
        self.programs: dict[str, Program | PersonLink | FunctionSeat] = {}

    def add(self, copy: Copy) -> None:
        """Make a bot's program from its copy. Raises `ArenaError`."""
        self.programs[copy.bot.name] = install(copy, self.home, self.isolation)
        self.copies[copy.bot.name] = copy


class LeagueRun:
    """A league being played: its matches come in runs."""

    def __init__(self, store: Store, roster: Roster) -> None:
        self.store = store
        self.roster = roster
        self.say: Callable[[str], None] = lambda line: None
        """Called with a line about something that people may want to know."""

    def begin(self) -> None:
        """Take up what earlier runs left, before the first run. Raises `ArenaError`."""

    def runs(self, timed: bool = True) -> Iterator[Jobs]:
        """The matches left to play, run after run."""
        raise NotImplementedError

    def play(
        self,
        executor: Executor[Job, MatchRecord],
        timed: bool = True,
        patience_s: float = PATIENCE_S,
    ) -> Iterator[RunEvent[MatchSpec, MatchRecord]]:
        """Play the remaining matches, and yield what happens once it is stored.

        Raises `Interrupted`, and `MachineError`.
        """
        for jobs in self.runs(timed):
            for event in run(jobs, executor, patience_s):
                self.take(event)
                yield event

    def take(self, event: RunEvent[MatchSpec, MatchRecord]) -> None:
        """Store what happened in a run. Raises `MachineError` if a match failed too often."""
        if isinstance(event, Completed):
            self.store.add(event.key, event.result)
            self.stored(event.key)
        elif isinstance(event, Void):
            self.store.add_void(event.key, event.why)
            if event.failed:
                [failed] = void_error(event).mistakes
                kept = "" if self.store.path == IN_MEMORY else "all finished matches are stored"
                raise MachineError(replace(failed, remedy=kept))

    def stored(self, spec: MatchSpec) -> None:
        """Do what a subclass does once a match is stored."""


def job_of(
    terms: Terms, seeds: Sequence[str], roster: Roster, spec: MatchSpec, timed: bool = True
) -> Job:
    """A match of a league with these seeds, ready to be played."""
    plan = match_plan(terms, seeds, spec)
    seated = tuple(roster.programs[bot] for bot in spec.seats)
    return Job(plan if timed else untimed(plan), seated, roster.isolation)
