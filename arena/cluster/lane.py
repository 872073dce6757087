"""One thread of a worker on another machine, with the interface of a local lane."""

from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Final

import msgspec

from arena.cluster.answers import Wrong
from arena.cluster.link import ClientLink, PendingAnswer
from arena.cluster.matches import MatchWork
from arena.cluster.trust import UNFIT, Trust
from arena.engine.job import Job
from arena.engine.runner import WorkersFault
from arena.engine.workers import Done
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord

TASK_S: Final = 1.0
"""Seconds that the matches of one task take together, if they are short."""

TASK_MATCHES: Final = 100
"""The most matches of a task."""


class RemoteLane:
    """Plays one task's matches at a time on a worker, in a process of its own there.

    `number` is no other lane's of that machine.
    """

    def __init__(
        self,
        link: ClientLink,
        trust: Trust,
        work: MatchWork,
        address: str,
        number: int,
        core: int | None,
    ) -> None:
        self.address = address
        self._link = link
        self._trust = trust
        self._work = work
        self._number = number
        self._core = core
        self._seconds = TASK_S
        self._late = float("inf")
        self._gone = False
        self._theirs: PendingAnswer | None = None
        self._ours: Future[Done[MatchRecord]] = Future()

    @property
    def room(self) -> int:
        """The number of matches that take `TASK_S`, judged by the last task."""
        return max(1, min(TASK_MATCHES, int(TASK_S / self._seconds)))

    def submit(self, jobs: Sequence[Job]) -> Future[Done[MatchRecord]]:
        """Play some matches there.

        The future raises `BrokenExecutor` if the worker is lost, `WorkersFault` if it is refused.
        """
        self._ours = Future()
        if self._gone or self._trust.why_refused(self.address) is not None:
            _settle(self._ours, WorkersFault(UNFIT))  # refused or gone in the meantime
            return self._ours
        began = monotonic()
        self._late = began + self._work.longest_s(jobs)
        order = self._work.order(jobs, self._number, self._core)
        self._theirs = self._link.call(self.address, "work", msgspec.msgpack.encode(order))
        self._theirs.add_done_callback(partial(self._done, self._ours, jobs, began))
        return self._ours

    def restart(self) -> bool:
        """Whether the worker is still there; one that comes back gets new lanes."""
        there = self.address in (self._link.workers or {})
        return there and not self._gone and self._trust.why_refused(self.address) is None

    def overdue(self, now: float) -> bool:
        """Whether its task should have been done by now."""
        return not self._ours.done() and now > self._late

    def abandon(self, why: BaseException) -> None:
        """Drop the matches under way: the worker is gone or refused, or nobody waits any more."""
        self._gone = True
        _settle(self._ours, why)
        if self._theirs is not None:
            self._link.drop(self._theirs)

    def _done(
        self,
        ours: Future[Done[MatchRecord]],
        jobs: Sequence[Job],
        began: float,
        theirs: Future[bytes],
    ) -> None:
        """Check the worker's answer, in the thread in which it arrives."""
        if ours.done():
            return
        try:
            results = self._work.read(theirs.result(), jobs)
        except Wrong as error:
            self._trust.refuse(self.address, str(error))
            _settle(ours, WorkersFault(UNFIT))
        except BrokenExecutor:
            _settle(ours, self._trust.loss(self.address))
        else:
            if not any(isinstance(each, MatchVoid) for each in results):
                self._seconds = max((monotonic() - began) / len(jobs), 1e-6)
            judged: Done[MatchRecord] = self._trust.judge(self.address, results)
            refused = self._trust.why_refused(self.address) is not None
            _settle(ours, WorkersFault(UNFIT) if refused else judged)


def _settle(ours: Future[Done[MatchRecord]], value: Done[MatchRecord] | BaseException) -> None:
    with suppress(InvalidStateError):  # settled before, because the worker was lost
        if isinstance(value, BaseException):
            ours.set_exception(value)
        else:
            ours.set_result(value)
