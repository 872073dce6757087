"""Running matches into a record: the run of anything, and that of a league of any kind."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from arena.base.observer import Observer, Relay
from arena.engine.builds import Copy, install, make_home
from arena.engine.program import Program
from arena.engine.worker import Job
from arena.league.plans import match_plan
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.commands import untimed
from arena.match.record import MatchRecord
from arena.record.writer import Writer
from arena.sandbox.isolation import Isolation

_Key = TypeVar("_Key", bound=Hashable)
_Result = TypeVar("_Result")

Jobs = Iterable[tuple[MatchSpec, Job] | None]
"""Matches to play, None if there are none for now."""


class Storing(Relay[MatchSpec, MatchRecord]):
    """Stores each match played, and hands it on."""

    def __init__(
        self, writer: Writer, watcher: Observer[MatchSpec, MatchRecord] | None = None
    ) -> None:
        super().__init__(watcher)
        self.writer = writer
        self.store = writer.store

    def finished(self, spec: MatchSpec, record: MatchRecord, /) -> None:
        self.writer.add(spec, record)
        self.stored(spec)
        super().finished(spec, record)

    def stored(self, spec: MatchSpec) -> None:
        """Do what a subclass does once a match is stored, before the watcher is told of it."""

    def given_up(self, spec: MatchSpec, why: str, /) -> None:
        super().given_up(spec, f"{why}; all finished matches are stored")

    def void(self, spec: MatchSpec, why: str, /) -> None:
        self.writer.add_void(spec, why)
        super().void(spec, why)


class Collecting(Relay[_Key, _Result]):
    """Keeps each result in memory, and hands it on."""

    def __init__(self, watcher: Observer[_Key, _Result] | None = None) -> None:
        super().__init__(watcher)
        self.results: dict[_Key, _Result] = {}

    def finished(self, key: _Key, result: _Result, /) -> None:
        self.results[key] = result
        super().finished(key, result)


class Roster:
    """Copies and programs by the bots' names; they grow as bots come.

    `home` is the folder of the league's copies.
    """

    def __init__(self, home: Path, isolation: Isolation) -> None:
        self.home = home
        self.isolation = isolation
        self.copies: dict[str, Copy] = {}
        self.programs: dict[str, Program] = {}
        make_home(home)

    def add(self, copy: Copy) -> None:
        """Make a bot's program from its copy. Raises `ArenaError`."""
        bot = copy.bot
        program = install(bot, copy.digest, self.home, self.isolation, copy.allowed)
        self.copies[bot.name], self.programs[bot.name] = copy, program


class LeagueRun(Storing, ABC):
    """A league being played: its matches come in runs, each with a crew of its own."""

    known = False
    """Whether the rest of a run is the same whatever the results."""

    def __init__(self, writer: Writer, roster: Roster) -> None:
        super().__init__(writer)
        self.roster = roster
        self.watcher = self._early = _Early()

    def watch(self, watcher: Observer[MatchSpec, MatchRecord]) -> None:
        """Have a watcher told how it goes, and what was told before."""
        self.watcher = watcher
        for line in self._early.lines:
            watcher.tell(line)

    @abstractmethod
    def runs(self, timed: bool = True, fixed: bool = False) -> Iterator[Jobs]:
        """The matches left to play, run after run; `fixed` crews play the bots they began with."""


class _Early(Observer[object, object]):
    """Remembers lines that are told before anybody watches."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def tell(self, line: str, /) -> None:
        self.lines.append(line)


def job_of(
    terms: Terms, seeds: Sequence[str], roster: Roster, spec: MatchSpec, timed: bool = True
) -> Job:
    """A match of a league with these seeds, ready to be played."""
    plan = match_plan(terms, seeds, spec)
    seated = tuple(roster.programs[bot] for bot in spec.seats)
    return Job(plan if timed else untimed(plan), seated, roster.isolation)
