"""The processes below a cluster's worker, in which it does its work.

A match needs the main thread of its process, which may have no children but the bots; and Dask's
heartbeat goes on while others compute.
"""

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor, wait
from multiprocessing.util import Finalize
from typing import Any, Final, TypeVar

from arena.engine.workers import DoEach, Done, LocalLane
from arena.match.commands import MatchVoid
from arena.sandbox.leftovers import sweep

_TICK_S: Final = 0.5

_Work = TypeVar("_Work")
_Result = TypeVar("_Result")


def do_below(
    do_each: DoEach[_Work, _Result], jobs: Sequence[_Work], number: int, core: int | None
) -> list[_Result | MatchVoid]:
    """Do some jobs, one after another, until nobody waits for them any more.

    To be called by a task of a Dask worker. `number` is that of the lane, for the function.
    """
    wanted = _wanted()
    done: list[_Result | MatchVoid] = []
    kind = core, number, do_each
    lane: LocalLane[_Work, _Result] = _keeper.submit(_borrow, kind).result()
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
        _keeper.submit(_free.append, (kind, lane)).result()
    return done


def _ends(future: "Future[Done[_Result]]", wanted: Callable[[], bool]) -> bool:
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

_Kind = tuple[int | None, int, DoEach[Any, Any]]

_free: Final[list[tuple[_Kind, LocalLane[Any, Any]]]] = []
"""Idle lanes by core, number and function. Only the keeper touches them."""


def _borrow(kind: _Kind) -> LocalLane[Any, Any]:
    for place, (its, _) in enumerate(_free):
        if its == kind:
            return _free.pop(place)[1]
    # Dask's nanny starts workers as daemons, which may have no children that could outlive them.
    # A lane never does: it asks the kernel to end it with them.
    vars(multiprocessing.current_process())["_config"]["daemon"] = False
    sweep()
    lane: LocalLane[Any, Any] = LocalLane(*kind)
    if multiprocessing.parent_process() is not None:
        # When ending, such a process waits for its children before it tells any executor to stop.
        Finalize(None, lane.close, exitpriority=0)
    return lane
