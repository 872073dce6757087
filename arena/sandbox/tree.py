"""Processes as the kernel lists them: their parents, and the resources that each has used.

Some are kept by descriptors and mappings alone: sockets and unnamed files.
"""

import contextlib
import os
import stat
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

TOO_MUCH: Final = 1 << 50
"""The bytes charged for things that no honest bot does and nobody can measure."""

DESCRIPTORS: Final = 1024
"""The most open descriptors of a program's processes together."""

_FREE: Final = 16
"""Sockets that are not counted: runtimes have a few, with hardly anything in them."""

_MAPPED: Final = 4
"""Mapped files without a name or a descriptor that are allowed if their size is unknown."""


class Kept(msgspec.Struct, frozen=True):
    """The number of sockets, the bytes and number of files without a name, and of descriptors."""

    sockets: int = 0
    bytes: int = 0
    files: int = 0
    descriptors: int = 0

    @property
    def memory(self) -> int:
        """The most bytes of kernel memory that the sockets may hold as unread data."""
        return (self.sockets - _FREE) * _a_socket() if self.sockets > _FREE else 0


def kept_by(pids: list[int], folder: str, mappings: bool) -> Kept:
    """The sockets, files and descriptors of processes; files only on the folder's file system.

    Each counts once. At most one descriptor beyond `DESCRIPTORS` is looked at, since that takes
    time. Mapped files are looked for only with `mappings`. Raises OSError if a process hides them.
    """
    device: int | None = None
    with contextlib.suppress(*GONE):
        device = os.stat(folder).st_dev
    sockets: set[int] = set()
    files: dict[int, int] = {}
    descriptors = 0
    for pid in pids:
        with contextlib.suppress(*GONE):
            for path in islice(_descriptors(pid), DESCRIPTORS + 1 - descriptors):
                descriptors += 1
                try:
                    found = os.stat(path)
                except GONE:
                    continue
                except PermissionError:
                    if _lives(path.partition("/fd/")[0]):
                        raise
                    break  # it has ended since its descriptors were listed
                if stat.S_ISSOCK(found.st_mode):
                    sockets.add(found.st_ino)
                elif not found.st_nlink and device in (None, found.st_dev):
                    files[found.st_ino] = found.st_blocks * 512
    if mappings:
        for inode, size in _mapped(pids, folder).items():
            files.setdefault(inode, size)
    return Kept(len(sockets), sum(files.values()), len(files), descriptors)


def _descriptors(pid: int) -> list[str]:
    """The paths of a process's descriptors, by its first living thread.

    The kernel lets only root look at those of a thread that has ended. Raises OSError if a living
    thread hides them.
    """
    for tid in (pid, *map(int, os.listdir(f"/proc/{pid}/task"))):
        task = f"/proc/{pid}/task/{tid}"
        try:
            return [f"{task}/fd/{name}" for name in os.listdir(f"{task}/fd")]
        except PermissionError:
            if _lives(task):
                raise
    return []


def _lives(task: str) -> bool:
    """Whether a thread still has memory."""
    told = Path(task, "stat").read_bytes()
    return told.rpartition(b")")[2].split()[20] != b"0"


def _mapped(pids: list[int], folder: str) -> dict[int, int]:
    """The bytes of mapped files without a name in a folder, by inode."""
    told: dict[int, int] = {}
    untold: dict[int, int] = {}
    inside = os.fsencode(f"{os.path.realpath(folder)}/")
    for pid in pids:
        try:
            with open(f"/proc/{pid}/maps", "rb") as file:
                lines = [line.split(None, 5) for line in file if line.endswith(b" (deleted)\n")]
        except GONE:
            continue
        for place, _, offset, _, inode, path in lines:
            if not path.startswith(inside):
                continue
            try:
                found = os.stat(f"/proc/{pid}/map_files/{place.decode()}")
            except PermissionError:  # only root is told
                begin, _, end = place.partition(b"-")
                size = int(offset, 16) + int(end, 16) - int(begin, 16)
                untold[int(inode)] = max(size, untold.get(int(inode), 0))
            except GONE:
                continue
            else:
                told[int(inode)] = found.st_blocks * 512
    if len(untold) > _MAPPED:
        return {0: TOO_MUCH}
    return told | untold


