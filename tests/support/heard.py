"""An observer that keeps what it hears, and that a test may have act on it."""

from collections.abc import Callable

import pytest

from arena.base.observer import Key, Observer, Result


class Heard(Observer[Key, Result]):
    """What began, ended and was void, in order; a test fails where nothing may be void.

    `began` and `ended` are called with the key after that is noted.
    """

    def __init__(
        self,
        *,
        may_be_void: bool = False,
        began: Callable[[Key], None] = lambda _: None,
        ended: Callable[[Key], None] = lambda _: None,
    ) -> None:
        self.begun: list[Key] = []
        self.done: list[Key] = []
        self.results: list[Result] = []
        self.voids: list[tuple[Key, str]] = []
        self.lines: list[str] = []
        self._may_be_void = may_be_void
        self._began, self._ended = began, ended

    def started(self, key: Key, /) -> None:
        self.begun.append(key)
        self._began(key)

    def finished(self, key: Key, result: Result, /) -> None:
        self.done.append(key)
        self.results.append(result)
        self._ended(key)

    def void(self, key: Key, why: str, /) -> None:
        self.voids.append((key, why))
        if not self._may_be_void:
            pytest.fail(why)

    def stopping(self, patience_s: float, /) -> None:
        self.tell(f"stopping for {patience_s:g} s")

    def tell(self, line: str, /) -> None:
        self.lines.append(line)
