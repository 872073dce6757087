"""Processes as the kernel lists them: who started whom, and what each has used."""

import os
from typing import Final

import msgspec

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_SEVERAL: Final = 2
"""As many threads as one must look for: more than one."""

_KEPT: Final = 40
"""The most processes whose files stay open, so that this process does not run out of its own."""


_UNNAMED: Final = (b"/dev/zero (deleted)", b"/memfd:", b"/SYSV")
"""How the kernel lists shared memory that no file system counts."""


class Usage(msgspec.Struct, frozen=True):
    """What some processes use: resident bytes, mapped bytes, tasks, processor seconds so far."""

    memory: int
    mapped: int
    tasks: int
    cpu_s: float


class Tree:
    """Some processes and all below them, inspected again and again.

    The kernel's files stay open between looks: opening them would be most of the cost.
    """

    def __init__(self) -> None:
        self.pids: list[int] = []
        """The processes of the last look."""
        self._entries: dict[int, _Entry] = {}

    def look(self, roots: list[int]) -> Usage:
        """What the processes hold now; pages they share are counted for each of them."""
        self.pids = list(roots)
        memory = mapped = tasks = ticks = 0
        entries: dict[int, _Entry] = {}
        for pid in self.pids:
            entry = self._entries.pop(pid, None) or _Entry(pid)
            try:
                fields = entry.stat()
                self.pids += entry.children(int(fields[17]))
            except OSError:  # it is gone, or too many files are open here
                entry.close()
                continue
            ticks += sum(map(int, fields[11:15]))
            tasks += int(fields[17])
            mapped += int(fields[20])
            memory += int(fields[21]) * _PAGE
            if len(entries) < _KEPT:
                entries[pid] = entry
            else:
                entry.close()
        self.close()
        self._entries = entries
        return Usage(memory, mapped, tasks, ticks / _TICKS)

    def close(self) -> None:
        """Close all files."""
        for entry in self._entries.values():
            entry.close()
        self._entries = {}


class _Entry:
    """What the kernel says of one process, through files opened once."""

    def __init__(self, pid: int) -> None:
        self._folder = f"/proc/{pid}"
        self._stat: int | None = None
        self._children: dict[str, int] = {}

    def stat(self) -> list[bytes]:
        """The fields behind the process's name. Raises OSError where it is gone."""
        if self._stat is None:
            self._stat = os.open(f"{self._folder}/stat", os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._stat, 1024, 0).rpartition(b")")[2].split()

    def children(self, threads: int) -> list[int]:
        """The processes that any of its threads has started. Raises OSError if it is gone."""
        if threads > 1 or not self._children:
            for task in os.listdir(f"{self._folder}/task"):
                if task not in self._children:
                    path = f"{self._folder}/task/{task}/children"
                    self._children[task] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        found: list[int] = []
        for task, fd in list(self._children.items()):
            try:
                found += map(int, os.pread(fd, 1 << 16, 0).split())
            except ProcessLookupError:  # a thread that has ended
                os.close(self._children.pop(task))
        return found

    def close(self) -> None:
        """Close its files."""
        for fd in (*self._children.values(), *([] if self._stat is None else [self._stat])):
            os.close(fd)
        self._children, self._stat = {}, None


def children(pid: int) -> list[int]:
    """The children of a process, including orphans it adopted."""
    entry = _Entry(pid)
    try:
        return entry.children(_SEVERAL)
    except (FileNotFoundError, ProcessLookupError):
        return []
    finally:
        entry.close()


def descendants(pid: int) -> list[int]:
    """A process and all below it."""
    tree = Tree()
    tree.look([pid])
    tree.close()
    return tree.pids


def shared(pids: list[int]) -> int:
    """Bytes of the anonymous memory that processes map as shared, each piece counted once.

    Its full size counts: its pages stay in memory even if no process holds them resident.
    """
    pieces: dict[bytes, int] = {}
    for pid in pids:
        try:
            with open(f"/proc/{pid}/maps", "rb") as file:
                lines = [line.split(None, 5) for line in file if b"s " in line[:60]]
        except (OSError, ProcessLookupError):
            continue
        for fields in lines:
            if len(fields) == 6 and fields[1].endswith(b"s") and fields[5].startswith(_UNNAMED):
                begin, _, end = fields[0].partition(b"-")
                size = int(fields[2], 16) + int(end, 16) - int(begin, 16)
                pieces[fields[4]] = max(pieces.get(fields[4], 0), size)
    return sum(pieces.values())


def page_tables(pids: list[int]) -> int:
    """Bytes of the kernel's own tables of what processes have mapped, and of what was swapped."""
    return _told(pids, "status", (b"VmPTE:", b"VmSwap:"))


def proportional(pids: list[int]) -> int:
    """Resident bytes of processes without shared memory, pages of files divided among all users."""
    return _told(pids, "smaps_rollup", (b"Pss_Anon:", b"Pss_File:"))


def _told(pids: list[int], name: str, lines: tuple[bytes, ...]) -> int:
    """Bytes, summed over lines in KiB of a kernel file of each process."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/{name}", "rb", buffering=0) as file:
                found = [line for line in file.read().splitlines() if line.startswith(lines)]
        except (OSError, ProcessLookupError):
            continue
        total += sum(int(line.split()[1]) for line in found)
    return total * 1024
