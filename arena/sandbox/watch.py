"""Watches a program's use of resources: which limit it has crossed, and by how much.

Where a control group limits memory, the kernel holds that limit at every moment. Elsewhere this is
all there is: polls, between which a program is not observed.
"""

import contextlib
import os
import stat
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from arena.base.resources import Resources
from arena.sandbox.box import (
    GONE,
    NO_MEANS,
    PAGE_BYTES,
    TOO_MUCH,
    Box,
    NoBox,
    Usage,
    is_alive,
    sum_of_lines,
    usage,
)
from arena.sandbox.limits import MAX_DESCRIPTORS, MAX_MAPPINGS, MAX_SHARED, MAX_WATCHED, MEBIBYTE

PERIOD_S: Final = 0.02  # between two polls of the watch

_SELDOM: Final = 4  # polls between two of descriptors and mappings, which may change without a sign
_RARELY: Final = 128  # polls between two for a kill by the kernel itself
_FEW: Final = (
    4  # with more processes than this, each poll counts descriptors: many fill them quickly
)
_FAULTS: Final = 2048  # page faults, worth 8 MiB, after which mappings may have been replaced

_FREE_SOCKETS: Final = 16  # runtimes have a few, with hardly anything in them
_FREE_MAPPED: Final = 4  # mapped files without a name or descriptor, if their size is unknown


class ResourceWatch:
    """The watch over one program; it remembers the usage at its last answer.

    `pids` are the program's processes at the last poll, `cpu_s` its processor seconds so far.
    """

    def __init__(self, box: Box, resources: Resources) -> None:
        self._box, self._limits = box, resources
        self._answers = 0
        self._cpu_then = 0.0
        self._looks = 0
        self._kept = Kept()
        self._mappings = Mappings(box.disk_folder)
        self.pids: list[int] = []
        self.memory: int = 0
        """The most resident bytes seen."""
        self.tasks: int = 0
        """The most tasks seen."""
        self.cpu_s: float = 0.0

    def crossed(self, answers: int, stderr_bytes: int) -> str | None:
        """Poll; return the first limit crossed, with the figure, or None.

        So far the program has given `answers` and written `stderr_bytes` bytes to stderr.
        A failed poll counts as crossed: else a bot could hide. Raises `NoBox` if the machine
        lacks the means.
        """
        try:
            over = self.overrun() if self._looks % _RARELY == 0 else None
            return over or self._crossed(answers, stderr_bytes)
        except Exception as error:  # of any kind: only this one bot pays for it
            if isinstance(error, MemoryError) or getattr(error, "errno", None) in NO_MEANS:
                raise NoBox(f"a bot could not be watched: {error}") from None
            why = getattr(error, "strerror", None) or type(error).__name__
            return f"what it uses cannot be measured: {why}"

    def much(self) -> str:
        """The resource of which it holds more than half its limit, with the number; "" for none."""
        for number, most, what in (
            (self._kept.descriptors, MAX_DESCRIPTORS, "open descriptors"),
            (self._kept.watched, MAX_WATCHED, "descriptors watched by epoll"),
        ):
            if number > most // 2:
                return f"{number:,} {what}"
        return ""

    def overrun(self) -> str | None:
        """The message if the kernel has ended a process at its own limit of memory, else None."""
        most = self._box.overrun_mib()
        limit = self._limits.memory_mib
        return None if most is None else f"memory: {most} MiB, the limit is {limit} MiB"

    def _crossed(self, answers: int, stderr_bytes: int) -> str | None:
        box, limits = self._box, self._limits
        used = usage(box.roots())
        self.pids = used.pids
        self._look_at_kept(used)
        for what, number, most in (
            ("mappings of memory", self._mappings.number, MAX_MAPPINGS),
            ("pieces of shared memory", len(self._mappings.shared), MAX_SHARED),
            ("open descriptors", self._kept.descriptors, MAX_DESCRIPTORS),
            ("descriptors watched by epoll", self._kept.watched, MAX_WATCHED),
        ):
            if number > most:
                return f"{what}: more than {most:,}"
        held = self._mappings.tables + sum(self._mappings.shared.values()) + self._kept.memory
        memory = used.memory + held
        if limits.memory_mib is not None and memory > limits.memory_mib * MEBIBYTE:
            memory = proportional(used.pids) + held
        self.memory = max(self.memory, memory)
        self.tasks = max(self.tasks, used.tasks)
        exact = box.cpu_s()
        self.cpu_s = max(self.cpu_s, used.cpu_s if exact is None else exact)
        if answers != self._answers or not self._answers:  # a start is no move
            self._answers, self._cpu_then = answers, self.cpu_s
        scratch, files = box.scratch()
        unnamed = self._mappings.files | self._kept.files
        scratch, files = scratch + sum(unnamed.values()), files + len(unnamed)
        for what, figure, limit, unit, each in (
            ("memory:", memory / MEBIBYTE, limits.memory_mib, " MiB", ""),
            ("processes and threads:", used.tasks, limits.tasks, "", " at a time"),
            ("processor time:", self.cpu_s - self._cpu_then, limits.cpu_move_s, " s", " a move"),
            ("processor time:", self.cpu_s, limits.cpu_match_s, " s", " a match"),
            (
                f"{box.scratch_name} holds",
                scratch / MEBIBYTE,
                limits.scratch_mib,
                " MiB",
                "",
            ),
            (f"{box.scratch_name} holds", files, limits.scratch_files, " files", ""),
            ("stderr:", stderr_bytes / MEBIBYTE, limits.stderr_mib, " MiB", " a match"),
        ):
            if limit is not None and figure > limit:
                return f"{what} {figure:.4g}{unit}, the limit is {limit:g}{unit}{each}"
        return None

    def _look_at_kept(self, used: Usage) -> None:
        seldom = self._looks % _SELDOM == 0
        self._looks += 1
        may_differ = seldom or self._mappings.may_differ(used)
        if may_differ:
            self._mappings.look(used)
        if may_differ or len(used.pids) > _FEW:
            self._kept = kept_by(used.pids, self._box.disk_folder)


