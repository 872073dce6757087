"""Keeps workers fed with matches: one pinned process per core, restarted when it dies."""

import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from time import monotonic
from types import FrameType
from typing import Final, TypeVar

import msgspec

from arena.errors import MachineError, Mistake
from arena.procedure import MatchVoid
from arena.records import MatchRecord
from arena.sandbox import cgroup, leftovers
from arena.sandbox.isolation import of_worker
from arena.sandbox.leftovers import mark, remove
from arena.worker import Job, initialize, play_and_clean

Key = TypeVar("Key")

TRIES: Final = 5
"""How often a match may come to nothing by the arena's own fault before the run gives up."""

STARTS: Final = 3
"""How often a worker that dies before it has begun is started again."""

PATIENCE_S: Final = 10.0
"""How long matches that are under way may still finish after an interruption."""

_TICK_S: Final = 0.2


class Interrupted(Exception):
    """The user stopped the run; everything finished has been stored. `code` is the exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Lane:
    """One worker process on one core, behind the interface of an executor.

    `number` tells it from the others that run at the same time.
    """

    def __init__(self, core: int | None, number: int) -> None:
        self._core = core
        self._number = number
        self._start()

    def submit(self, job: Job) -> Future[MatchRecord]:
        """Play a match in the worker. The future raises `BrokenProcessPool` if the worker dies.

        A worker that died while it was idle is replaced first. Raises `MachineError` where none
        can be started.
        """
        self.pid()
        job = msgspec.structs.replace(job, isolation=of_worker(job.isolation, self._number))
        try:
            return self._executor.submit(play_and_clean, job)
        except BrokenProcessPool:
            self.restart()
            return self._executor.submit(play_and_clean, job)

    def pid(self) -> int:
        """The worker's process number, once it runs. Raises `MachineError` where none ever does."""
        for _ in range(STARTS):
            try:
                return self._first.result()
            except BrokenProcessPool:  # killed before it had begun
                self.restart()
        what = "a worker process cannot be started; the lines above may say why"
        raise MachineError(Mistake(what))

    def restart(self) -> None:
        """A new worker in the place of a dead one, and nothing left of that."""
        self.close()
        _sweep()
        self._start()

    def close(self) -> None:
        """End the worker, a match under way and its bots included."""
        with contextlib.suppress(BrokenProcessPool, CancelledError, ProcessLookupError):
            os.kill(self._first.result(), signal.SIGTERM)  # the worker's handler ends its bots
        self._executor.shutdown(wait=True, cancel_futures=True)
        remove(self._scratch)

    def _start(self) -> None:
        self._scratch = tempfile.mkdtemp(prefix=mark())
        os.chmod(self._scratch, 0o711)  # bots may be other users
        self._executor: Executor = ProcessPoolExecutor(
            1, multiprocessing.get_context("spawn"), initialize, (self._core, self._scratch)
        )
        self._first = self._executor.submit(os.getpid)


def play_all(
    jobs: Iterable[tuple[Key, Job]],
    workers: int,
    started: Callable[[Key], None],
    finished: Callable[[Key, MatchRecord], None],
    void: Callable[[Key, str], None],
) -> None:
    """Play all matches, calling back in this thread. Raises `Interrupted` or `MachineError`.

    A match whose worker died, or that the arena itself spoilt, is told to `void` and played again.
    Jobs are asked for only as workers come free, so what is finished may decide what comes next.
    """
    _sweep()
    coming = iter(jobs)
    waiting = deque(islice(coming, workers))
    tries: dict[int, int] = {}
    with _signals() as signals, _lanes(len(waiting)) as lanes:
        idle = list(lanes)
        running: dict[Future[MatchRecord], tuple[Lane, Key, Job]] = {}
        patience = float("inf")
        while running or (waiting and not signals.count):
            while idle and waiting and not signals.count:
                key, job = waiting.popleft()
                lane = idle.pop()
                started(key)
                running[lane.submit(job)] = lane, key, job
            for future in wait(running, _TICK_S, FIRST_COMPLETED).done:
                lane, key, job = running.pop(future)
                try:
                    finished(key, future.result())
                    tries.pop(id(job), None)
                except (MatchVoid, BrokenProcessPool) as error:
                    if isinstance(error, BrokenProcessPool):
                        lane.restart()
                    why = str(error) if isinstance(error, MatchVoid) else "its worker died"
                    void(key, why)
                    tries[id(job)] = tries.get(id(job), 0) + 1
                    if tries[id(job)] >= TRIES:
                        what = f"a match came to nothing {TRIES} times: {why}"
                        raise MachineError(Mistake(what, "", "all others are stored")) from None
                    waiting.appendleft((key, job))
                idle.append(lane)
            if not signals.count:
                waiting.extend(islice(coming, max(0, len(idle) - len(waiting))))
            if signals.count and patience == float("inf"):
                patience = monotonic() + PATIENCE_S
            if signals.count > 1 or monotonic() > patience:
                break
        if signals.count:
            raise Interrupted(signals.code)


def _sweep() -> None:
    """Clear away what killed arenas and workers have left behind."""
    cgroup.sweep()
    leftovers.sweep()


class _Signals:
    """How often the user asked to stop, and the exit code of the first time."""

    def __init__(self) -> None:
        self.count = 0
        self.code = 0

    def note(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        self.code = self.code or 128 + number


@contextmanager
def _signals() -> Iterator[_Signals]:
    """Receive Ctrl-C and SIGTERM ourselves while matches are played."""
    signals = _Signals()
    before = {number: signal.signal(number, signals.note) for number in _STOPPING}
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_STOPPING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def _lanes(count: int) -> Iterator[list[Lane]]:
    lanes: list[Lane] = []
    try:
        lanes += (Lane(core, number) for number, core in enumerate(_cores(count)))
        yield lanes
    finally:
        for lane in lanes:
            lane.close()


def cores() -> list[int]:
    """The cores this process may use."""
    if sys.platform == "linux":
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _cores(count: int) -> list[int | None]:
    """A core for each worker; more workers than cores share them, unpinned."""
    have = cores()
    return list(have[:count]) if count <= len(have) else [None] * count
