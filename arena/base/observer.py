"""Whoever is told how a run goes: what begins and ends, what fails, that the user stops it."""

from typing import Generic, TypeVar

from arena.base.errors import MachineError, Mistake

_Key = TypeVar("_Key", contravariant=True)
_Result = TypeVar("_Result", contravariant=True)


class Observer(Generic[_Key, _Result]):
    """Is told of a run, in the thread that plays it, and does only what a subclass does.

    The key is that of a match, or of other work.
    """

    def started(self, key: _Key, /) -> None:
        """A worker was given it: once, and again after each time that it was void."""

    def finished(self, key: _Key, result: _Result, /) -> None:
        """It is done."""

    def void(self, key: _Key, why: str, /) -> None:
        """It failed through nobody who plays."""

    def given_up(self, key: _Key, why: str, /) -> None:
        """It failed too often, which ends the run unless a subclass goes on without it."""
        raise MachineError(Mistake(why, "", "all finished matches are stored"))

    def stopping(self, patience_s: float, /) -> None:
        """The user stops the run; what is under way has so long to finish."""

    def tell(self, line: str, /) -> None:
        """Something else happened that people may want to know."""


class Relay(Observer[_Key, _Result]):
    """Hands on what it is told to its `watcher`; a subclass keeps it first."""

    def __init__(self, watcher: Observer[_Key, _Result] | None = None) -> None:
        self.watcher = watcher or Observer()

    def started(self, key: _Key, /) -> None:
        self.watcher.started(key)

    def finished(self, key: _Key, result: _Result, /) -> None:
        self.watcher.finished(key, result)

    def void(self, key: _Key, why: str, /) -> None:
        self.watcher.void(key, why)

    def given_up(self, key: _Key, why: str, /) -> None:
        self.watcher.given_up(key, why)

    def stopping(self, patience_s: float, /) -> None:
        self.watcher.stopping(patience_s)

    def tell(self, line: str, /) -> None:
        self.watcher.tell(line)
