"""The limits on one bot: the table of them, those that the kernel holds, and control groups.

A control group counts exactly what all processes of a bot use. Where the arena may make none, the
watch sums over the processes that it finds.
"""

import contextlib
import os
import resource
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.base.marks import MARK_PREFIX, mark, owner_is_dead
from arena.base.resources import Resources

MEBIBYTE: Final = 1 << 20

SLACK_MIB: Final = 8  # room in scratch file systems beyond the limit: crossing it is noticed
MAX_MAPPINGS: Final = 8192
MAX_DESCRIPTORS: Final = 1024
MAX_WATCHED: Final = 4096
MAX_SHARED: Final = 16

_GROUP_SLACK_MIB: Final = 32  # by which the kernel's limit exceeds ours: the watch notices first
_MORE_TASKS: Final = 64
_OF_USERS_TASKS: Final = 0.75
_OPEN_FILES: Final = 128
_SIGNALS: Final = 256
_LOCKED: Final = 65536


LIMIT_ROWS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "memory_mib",
        "resident memory of all its processes together. Shared pages count once. Shared memory"
        " without a file counts by the largest size seen. The kernel's tables of mappings, and"
        " swapped out memory count; each socket beyond sixteen counts as full (some 480 KiB)",
        "watch; control group 32 MiB above memory and scratch together",
    ),
    ("tasks", "processes and threads at a time", "watch; kernel 64 above, not at `landlock`"),
    ("cpu_move_s", "processor seconds from one answer to the next, the first `ready`", "watch"),
    ("cpu_match_s", "processor seconds in a match, its start included", "watch"),
    (
        "scratch_mib",
        "what it keeps in `/tmp` and `/dev/shm`, unnamed files included",
        f"watch; file systems of a size {SLACK_MIB} MiB above, at `landlock` that size for a file",
    ),
    ("scratch_files", "files and folders in them", "watch"),
    ("output_mib", "what it writes to standard output in a match", "arena"),
    ("stderr_mib", "what it writes to standard error in a match", "watch"),
    (f"{MAX_MAPPINGS:,}", "mappings of memory of all its processes", "watch"),
    (f"{MAX_DESCRIPTORS:,}", "open descriptors of all its processes", "watch"),
    (f"{MAX_WATCHED:,}", "descriptors watched by `epoll`", "watch"),
    (f"{MAX_SHARED}", "pieces of shared memory without a file", "watch"),
    (f"{_OPEN_FILES}", "open descriptors of one process", "kernel"),
    (f"{_SIGNALS}", "queued signals and timers", "kernel, for each user of a namespace"),
    (f"{_LOCKED // 1024} KiB", "locked memory of one process", "kernel"),
    ("none", "core dumps, POSIX message queues, better or real-time priority", "kernel"),
)
"""For each limit its key in `[limits]`, or its figure if it is the same for all bots, what it
bounds, and who holds it; `docs/sandbox.md` shows this table."""


def kernel_limits(resources: Resources, own_tasks: bool) -> dict[int, int]:
    """The kernel's limits by number. They lie above ours, so that the watch notices first.

    `own_tasks` is whether the kernel counts no other program's tasks for this limit.
    """
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: _LOCKED,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: _SIGNALS,
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
    }
    if resources.scratch_mib is not None:
        limits[resource.RLIMIT_FSIZE] = (resources.scratch_mib + SLACK_MIB) * MEBIBYTE
    if resources.memory_mib is not None:
        limits[resource.RLIMIT_DATA] = (2 * resources.memory_mib + 1024) * MEBIBYTE
    users, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if own_tasks and resources.tasks is not None:
        limits[resource.RLIMIT_NPROC] = resources.tasks + _MORE_TASKS
    elif not own_tasks and users != resource.RLIM_INFINITY:
        limits[resource.RLIMIT_NPROC] = int(users * _OF_USERS_TASKS)
    return limits


# For each version of control groups, the files of the limit of memory, of that of swap (in version
# 1 with memory), and of events: a line `oom_kill N` counts processes ended at the limit.
_MEMORY_FILES: Final = {
    1: ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"),
    2: ("memory.max", "memory.swap.max", "memory.events"),
}


class Homes(msgspec.Struct, frozen=True):
    """The groups in which this process may make others, None where it may not.

    `time` counts processor time by version 2, `memory` limits memory by the version given. Version
    2 limits memory in the nearest group above that distributes it: one that holds processes, such
    as this process's own, distributes nothing.
    """

    time: Path | None = None
    memory: Path | None = None
    version: int = 2


