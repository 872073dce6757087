"""One thread of a worker on another machine, with the interface of a local lane."""

from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from arena.base.errors import ArenaError
from arena.engine.runner import BatchResult
from arena.engine.worker import Job

if TYPE_CHECKING:
    import distributed

TASK_S: Final = 1.0
"""How long the matches of one task take together, if they are short."""

MOST_MATCHES: Final = 100
"""The most matches of a task."""


class Workers(Protocol):
    """The workers of a scheduler, as a lane needs them."""

    def submit(
        self, address: str, number: int, core: int | None, jobs: Sequence[Job]
    ) -> "distributed.Future[BatchResult]":
        """Let a worker play matches."""

    def has(self, address: str) -> bool:
        """Whether a worker is there and plays."""

    def refuse(self, address: str, why: str) -> None:
        """Give a worker nothing more to play."""


class RemoteLane:
    """It plays one match at a time, in a process of its own."""

    def __init__(self, workers: Workers, address: str, number: int, core: int | None) -> None:
        self.address = address
        self._workers = workers
        self._number = number
        self._core = core
        self._seconds = TASK_S
        self._theirs: distributed.Future[BatchResult] | None = None
        self._ours: Future[BatchResult] = Future()

    @property
    def room(self) -> int:
        """The number of matches that take `TASK_S`, judged by the last task."""
        return max(1, min(MOST_MATCHES, int(TASK_S / self._seconds)))

    def submit(self, jobs: Sequence[Job]) -> Future[BatchResult]:
        """Play matches there. The future raises `BrokenExecutor` if the worker is lost."""
        self._ours = Future()
        self._theirs = self._workers.submit(self.address, self._number, self._core, jobs)
        done = partial(self._done, self._ours, len(jobs), monotonic())
        self._theirs.add_done_callback(done)
        return self._ours

    def restart(self) -> bool:
        """Whether the worker is still there; one that comes back gets new lanes."""
        return self._workers.has(self.address)

    def abandon(self) -> None:
        """Drop what the worker was playing: it is gone, or nobody waits for it any more."""
        self._settle(self._ours, BrokenExecutor())
        if self._theirs is not None:
            self._theirs.cancel(force=True)

    def _done(
        self,
        ours: Future[BatchResult],
        count: int,
        began: float,
        theirs: "distributed.Future[BatchResult]",
    ) -> None:
        if theirs.status == "finished":
            played = theirs.result()
            self._seconds = max((monotonic() - began) / count, 1e-6)
            self._settle(ours, played)
        elif theirs.status == "error":
            error = theirs.exception()
            if isinstance(error, ArenaError):
                self._workers.refuse(self.address, str(error))
            lost = isinstance(error, ArenaError | OSError) or _is_dasks(error)
            self._settle(ours, BrokenExecutor() if lost else error)
        else:
            self._settle(ours, BrokenExecutor())

    @staticmethod
    def _settle(ours: Future[BatchResult], value: BatchResult | BaseException | None) -> None:
        with suppress(InvalidStateError):  # settled before, because the worker was lost
            if isinstance(value, BaseException):
                ours.set_exception(value)
            elif value is not None:
                ours.set_result(value)


def _is_dasks(error: BaseException | None) -> bool:
    """Whether an error is one of Dask's own, about a worker."""
    return type(error).__module__.partition(".")[0] == "distributed"
