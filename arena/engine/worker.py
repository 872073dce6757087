"""One match played for real: the referee on one side, bot processes on the other."""

import contextlib
import ctypes
import os
import signal
import sys
import tempfile
from collections.abc import Generator, Sequence

import msgspec
import trio

from arena.engine.program import Program
from arena.engine.stage import Stage
from arena.match.commands import (
    Command,
    Finished,
    Game,
    MatchPlan,
    MatchVoid,
    Outcome,
    Question,
    Start,
    Tell,
)
from arena.match.log import LogWriter
from arena.match.record import Course, DealFault, MatchRecord, course_of
from arena.match.referee import Sitting, hellos
from arena.sandbox.isolation import Isolation
from arena.sandbox.leftovers import remove, scratch
from arena.sandbox.tree import children

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


class Job(msgspec.Struct, frozen=True):
    """A match to play: the plan, the program of each seat, and how they are kept apart."""

    plan: MatchPlan
    programs: tuple[Program, ...]
    isolation: Isolation


def play_match(job: Job) -> MatchRecord:
    """Play a match with fresh processes. Raises `MatchVoid` where the arena itself failed."""
    return trio.run(_play, job)


def play_and_clean(job: Job) -> MatchRecord:
    """Play a match in a worker, which has no other children, and leave none behind."""
    try:
        return play_match(job)
    finally:
        end_children()


def initialize(core: int | None, scratch: str) -> None:
    """Make this process a worker: on one core with its bots, and gone when its parent is.

    Whatever it and its bots write goes below the scratch folder, which it takes along.
    """
    tempfile.tempdir = scratch
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    if sys.platform == "linux":
        if core is not None:
            os.sched_setaffinity(0, {core})
        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        if os.getppid() == 1:  # the parent was gone before we could ask to be told
            _leave()


def end_children() -> None:
    """SIGKILL to every process left below this one, also to those that left their group."""
    if sys.platform != "linux":
        return
    while left := children(os.getpid()):
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in left:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _leave(*_: object) -> None:
    end_children()
    remove(tempfile.gettempdir())
    os._exit(1)


async def _play(job: Job) -> MatchRecord:
    result: MatchRecord | MatchVoid
    async with trio.open_nursery() as nursery:
        with scratch() as folder:
            stage = Stage(job.programs, job.isolation, job.plan.limits, nursery, folder)
            try:
                result = await _conducted(job, stage)
            except MatchVoid as void:  # raised below: a nursery would wrap it in a group
                result = void
            finally:
                with trio.CancelScope(shield=True):
                    await stage.close()
        nursery.cancel_scope.cancel()
    if isinstance(result, MatchVoid):
        raise result
    return msgspec.structs.replace(result, stderr=stage.stderr())


async def _conducted(job: Job, stage: Stage) -> MatchRecord:
    """The match played on a stage, at as many tables as the bots can, and the record of it.

    Deals are logged and counted in order, so that the record does not tell how many were in play.
    """
    log = LogWriter()
    payments: list[tuple[int, ...]] = []
    courses: list[Course] = []
    faults: list[DealFault] = []
    decisions = 0
    greeted = await stage.start(Start(hellos(job.plan)))
    log.start(greeted)
    sitting = Sitting(job.plan, greeted)
    tables = [sitting.table(number) for number in range(sitting.tables)]
    outcomes: Sequence[tuple[int, Outcome]] = [(number, None) for number in range(len(tables))]
    done: dict[int, Game] = {}
    while True:
        for number, outcome in outcomes:
            command = next_command(tables[number], outcome)
            while type(command) is not Question and command is not None:
                if type(command) is Tell:
                    stage.tell(command)
                elif type(command) is Finished:
                    done[command.game.number] = command.game
                command = next_command(tables[number], None)
            if command is not None:
                stage.put(number, command)
        while done and (game := done.pop(len(payments), None)) is not None:
            log.game(game)
            payments.append(game.result.payments)
            courses.append(course_of(game))
            faults += (DealFault(game.number, fault) for fault in game.faults)
            decisions += len(game.steps)
            if sitting.count(game.number) or len(payments) == len(job.plan.deals):
                for bye in sitting.byes():
                    stage.tell(bye)
                stage.send()
                return MatchRecord(
                    tuple(payments),
                    tuple(courses),
                    tuple(faults),
                    sitting.out,
                    decisions,
                    log.close(),
                    (),
                    job.isolation.level,
                )
        outcomes = await stage.answers()


def next_command(table: Generator[Command, Outcome, None], outcome: Outcome) -> Command | None:
    """What a table wants after an outcome, None when it has played all its deals."""
    try:
        return table.send(outcome)
    except StopIteration:
        return None