class Mappings:
    """What processes map, from poll to poll; `folder` is where unnamed files are searched for.

    The kernel keeps every page of a piece of shared memory while any part of it is mapped. So a
    piece counts by the largest size that was seen of it, until no process maps it. What was
    mapped and unmapped between two polls left its page faults: a new piece may hold as many pages
    as there were faults that are not found resident.

    `shared` are the bytes of these pieces, `files` those of files without a name, by inode, and
    `tables` those of the kernel's tables of all mappings and of memory swapped out. No more than
    one mapping beyond `MAX_MAPPINGS` is looked at, since that takes time.
    """

    def __init__(self, folder: str | None) -> None:
        self.number: int = 0
        self.tables: int = 0
        self.shared: dict[bytes, int] = {}
        self.files: dict[int, int] = {}
        self._inside = None if folder is None else os.fsencode(f"{os.path.realpath(folder)}/")
        self._mapped = self._faults = self._memory = 0

    def may_differ(self, used: Usage) -> bool:
        """Whether something was mapped since the last poll, as far as figures show it."""
        return used.mapped != self._mapped or abs(used.faults - self._faults) > _FAULTS

    def look(self, used: Usage) -> None:
        """Read all mappings. Raises OSError if a process has closed them to us."""
        self.number = self.tables = 0
        shared: dict[bytes, int] = {}
        sized: dict[int, int] = {}
        unsized: dict[int, int] = {}
        for pid in used.pids:
            with contextlib.suppress(*GONE), open(f"/proc/{pid}/maps", "rb") as file:
                self.tables += sum_of_lines(f"/proc/{pid}/status", (b"VmPTE:", b"VmSwap:"))
                for line in islice(file, MAX_MAPPINGS + 1 - self.number):
                    self.number += 1
                    if not line.endswith(b" (deleted)\n"):
                        continue
                    place, access, offset, _, inode, name = line.split(None, 5)
                    begin, _, end = place.partition(b"-")
                    size = int(offset, 16) + int(end, 16) - int(begin, 16)
                    if access.endswith(b"s") and name.startswith(_SHARED):
                        shared[inode] = max(size, shared.get(inode, 0), self.shared.get(inode, 0))
                    elif self._inside is not None and name.startswith(self._inside):
                        try:
                            found = os.stat(f"/proc/{pid}/map_files/{place.decode()}")
                        except PermissionError:  # only root may see it
                            unsized[int(inode)] = max(size, unsized.get(int(inode), 0))
                        except GONE:
                            continue
                        else:
                            sized[int(inode)] = found.st_blocks * 512
        unseen = (used.faults - self._faults) * PAGE_BYTES - max(0, used.memory - self._memory)
        for inode in shared.keys() - self.shared.keys():
            shared[inode] = max(shared[inode], unseen)
        self.files = {0: TOO_MUCH} if len(unsized) > _FREE_MAPPED else sized | unsized
        self.shared = shared
        self._mapped, self._faults, self._memory = used.mapped, used.faults, used.memory


