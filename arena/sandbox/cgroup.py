"""Control groups for a program, where the arena may make them: processor time and memory, exactly.

Without them the watch sums over living processes and those that were waited for. It misses children
that a bot does not wait for, and can only estimate the memory that the kernel keeps for a bot.

Both versions of the kernel's control groups are tried. Of version 2, the group is made in the
nearest one above this process that distributes memory or, for time alone, in this process's own:
a group that holds processes distributes nothing to groups below. Of version 1, memory has a
hierarchy of its own.
"""

import contextlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.base.marks import MARK_PREFIX, forsaken, mark
from arena.base.resources import Resources

_MIB: Final = 1 << 20
_SLACK_MIB: Final = 32
"""MiB by which the kernel's limit exceeds memory and scratch, so that the watch notices first."""

_PROC: Final = Path("/proc/self")


class _Memory(msgspec.Struct, frozen=True):
    """The names of the files of one version of control groups."""

    limit: str
    with_swap: str
    """The limit of swap."""
    events: str
    """A file with a line `oom_kill N`: the number of processes ended at the limit."""


_UNIFIED: Final = _Memory("memory.max", "memory.swap.max", "memory.events")
_SEPARATE: Final = _Memory(
    "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"
)


class Homes(msgspec.Struct, frozen=True):
    """The folders in which this process may make groups, None where it may not.

    `unified` is for version 2, `shares` says whether memory is distributed there; `separate` is for
    the memory of version 1.
    """

    unified: Path | None = None
    shares: bool = False
    separate: Path | None = None

    def __bool__(self) -> bool:
        return self.unified is not None or self.separate is not None


class Group:
    """The control groups of one program. Raises OSError if they cannot be made."""

    def __init__(self, homes: Homes, number: int, resources: Resources) -> None:
        self._folders: list[str] = []
        self._time: int | None = None
        self._events: int | None = None
        self._limit_mib: int | None = None
        if resources.memory_mib is not None:
            self._limit_mib = resources.memory_mib + (resources.scratch_mib or 0) + _SLACK_MIB
        try:
            if homes.unified is not None:
                folder = self._made(homes.unified, number)
                self._time = _opened(f"{folder}/cpu.stat", os.O_RDONLY)
                if homes.shares:
                    self._limit(folder, _UNIFIED, swap=0)
            if homes.separate is not None and self._events is None:
                self._limit(self._made(homes.separate, number), _SEPARATE, swap=None)
        except BaseException:
            self.close()
            raise

    def _made(self, home: Path, number: int) -> str:
        folder = f"{home}/{mark()}{number}"
        os.mkdir(folder)
        self._folders.append(folder)
        return folder

    def _limit(self, folder: str, names: _Memory, swap: int | None) -> None:
        """Limit the memory of a group; with `swap` None, limit memory and swap together."""
        self._events = _opened(f"{folder}/{names.events}", os.O_RDONLY)
        if self._limit_mib is not None:
            most = self._limit_mib * _MIB
            _write(f"{folder}/{names.limit}", most)
            with contextlib.suppress(FileNotFoundError):  # a kernel that does not count swap
                _write(f"{folder}/{names.with_swap}", most if swap is None else swap)

    def add(self, pid: int) -> None:
        """Add a process, with all that it will start."""
        for folder in self._folders:
            _write(f"{folder}/cgroup.procs", pid)

    def doors(self) -> list[int]:
        """Descriptors to which a process writes `0` to join; the caller must close them."""
        return [_opened(f"{folder}/cgroup.procs", os.O_WRONLY) for folder in self._folders]

    def cpu_s(self) -> float | None:
        """Processor seconds that all its processes have used, ended ones included."""
        if self._time is None:
            return None
        usage = dict(line.split() for line in os.pread(self._time, 4096, 0).splitlines())
        return int(usage[b"usage_usec"]) / 1e6

    def overrun_mib(self) -> int | None:
        """The kernel's limit of memory, if it has ended a process at that limit."""
        if self._events is None:
            return None
        lines = os.pread(self._events, 4096, 0).splitlines()
        ended = any(line.startswith(b"oom_kill ") and line != b"oom_kill 0" for line in lines)
        return self._limit_mib if ended else None

    def close(self) -> None:
        """Remove the groups, which must be empty; else they are removed with a later one."""
        for fd in (self._time, self._events):
            if fd is not None:
                os.close(fd)
        self._time = self._events = None
        _closed.extend(self._folders)
        self._folders.clear()
        for folder in list(_closed):
            with contextlib.suppress(OSError):
                os.rmdir(folder)
                _closed.remove(folder)


