"""Resources that processes keep by descriptors and mappings alone: sockets and unnamed files."""

import contextlib
import os
import stat
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from arena.sandbox.tree import GONE

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
