"""The part of the arena that runs on a cluster's workers: it takes in bots, and plays matches."""

import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.bots.intake import unpack
from arena.bots.manifest import content_hash
from arena.bots.tree import Room
from arena.engine.build import BUILT_FILES, BUILT_MIB
from arena.engine.builds import Copy, copy_path, keep
from arena.engine.builds import cache as cache_of_copies
from arena.engine.job import Job
from arena.engine.workers import Worker, limit_s, play_job
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.record import MatchRecord
from arena.sandbox.box import Program
from arena.sandbox.folders import scratch
from arena.sandbox.isolation import Isolation, choose_isolation, for_worker


class RemoteMatch(msgspec.Struct, frozen=True):
    """A match to play: its plan, and the bot of each seat.

    The worker must enforce a level of isolation, and shows `read_only` folders to bots. `number`
    distinguishes the match from others played on the machine at the same time.
    """

    plan: MatchPlan
    bots: tuple[Copy, ...]
    level: IsolationLevel
    read_only: tuple[str, ...]
    number: int


class RemoteAnswer(msgspec.Struct, frozen=True):
    """The record of a match, else why it is void, or why the worker can play no match like it."""

    record: MatchRecord | None = None
    void: str = ""
    unfit: str = ""


def play_remote(asked: bytes, *packed: bytes) -> bytes:
    """Play a match (`RemoteMatch`) in a Dask task: a `RemoteAnswer`.

    `packed` are archives of its bots, which are unpacked and built where they are new.
    """
    match = msgspec.msgpack.decode(asked, type=RemoteMatch)
    try:
        apart = for_worker(_isolation(match.level, match.read_only), match.number)
        bots = zip(match.bots, packed, strict=True)
        job = Job(match.plan, tuple(receive(copy, bot, apart) for copy, bot in bots), apart)
        longest_s = limit_s(match.plan.limits, len(match.plan.deals))
        answer = RemoteAnswer(_worker_below(threading.get_ident()).call(job, longest_s, _wanted()))
    except MatchVoid as void:
        answer = RemoteAnswer(void=str(void))
    except ArenaError as error:
        told = (" | ".join((each.what, *each.lines)) for each in error.mistakes)
        answer = RemoteAnswer(unfit="; ".join(told))
    return msgspec.msgpack.encode(answer)


def receive(copy: Copy, packed: bytes, isolation: Isolation) -> Program:
    """The program of a bot, from its archive if it is not kept here yet. Raises `ArenaError`."""
    if copy_path(cache_of_copies(), copy.digest, ".built").exists():
        return keep(copy, isolation)
    with scratch(0o700) as place:
        archive, folder = Path(place, "bot.tar"), Path(place, "bot")
        archive.write_bytes(packed)
        folder.mkdir()
        unpack(archive, folder, Room(BUILT_MIB, BUILT_FILES))
        if content_hash(folder) != copy.digest:
            raise ArenaError(Mistake(f"what arrived is not the bot {copy.bot.name}", copy.digest))
        there = msgspec.structs.replace(copy.bot, folder=str(folder))
        return keep(msgspec.structs.replace(copy, bot=there), isolation)


# The process below a thread, in which it plays: Dask's heartbeat continues meanwhile.
@cache
def _worker_below(thread: int) -> Worker[Job, MatchRecord]:
    return Worker(None, 0, play_job)


# A function that returns whether anybody still waits for this thread's task. A scheduler cannot
# end a task that it has released; the worker keeps it as cancelled.
def _wanted() -> Callable[[], bool]:
    from distributed import Status, get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        at_work = worker.status in (Status.running, Status.paused)
        return at_work and task is not None and task.state != "cancelled"

    return wanted


@cache
def _isolation(level: IsolationLevel, read_only: tuple[str, ...]) -> Isolation:
    return choose_isolation(level, read_only)
