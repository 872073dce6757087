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
from arena.engine.job import Job
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.record import MatchRecord
from arena.match.wire import Limits
from arena.sandbox.folders import remove_folder, sweep
from arena.sandbox.isolation import for_worker

_DECISIONS: Final = 64
"""More decisions than are ever asked for in a deal; repeated requests get no more time."""

_SLACK_S: Final = 120.0
"""Seconds that some matches may take together besides the time of their bots."""

_MATCH_SLACK_S: Final = 10.0
"""Seconds that a match may take besides the time of its bots."""


def limit_s(plans: Sequence[MatchPlan]) -> float:
    """The seconds that some matches cannot exceed; infinite without clocks, and with people."""
    return _SLACK_S + sum(map(_match_s, plans))


def between_lines_s(limits: Limits) -> float:
    """The seconds in which a seat hears something or is asked while others play; may be infinite.

    A deal that goes on without it is over by then, and so is the start of a match.
    """
    return _SLACK_S + _deals_s(limits, 1)


def _match_s(plan: MatchPlan) -> float:
    return float("inf") if plan.people else _deals_s(plan.limits, len(plan.deals))


def _deals_s(limits: Limits, deals: int) -> float:
    if limits.move_s is None or limits.start_s is None:
        return float("inf")
    return _MATCH_SLACK_S + limits.start_s + deals * _DECISIONS * limits.move_s


STARTS: Final = 3
"""The attempts to start a worker that dies before it has begun."""


_QUIET: Final = "ignore:resource_tracker:UserWarning"
"""Keeps Python from warning of semaphores that it cleans up after a killed arena."""


LANE_LOOK_S: Final = 1.0
"""The seconds over which it is seen whether the bots of a lane wait."""

_WAITING: Final = 0.1
"""The part of a core below which they do."""

PATIENT_S: Final = 10.0
"""The shortest clock of a decision, in seconds, with which a lane may share its core."""

_MOST_BESIDE: Final = 4
"""The most lanes of one core."""

_Work = TypeVar("_Work")
_Result = TypeVar("_Result")
Done = Sequence[_Result | MatchVoid]
DoEach = Callable[[Sequence[_Work], int], Done[_Result]]
"""A function that a worker can import; it does some work in the worker with a number."""


class LocalLane(Generic[_Work, _Result]):
    """One worker process, on one core if one is given, with the interface of an executor.

    `number` tells it from the others that run at the same time.
    """

    def __init__(self, core: int | None, number: int, do_each: DoEach[_Work, _Result]) -> None:
        self._core = core
        self._number = number
        self._do_each = do_each
        self._doing: Future[Done[_Result]] | None = None
        self._late_at = inf
        self._start()

    @property
    def room(self) -> int:
        """The number of jobs that it accepts now."""
        return 1

    @property
    def busy(self) -> bool:
        """Whether it is doing some work."""
        return self._doing is not None and not self._doing.done()

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
        if self.busy and monotonic() > self._late_at:
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
            1, multiprocessing.get_context("spawn"), _initialize, (self._core, self._scratch)
        )
        # until its own handling is set, a worker inherits Ctrl-C blocked: else it ends in a trace
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._first = self._executor.submit(os.getpid)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


class Lane(LocalLane[Job, MatchRecord]):
    """A worker that plays matches, on a core that it may share with the lanes `beside` it.

    Another one plays there as long as this one waits: no process of its match computes, and for a
    while they used next to nothing of the core. The match must leave its bots time for that.
    """

    def __init__(self, core: int | None, number: int, beside: "Sequence[Lane]" = ()) -> None:
        super().__init__(core, number, play_each)
        self.waits = False
        self._beside = beside
        self._patient = False
        self._looked: tuple[float, float] | None = None

    @property
    def room(self) -> int:
        """One match, if it is the first lane of its core to be free and all others wait."""
        first = next((lane for lane in self._beside if not lane.busy), self)
        return int(first is self and all(lane.waits for lane in self._beside if lane.busy))

    def submit(self, jobs: Sequence[Job]) -> "Future[Done[MatchRecord]]":
        """Play some matches; see the base class."""
        clocks = [job.plan.limits.move_s for job in jobs]
        self._patient = all(clock is None or clock >= PATIENT_S for clock in clocks)
        self.waits, self._looked = False, None
        return super().submit(jobs)

    def look(self) -> None:
        """See every now and then whether it waits."""
        if not self.busy or not self._patient:
            self.waits = False
            return
        now = monotonic()
        if self._looked is not None and now - self._looked[0] < LANE_LOOK_S:
            return
        from arena.sandbox.core_use import look_at  # what watches is loaded by a match under way
        from arena.sandbox.processes import usage

        pids: list[int] = []
        try:
            found = usage([self.pid()])
            pids, used = found.pids, found.cpu_s
        except (OSError, ValueError):  # it is ending
            used = inf
        if self._looked is not None:
            at, before = self._looked
            rests = 0 <= used - before < _WAITING * (now - at)
            self.waits = rests and look_at(pids) != "computing"
        self._looked = now, used

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
        """The number of workers that could be started now; those that are late are killed."""
        for lane in self._lanes:
            lane.end_if_late()
        return len(self._free())

    def open(self, wanted: int) -> Sequence[LocalLane[_Work, _Result]]:
        """Start `wanted` workers, or as many as can be started now."""
        if not self._lanes and wanted:
            sweep()
            if _QUIET not in sys.warnoptions:  # read by the helper that `multiprocessing` starts
                sys.warnoptions.append(_QUIET)
        begun = [self._begin(place) for place in self._free()[:wanted]]
        self._lanes += begun
        return begun

    def _free(self) -> Sequence[int]:
        """The places among the cores where a worker may begin."""
        return range(len(self._lanes), len(self._cores))

    def _begin(self, place: int) -> LocalLane[_Work, _Result]:
        return LocalLane(self._cores[place], place, self._do_each)

    def close(self) -> None:
        """End all workers."""
        for lane in self._lanes:
            lane.close()


class Lanes(LocalCrew[Job, MatchRecord]):
    """The workers of this machine that play matches, one for each of some cores.

    There are more while matches wait for their bots: so a bot that sleeps holds up nobody.
    """

    def __init__(self, count: int) -> None:
        super().__init__(pinned(count), play_each)
        self._places: list[list[Lane]] = [[] for _ in self._cores]

    def spare(self) -> int:
        """See the base class; also looks which lanes wait."""
        for beside in self._places:
            for lane in beside:
                lane.look()
        return super().spare()

    def _free(self) -> Sequence[int]:
        return [
            place
            for place, beside in enumerate(self._places)
            if len(beside) < _MOST_BESIDE and all(lane.busy and lane.waits for lane in beside)
        ]

    def _begin(self, place: int) -> Lane:
        beside = self._places[place]
        lane = Lane(self._cores[place], place + len(beside) * len(self._cores), beside)
        beside.append(lane)
        return lane


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


def _initialize(core: int | None, scratch: str) -> None:
    from arena.engine.worker import initialize  # only workers load what plays

    initialize(core, scratch)


def _played(job: Job) -> MatchRecord | MatchVoid:
    from arena.engine.worker import play_and_clean

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
    from arena.sandbox.box import NO_MEANS

    return isinstance(error, OSError) and error.errno in NO_MEANS
