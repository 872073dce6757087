"""The filter for system calls: made from the table, kept in `filters/`, installed in a process.

A filter is generated once by libseccomp and kept, so that playing needs no library; a test
regenerates it. The kernel knows which calls a filter always allows and does not run it for them:
reading, writing and waiting cost a bot nothing.
"""

import ctypes
import errno
import os
import platform
import socket
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from arena.sandbox import calls

if TYPE_CHECKING:
    import pyseccomp as sec

FilterKind = Literal["box", "reduced", "server"]
"""The filter inside bubblewrap's namespaces, the stricter one without them, and that of our
servers, which trust themselves until a stranger finds a mistake in them."""

MACHINE: Final = "x86_64"
"""The architecture that the filters are for; others number system calls differently."""


@cache
def filter_path(kind: FilterKind) -> Path:
    """The path of the filter. Raises FileNotFoundError if this architecture has none."""
    if platform.machine() != MACHINE:
        raise FileNotFoundError(f"there is no seccomp filter for {platform.machine()} yet")
    return Path(__file__).with_name("filters") / f"{kind}-{MACHINE}.bpf"


def install_filter(program: bytes) -> None:
    """Put this thread, and all that it starts, under a filter, for good. Raises OSError."""
    instructions = ctypes.create_string_buffer(program, len(program))
    length = len(program) // ctypes.sizeof(ctypes.c_uint64)
    filters = _Program(length, ctypes.cast(instructions, ctypes.c_void_p))
    given_up = _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    if not given_up or _libc.prctl(
        _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(filters), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the seccomp filter was refused")


def generate(kind: FilterKind) -> bytes:
    """The filter as libseccomp makes it from the tables. Needs pyseccomp."""
    import pyseccomp as sec

    rules = sec.SyscallFilter(sec.ERRNO(errno.ENOSYS))
    rules.set_attr(sec.Attr.ACT_BADARCH, sec.KILL_PROCESS)
    rules.set_attr(sec.Attr.CTL_OPTIMIZE, _BINARY_TREE)
    refused, done = sec.ERRNO(errno.EPERM), sec.ERRNO(0)

    def has(place: int, value: int, mask: int = _INT) -> "sec.Arg":
        return sec.Arg(place, sec.MASKED_EQ, mask, value)

    box = kind == "box"
    if kind == "server":
        _allow_server(rules, has)
        return _exported(rules)
    for name in (*calls.ALLOWED, *((*calls.ONLY_BOX, *calls.ROOM) if box else ())):
        rules.add_rule(sec.ALLOW, name)
    for name in (*calls.FORBIDDEN, *(() if box else calls.ONLY_BOX)):
        rules.add_rule(refused, name)
    for name in (*calls.UNSUPPORTED, *(() if box else calls.ROOM)):
        rules.add_rule(sec.ERRNO(errno.EOPNOTSUPP), name)
    for name in calls.NOT_FROM_FILES:
        rules.add_rule(sec.ERRNO(errno.EINVAL), name)
    for table in (calls.ONLY_WITH, calls.ONLY_BOX_WITH if box else {}):
        for (name, place), values in table.items():
            level = (has(1, socket.SOL_SOCKET),) if name.endswith("sockopt") else ()
            for value in values.values():
                rules.add_rule(sec.ALLOW, name, has(place, value), *level)
    for (name, place), (bits, error) in calls.WITHOUT.items():
        rules.add_rule(sec.ALLOW, name, has(place, 0, bits))
        for bit in (1 << number for number in range(32) if bits >> number & 1):
            rules.add_rule(sec.ERRNO(error), name, has(place, bit, bit))
    strange, thread = _INT & ~calls.CLONE_FLAGS, calls.CLONE_THREAD | calls.CLONE_FILES
    rules.add_rule(sec.ALLOW, "clone", has(0, 0, strange | calls.CLONE_THREAD))
    rules.add_rule(sec.ALLOW, "clone", has(0, thread, strange | thread))
    for bit in (1 << number for number in range(32) if strange >> number & 1):
        rules.add_rule(refused, "clone", has(0, bit, bit))
    rules.add_rule(sec.ALLOW, "fcntl", has(1, calls.F_SETFL), has(2, 0, calls.F_SETFL_REFUSED))
    rules.add_rule(sec.ALLOW, "personality", has(0, calls.PERSONALITY_ASKED))
    for name, place in (("mknod", 1), ("mknodat", 2)):
        rules.add_rule(sec.ALLOW, name, has(place, calls.FIFO, calls.KINDS_OF_FILE))
    own = sec.Arg(0, sec.EQ, 0)
    rules.add_rule(sec.ALLOW, "prlimit64", own)
    rules.add_rule(sec.ALLOW, "setpriority", own, sec.Arg(1, sec.EQ, 0))
    for name, place in (("prlimit64", 0), ("setpriority", 0), ("setpriority", 1)):
        rules.add_rule(refused, name, sec.Arg(place, sec.NE, 0))  # not of others
    rules.add_rule(done, "flock")
    for command in calls.PRETENDED.values():
        rules.add_rule(done, "fcntl", has(1, command))
    local = sec.Arg(0, sec.EQ, socket.AF_UNIX)
    for type_ in calls.SOCKETS.values():
        rules.add_rule(sec.ALLOW, "socketpair", local, has(1, type_, calls.KIND_OF_SOCKET))
    rules.add_rule(sec.ERRNO(errno.EAFNOSUPPORT), "socket")
    return _exported(rules)


def _allow_server(rules: "sec.SyscallFilter", has: "Callable[..., sec.Arg]") -> None:
    """Add a server's rules: no program, no connection of its own, threads but no processes."""
    import pyseccomp as sec

    refused = sec.ERRNO(errno.EPERM)
    for name in (*calls.ALLOWED, *calls.SERVER):
        if name not in calls.NOT_SERVER:
            rules.add_rule(sec.ALLOW, name)
    for name in (*calls.NOT_SERVER, *calls.NOT_OUT):
        rules.add_rule(refused, name)
    for (name, place), values in calls.ONLY_WITH.items():
        if name in calls.SERVER_WITH:
            for value in values.values():
                rules.add_rule(sec.ALLOW, name, has(place, value))
    for value in (calls.F_SETFL, *calls.PRETENDED.values()):
        rules.add_rule(sec.ALLOW, "fcntl", has(1, value))
    rules.add_rule(sec.ALLOW, "clone", has(0, calls.CLONE_THREAD, calls.CLONE_THREAD))
    rules.add_rule(refused, "clone", has(0, 0, calls.CLONE_THREAD))
    local = sec.Arg(0, sec.EQ, socket.AF_UNIX)
    for type_ in calls.SOCKETS.values():
        rules.add_rule(sec.ALLOW, "socketpair", local, has(1, type_, calls.KIND_OF_SOCKET))
    rules.add_rule(sec.ERRNO(errno.EAFNOSUPPORT), "socket")


def _exported(rules: "sec.SyscallFilter") -> bytes:
    """The filter as a program for the kernel."""
    read, write = os.pipe()
    with open(read, "rb") as bpf, open(write, "wb") as file:
        rules.export_bpf(file)
        file.close()
        return bpf.read()


class _Program(ctypes.Structure):
    """The kernel's `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


_INT = 0xFFFFFFFF
"""The bits of an int argument that the kernel looks at."""

_BINARY_TREE = 2
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_libc = ctypes.CDLL(None, use_errno=True)
