"""The observer of a run, told of what begins and ends, what fails, and that the user stops it."""

from typing import Generic, TypeVar

from arena.base.errors import MachineError, Mistake

_Key = TypeVar("_Key", contravariant=True)
_Result = TypeVar("_Result", contravariant=True)


class Observer(Generic[_Key, _Result]):
    """Told of a run, in the thread that plays it; does nothing unless a subclass does.

    The key is that of a match, or of other work.
    """

    def started(self, key: _Key, /) -> None:
        """A worker was given the match: once, and again after each time that it was void."""

    def finished(self, key: _Key, result: _Result, /) -> None:
        """The match is done."""

    def void(self, key: _Key, why: str, /) -> None:
        """The match failed by no player's fault."""

    def given_up(self, key: _Key, why: str, /) -> None:
        """The match failed too often, which ends the run unless a subclass goes on without it."""
        raise MachineError(Mistake(why))

    def stopping(self, patience_s: float, /) -> None:
        """The user stops the run; work under way has `patience_s` seconds to finish."""

    def tell(self, line: str, /) -> None:
        """Something else happened that people may want to know."""


class Relay(Observer[_Key, _Result]):
    """Hands on to its `watcher` all it is told; a subclass keeps it first."""

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
