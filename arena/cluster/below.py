"""The processes below a cluster's worker, in which it plays.

A match needs the main thread of its process, which may have no children but the bots; and Dask's
heartbeat goes on while others compute.
"""

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor, wait
from multiprocessing.util import Finalize
from typing import Final

from arena.engine.job import Job
from arena.engine.workers import Done, LocalLane, play_each
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord
from arena.sandbox.folders import sweep

_TICK_S: Final = 0.5

_PlayingLane = LocalLane[Job, MatchRecord]


def play_below(jobs: Sequence[Job], core: int | None) -> list[MatchRecord | MatchVoid]:
    """Play some matches, one after another, until nobody waits for them any more.

    To be called by a task of a Dask worker.
    """
    wanted = _wanted()
    done: list[MatchRecord | MatchVoid] = []
    lane = _keeper.submit(_borrow, core).result()
    try:
        for job in jobs:
            future = _keeper.submit(lane.submit, [job]).result()
            if not _ends(future, wanted):
                _keeper.submit(lane.restart).result()
                break
            try:
                done += future.result()
            except BrokenExecutor:
                _keeper.submit(lane.restart).result()
                done.append(MatchVoid("its worker died"))
    finally:
        _keeper.submit(_free.append, (core, lane)).result()
    return done


def _ends(future: "Future[Done[MatchRecord]]", wanted: Callable[[], bool]) -> bool:
    """Wait for a job while anybody wants it; return whether it has ended."""
    while wanted():
        if wait([future], _TICK_S).done:
            return True
    return False


def _wanted() -> Callable[[], bool]:
    """A function that tells whether anybody still waits for the task of this thread.

    A scheduler cannot end a task that it has released; the worker keeps it as cancelled.
    """
    from distributed import Status, get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        at_work = worker.status in (Status.running, Status.paused)
        return at_work and task is not None and task.state != "cancelled"

    return wanted


_keeper: Final = ThreadPoolExecutor(1)
"""The thread that starts lanes: the kernel ends a lane when the thread that started it ends."""

_free: Final[list[tuple[int | None, _PlayingLane]]] = []
"""Idle lanes by core. Only the keeper touches them."""


def _borrow(core: int | None) -> _PlayingLane:
    for place, (free, _) in enumerate(_free):
        if free == core:
            return _free.pop(place)[1]
    # Dask's nanny starts workers as daemons, which may have no children that could outlive them.
    # A lane never does: it asks the kernel to end it with them.
    vars(multiprocessing.current_process())["_config"]["daemon"] = False
    sweep()
    lane = LocalLane(core, 0, play_each)
    if multiprocessing.parent_process() is not None:
        # When ending, such a process waits for its children before it tells any executor to stop.
        Finalize(None, lane.close, exitpriority=0)
    return lane
