"""Landlock: the kernel's own limits on files, for machines that refuse user namespaces."""

import ctypes
import os
import platform
import signal
import struct
from collections.abc import Iterable
from typing import Final

from arena.base.errors import Mistake
from arena.sandbox.seccomp import MACHINE

OLDEST_ABI: Final = 6  # the first version that also confines signals (Linux 6.12)

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_THP_DISABLE = 1, 38, 41

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_ALL_FILES = (1 << 16) - 1
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_TCP = 3
_SCOPES = 3  # these shut out abstract sockets, and signals to processes outside

READ: Final = _EXECUTE | _READ_FILE | _READ_DIR
WRITE: Final = _ALL_FILES & ~_IOCTL_DEV
MACHINE_FILES: Final = ("/proc/cpuinfo", "/proc/meminfo")

# Files of their own process that runtimes read. `net` and `task` would show others' too, `cgroup`
# and `mountinfo` the arena's process number and the organiser's folders.
OWN_FILES: Final = tuple(
    f"/proc/self/{name}" for name in ("cmdline", "comm", "fd", "maps", "stat", "statm", "status")
)
DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def unavailable_reason() -> Mistake | None:
    """The reason why Landlock does not work here, or None."""
    if os.uname().sysname != "Linux" or platform.machine() != MACHINE:
        return Mistake(f"Landlock is used only on Linux on {MACHINE}")
    found = abi()
    if found >= OLDEST_ABI:
        return None
    what = f"this kernel has version {found} of Landlock, the arena needs {OLDEST_ABI}"
    return Mistake(what, "", "Linux 6.12 or newer has it; it must be switched on (lsm=landlock,…)")


def abi() -> int:
    """The version of Landlock in this kernel; 0 without Landlock."""
    found = int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION))
    return max(found, 0)


def ruleset(readable: Iterable[str], writable: Iterable[str], listable: Iterable[str] = ()) -> int:
    """A descriptor of rules with the paths to be read and run, and written; all else is denied.

    Of a folder that is only `listable`, the names of files below may be seen, but not read.
    """
    attributes = struct.pack("QQQ", _ALL_FILES, _TCP, _SCOPES)  # landlock_ruleset_attr
    size = ctypes.c_size_t(len(attributes))
    handle = int(_libc.syscall(_CREATE_RULESET, attributes, size, 0))
    if handle < 0:
        raise OSError(ctypes.get_errno(), "no Landlock rules could be made")
    for paths, access in (
        ((*readable, *MACHINE_FILES), READ),
        (writable, WRITE),
        (listable, _READ_DIR),
        (DEVICES, WRITE | _IOCTL_DEV),
    ):
        for path in paths:
            if os.path.exists(path):
                _allow(handle, path, access)
    return handle


def restrict(handle: int) -> None:
    """Put this process and all it starts under the rules, for good. Raises OSError.

    It may read about itself in `/proc`, but not about processes that it starts: rules are for
    files that exist, and theirs do not yet.
    """
    for path in OWN_FILES:
        _allow(handle, path, READ)
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or _libc.syscall(_RESTRICT_SELF, handle, 0):
        raise OSError(ctypes.get_errno(), "Landlock refused its rules")


def die_with_parent() -> None:
    """Have the kernel end this process, and what it executes, when its parent dies."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def refuse_huge_pages() -> None:
    """Give this process, and all its children, no huge pages: cut short, they stay whole."""
    _libc.prctl(_PR_SET_THP_DISABLE, 1, 0, 0, 0)


def _allow(handle: int, path: str, access: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        allowed = access if os.path.isdir(path) else access & _OF_A_FILE
        rule = struct.pack("=Qi", allowed, fd)  # landlock_path_beneath_attr
        if _libc.syscall(_ADD_RULE, handle, _PATH_BENEATH, rule, 0):
            raise OSError(ctypes.get_errno(), f"no Landlock rule for {path}")
    finally:
        os.close(fd)


_libc = ctypes.CDLL(None, use_errno=True)
