"""A run that is played to its end, with what happened in it."""

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Generic, TypeVar

import pytest

from arena.base.run_events import Completed, Playing, RunEvent, Stopping, Void
from arena.engine.runner import Executor, results_of, run

_Key = TypeVar("_Key")
_Work = TypeVar("_Work")
_Result = TypeVar("_Result")


class Heard(Generic[_Key, _Result]):
    """What ended and was void, in order; a test fails where nothing may be void.

    `ended` is called with the key of each match after it is noted.
    """

    def __init__(
        self, *, may_be_void: bool = False, ended: Callable[[_Key], None] = lambda _: None
    ) -> None:
        self.done: list[_Key] = []
        self.results: list[_Result] = []
        self.voids: list[tuple[_Key, str]] = []
        self.stopping: list[float] = []
        self._may_be_void = may_be_void
        self._ended = ended

    def play(
        self,
        jobs: Iterable[tuple[_Key, _Work] | None],
        executor: Executor[_Work, _Result],
        **more: object,
    ) -> None:
        """Play all matches. Raises as `run` does, and `MachineError` for a match given up."""
        with closing(executor):
            for event in run(jobs, executor, **more):  # type: ignore[arg-type]
                self._hear(event)
                for _ in results_of([event]):
                    pass

    def _hear(self, event: RunEvent[_Key, _Result]) -> None:
        match event:
            case Completed(key, result):
                self.done.append(key)
                self.results.append(result)
                self._ended(key)
            case Void(key, why):
                self.voids.append((key, why))
                if not self._may_be_void:
                    pytest.fail(why)
            case Stopping(patience_s):
                self.stopping.append(patience_s)
            case Playing():
                pass
