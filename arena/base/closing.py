"""Closing of files and connections if work on them goes wrong."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Closable(Protocol):
    """A file, a connection, or an object that holds one."""

    def close(self) -> None:
        """Close it."""


@contextmanager
def closed_on_error(opened: Closable) -> Iterator[None]:
    """Close an object just opened if the block raises; otherwise it stays open."""
    try:
        yield
    except BaseException:
        opened.close()
        raise
