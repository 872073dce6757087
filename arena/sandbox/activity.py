"""The activity of a program's processes at this moment: computing, reading their input, or idle.

The kernel shows that of a process only to root and to those who may trace it, as the arena may its
bots at all levels of isolation; if it does not, nothing is claimed.
"""

import contextlib
import os
import platform
from collections.abc import Iterator, Sequence
from typing import Final, Literal

Activity = Literal["computing", "reading", "idle"]

_READS: Final = {"x86_64": ("0", "19"), "aarch64": ("63", "65")}
"""The numbers of the system calls `read` and `readv`, by machine."""

_WAITS: Final = ("pipe_read", "anon_pipe_read", "pipe_wait_readable")
"""The kernel functions in which a process waits that reads an empty pipe."""


def look_at(pids: Sequence[int], pipe: int | None = None) -> Activity | None:
    """The activity of processes, None if it cannot be known.

    They are computing if any thread runs, and reading if one waits for more from the pipe, their
    input, whose other end we hold.
    """
    all_tasks = [task for pid in pids for task in tasks(pid)]
    states = {found for task in all_tasks if (found := task_state(task)) is not None}
    if not states:
        return None
    if states & {"R", "D"}:
        return "computing"
    if pipe is None:
        return "idle"
    inode = os.fstat(pipe).st_ino
    waits = [_reads(task, inode) for task in all_tasks]
    if any(waits):
        return "reading"
    return None if None in waits else "idle"


def tasks(pid: int) -> Iterator[str]:
    """The folder in `/proc` of each thread of a process."""
    with contextlib.suppress(OSError):
        yield from (f"/proc/{pid}/task/{task}" for task in os.listdir(f"/proc/{pid}/task"))


def task_state(task: str) -> str | None:
    """The kernel's letter for the state of a thread, None if the thread is gone."""
    fields = text(f"{task}/stat")
    return fields.rpartition(")")[2].split()[0] if fields else None


def _reads(task: str, inode: int) -> bool | None:
    """Whether a thread waits in a read from a pipe, None if that cannot be known."""
    call = (text(f"{task}/syscall") or "").split()
    if len(call) > 1 and platform.machine() in _READS:
        if call[0] not in _READS[platform.machine()]:
            return False
        with contextlib.suppress(OSError):
            return os.stat(f"{task}/fd/{int(call[1], 16)}").st_ino == inode
    where = text(f"{task}/wchan")
    if where in (None, "", "0"):
        return None
    return where in _WAITS


def text(path: str) -> str | None:
    """The beginning of a file of the kernel, None if it cannot be read."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(file, 4096).decode(errors="replace")
    except OSError:
        return None
    finally:
        os.close(file)
