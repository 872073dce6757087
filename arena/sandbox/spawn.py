"""Starts a process with three pipes and the kernel's limits."""

import ctypes
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from arena.base.resources import Resources
from arena.sandbox.bubblewrap import SLACK_MIB

_MIB: Final = 1 << 20
_PR_SET_PDEATHSIG: Final = 1
_OPEN_FILES: Final = 128
"""Few, since each pair of sockets holds kernel memory that counts as no process's."""

_SIGNALS: Final = 256
"""The most queued signals and timers. The kernel counts them for all processes of a
user in a namespace, and compares the sum with the limit of the process that asks."""

_OF_USERS_TASKS: Final = 0.75
"""The share of a user's tasks that is open to bots if the kernel counts theirs with the user's."""

_MORE_TASKS: Final = 64
"""Tasks by which the kernel's limit exceeds ours, so that crossing ours is noticed."""


def spawn(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    uid: int | None,
    before: Callable[[], None] | None,
    fds: tuple[int, ...] = (),
    executable: str | None = None,
) -> "subprocess.Popen[bytes]":
    """Start a command in a session of its own, from the calling thread. Raises OSError.

    `uid` is the user to run as, `before` is called in the child, `fds` stay open in it, and
    `executable` is the program if the command's first word is only its name.
    """
    return subprocess.Popen(
        command,
        executable=executable,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=folder,
        env=environment,
        start_new_session=True,
        user=uid,
        group=uid,
        extra_groups=None if uid is None else [],
        preexec_fn=before,
        pass_fds=fds,
    )


def kernel_limits(resources: Resources, own_tasks: bool) -> Iterator[tuple[int, int]]:
    """The kernel's limits by number. They lie above ours, so that the watch notices first.

    `own_tasks` says that the kernel counts no other program's tasks for this limit.
    """
    yield resource.RLIMIT_CORE, 0
    yield resource.RLIMIT_MEMLOCK, 65536
    yield resource.RLIMIT_NOFILE, _OPEN_FILES
    yield resource.RLIMIT_MSGQUEUE, 0
    yield resource.RLIMIT_SIGPENDING, _SIGNALS
    yield resource.RLIMIT_NICE, 0
    yield resource.RLIMIT_RTPRIO, 0
    if resources.scratch_mib is not None:
        yield resource.RLIMIT_FSIZE, (resources.scratch_mib + SLACK_MIB) * _MIB
    if resources.memory_mib is not None:
        yield resource.RLIMIT_DATA, (2 * resources.memory_mib + 1024) * _MIB
    users, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if own_tasks and resources.tasks is not None:
        yield resource.RLIMIT_NPROC, resources.tasks + _MORE_TASKS
    elif not own_tasks and users != resource.RLIM_INFINITY:
        yield resource.RLIMIT_NPROC, int(users * _OF_USERS_TASKS)


def die_with_parent() -> None:
    """Runs in the child, before the program: SIGKILL it when the arena's worker dies."""
    assert _libc is not None
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
