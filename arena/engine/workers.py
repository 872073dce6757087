"""Workers of this machine: processes that each play a match at a time, or do other work."""

import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from math import inf
from time import monotonic
from typing import Final, Generic, TypeVar

import msgspec

from arena.base.errors import MachineError, Mistake
from arena.base.marks import mark
from arena.engine.longest import limit_s
from arena.engine.worker import Job, initialize, play_and_clean
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord
from arena.sandbox.box import NO_MEANS
from arena.sandbox.isolation import for_worker
from arena.sandbox.leftovers import sweep
from arena.sandbox.removal import remove_folder

STARTS: Final = 3
"""The attempts to start a worker that dies before it has begun."""


_QUIET: Final = "ignore:resource_tracker:UserWarning"
"""Keeps Python from warning of semaphores that it cleans up after a killed arena."""


_Work = TypeVar("_Work")
_Result = TypeVar("_Result")
Done = Sequence[_Result | MatchVoid]
DoEach = Callable[[Sequence[_Work], int], Done[_Result]]
"""A function that a worker can import; it does some work in the worker with a number."""


class LocalLane(Generic[_Work, _Result]):
    """One worker process, on one core if one is given, with the interface of an executor.

    `number` tells it from the others that run at the same time.
    """

    room = 1
    """The number of matches that it accepts at once."""

    def __init__(self, core: int | None, number: int, do_each: DoEach[_Work, _Result]) -> None:
        self._core = core
        self._number = number
        self._do_each = do_each
        self._doing: Future[Done[_Result]] | None = None
        self._late_at = inf
        self._start()

    def submit(self, jobs: Sequence[_Work]) -> "Future[Done[_Result]]":
        """Do some work in the worker. The future raises `BrokenProcessPool` if the worker dies.

        A worker that died while idle is replaced first. Raises `MachineError` if none can be
        started.
        """
        self.pid()
        try:
            self._doing = self._executor.submit(self._do_each, jobs, self._number)
        except BrokenProcessPool:
            self.restart()
            self._doing = self._executor.submit(self._do_each, jobs, self._number)
        self._late_at = monotonic() + self.longest_s(jobs)
        return self._doing

    def longest_s(self, jobs: Sequence[_Work]) -> float:
        """How long some work can take."""
        return inf

    def end_if_late(self) -> None:
        """Kill the worker if it should have been done: it was stopped, or hangs."""
        if self._doing is not None and not self._doing.done() and monotonic() > self._late_at:
            with contextlib.suppress(BrokenProcessPool, ProcessLookupError):
                os.kill(self._first.result(), signal.SIGKILL)

    def pid(self) -> int:
        """The worker's process number, once it runs. Raises `MachineError` if it never does."""
        for _ in range(STARTS):
            try:
                return self._first.result()
            except BrokenProcessPool:  # killed before it had begun
                self.restart()
        what = "a worker process cannot be started; the lines above may say why"
        raise MachineError(Mistake(what))

    def restart(self) -> bool:
        """Replace a dead worker, and clean up what it left behind."""
        self.close()
        sweep()
        self._start()
        return True

    def close(self) -> None:
        """End the worker, the work it is doing and the bots it plays with."""
        with contextlib.suppress(BrokenProcessPool, CancelledError, ProcessLookupError):
            os.kill(self._first.result(), signal.SIGTERM)  # the worker's handler ends its bots
            os.kill(self._first.result(), signal.SIGCONT)  # also where it was stopped
        self._executor.shutdown(wait=True, cancel_futures=True)
        remove_folder(self._scratch)

    def _start(self) -> None:
        self._scratch = tempfile.mkdtemp(prefix=mark())
        os.chmod(self._scratch, 0o711)  # bots may run as other users
        self._executor: Executor = ProcessPoolExecutor(
            1, multiprocessing.get_context("spawn"), initialize, (self._core, self._scratch)
        )
        self._first = self._executor.submit(os.getpid)


class Lane(LocalLane[Job, MatchRecord]):
    """A worker that plays matches."""

    def __init__(self, core: int | None, number: int) -> None:
        super().__init__(core, number, play_each)

    def longest_s(self, jobs: Sequence[Job]) -> float:
        """How long some matches can take by their own clocks."""
        return limit_s([job.plan for job in jobs])


class LocalCrew(Generic[_Work, _Result]):
    """The workers of this machine, one for each of the given cores; a core of None means any."""

    def __init__(self, cores: Sequence[int | None], do_each: DoEach[_Work, _Result]) -> None:
        self._cores = cores
        self._do_each = do_each
        self._lanes: list[LocalLane[_Work, _Result]] = []

    def spare(self) -> int:
        """The number of workers that could still be started; those that are late are killed."""
        for lane in self._lanes:
            lane.end_if_late()
        return len(self._cores) - len(self._lanes)

    def open(self, wanted: int) -> Sequence[LocalLane[_Work, _Result]]:
        """Start `wanted` workers, or as many as can still be started."""
        if not self._lanes and wanted:
            sweep()
            if _QUIET not in sys.warnoptions:  # read by the helper that `multiprocessing` starts
                sys.warnoptions.append(_QUIET)
        begin = len(self._lanes)
        for number in range(begin, min(begin + wanted, len(self._cores))):
            self._lanes.append(self._lane(self._cores[number], number))
        return self._lanes[begin:]

    def _lane(self, core: int | None, number: int) -> LocalLane[_Work, _Result]:
        return LocalLane(core, number, self._do_each)

    def close(self) -> None:
        """End all workers."""
        for lane in self._lanes:
            lane.close()


class Lanes(LocalCrew[Job, MatchRecord]):
    """The workers of this machine that play matches, up to a given number."""

    def __init__(self, count: int) -> None:
        super().__init__(pinned(count), play_each)

    def _lane(self, core: int | None, number: int) -> Lane:
        return Lane(core, number)


def play_each(jobs: Sequence[Job], number: int) -> list[MatchRecord | MatchVoid]:
    """Play matches one after another in a worker; a void one gives a `MatchVoid`."""
    return [
        _played(msgspec.structs.replace(job, isolation=for_worker(job.isolation, number)))
        for job in jobs
    ]


def cores() -> list[int]:
    """The cores that this process may use."""
    if sys.platform == "linux":
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def pinned(count: int) -> list[int | None]:
    """A core for each worker, or None for each if there are more workers than cores."""
    have = cores()
    return list(have[:count]) if count <= len(have) else [None] * count


def _played(job: Job) -> MatchRecord | MatchVoid:
    try:
        return play_and_clean(job)
    except MatchVoid as void:
        return void
    except (OSError, ExceptionGroup) as error:
        if not _lacks_means(error):
            raise
        return MatchVoid(f"this machine lacks the means to play: {error}")


def _lacks_means(error: Exception) -> bool:
    """Whether an error, or each error of a group, is the machine's fault."""
    if isinstance(error, ExceptionGroup):
        return all(map(_lacks_means, error.exceptions))
    return isinstance(error, OSError) and error.errno in NO_MEANS
