"""One match played for real: the referee on one side, bot processes on the other."""

import contextlib
import ctypes
import errno
import os
import signal
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import msgspec
import trio

from arena.logs import LogWriter
from arena.messages import Malformed, Ready, decode, encode, reply_to
from arena.procedure import (
    Failed,
    Finished,
    MatchPlan,
    MatchVoid,
    Outcome,
    Question,
    Said,
    Start,
    Tell,
)
from arena.process import Flooded, Gone, Late, Process, Program, Watchdog
from arena.records import Course, DealFault, MatchRecord, course_of
from arena.referee import conduct
from arena.sandbox.box import NoBox
from arena.sandbox.isolation import Isolation
from arena.sandbox.leftovers import remove, scratch
from arena.sandbox.tree import children
from arena.sandbox.watch import PERIOD_S

_NO_MEANS = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC}
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
        watchdog = Watchdog()
        nursery.start_soon(watchdog.run)
        with scratch() as folder:
            stage = _Stage(job, watchdog, nursery, folder)
            nursery.start_soon(stage.watch)
            try:
                result = await stage.run()
            except MatchVoid as void:  # raised below: a nursery would wrap it in a group
                result = void
            finally:
                with trio.CancelScope(shield=True):
                    await stage.close()
        nursery.cancel_scope.cancel()
    if isinstance(result, MatchVoid):
        raise result
    return msgspec.structs.replace(result, stderr=stage.stderr())


class _Seat:
    """A seat's process, what ended it if it has ended, and the requests it let pass."""

    def __init__(self, process: Process | None, gone: Failed | None = None) -> None:
        self.process = process
        self.gone = gone
        self.overdue: set[int] = set()

    def end(self, failed: Failed) -> Failed:
        """The process is of no use any more: each further request fails for the same reason."""
        self.gone = msgspec.structs.replace(failed, seconds=0.0)
        if self.process is not None:
            self.process.kill()
        return failed


