"""A program inside bubblewrap: started, released once its limits are set, found and killed.

Any program is started with three pipes and the kernel's limits.
"""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from arena.base.marks import mark
from arena.base.resources import Resources
from arena.sandbox import bubblewrap, seccomp
from arena.sandbox.box import Box, NoBox, Setting
from arena.sandbox.bubblewrap import SLACK_MIB
from arena.sandbox.cgroup import Group, homes
from arena.sandbox.isolation import Isolation
from arena.sandbox.root import SCRATCH, laid_out
from arena.sandbox.tree import GONE, Kept, children, sockets_in

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


def start_bubble(isolation: Isolation, setting: Setting) -> Box:
    """Start a program in bubblewrap, which holds it until `begin`. Raises OSError."""
    uid = None if isolation.uid is None else isolation.uid + setting.seat
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        info, info_end = os.pipe()
        go_end, go = os.pipe()
        fds = {"info": info_end, "go": go_end}
        fds["filter"] = os.open(seccomp.filter_path("box"), os.O_RDONLY)
        passed = tuple(fds.values())
        for fd in passed:
            theirs.callback(os.close, fd)
        ours.callback(os.close, info)
        ours.callback(os.close, go)
        command = bubblewrap.arguments(
            isolation.bwrap,
            uid,
            isolation.runtimes,
            setting.resources,
            setting.folder,
            laid_out(isolation.runtimes, isolation.uid),
            fds,
            setting.run,
        )
        command[0] = mark()  # identifies a box whose maker is gone
        popen = spawn(command, "/", {}, None, None, passed, executable=isolation.bwrap)
        ours.pop_all()  # the box closes them
        return Bubble(popen, setting, info, go)


class Bubble(Box):
    """A program inside bubblewrap. Its processes are those below the first of their namespace."""

    scratch_name = "/tmp"

    def __init__(
        self, popen: "subprocess.Popen[bytes]", setting: Setting, info: int, go: int
    ) -> None:
        super().__init__(popen, setting.scratch)
        self._setting = setting
        self._info: int | None = info
        self._go = go
        self._first: int | None = None
        self._handle: int | None = None
        self._folders: list[int] = []
        self._sockets: int | None = None

    @property
    def info(self) -> int | None:
        return self._info

    def begin(self) -> None:
        try:
            self._find()
            if self._first is None:
                raise NoBox(bubblewrap.trouble(self._complaint()).what)
            if found := homes():
                self._group = Group(found, self._first, self._setting.resources)
                self._group.add(self._first)
            for limit, value in kernel_limits(self._setting.resources, own_tasks=True):
                resource.prlimit(self._first, limit, (value, value))
            os.write(self._go, b"1")
        except (msgspec.DecodeError, KeyError, OSError) as error:
            self.kill()
            raise NoBox(f"the box cannot be started: {error}") from None
        finally:
            os.close(self._go)

    def _find(self) -> None:
        """Read from bubblewrap, once, which process is the first of the box."""
        if self._info is None:
            return
        said = b""
        while not said.endswith(b"}\n") and (part := os.read(self._info, 4096)):
            said += part
        os.close(self._info)
        self._info = None
        if said:
            self._first = int(msgspec.json.decode(said)["child-pid"])
            self._handle = os.pidfd_open(self._first)

    def roots(self) -> list[int]:
        return [] if self._first is None else [self._first]

    def program(self) -> int:
        below = [] if self._first is None else children(self._first)
        return below[0] if below else self.popen.pid

    def scratch(self) -> tuple[int, int]:
        used = files = 0
        for fd in self._folders or self._opened():
            found = os.fstatvfs(fd)
            used += (found.f_blocks - found.f_bfree) * found.f_frsize
            files += found.f_files - found.f_ffree - 1
        return used, files

    def kept(self, pids: list[int], mappings: bool) -> Kept:
        """The box's sockets only: its file systems count files without names as well."""
        if self._sockets is None:
            path = f"/proc/{self._first}/net/sockstat"
            try:
                self._sockets = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            except GONE:  # it has ended, or was never begun
                return Kept()
        return Kept(sockets_in(os.pread(self._sockets, 64, 0)))

    def terminate(self) -> None:
        for pid in self.pids():
            if pid != self._first:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGTERM)

    def kill(self) -> None:
        with contextlib.suppress(OSError, msgspec.DecodeError, KeyError):
            if self._info is not None:  # it never began
                self._find()
                os.close(self._go)
        if self._handle is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        else:
            self.popen.kill()

    def _opened(self) -> list[int]:
        """The scratch folders of the box, once they are mounted; their size tells them apart."""
        size = ((self._setting.resources.scratch_mib or 0) + bubblewrap.SLACK_MIB) * _MIB
        opened = []
        for folder in (SCRATCH, bubblewrap.SHARED_MEMORY):
            with contextlib.suppress(OSError):
                opened.append(os.open(f"/proc/{self._first}/root{folder}", os.O_PATH))
        found = [os.fstatvfs(fd) for fd in opened]
        if len(found) == 2 and all(each.f_blocks * each.f_frsize == size for each in found):
            self._folders = opened
            return opened
        for fd in opened:
            os.close(fd)
        return []

    def _complaint(self) -> str:
        """Bubblewrap's message when it gave up."""
        self.popen.wait()
        assert self.popen.stderr is not None
        said = self.popen.stderr.read() or b""
        return said.decode(errors="replace").strip().removeprefix("bwrap: ")

    def close(self) -> None:
        super().close()
        if self._handle is not None:
            self._folders.append(self._handle)
            self._handle = None
        if self._sockets is not None:
            self._folders.append(self._sockets)
            self._sockets = None
        while self._folders:
            os.close(self._folders.pop())
