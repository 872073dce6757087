"""Marks what a process makes, so that others can detect that its owner is dead."""

import contextlib
import os
from functools import cache
from pathlib import Path
from typing import Final

from arena.base.words import whole_number

MARK_PREFIX: Final = "zole-"
"""The beginning of every mark."""


def mark() -> str:
    """The mark of this process: its PID namespace, number and start, a triple never used again."""
    pid = os.getpid()
    return f"{MARK_PREFIX}{_namespace()}-{pid}-{_started(str(pid))}-"


def owner_is_dead(name: str) -> bool:
    """Whether a name carries the mark of a process that has ended."""
    parts = name.removeprefix(MARK_PREFIX).split("-")
    if not name.startswith(MARK_PREFIX) or len(parts) < 4 or parts[0] != _namespace():
        return False
    return whole_number(parts[1]) is not None and _started(parts[1]) != parts[2]


@cache
def _namespace() -> str:
    with contextlib.suppress(OSError):
        return str(os.stat("/proc/self/ns/pid").st_ino)
    return "0"


def _started(pid: str) -> str:
    """The start of a process in the kernel's ticks; empty if there is no such process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[19].decode()
    return ""
