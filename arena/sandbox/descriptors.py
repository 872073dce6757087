"""What processes keep only by descriptors and mappings: sockets, and files without a name."""

import contextlib
import os
import stat
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.sandbox.tree import GONE

TOO_MUCH: Final = 1 << 50
"""Bytes that stand for what no honest bot does and nobody can measure."""

_FREE: Final = 16
"""So many sockets are not counted: runtimes have a few, with hardly anything in them."""

_MAPPED: Final = 4
"""As many mapped files without a name and descriptor may be, where their size is not told."""


class Kept(msgspec.Struct, frozen=True):
    """The number of sockets, and the bytes and number of files without a name."""

    sockets: int = 0
    bytes: int = 0
    files: int = 0

    @property
    def unusual(self) -> bool:
        """Whether it may grow without a further sign."""
        return self.files > 0 or self.sockets > _FREE

    @property
    def memory(self) -> int:
        """The most bytes of kernel memory that the sockets may hold as unread data."""
        return (self.sockets - _FREE) * _a_socket() if self.sockets > _FREE else 0


def open_descriptors(pids: list[int]) -> int:
    """How many descriptors processes have; 0 where the kernel, before 6.2, does not count them."""
    found = 0
    for pid in pids:
        with contextlib.suppress(*GONE):
            found += os.stat(f"/proc/{pid}/fd").st_size
    return found


def kept_by(pids: list[int], folder: str, mappings: bool) -> Kept:
    """What processes keep, of files only those of the folder's file system, each counted once.

    Mapped files are looked for if `mappings` says so. Raises OSError if a process hides it.
    """
    device: int | None = None
    with contextlib.suppress(*GONE):
        device = os.stat(folder).st_dev
    sockets: set[int] = set()
    files: dict[int, int] = {}
    for pid in pids:
        with contextlib.suppress(*GONE):
            for path in _descriptors(pid):
                with contextlib.suppress(*GONE):
                    found = os.stat(path)
                    if stat.S_ISSOCK(found.st_mode):
                        sockets.add(found.st_ino)
                    elif not found.st_nlink and device in (None, found.st_dev):
                        files[found.st_ino] = found.st_blocks * 512
    if mappings:
        for inode, size in _mapped(pids, folder).items():
            files.setdefault(inode, size)
    return Kept(len(sockets), sum(files.values()), len(files))


def _descriptors(pid: int) -> list[str]:
    """The paths of a process's descriptors, by its first thread that lives.

    The kernel lets only root look at those of a thread that has ended. Raises OSError if one that
    lives hides them.
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
    """How many sockets a network namespace has, from the kernel's `sockstat` of it."""
    return int(sockstat.split(None, 3)[2])


@cache
def _a_socket() -> int:
    """The most bytes of unread data that one socket has sent: full, and one datagram more."""
    return 2 * int(Path("/proc/sys/net/core/wmem_default").read_text(encoding="ascii")) + (1 << 16)
