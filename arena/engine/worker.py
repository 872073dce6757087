"""A worker: it plays matches for real, the referee on one side, bot processes on the other."""

import contextlib
import ctypes
import multiprocessing
import os
import signal
import tempfile
import traceback
from multiprocessing.connection import Connection
from time import monotonic

import msgspec
import trio

from arena.engine.job import Job
from arena.engine.seats import Seats, seats_for
from arena.match.commands import Outcome, PlayedDeal, Question, Tell
from arena.match.log import LogWriter
from arena.match.match import Match
from arena.match.record import MatchRecord
from arena.sandbox.box import children
from arena.sandbox.folders import remove_folder

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def play_match(job: Job) -> MatchRecord:
    """Play a match with fresh processes.

    Raises `MatchVoid` if the arena itself failed, and `FunctionRaised`.
    """
    return trio.run(_play, job)


def play_and_clean(job: Job) -> MatchRecord:
    """Play a match in a worker, which has no other children; leave none behind."""
    try:
        return play_match(job)
    finally:
        end_children()


def initialize(core: int | None, scratch: str) -> None:
    """Make this process a worker: pinned with its bots to one core, and ending with its parent.

    It and its bots write only below the scratch folder, which is removed with it.
    """
    tempfile.tempdir = scratch
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    if core is not None:
        os.sched_setaffinity(0, {core})
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if os.getppid() == 1:  # the parent died before the kernel was asked to tell us
        _leave()


def do_jobs(descriptor: int, core: int | None, scratch: str) -> None:
    """Be a worker (see `initialize`) that does the jobs which come over a connection."""
    initialize(core, scratch)
    connection = Connection(descriptor)
    try:
        multiprocessing.current_process().authkey = connection.recv_bytes()  # sockets come with it
        while True:
            do, job, number = connection.recv()
            try:
                answer = do(job, number)
            except Exception as error:  # for the arena to raise
                error.add_note("".join(traceback.format_tb(error.__traceback__)))
                connection.send((error, None))
            else:
                connection.send((None, answer))
    except (EOFError, BrokenPipeError):  # the arena needs it no more
        _leave()


def end_children() -> None:
    """Kill every process below this one, including those that left their group."""
    while left := children(os.getpid()):
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in left:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _leave(*_: object) -> None:
    end_children()
    remove_folder(tempfile.gettempdir())
    os._exit(1)


async def _play(job: Job) -> MatchRecord:
    async with seats_for(job.programs, job.isolation, job.plan.limits) as seats:
        record = await conduct_match(job, seats)
    return msgspec.structs.replace(record, stderr=seats.stderr())


async def conduct_match(job: Job, seats: Seats) -> MatchRecord:
    """Play the match at as many tables as the bots can; return its record."""
    match, log, began = Match(job.plan), LogWriter(), monotonic()
    took_us = [1] * len(job.programs)  # of nothing, each has an equal part
    greeted = await seats.start(match.hellos)
    log.start(greeted)
    commands = match.greeted(greeted)
    alone = match.tables == 1
    questions: list[Question] = []
    while True:
        outcome: Outcome | None = None
        for command in commands:
            if type(command) is Question:
                if alone:
                    outcome = seats.ask_at_once(command)
                else:
                    questions.append(command)
            elif type(command) is Tell:
                seats.tell(command)
            elif type(command) is PlayedDeal:
                log.deal(command)
                for step in command.steps:
                    took_us[step.seat] += step.outcome.us
        if match.over:
            seats.send()
            a_us = (monotonic() - began) / sum(took_us)
            return MatchRecord(
                results=match.results(),
                log=log.close(),
                stderr=(),
                isolation=job.isolation.level,
                held_s=tuple(round(us * a_us, 6) for us in took_us),
            )
        if outcome is not None:
            commands = match.hear(0, outcome)
            continue
        commands = []
        for question, outcome in await seats.ask(questions):
            commands += match.hear(question.request.table, outcome)
        questions.clear()