class _Stage:
    """Carries out the referee's commands and collects the record."""

    def __init__(self, job: Job, watchdog: Watchdog, nursery: trio.Nursery, scratch: str) -> None:
        self._job = job
        self._watchdog = watchdog
        self._nursery = nursery
        self._scratch = scratch
        self._seats: list[_Seat] = []
        self._log = LogWriter()
        self._look_at = 0.0

    async def run(self) -> MatchRecord:
        payments: list[tuple[int, ...]] = []
        courses: list[Course] = []
        faults: list[DealFault] = []
        decisions = 0
        procedure = conduct(self._job.plan)
        outcome: Outcome = None
        try:
            while True:
                command = procedure.send(outcome)
                if type(command) is Question:
                    decisions += 1
                    outcome = await self._ask(command)
                elif type(command) is Tell:
                    process = self._seats[command.seat].process
                    if process is not None:
                        process.post(encode(command.line))
                    outcome = None
                elif type(command) is Finished:
                    game = command.game
                    self._log.game(game)
                    payments.append(game.result.payments)
                    courses.append(course_of(game))
                    faults += (DealFault(game.number, fault) for fault in game.faults)
                    outcome = None
                elif type(command) is Start:
                    outcome = await self._start(command)
                    self._log.start(outcome)
        except StopIteration as stop:
            return MatchRecord(
                tuple(payments),
                tuple(courses),
                tuple(faults),
                stop.value,
                decisions,
                self._log.close(),
                (),
                self._job.isolation.level,
            )

    async def watch(self) -> None:
        """Look after all processes for ever; `_ask` does so too, since it may never wait."""
        while True:
            await trio.sleep(PERIOD_S)
            self._look()

    async def close(self) -> None:
        """End all processes, each in its own time."""
        processes = [seat.process for seat in self._seats if seat.process is not None]
        async with trio.open_nursery() as nursery:
            for process in processes:
                nursery.start_soon(process.close)
        for process in processes:
            process.release()

    def stderr(self) -> tuple[str, ...]:
        """What each seat wrote to stderr, head and tail."""
        return tuple(
            "" if seat.process is None else seat.process.stderr.text() for seat in self._seats
        )

    async def _start(self, command: Start) -> tuple[Ready | Failed, ...]:
        for number, program in enumerate(self._job.programs):
            self._seats.append(self._spawn(number, program))
        for seat in self._seats:
            if seat.process is not None:
                try:
                    await seat.process.begin()
                except NoBox as error:
                    raise MatchVoid(str(error)) from None
        said: list[Ready | Failed | None] = [None] * len(self._seats)

        async def greet(number: int) -> None:
            said[number] = await self._greet(self._seats[number], encode(command.hellos[number]))

        async with trio.open_nursery() as nursery:
            for number in range(len(self._seats)):
                nursery.start_soon(greet, number)
        return tuple(answer for answer in said if answer is not None)

    def _spawn(self, number: int, program: Program) -> _Seat:
        folder = Path(self._scratch, str(number))
        folder.mkdir()
        line_bytes = self._job.plan.limits.line_bytes
        try:
            process = Process(
                program, self._job.isolation, number, str(folder), self._watchdog, line_bytes
            )
        except OSError as error:
            if error.errno in _NO_MEANS or self._job.isolation.level == "bubblewrap":
                raise MatchVoid(f"a bot could not be started: {error}") from None
            why = f"cannot be started: {error.strerror or error}"
            return _Seat(None, Failed("exited", why))
        self._nursery.start_soon(process.drain_stderr)
        return _Seat(process)

    async def _greet(self, seat: _Seat, hello: bytes) -> Ready | Failed:
        if seat.process is None:
            assert seat.gone is not None
            return seat.gone
        start_s = self._job.plan.limits.start_s
        deadline = _deadline(start_s)
        try:
            seat.process.post(hello)
            await seat.process.flush(deadline)
            answer = decode(await seat.process.read_line(deadline))
            if not isinstance(answer, Ready):
                raise Malformed("the first answer must be ready")
            if answer.protocol != 1:
                raise Malformed(f"protocol 1 is spoken here, not {answer.protocol}")
            return answer
        except Late:
            return seat.end(Failed("unready", f"no ready within {start_s:g} s", start_s or 0.0))
        except Malformed as error:
            return seat.end(Failed("malformed", f"in place of ready: {error}"))
        except Gone as error:
            return seat.end(_gone(seat.process, error, 0.0))
        except Flooded as error:
            return seat.end(Failed("flooded", str(error)))

    async def _ask(self, question: Question) -> Said | Failed:
        seat = self._seats[question.seat]
        process = seat.process
        if seat.gone is not None or process is None:
            assert seat.gone is not None
            return seat.gone
        clock_s = question.clock_s
        line: bytes | None = None
        seat.overdue.discard(question.request.id)  # asked again: its answer is wanted now
        try:
            line = process.exchange(encode(question.line))
            if line is None:
                await process.flush(_deadline(clock_s))
                line = await process.read_line(_deadline(clock_s, process.written))
            if process.written > self._look_at:
                self._look()
            answer = decode(line)
            while seat.overdue and not isinstance(answer, Ready) and answer.id in seat.overdue:
                seat.overdue.discard(answer.id)  # the answer to a request that timed out
                line = await process.read_line(_deadline(clock_s, process.written))
                answer = decode(line)
            reply = reply_to(question.request, answer)
        except Malformed as error:
            seat.overdue.add(question.request.id)  # where a stray line came first, it follows
            return Failed("malformed", f"{error}: {_shown(line)}", _spent(process, clock_s))
        except Late:
            seat.overdue.add(question.request.id)
            return Failed("timeout", f"no answer within {clock_s:g} s", _spent(process, clock_s))
        except Gone as error:
            return seat.end(_gone(process, error, _spent(process, clock_s)))
        except Flooded as error:
            return seat.end(Failed("flooded", str(error), _spent(process, clock_s)))
        return Said(reply, _spent(process, clock_s))

    def _look(self) -> None:
        """See what each process uses; who takes too much is killed, and blamed when next asked."""
        for seat in self._seats:
            if seat.process is not None and seat.gone is None:
                seat.process.look()
        self._look_at = perf_counter() + PERIOD_S


def _gone(process: Process, error: Gone, seconds: float) -> Failed:
    """The end of a bot: by the limit it crossed, or as it chose."""
    if process.crossed is not None:
        return Failed("resource", process.crossed, seconds)
    return Failed("exited", str(error), seconds)


def _deadline(clock_s: float | None, begun: float | None = None) -> float:
    """When the time is up, by trio's clock, if it began at some moment, or begins now."""
    if clock_s is None:
        return float("inf")
    return trio.current_time() + clock_s - (0.0 if begun is None else perf_counter() - begun)


def _spent(process: Process, clock_s: float | None) -> float:
    """The seconds to charge since the line was written.

    An answer that was there when the arena looked is in time, however late the arena looked.
    """
    spent = perf_counter() - process.written
    return round(spent if clock_s is None or spent < clock_s else clock_s, 6)


def _shown(line: bytes | None) -> str:
    """The beginning of a bot's line, for a fault's detail."""
    if line is None:
        return ""
    text = line[:200].decode(errors="replace")
    return repr(text) + ("…" if len(line) > 200 else "")