# what the kernel lists for shared memory that no file system counts
_SHARED: Final = (b"/dev/zero (deleted)", b"/memfd:", b"/SYSV")


class Kept(msgspec.Struct, frozen=True):
    """What processes keep by descriptors alone.

    `watched` is the number of descriptors watched by `epoll`, `files` are the bytes of files
    without a name, by inode.
    """

    sockets: int = 0
    descriptors: int = 0
    watched: int = 0
    files: dict[int, int] = {}

    @property
    def memory(self) -> int:
        """The most bytes of kernel memory that the sockets may hold as unread data."""
        return max(0, self.sockets - _FREE_SOCKETS) * _a_socket()


def kept_by(pids: list[int], folder: str | None) -> Kept:
    """What processes keep by descriptors; files only on the file system of a folder, if any.

    Each socket and file counts once. At most one descriptor beyond `MAX_DESCRIPTORS` is looked at,
    since that takes time. Raises OSError if a process hides them.
    """
    device: int | None = None
    with contextlib.suppress(*GONE):
        device = os.stat(folder).st_dev if folder else None
    sockets: set[int] = set()
    files: dict[int, int] = {}
    descriptors = watched = 0
    for pid in pids:
        with contextlib.suppress(*GONE):
            task, names = _descriptors_of(pid)
            for name in names[: MAX_DESCRIPTORS + 1 - descriptors]:
                descriptors += 1
                try:
                    found = os.stat(f"{task}/fd/{name}")
                    if not stat.S_IFMT(found.st_mode) and watched <= MAX_WATCHED:
                        watched += Path(f"{task}/fdinfo/{name}").read_bytes().count(b"\ntfd:")
                except GONE:
                    continue
                except PermissionError:
                    if is_alive(task):
                        raise
                    break  # it has ended since its descriptors were listed
                if stat.S_ISSOCK(found.st_mode):
                    sockets.add(found.st_ino)
                elif not found.st_nlink and folder is not None and device in (None, found.st_dev):
                    files[found.st_ino] = found.st_blocks * 512
    return Kept(len(sockets), descriptors, watched, files)


# The folder of a process's first living thread, and the names of its descriptors. The kernel lets
# only root read those of a thread that has ended. Raises OSError if a living thread hides them.
def _descriptors_of(pid: int) -> tuple[str, list[str]]:
    for tid in (pid, *map(int, os.listdir(f"/proc/{pid}/task"))):
        task = f"/proc/{pid}/task/{tid}"
        try:
            return task, os.listdir(f"{task}/fd")
        except PermissionError:
            if is_alive(task):
                raise
    return f"/proc/{pid}", []


# The most bytes of unread data that one socket has sent: full, and one datagram more.
@cache
def _a_socket() -> int:
    return 2 * int(Path("/proc/sys/net/core/wmem_default").read_text(encoding="ascii")) + (1 << 16)


def proportional(pids: list[int]) -> int:
    """Resident bytes of processes without shared memory; file pages are divided among all users."""
    total = 0
    for pid in pids:
        with contextlib.suppress(*GONE):
            total += sum_of_lines(f"/proc/{pid}/smaps_rollup", (b"Pss_Anon:", b"Pss_File:"))
    return total
