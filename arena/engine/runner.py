"""Feeds matches, or other work, to workers, wherever they run; yields each result at once."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import closing, contextmanager
from time import monotonic, sleep
from types import FrameType
from typing import Final, Generic, Protocol, TypeVar

import msgspec

from arena.base.errors import MachineError, Mistake
from arena.base.run_events import Completed, Playing, RunEvent, Stopping, Void
from arena.match.commands import MatchVoid

_Key = TypeVar("_Key")
_Work = TypeVar("_Work")
Given = TypeVar("Given", contravariant=True)
_Result = TypeVar("_Result")

TRIES: Final = 5
"""The number of times that the arena itself may spoil a match before the run gives up."""

PATIENCE_S: Final = 7.0
"""Seconds that running matches have to finish after an interruption, if they are stored."""

_TICK_S: Final = 0.2


class WorkersFault(MatchVoid):
    """A match is void through its worker alone, which does not count against the match.

    If raised for a whole batch, `restart` says whether the worker gets more.
    """


class Interrupted(Exception):
    """The user stopped the run; every finished match was yielded. `code` is the exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class AnyLane(Protocol[Given, _Result]):
    """A worker that plays matches one after another, or does other work."""

    @property
    def room(self) -> int:
        """The number of matches that it accepts now, at once."""

    def submit(self, jobs: Sequence[Given]) -> Future[Sequence[_Result | MatchVoid]]:
        """Play matches.

        The future raises `BrokenExecutor` if the worker dies, `WorkersFault` if that or anything
        else does not count against the matches.
        """

    def restart(self) -> bool:
        """Replace a dead worker; False if that is impossible."""


class Crew(Protocol[Given, _Result]):
    """All the workers of a run."""

    def spare(self) -> int:
        """The number of further workers ready now. Raises `MachineError` if none ever will be."""

    def open(self, wanted: int) -> Sequence[AnyLane[Given, _Result]]:
        """Open up to `wanted` more workers."""

    def close(self) -> None:
        """End the running matches, and the workers if they are ours."""


def run(
    jobs: Iterable[tuple[_Key, _Work] | None],
    crew: Crew[_Work, _Result],
    patience_s: float = PATIENCE_S,
    clock: Callable[[], float] = monotonic,
) -> Iterator[RunEvent[_Key, _Result]]:
    """Play all matches, and yield what happens. Raises `Interrupted`, and `MachineError`.

    Running matches may take `patience_s` seconds after an interruption.

    A match whose worker died, or that the arena itself spoilt, is void and replayed in a batch of
    its own. Jobs are taken as workers come free, and before the results are yielded: no worker
    waits for the caller. None in place of a job says that there is nothing for now, and the jobs
    are asked again in a moment. The crew is closed at the end.
    """
    coming = _Source(jobs)
    waiting: deque[_Task[_Key, _Work]] = deque()
    idle: list[AnyLane[_Work, _Result]] = []
    running: dict[
        Future[Sequence[_Result | MatchVoid]],
        tuple[AnyLane[_Work, _Result], list[_Task[_Key, _Work]]],
    ] = {}
    ended: deque[tuple[_Task[_Key, _Work], _Result | MatchVoid]] = deque()
    give_up_at: float | None = None

    def hand_out() -> None:
        """Give matches to the workers that are free."""
        spare = crew.spare()
        room = sum(lane.room for lane in idle) + spare
        waiting.extend(coming.take(max(room, not running) - len(waiting)))
        ready = sum(lane.room > 0 for lane in idle)
        idle.extend(crew.open(min(spare, max(0, len(waiting) - ready))))
        while waiting and (lane := _ready(idle)) is not None:
            batch = _batch(waiting, lane.room)
            running[lane.submit([task.job for task in batch])] = lane, batch

    def events() -> Iterator[RunEvent[_Key, _Result]]:
        """The events of the matches that have ended."""
        while ended:
            event, again = _told(*ended.popleft())
            if again is not None:
                waiting.appendleft(again)
            yield event

    with _signals() as signals, closing(crew):
        begun = False
        while True:
            try:
                if not signals.count:
                    hand_out()
            except Exception:
                yield from events()
                raise
            if running and not begun:
                begun = True
                yield Playing()
            yield from events()
            if not running and (signals.count or (coming.over and not waiting)):
                break
            for future in _done(running):
                lane, batch = running.pop(future)
                results: Sequence[_Result | MatchVoid]
                try:
                    results, alive = future.result(), True
                except WorkersFault as fault:
                    results, alive = [fault] * len(batch), lane.restart()
                except BrokenExecutor:
                    results, alive = [MatchVoid("its worker died")] * len(batch), lane.restart()
                if alive:
                    idle.append(lane)
                ended += zip(batch, results, strict=True)
            if signals.count and give_up_at is None:
                yield Stopping(patience_s)
                give_up_at = clock() + patience_s
            if signals.count > 1 or (give_up_at is not None and clock() >= give_up_at):
                yield from events()
                break
        if signals.count:
            raise Interrupted(signals.code)


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


class _Source(Generic[_Key, _Work]):
    """The jobs, taken as workers come free; `over` once there are no more."""

    def __init__(self, jobs: Iterable[tuple[_Key, _Work] | None]) -> None:
        self._jobs = iter(jobs)
        self.over = False

    def take(self, most: int) -> Iterator[_Task[_Key, _Work]]:
        """Up to `most` jobs, fewer if there is nothing more for now."""
        for _ in range(most):
            try:
                job = next(self._jobs)
            except StopIteration:
                self.over = True
                return
            if job is None:
                return
            yield _Task(*job)


def _told(
    task: _Task[_Key, _Work], result: _Result | MatchVoid
) -> tuple[RunEvent[_Key, _Result], _Task[_Key, _Work] | None]:
    """The event of a match that ended, and the match if it is to be played again."""
    if not isinstance(result, MatchVoid):
        return Completed(task.key, result), None
    if isinstance(result, WorkersFault):
        return Void(task.key, str(result)), task
    failures = task.failures + 1
    if failures >= TRIES:
        return Void(task.key, str(result), failed=True), None
    return Void(task.key, str(result)), msgspec.structs.replace(task, failures=failures)


def _ready(idle: list[AnyLane[Given, _Result]]) -> AnyLane[Given, _Result] | None:
    """Take an idle lane that has room out of the list; None if there is none."""
    for place in reversed(range(len(idle))):
        if idle[place].room:
            return idle.pop(place)
    return None


def _batch(waiting: deque[_Task[_Key, _Work]], room: int) -> list[_Task[_Key, _Work]]:
    """The next matches for a worker; one that was void before goes alone."""
    batch = [waiting.popleft()]
    while waiting and len(batch) < room and not (batch[0].failures or waiting[0].failures):
        batch.append(waiting.popleft())
    return batch


def _done(running: Mapping[Future[_Result], object]) -> set[Future[_Result]]:
    """The matches that have ended, after waiting a fifth of a second at most."""
    if running:
        return wait(running, _TICK_S, FIRST_COMPLETED).done
    sleep(_TICK_S)
    return set()


class _Signals:
    """The number of times the user asked to stop, and the exit code for the first."""

    def __init__(self) -> None:
        self.count = 0
        self.code = 0

    def note(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        self.code = self.code or 128 + number


@contextmanager
def _signals() -> Iterator[_Signals]:
    """Count Ctrl-C and SIGTERM while matches are played, instead of dying of them."""
    signals = _Signals()
    before = {number: signal.signal(number, signals.note) for number in _STOPPING}
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_STOPPING = (signal.SIGINT, signal.SIGTERM)