def sockets_in(sockstat: bytes) -> int:
    """The number of sockets of a network namespace, from the kernel's `sockstat` of it."""
    return int(sockstat.split(None, 3)[2])


@cache
def _a_socket() -> int:
    """The most bytes of unread data that one socket has sent: full, and one datagram more."""
    return 2 * int(Path("/proc/sys/net/core/wmem_default").read_text(encoding="ascii")) + (1 << 16)


_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_SEVERAL: Final = 2
"""A number of threads above 1, so that the children of every thread are read."""

_KEPT: Final = 100
"""The most files that stay open, so that this process does not run out of its own."""

_MANY: Final = 64
"""From this many threads on, a process's files are not kept open."""

_ROTATIONS: Final = 5
"""The times that the ending threads of a process may outrun a look for a living one."""

GONE: Final = (FileNotFoundError, ProcessLookupError)
"""The errors by which the kernel says that a process or thread has ended."""

_TABLES: Final = (b"VmPTE:", b"VmSwap:")

_UNNAMED: Final = (b"/dev/zero (deleted)", b"/memfd:", b"/SYSV")
"""The names that the kernel lists for shared memory that no file system counts."""


class Usage(msgspec.Struct, frozen=True):
    """The resources in use by some processes.

    `memory` and `mapped` are bytes, resident and mapped; `faults` are the page faults so far that
    read nothing from a disk, `cpu_s` processor seconds. `tables` are the bytes of the kernel's own
    tables of their mappings, and of swapped out memory: these grow without a page fault and without
    a byte more mapped.
    """

    memory: int
    tables: int
    mapped: int
    tasks: int
    faults: int
    cpu_s: float


class Mappings(msgspec.Struct, frozen=True):
    """The number of the processes' mappings, and the bytes of anonymous memory shared by them.

    Each shared piece counts once and in full: its pages stay in memory even if no process holds
    them resident.
    """

    number: int = 0
    shared: int = 0


class Tree:
    """Some processes and all below them, inspected again and again.

    The kernel's files stay open between looks: opening them would be most of the cost.
    """

    def __init__(self) -> None:
        self.pids: list[int] = []
        """The processes of the last look; another thread stands for a first one that has ended."""
        self._entries: dict[int, _Entry] = {}

    def look(self, roots: list[int]) -> Usage:
        """The processes' present usage; pages that they share are counted for each of them.

        Raises OSError or ValueError if anything but the end of a process keeps it from looking.
        """
        self.pids = list(roots)
        memory = tables = mapped = tasks = faults = ticks = kept = 0
        entries: dict[int, _Entry] = {}
        for place, pid in enumerate(self.pids):
            entry = self._entries.pop(pid, None) or _Entry(pid)
            try:
                fields = entry.stat()
                if fields[0] == b"Z" and fields[17] != b"1":
                    self.pids[place], fields = _headless(pid)
                    tables += _told([self.pids[place]], "status", _TABLES)
                else:
                    tables += entry.tables()
                self.pids += entry.children(int(fields[17]))
            except GONE:
                entry.close()
                continue
            except BaseException:
                entry.close()
                raise
            ticks += sum(map(int, fields[11:15]))
            tasks += int(fields[17])
            faults += int(fields[7]) + int(fields[8])
            mapped += int(fields[20])
            memory += int(fields[21]) * _PAGE
            kept += entry.files
            if kept <= _KEPT:
                entries[pid] = entry
            else:
                entry.close()
        self.close()
        self._entries = entries
        return Usage(memory, tables, mapped, tasks, faults, ticks / _TICKS)

    def close(self) -> None:
        """Close all files."""
        for entry in self._entries.values():
            entry.close()
        self._entries = {}


