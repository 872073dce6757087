"""An observer that keeps what it hears, and that a test may have act on it."""

from collections.abc import Callable
from typing import TypeVar

import pytest

from arena.base.observer import Observer

_Key = TypeVar("_Key", contravariant=True)
_Result = TypeVar("_Result", contravariant=True)


class Heard(Observer[_Key, _Result]):
    """What began, ended and was void, in order; a test fails where nothing may be void.

    `began` and `ended` are called with the key after that is noted.
    """

    def __init__(
        self,
        *,
        may_be_void: bool = False,
        began: Callable[[_Key], None] = lambda _: None,
        ended: Callable[[_Key], None] = lambda _: None,
    ) -> None:
        self.begun: list[_Key] = []
        self.done: list[_Key] = []
        self.results: list[_Result] = []
        self.voids: list[tuple[_Key, str]] = []
        self.lines: list[str] = []
        self._may_be_void = may_be_void
        self._began, self._ended = began, ended

    def started(self, key: _Key, /) -> None:
        self.begun.append(key)
        self._began(key)

    def finished(self, key: _Key, result: _Result, /) -> None:
        self.done.append(key)
        self.results.append(result)
        self._ended(key)

    def void(self, key: _Key, why: str, /) -> None:
        self.voids.append((key, why))
        if not self._may_be_void:
            pytest.fail(why)

    def stopping(self, patience_s: float, /) -> None:
        self.tell(f"stopping for {patience_s:g} s")

    def tell(self, line: str, /) -> None:
        self.lines.append(line)
