"""What has to be closed, and when it is where work on it goes wrong."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Closable(Protocol):
    """A file, a connection, or what holds one."""

    def close(self) -> None:
        """Close it."""


@contextmanager
def closed_on_error(opened: Closable) -> Iterator[None]:
    """Close what was just opened if the block raises; otherwise it stays open."""
    try:
        yield
    except BaseException:
        opened.close()
        raise
