"""The display of a run on standard error: live in a terminal, line by line elsewhere."""

from abc import ABC, abstractmethod
from time import monotonic
from types import TracebackType
from typing import Generic, Self, TypeVar

from rich.live import Live
from rich.status import Status

from arena.base.run_events import Completed, Playing, RunEvent, Stopping, Void
from arena.base.words import stopping
from arena.reports.terminal import console, show_prose

_Key = TypeVar("_Key")
_Result = TypeVar("_Result")

_LINE_EVERY_S = 5.0
_LINES_AN_AGE = 20
"""At most one line in each twentieth of the time that has passed: a day fills no log."""


class RunDisplay(ABC, Generic[_Key, _Result]):
    """Shows a run from its start to its end, as a context manager.

    A subclass puts the terminal's display into `_live`, and can see whether it is `_in_terminal`.
    """

    def __init__(self, what: str = "matches") -> None:
        """`what` is the plural of the things under way."""
        self._what = what
        self._console = console(stderr=True)
        self._in_terminal = self._console.is_terminal and not self._console.is_dumb_terminal
        self._live: Live | Status | None = None
        self._began = monotonic()
        self._line_at = 0.0

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live:
            self._live.stop()
        self._end()

    def show(self, event: RunEvent[_Key, _Result]) -> None:
        """Show what happened in the run."""
        match event:
            case Playing():
                self.begun()
            case Completed(key, result):
                self.finished(key, result)
            case Void(key, why, failed):
                self.void(key, why, failed)
            case Stopping(patience_s):
                self.say(stopping(patience_s, self._what))

    def begun(self) -> None:
        """The first match was handed to a worker."""

    @abstractmethod
    def finished(self, key: _Key, result: _Result) -> None:
        """A match is done."""

    def void(self, key: _Key, why: str, failed: bool) -> None:
        """A match failed by no player's fault, perhaps too often."""

    def say(self, line: str) -> None:
        """Show a line about something else."""
        show_prose(self._console, line)

    def _end(self) -> None:
        """Do what a subclass does once nothing is live any more."""

    def _line_is_due(self) -> bool:
        """Whether to tell again how far the run is, if nothing is live."""
        return monotonic() > self._line_at

    def _show(self, line: str) -> None:
        """Tell how far the run is in one line, which a terminal shows in place of the last."""
        if isinstance(self._live, Status):
            self._live.update(line)
        else:
            self._put_off()
            self.say(line)

    def _put_off(self) -> None:
        """Let the next such line come a while after this one."""
        now = monotonic()
        self._line_at = now + max(_LINE_EVERY_S, (now - self._began) / _LINES_AN_AGE)
