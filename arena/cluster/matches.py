"""Matches for workers: their results are believed as far as the rules bear them out."""

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena import __version__
from arena.cluster.answers import Wrong, one_line, read_answer
from arena.cluster.orders import Demand
from arena.engine.builds import Copy
from arena.engine.job import Job
from arena.engine.players import KEPT
from arena.engine.workers import limit_s
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.log import Unfaithful
from arena.match.logged import verify
from arena.match.record import MatchRecord
from arena.tasks.league_run import Roster

DEAL_BYTES: Final = 1 << 20
"""The most bytes that a log keeps of a deal: answers, with notes and lines that were sent back."""

HEAD_BYTES: Final = 1 << 20
"""The most bytes of a match's answer besides its deals and the bots' answers to `hello`."""

MOST_S: Final = 1e9
"""More seconds than any match is played for."""

ESCAPED: Final = 6
"""The most bytes that JSON needs for one byte."""

STDERR_SIGNS: Final = 2 * KEPT + 100
"""The most characters of a seat's stderr: both ends, and the line between them."""


class RemoteJob(msgspec.Struct, frozen=True):
    """A match to play on another machine: its plan, and the bot of each seat."""

    plan: MatchPlan
    bots: tuple[Copy, ...]


class MatchOrder(msgspec.Struct, frozen=True):
    """Matches to play one after another, on a core if given, by bots that the worker has.

    `number` is different for each lane of the run on the worker's machine.
    """

    number: int
    core: int | None
    demand: Demand
    jobs: tuple[RemoteJob, ...]


class MatchWork:
    """Matches of the bots of a roster, which may grow. Workers must meet its `demand`."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        apart = roster.isolation
        self.demand = Demand(__version__, apart.level, apart.read_only)

    @property
    def copies(self) -> Mapping[str, Copy]:
        """The bots of the roster."""
        return self._roster.copies

    @property
    def home(self) -> Path:
        """The folder of the roster's copies."""
        return self._roster.home

    def order(self, jobs: Sequence[Job], number: int, core: int | None) -> MatchOrder:
        """An order to play matches, which names the bots by their content."""
        return MatchOrder(number, core, self.demand, tuple(map(self._remote, jobs)))

    def longest_s(self, jobs: Sequence[Job]) -> float:
        """The seconds that the clocks of the bots allow."""
        return limit_s([job.plan for job in jobs])

    def read(self, said: bytes, jobs: Sequence[Job]) -> list[MatchRecord | MatchVoid]:
        """The results of some matches. Raises `Wrong`."""
        return read_matches(said, [*map(self._remote, jobs)], jobs)

    def _remote(self, job: Job) -> RemoteJob:
        names = [program.name for program in job.programs]
        return RemoteJob(job.plan, tuple(self._roster.copies[name] for name in names))


def read_matches(
    said: bytes, remote: Sequence[RemoteJob], jobs: Sequence[Job]
) -> list[MatchRecord | MatchVoid]:
    """The results of some matches, each replayed from its log. Raises `Wrong`.

    A match that keeps to the rules may still have answers in its log that no bot chose.
    """
    found = read_answer(said, remote, sum(_most(job.plan) for job in jobs))
    for result, job in zip(found, jobs, strict=True):
        if not isinstance(result, MatchVoid):
            _refuse_false(result, job)
    return found


def _refuse_false(record: MatchRecord, job: Job) -> None:
    """Raise `Wrong` if a result is not one of a match."""
    if record.isolation != job.isolation.level:
        raise Wrong(f"a match that was not played at the level {job.isolation.level}")
    if len(record.stderr) != len(job.programs):
        raise Wrong(f"stderr of {len(record.stderr)} bots, not of {len(job.programs)}")
    if max(map(len, record.stderr)) > STDERR_SIGNS:
        raise Wrong("more of a bot's stderr than is kept")
    held = record.held_s
    if len(held) not in (0, len(job.programs)) or not all(0 <= each < MOST_S for each in held):
        raise Wrong("no seconds of the bots' answers")
    try:
        _bound(record.log, _most(job.plan))
        verify(job.plan, record)
    except Unfaithful as error:
        raise Wrong(f"a match that is not what was played: {one_line(error)}") from None


def _most(plan: MatchPlan) -> int:
    """The most bytes that the answer about a match, or its log unpacked, may have."""
    hellos = ESCAPED * plan.limits.line_bytes * plan.rules.players
    return HEAD_BYTES + hellos + DEAL_BYTES * len(plan.deals)


def _bound(log: bytes, most: int) -> None:
    """Raise `Unfaithful` if a log is not one stream that unpacks to `most` bytes at most."""
    unpacked = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        length = len(unpacked.decompress(log, most + 1))
    except zlib.error as error:
        raise Unfaithful(f"the log cannot be read: {error}") from None
    if length > most:
        raise Unfaithful(f"its log is longer than {most} bytes")
    if unpacked.unused_data or not unpacked.eof:
        raise Unfaithful("its log is cut off, or has something after it")
