"""Feeds matches, or other work, to workers, wherever they run; yields each result at once."""

import signal
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic, sleep
from types import FrameType
from typing import Final, Generic, Protocol, TypeVar

import msgspec

from arena.base.errors import MachineError, Mistake
from arena.base.run_events import (
    Completed,
    Interrupted,
    Playing,
    RunEvent,
    Stopping,
    Void,
    Waiting,
)
from arena.match.commands import MatchVoid

_Key = TypeVar("_Key")
_Work = TypeVar("_Work")
Given = TypeVar("Given", contravariant=True)
_Result = TypeVar("_Result")

# The number of times that the arena itself may spoil a match before the run gives up.
TRIES: Final = 5

# Seconds that running matches have to finish after an interruption, if they are stored.
PATIENCE_S: Final = 7.0

_TICK_S: Final = 0.2
_IDLE_S: Final = 10.0  # seconds without an end after which a run says that it waits


class WorkersFault(MatchVoid):
    """A match is void through its worker alone, which does not count against the match."""


class Executor(Protocol[Given, _Result]):
    """Workers that play matches, or do other work. The caller of `run` closes them."""

    def room(self) -> int:
        """The number of jobs that it takes now; asked several times a second."""

    def submit(self, job: Given) -> Future[_Result]:
        """Have a job done. The future raises `MatchVoid`, or `MachineError` without workers."""

    def close(self) -> None:
        """End what runs, and the workers if they are ours."""


def run(
    jobs: Iterable[tuple[_Key, _Work] | None],
    executor: Executor[_Work, _Result],
    patience_s: float = PATIENCE_S,
    beat: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = monotonic,
) -> Iterator[RunEvent[_Key, _Result]]:
    """Play all matches, and yield what happens. Raises `Interrupted`, and `MachineError`.

    Running matches may take `patience_s` seconds after an interruption. `beat` is called several
    times a second.

    A match whose worker died, or that the arena itself spoilt, is void and played again. Jobs are
    taken as workers come free, and before the results are yielded: no worker waits for the caller.
    None instead of a job means that there is nothing for now, and the jobs are asked again in a
    moment.
    """
    source, over = iter(jobs), False
    waiting: deque[_Task[_Key, _Work]] = deque()
    running: dict[Future[_Result], _Task[_Key, _Work]] = {}
    ended: deque[tuple[_Task[_Key, _Work], _Result | MatchVoid]] = deque()
    give_up_at: float | None = None
    ended_at = told_at = clock()

    def hand_out() -> None:
        nonlocal over
        room = executor.room()
        while not over and len(waiting) < max(room, not running):
            try:
                job = next(source)
            except StopIteration:
                over = True
                break
            if job is None:
                break
            waiting.append(_Task(*job))
        for _ in range(min(room, len(waiting))):
            task = waiting.popleft()
            running[executor.submit(task.job)] = task

    def collect() -> None:
        for future in _done(running):
            task = running.pop(future)
            try:
                ended.append((task, future.result()))
            except MatchVoid as void:
                ended.append((task, void))

    def events() -> Iterator[RunEvent[_Key, _Result]]:
        while ended:
            task, result = ended.popleft()
            if not isinstance(result, MatchVoid):
                yield Completed(task.key, result)
                continue
            failures = task.failures + (not isinstance(result, WorkersFault))
            if failures < TRIES:
                waiting.appendleft(msgspec.structs.replace(task, failures=failures))
            yield Void(task.key, str(result), failed=failures >= TRIES)

    with _signals() as signals:
        begun = False
        while True:
            beat()
            try:
                if not signals:
                    hand_out()
                if running and not begun:
                    begun = True
                    yield Playing()
                if ended:
                    ended_at = told_at = clock()
                elif running and not signals and clock() - told_at >= _IDLE_S:
                    told_at = clock()
                    yield Waiting(told_at - ended_at)
                yield from events()
                if not running and (signals or (over and not waiting)):
                    break
                collect()
            except Exception:
                yield from events()
                raise
            if signals and give_up_at is None:
                yield Stopping(patience_s)
                give_up_at = clock() + patience_s
            if len(signals) > 1 or (give_up_at is not None and clock() >= give_up_at):
                yield from events()
                break
        if signals:
            raise Interrupted(128 + signals[0])


def results_of(events: Iterable[RunEvent[_Key, _Result]]) -> Iterator[tuple[_Key, _Result]]:
    """The keys and results of a run's matches. Raises `MachineError` if one failed too often."""
    for event in events:
        if isinstance(event, Completed):
            yield event.key, event.result
        elif isinstance(event, Void) and event.failed:
            raise void_error(event)


def void_error(void: Void[_Key]) -> MachineError:
    """The error of a match that failed too often."""
    return MachineError(Mistake(f"a match failed {TRIES} times: {void.why}"))


class _Task(msgspec.Struct, Generic[_Key, _Work], frozen=True):
    """A match to play, and the number of times it was void."""

    key: _Key
    job: _Work
    failures: int = 0


# The matches that have ended, first those begun first; waits a fifth of a second at most.
def _done(running: Collection[Future[_Result]]) -> list[Future[_Result]]:
    if not running:
        sleep(_TICK_S)
        return []
    ended = wait(running, _TICK_S, FIRST_COMPLETED).done
    return [future for future in running if future in ended]


@contextmanager
def _signals() -> Iterator[list[int]]:
    noted: list[int] = []
    if current_thread() is not main_thread():  # which alone receives signals
        yield noted
        return

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)

    before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
