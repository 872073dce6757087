"""Processes as the kernel lists them: which are below a process, and what they use."""

import contextlib
import os
from collections.abc import Iterable
from typing import Final

import msgspec

GONE: Final = (FileNotFoundError, ProcessLookupError)  # a process or thread has ended

PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_MAX_RETRIES: Final = 5  # threads may end while we look for a living one


class Usage(msgspec.Struct, frozen=True):
    """What some processes and all below them use.

    In `pids`, another thread stands for a first one that has ended. `memory` and `mapped` are
    bytes, resident and mapped: shared pages count for each process.
    `tables` are the bytes of the kernel's tables of their mappings, and of swapped out memory,
    which grow without a page fault. `faults` are the page faults so far that read no disk.
    """

    pids: list[int]
    memory: int
    tables: int
    mapped: int
    tasks: int
    faults: int
    cpu_s: float


def usage(roots: Iterable[int]) -> Usage:
    """The present usage of some processes and all below them.

    Raises OSError or ValueError if anything but the end of a process keeps it from looking.
    """
    pids = list(roots)
    memory = tables = mapped = tasks = faults = ticks = 0
    for place, pid in enumerate(pids):
        try:
            fields = _fields(f"/proc/{pid}/stat")
            if fields[0] == b"Z" and fields[17] != b"1":
                pids[place], fields = _living_thread(pid)
            tables += sum_of_lines(f"/proc/{pids[place]}/status", (b"VmPTE:", b"VmSwap:"))
        except GONE:
            continue
        pids += children(pid)
        memory += int(fields[21]) * PAGE_BYTES
        mapped += int(fields[20])
        tasks += int(fields[17])
        faults += int(fields[7]) + int(fields[8])
        ticks += sum(map(int, fields[11:15]))
    return Usage(pids, memory, tables, mapped, tasks, faults, ticks / _TICKS)


def children(pid: int) -> list[int]:
    """The children of a process, orphans that it adopted included; none if it is gone."""
    found: list[int] = []
    with contextlib.suppress(*GONE):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(*GONE):
                found += map(int, _read(f"/proc/{pid}/task/{task}/children").split())
    return found


def is_alive(task: str) -> bool:
    """Whether the thread with this folder in `/proc` still has memory. Raises OSError."""
    return _fields(f"{task}/stat")[20] != b"0"


def sum_of_lines(path: str, names: tuple[bytes, ...]) -> int:
    """Bytes, summed over the lines of a kernel file that give KiB under some names."""
    lines = (line for line in _read(path).splitlines() if line.startswith(names))
    return 1024 * sum(int(line.split()[1]) for line in lines)


def _fields(path: str) -> list[bytes]:
    """The fields of a `stat` file that follow the name, which may contain anything."""
    return _read(path).rpartition(b")")[2].split(None, 22)


def _living_thread(pid: int) -> tuple[int, list[bytes]]:
    """A living thread of a process whose first has ended, and the fields of its `stat`.

    The kernel shows nothing of the memory of such a process under the number of the process.
    """
    for _ in range(_MAX_RETRIES):
        for task in map(int, os.listdir(f"/proc/{pid}/task")):
            with contextlib.suppress(*GONE):
                fields = _fields(f"/proc/{task}/stat")
                if task != pid and fields[0] not in b"ZX":
                    return task, fields
    raise ProcessLookupError(f"all threads of process {pid} end as we look")


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read() or b""
