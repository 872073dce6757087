"""A control group for each program, where the arena may make one, gives exact processor time.

Elsewhere the watch sums over living processes and those that were waited for, and so misses
children that a bot does not wait for.
"""

import contextlib
import os
from functools import cache
from pathlib import Path

from arena.base.marks import PREFIX, forsaken, mark


class Group:
    """A control group for one program. Raises OSError where it cannot be made."""

    def __init__(self, home: Path, number: int) -> None:
        self._folder = home / f"{mark()}{number}"
        self._folder.mkdir()
        self._stat = os.open(self._folder / "cpu.stat", os.O_RDONLY | os.O_CLOEXEC)

    def add(self, pid: int) -> None:
        """Add a process, with all it will start."""
        (self._folder / "cgroup.procs").write_text(str(pid))

    def cpu_s(self) -> float:
        """Processor seconds that all its processes have used, ended ones included."""
        usage = dict(line.split() for line in os.pread(self._stat, 4096, 0).splitlines())
        return int(usage[b"usage_usec"]) / 1e6

    def close(self) -> None:
        """Remove the group, which must be empty; else it waits for the next `remove_groups`."""
        os.close(self._stat)
        with contextlib.suppress(OSError):
            self._folder.rmdir()


@cache
def own_folder() -> Path | None:
    """Where this process may make groups below its own; None where it may not."""
    try:
        own = next(
            line.removeprefix("0::/")
            for line in Path("/proc/self/cgroup").read_text().splitlines()
            if line.startswith("0::/")
        )
        mounts = (line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines())
        top = next(fields[4] for fields in mounts if fields[-3] == "cgroup2")
        folder = Path(top, own)
        trial = folder / f"{mark()}trial"
        trial.mkdir()
        trial.rmdir()
        writable = os.access(folder / "cgroup.procs", os.W_OK)
    except (OSError, StopIteration):
        return None
    return folder if writable else None


def remove_groups() -> None:
    """End and remove the groups whose makers are gone."""
    above = own_folder()
    for folder in above.glob(f"{PREFIX}*") if above is not None else ():
        if forsaken(folder.name):
            with contextlib.suppress(OSError):
                (folder / "cgroup.kill").write_text("1")
                folder.rmdir()