class Group:
    """The control groups of one program. Raises OSError if they cannot be made."""

    def __init__(self, homes: Homes, number: int, resources: Resources) -> None:
        self._homes = homes
        self._folders = {
            home: f"{home}/{mark()}{number}" for home in filter(None, (homes.time, homes.memory))
        }
        self._limit_mib: int | None = None
        try:
            for folder in self._folders.values():
                os.mkdir(folder)
            if homes.memory is not None and resources.memory_mib is not None:
                scratch_mib = resources.scratch_mib or 0
                self._limit_mib = resources.memory_mib + scratch_mib + _GROUP_SLACK_MIB
                folder, most = self._folders[homes.memory], self._limit_mib * MEBIBYTE
                limit, swap, _ = _MEMORY_FILES[homes.version]
                _write(f"{folder}/{limit}", most)
                with contextlib.suppress(FileNotFoundError):  # a kernel that does not count swap
                    _write(f"{folder}/{swap}", most if homes.version == 1 else 0)
        except BaseException:
            self.close()
            raise

    def add(self, pid: int) -> None:
        """Add a process, with all children that it will start."""
        for folder in self._folders.values():
            _write(f"{folder}/cgroup.procs", pid)

    def doors(self) -> list[int]:
        """Descriptors to which a process writes `0` to join; the caller must close them."""
        return [os.open(f"{folder}/cgroup.procs", os.O_WRONLY) for folder in self._folders.values()]

    def cpu_s(self) -> float | None:
        """Processor seconds that all its processes have used, ended ones included."""
        if self._homes.time is None:
            return None
        with open(f"{self._folders[self._homes.time]}/cpu.stat", "rb", buffering=0) as file:
            return int(file.read(64).partition(b"usage_usec")[2].split(None, 1)[0]) / 1e6

    def overrun_mib(self) -> int | None:
        """The kernel's limit of memory, if it has ended a process at that limit."""
        if self._homes.memory is None or self._limit_mib is None:
            return None
        events = _MEMORY_FILES[self._homes.version][2]
        lines = Path(self._folders[self._homes.memory], events).read_text().splitlines()
        ended = any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in lines)
        return self._limit_mib if ended else None

    def close(self) -> None:
        """Remove the groups, which must be empty; else they are removed with a later one."""
        _closed.extend(self._folders.values())
        for folder in list(_closed):
            with contextlib.suppress(OSError):
                os.rmdir(folder)
                _closed.remove(folder)


_closed: list[str] = []  # groups that could not be removed yet


@cache
def homes() -> Homes:
    """The groups in which this process may make others."""
    unified = _groups("cgroup2")
    for folder in unified:
        with contextlib.suppress(OSError):
            distributed = (folder / "cgroup.subtree_control").read_text(encoding="ascii").split()
            if "memory" in distributed and _is_ours(folder, _MEMORY_FILES[2][0]):
                return Homes(folder, folder)
    separate = _groups("cgroup", "memory")
    return Homes(
        next((folder for folder in unified[:1] if _is_ours(folder, "cgroup.procs")), None),
        next((folder for folder in separate[:1] if _is_ours(folder, _MEMORY_FILES[1][0])), None),
        version=1,
    )


def remove_groups() -> None:
    """End and remove the groups of processes that are gone."""
    for home in filter(None, {homes().time, homes().memory}):
        for folder in home.glob(f"{MARK_PREFIX}*"):
            if owner_is_dead(folder.name):
                with contextlib.suppress(OSError):
                    with contextlib.suppress(FileNotFoundError):  # version 1 has no such file
                        (folder / "cgroup.kill").write_text("1")
                    folder.rmdir()


_PROC: Final = Path("/proc/self")


# The control group that this process is in, and those above it; empty if there is none.
def _groups(file_system: str, controller: str = "") -> list[Path]:
    try:
        mounts = [line.split() for line in (_PROC / "mountinfo").read_text().splitlines()]
        top = next(
            Path(fields[4])
            for fields in mounts
            if fields[-3] == file_system and (not controller or controller in fields[-1].split(","))
        )
        lines = [line.split(":", 2) for line in (_PROC / "cgroup").read_text().splitlines()]
        own = next(path for _, names, path in lines if controller in names.split(","))
    except (OSError, StopIteration):
        return []
    folder = top / own.lstrip("/")
    return [above for above in (folder, *folder.parents) if above.is_relative_to(top)]


def _is_ours(folder: Path, file: str) -> bool:
    trial = folder / f"{mark()}trial"
    try:
        trial.mkdir()
        may_write = os.access(trial / file, os.W_OK)
        trial.rmdir()
    except OSError:
        return False
    return may_write and os.access(folder / "cgroup.procs", os.W_OK)


def _write(path: str, number: int) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(str(number))
