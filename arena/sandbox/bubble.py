"""A program inside bubblewrap: started, released once its limits are set, found and killed."""

import contextlib
import os
import resource
import signal
import subprocess
from typing import Final

import msgspec

from arena.base.marks import mark
from arena.sandbox import bubblewrap, seccomp
from arena.sandbox.box import Box, NoBox, Setting
from arena.sandbox.cgroup import Group, homes
from arena.sandbox.descriptors import Kept, sockets_in
from arena.sandbox.isolation import Isolation
from arena.sandbox.root import SCRATCH, laid_out
from arena.sandbox.spawn import kernel_limits, spawn
from arena.sandbox.tree import GONE, children

_MIB: Final = 1 << 20


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