_closed: list[str] = []
"""Groups that could not be removed yet."""


@cache
def homes() -> Homes:
    """The folders in which this process may make groups."""
    unified, shares = _unified()
    return Homes(unified, shares, None if shares else _separate())


def findings() -> list[tuple[str, str]]:
    """For each version of control groups, whether and where memory is limited by it here."""
    found = homes()
    if found.shares:
        second = f"used, in {found.unified}"
    elif found.unified is not None:
        second = "counts processor time only: no group above that distributes memory is ours"
    else:
        second = "none that is ours; `systemd-run --user --scope arena …` may give one"
    if found.separate is not None:
        first = f"used, in {found.separate}"
    else:
        first = "not needed" if found.shares else "none that is ours"
    return [("version 2", second), ("version 1", first)]


def quota() -> float | None:
    """The cores' worth of time that this process's groups may use, None if nothing bounds it."""
    found = [*_quotas("cgroup2", "", "cpu.max"), *_quotas("cgroup", "cpu", "cpu.cfs_quota_us")]
    return min(found, default=None)


def _quotas(kind: str, controller: str, name: str) -> Iterator[float]:
    """The quotas of this process's own group and of those above it, by one version's files."""
    try:
        top = next(
            place
            for place, its, options in _mounts()
            if its == kind and (not controller or controller in options.split(","))
        )
        own = top / _own_group(controller)
    except (OSError, StopIteration):
        return
    for folder in (own, *own.parents):
        with contextlib.suppress(OSError):
            words = (folder / name).read_text(encoding="ascii").split()
            if len(words) == 1:  # version 1 has the period in another file
                words.append((folder / "cpu.cfs_period_us").read_text(encoding="ascii"))
            if words[0] not in ("max", "-1"):
                yield int(words[0]) / int(words[1])
        if folder == top:
            return


def remove_groups() -> None:
    """End and remove the groups of processes that are gone."""
    found = homes()
    for above in (found.unified, found.separate):
        for folder in above.glob(f"{MARK_PREFIX}*") if above is not None else ():
            if forsaken(folder.name):
                with contextlib.suppress(OSError):
                    with contextlib.suppress(FileNotFoundError):  # version 1 has no such file
                        (folder / "cgroup.kill").write_text("1")
                    folder.rmdir()


def _unified() -> tuple[Path | None, bool]:
    """The home for groups of version 2, and whether memory is distributed there."""
    try:
        top = next(place for place, kind, _ in _mounts() if kind == "cgroup2")
        own = top / _own_group("")
    except (OSError, StopIteration):
        return None, False
    for folder in (own, *own.parents):
        with contextlib.suppress(OSError):
            shared = (folder / "cgroup.subtree_control").read_text(encoding="ascii").split()
            if "memory" in shared and _is_ours(folder, _UNIFIED):
                return folder, True
        if folder == top:
            break
    return own if _is_ours(own) else None, False


def _separate() -> Path | None:
    """The home for groups of version 1 that limit memory."""
    try:
        top = next(
            place
            for place, kind, options in _mounts()
            if kind == "cgroup" and "memory" in options.split(",")
        )
        own = top / _own_group("memory")
    except (OSError, StopIteration):
        return None
    return own if _is_ours(own, _SEPARATE) else None


def _mounts() -> Iterator[tuple[Path, str, str]]:
    """The mounted file systems: their folders, kinds and own options."""
    for line in (_PROC / "mountinfo").read_text().splitlines():
        fields = line.split()
        yield Path(fields[4]), fields[-3], fields[-1]


def _own_group(controller: str) -> str:
    """The path of the group that this process is in, below the mount. Raises OSError."""
    for line in (_PROC / "cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return path.lstrip("/")
    raise FileNotFoundError(f"this process is in no control group of {controller or 'version 2'}")


def _is_ours(folder: Path, names: _Memory | None = None) -> bool:
    """Whether this process may make groups in a folder, limit them and move its processes there."""
    trial = folder / f"{mark()}trial"
    try:
        trial.mkdir()
        try:
            if names is not None:
                os.close(_opened(f"{trial}/{names.limit}", os.O_WRONLY))
        finally:
            trial.rmdir()
    except OSError:
        return False
    return os.access(folder / "cgroup.procs", os.W_OK)


def _write(path: str, number: int) -> None:
    fd = _opened(path, os.O_WRONLY)
    try:
        os.write(fd, b"%d" % number)
    finally:
        os.close(fd)


def _opened(path: str, how: int) -> int:
    return os.open(path, how | os.O_CLOEXEC)
