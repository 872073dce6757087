"""The display of a run on standard error: live in a terminal, line by line elsewhere."""

from time import monotonic
from types import TracebackType
from typing import Self, TypeVar

from rich.live import Live
from rich.status import Status

from arena.base.observer import Observer
from arena.base.words import stopping
from arena.reports.terminal import console, show_prose

_Key = TypeVar("_Key", contravariant=True)
_Result = TypeVar("_Result", contravariant=True)

_LINE_EVERY_S = 5.0
_LINES_AN_AGE = 20
"""At most one line in each twentieth of the time that has passed: a day fills no log."""


class RunDisplay(Observer[_Key, _Result]):
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

    def stopping(self, patience_s: float, /) -> None:
        self.tell(stopping(patience_s, self._what))

    def tell(self, line: str, /) -> None:
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
            self.tell(line)

    def _put_off(self) -> None:
        """Let the next such line come a while after this one."""
        now = monotonic()
        self._line_at = now + max(_LINE_EVERY_S, (now - self._began) / _LINES_AN_AGE)
