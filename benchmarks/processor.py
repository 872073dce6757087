"""Processor time of several processes together, counted by the kernel's control groups."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import sleep

PATIENCE_S = 5
"""How long processes that have ended may take to leave a group."""


class Group:
    """A control group, or none where none may be made.

    It counts what a box's processes spend before the arena knows of them; children that nobody
    waits for are missing from the times that a process is told of its own. Of version 2, it misses
    what bots spend if the arena may put them into groups of their own elsewhere.
    """

    def __init__(self, procs: Path | None, used_s: Callable[[], float] | None) -> None:
        self._procs = procs
        self._used_s = used_s

    def enter(self) -> None:
        """Put this process, and all that it will start, into the group."""
        if self._procs is not None:
            self._procs.write_text("0")

    def spent_s(self) -> float | None:
        """Seconds of processor time that all in it have used; None where there is no group."""
        return self._used_s() if self._used_s is not None else None


@contextmanager
def group(name: str) -> Iterator[Group]:
    """A control group, removed when all in it have ended; of version 1 or else of version 2."""
    for top, used_s in ((Path("/sys/fs/cgroup/cpuacct"), _used_1), (Path("/sys/fs/cgroup"), _used)):
        folder = top / name
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            yield Group(folder / "cgroup.procs", partial(used_s, folder))
        finally:
            for _ in range(100 * PATIENCE_S):
                if _removed(folder):
                    break
                sleep(0.01)
        return
    yield Group(None, None)


def _used_1(folder: Path) -> float:
    return int((folder / "cpuacct.usage").read_text()) / 1e9


def _used(folder: Path) -> float:
    return int((folder / "cpu.stat").read_text().split()[1]) / 1e6


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True