class _Entry:
    """The kernel's figures for one process, through files opened once."""

    def __init__(self, pid: int) -> None:
        self._folder = f"/proc/{pid}"
        self._stat: int | None = None
        self._status: int | None = None
        self._children: dict[str, int] = {}

    def stat(self) -> list[bytes]:
        """The fields after the process's name. Raises OSError if the process is gone."""
        if self._stat is None:
            self._stat = os.open(f"{self._folder}/stat", os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._stat, 1024, 0).rpartition(b")")[2].split(None, 22)

    def tables(self) -> int:
        """Bytes of the kernel's tables for it, and of swapped out memory. Raises OSError."""
        if self._status is None:
            self._status = os.open(f"{self._folder}/status", os.O_RDONLY | os.O_CLOEXEC)
        return _sum_of(os.pread(self._status, 4096, 0), _TABLES)

    @property
    def files(self) -> int:
        """The number of files that it keeps open."""
        return 2 + len(self._children)

    def children(self, threads: int) -> list[int]:
        """The processes that any of its threads has started. Raises OSError if it is gone."""
        if threads > _MANY:
            return _children_of_each(self._folder)
        if threads > 1 or not self._children:
            for task in os.listdir(f"{self._folder}/task"):
                if task not in self._children:
                    path = f"{self._folder}/task/{task}/children"
                    with contextlib.suppress(*GONE):
                        self._children[task] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        found: list[int] = []
        for task, fd in list(self._children.items()):
            try:
                found += map(int, os.pread(fd, 1 << 16, 0).split())
            except ProcessLookupError:  # the thread has ended
                os.close(self._children.pop(task))
        return found

    def close(self) -> None:
        """Close its files."""
        for fd in (*self._children.values(), self._stat, self._status):
            if fd is not None:
                os.close(fd)
        self._children, self._stat, self._status = {}, None, None


def _children_of_each(folder: str) -> list[int]:
    """The processes that the threads of a process have started, with few open files."""
    found: list[int] = []
    for task in os.listdir(f"{folder}/task"):
        with contextlib.suppress(*GONE), open(f"{folder}/task/{task}/children", "rb") as file:
            found += map(int, file.read().split())
    return found


def _headless(pid: int) -> tuple[int, list[bytes]]:
    """A living thread of a process whose first has ended, and the fields of its stat.

    The kernel shows nothing of the memory of such a process under the number of the process.
    """
    for _ in range(_ROTATIONS):
        for task in map(int, os.listdir(f"/proc/{pid}/task")):
            entry = _Entry(task)
            try:
                fields = entry.stat()
            except GONE:
                continue
            finally:
                entry.close()
            if task != pid and fields[0] not in b"ZX":
                return task, fields
    raise ProcessLookupError(f"all threads of process {pid} end as we look")


def children(pid: int) -> list[int]:
    """The children of a process, including orphans it adopted."""
    entry = _Entry(pid)
    try:
        return entry.children(_SEVERAL)
    except GONE:
        return []
    finally:
        entry.close()


def descendants(pid: int) -> list[int]:
    """A process and all below it."""
    tree = Tree()
    tree.look([pid])
    tree.close()
    return tree.pids


def mappings(pids: list[int], most: int) -> Mappings:
    """The mappings of processes, but no more than one beyond `most`: reading them takes time.

    Raises OSError if a process has closed them to us, as does `proportional`.
    """
    number = 0
    pieces: dict[bytes, int] = {}
    for pid in pids:
        with contextlib.suppress(*GONE), open(f"/proc/{pid}/maps", "rb") as file:
            for line in islice(file, most + 1 - number):
                number += 1
                if b"s " in line[:60]:
                    fields = line.split(None, 5)
                    if (
                        len(fields) == 6
                        and fields[1][3:] == b"s"
                        and fields[5].startswith(_UNNAMED)
                    ):
                        begin, _, end = fields[0].partition(b"-")
                        size = int(fields[2], 16) + int(end, 16) - int(begin, 16)
                        pieces[fields[4]] = max(pieces.get(fields[4], 0), size)
    return Mappings(number, sum(pieces.values()))


def proportional(pids: list[int]) -> int:
    """Resident bytes of processes without shared memory; file pages are divided among all users."""
    return _told(pids, "smaps_rollup", (b"Pss_Anon:", b"Pss_File:"))


def _told(pids: list[int], name: str, lines: tuple[bytes, ...]) -> int:
    """Bytes, summed over lines in KiB of a kernel file of each process."""
    total = 0
    for pid in pids:
        with contextlib.suppress(*GONE), open(f"/proc/{pid}/{name}", "rb", buffering=0) as file:
            total += _sum_of(file.read(), lines)
    return total


def _sum_of(said: bytes, lines: tuple[bytes, ...]) -> int:
    found = (line for line in said.splitlines() if line.startswith(lines))
    return 1024 * sum(int(line.split()[1]) for line in found)
