"""Processes as the kernel lists them: who began whom, and what each has used."""

import os
from typing import Final

import msgspec

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


_UNNAMED: Final = (b"/dev/zero (deleted)", b"/memfd:", b"/SYSV")
"""How the kernel lists memory that processes share and no file system counts."""


_OWN: Final = (b"Pss_Anon:", b"Pss_File:")


class Usage(msgspec.Struct, frozen=True):
    """What some processes hold: resident bytes, mapped bytes, tasks, processor seconds so far."""

    memory: int
    mapped: int
    tasks: int
    cpu_s: float


def children(pid: int) -> list[int]:
    """The processes that a process has begun, or that were handed to it."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb", buffering=0) as file:
                found += map(int, file.read().split())
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found


def descendants(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for each in found:
        found += children(each)
    return found


def usage(pids: list[int]) -> Usage:
    """What processes hold together; pages they share are counted for each of them."""
    memory = mapped = tasks = ticks = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
                fields = file.read().rpartition(b")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        ticks += sum(map(int, fields[11:15]))
        tasks += int(fields[17])
        mapped += int(fields[20])
        memory += int(fields[21]) * _PAGE
    return Usage(memory, mapped, tasks, ticks / _TICKS)


def shared(pids: list[int]) -> int:
    """Bytes of the unnamed memory that processes map as shared, each piece of it once.

    It is counted by its size: pages of it stay in memory also where no process holds them resident.
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


def proportional(pids: list[int]) -> int:
    """Resident bytes of processes without shared memory, pages of files divided among all users."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup", "rb", buffering=0) as file:
                lines = file.read().splitlines()
        except (OSError, ProcessLookupError):
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith(_OWN))
    return total * 1024
