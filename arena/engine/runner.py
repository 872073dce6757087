"""Keeps workers fed with matches, wherever they are, and stores what comes back as it comes."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import closing, contextmanager
from itertools import islice
from time import monotonic, sleep
from types import FrameType
from typing import Final, Protocol, TypeVar

from arena.base.errors import MachineError, Mistake
from arena.engine.worker import Job
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord

Key = TypeVar("Key")
Played = Sequence[MatchRecord | MatchVoid]

TRIES: Final = 5
"""How often a match may come to nothing by the arena's own fault before the run gives up."""

PATIENCE_S: Final = 10.0
"""How long matches that are under way may still finish after an interruption."""

_TICK_S: Final = 0.2


class Interrupted(Exception):
    """The user stopped the run; everything finished has been stored. `code` is the exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class AnyLane(Protocol):
    """A worker that plays matches one after another."""

    @property
    def room(self) -> int:
        """How many matches it takes at once."""

    def submit(self, jobs: Sequence[Job]) -> Future[Played]:
        """Play matches. The future raises `BrokenExecutor` if the worker dies."""

    def restart(self) -> bool:
        """Put a new worker in the place of a dead one; False where there can be none."""


class Crew(Protocol):
    """All the workers of a run."""

    def spare(self) -> int:
        """How many more workers can be had now. Raises `MachineError` where none will ever be."""

    def open(self, wanted: int) -> Sequence[AnyLane]:
        """So many more workers, or as many as there are."""

    def close(self) -> None:
        """End the matches under way, and the workers if they are ours."""


def play_all(
    jobs: Iterable[tuple[Key, Job]],
    crew: Crew,
    started: Callable[[Key], None],
    finished: Callable[[Key, MatchRecord], None],
    void: Callable[[Key, str], None],
) -> None:
    """Play all matches, calling back in this thread. Raises `Interrupted` or `MachineError`.

    A match whose worker died, or that the arena itself spoilt, is told to `void` and played again,
    by itself. Jobs are asked for only as workers come free, so what is finished may decide what
    comes next. The crew is closed at the end.
    """
    coming = iter(jobs)
    waiting: deque[tuple[Key, Job]] = deque()
    tries: dict[int, int] = {}
    idle: list[AnyLane] = []
    running: dict[Future[Played], tuple[AnyLane, list[tuple[Key, Job]]]] = {}
    patience = float("inf")
    with _signals() as signals, closing(crew):
        while True:
            if not signals.count:
                spare = crew.spare()
                room = sum(lane.room for lane in idle) + spare
                waiting.extend(islice(coming, max(0, max(room, not running) - len(waiting))))
                idle += crew.open(min(spare, max(0, len(waiting) - len(idle))))
                while idle and waiting:
                    lane = idle.pop()
                    batch = _batch(waiting, lane.room, tries)
                    for key, _ in batch:
                        started(key)
                    running[lane.submit([job for _, job in batch])] = lane, batch
            if not running and (signals.count or not waiting):
                break
            for future in _done(running):
                lane, batch = running.pop(future)
                try:
                    played, there = future.result(), True
                except BrokenExecutor:
                    played, there = [MatchVoid("its worker died")] * len(batch), lane.restart()
                if there:
                    idle.append(lane)
                for (key, job), outcome in zip(batch, played, strict=True):
                    if not isinstance(outcome, MatchVoid):
                        finished(key, outcome)
                        tries.pop(id(job), None)
                        continue
                    void(key, str(outcome))
                    tries[id(job)] = tries.get(id(job), 0) + 1
                    if tries[id(job)] >= TRIES:
                        what = f"a match came to nothing {TRIES} times: {outcome}"
                        raise MachineError(Mistake(what, "", "all others are stored"))
                    waiting.appendleft((key, job))
            if signals.count and patience == float("inf"):
                patience = monotonic() + PATIENCE_S
            if signals.count > 1 or monotonic() > patience:
                break
        if signals.count:
            raise Interrupted(signals.code)


def _batch(
    waiting: deque[tuple[Key, Job]], room: int, tries: Mapping[int, int]
) -> list[tuple[Key, Job]]:
    """The next matches for a worker; one that came to nothing before goes by itself."""
    batch = [waiting.popleft()]
    while waiting and len(batch) < room and not {id(batch[0][1]), id(waiting[0][1])} & set(tries):
        batch.append(waiting.popleft())
    return batch


def _done(running: Mapping[Future[Played], object]) -> set[Future[Played]]:
    """What has ended, after a moment at the most."""
    if running:
        return wait(running, _TICK_S, FIRST_COMPLETED).done
    sleep(_TICK_S)
    return set()


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
