"""A cluster's worker: it tells whether it can play, takes in bots, plays matches.

It plays matches in a process below its own, as on one machine: a match needs the main thread of its
process, and that process may have no children but the bots.
"""

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor, wait
from functools import cache
from multiprocessing.util import Finalize
from typing import Final

import msgspec

from arena import __version__
from arena.base.errors import ArenaError
from arena.base.isolation_levels import IsolationLevel
from arena.cluster.answers import RemoteJob, encode_answer, encode_refusal
from arena.cluster.transfer import receive
from arena.engine.builds import Copy, beside, keep
from arena.engine.builds import cache as cache_of_copies
from arena.engine.worker import Job
from arena.engine.workers import Lane
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord
from arena.sandbox.isolation import Isolation, choose_isolation, for_worker
from arena.sandbox.leftovers import sweep

_TICK_S: Final = 0.5


class Demand(msgspec.Struct, frozen=True):
    """The conditions on a worker: the arena's version, the level of isolation, folders for bots.

    The level is chosen once for a run; a worker that cannot enforce it is not used.
    """

    version: str
    level: IsolationLevel
    read_only: tuple[str, ...]


class Admission(msgspec.Struct, frozen=True):
    """The conditions for a worker to be ready: the demand, and the bots that it must have."""

    demand: Demand
    copies: tuple[Copy, ...]


class Readiness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worker's answer: the hashes of the bots it still lacks, or why it cannot play."""

    missing: tuple[str, ...] = ()
    refusal: str | None = None


class MatchWork(msgspec.Struct, frozen=True):
    """Matches to play in order, on a core if given.

    `number` is different for each lane of the run on the worker's machine.
    """

    demand: Demand
    number: int
    core: int | None
    jobs: tuple[RemoteJob, ...]


def make_ready(entry: bytes, packed: bytes | None) -> bytes:
    """Unpack and build a bot that arrived, and return the missing ones as a `Readiness`.

    `entry` is an `Admission`; `packed`, if any, an archive by the hash of its bot.
    """
    return msgspec.msgpack.encode(_readiness(msgspec.msgpack.decode(entry, type=Admission), packed))


def play(work: bytes) -> bytes:
    """Play matches until nobody waits for them any more, and return the results.

    `work` is a `MatchWork`; `arena.cluster.answers` reads the answer.
    """
    order = msgspec.msgpack.decode(work, type=MatchWork)
    try:
        return encode_answer(order.jobs, _play(order))
    except ArenaError as error:
        return encode_refusal(_told(error))


def _readiness(entry: Admission, packed: bytes | None) -> Readiness:
    demand = entry.demand
    if demand.version != __version__:
        return Readiness(refusal=f"it has arena {__version__}, this is {demand.version}")
    arrived = {} if packed is None else msgspec.msgpack.decode(packed, type=dict[str, bytes])
    try:
        apart = _apart(demand)
        for copy in entry.copies:
            if copy.digest in arrived:
                receive(copy, arrived[copy.digest], apart)
            elif _is_here(copy):
                keep(copy, apart)
    except ArenaError as error:
        return Readiness(refusal=_told(error))
    return Readiness(tuple(copy.digest for copy in entry.copies if not _is_here(copy)))


def _told(error: ArenaError) -> str:
    return "; ".join(" | ".join((each.what, *each.lines)) for each in error.mistakes)


def _play(work: MatchWork) -> list[MatchRecord | MatchVoid]:
    wanted = _wanted()
    apart = for_worker(_apart(work.demand), work.number)
    bots = {each for job in work.jobs for each in job.bots}
    programs = {copy: keep(copy, apart) for copy in bots}
    played: list[MatchRecord | MatchVoid] = []
    lane = _keeper.submit(_borrow, work.core).result()
    try:
        for each in work.jobs:
            job = Job(each.plan, tuple(programs[bot] for bot in each.bots), apart)
            future = _keeper.submit(lane.submit, [job]).result()
            if not _ends(future, wanted):
                _keeper.submit(lane.restart).result()
                break
            try:
                played += future.result()
            except BrokenExecutor:
                _keeper.submit(lane.restart).result()
                played.append(MatchVoid("its worker died"))
    finally:
        _keeper.submit(_free.append, (work.core, lane)).result()
    return played


def _ends(future: "Future[Sequence[MatchRecord | MatchVoid]]", wanted: Callable[[], bool]) -> bool:
    """Wait for a match while anybody wants it; return whether it has ended."""
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


@cache
def _apart(demand: Demand) -> Isolation:
    return choose_isolation(demand.level, demand.read_only)


def _is_here(copy: Copy) -> bool:
    return beside(cache_of_copies(), copy.digest, ".built").exists()


_keeper: Final = ThreadPoolExecutor(1)
"""The thread that starts lanes: the kernel ends a lane when the thread that started it ends."""

_free: Final[list[tuple[int | None, Lane]]] = []
"""Idle lanes with their cores. Only the keeper touches them."""


def _borrow(core: int | None) -> Lane:
    for place, (its, _) in enumerate(_free):
        if its == core:
            return _free.pop(place)[1]
    # Dask's nanny starts workers as daemons, which may have no children that could outlive them.
    # A lane never does: it asks the kernel to end it with them.
    vars(multiprocessing.current_process())["_config"]["daemon"] = False
    sweep()
    lane = Lane(core, 0)
    if multiprocessing.parent_process() is not None:
        # When ending, such a process waits for its children before it tells any executor to stop.
        Finalize(None, lane.close, exitpriority=0)
    return lane
