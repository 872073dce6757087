"""A program started in its sandbox, as one thing that can be watched and killed."""

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
from arena.sandbox import bubblewrap, landlock, seccomp
from arena.sandbox.cgroup import Group, home
from arena.sandbox.isolation import Isolation
from arena.sandbox.runtimes import SYSTEM, settings
from arena.sandbox.tree import children, descendants

_MIB: Final = 1 << 20
_PR_SET_PDEATHSIG: Final = 1
_TOO_MUCH: Final = 1 << 50
_OPEN_FILES: Final = 128
"""Few, since each pair of sockets holds memory of the kernel's that is nobody's."""

_MORE_TASKS: Final = 64
"""How far the kernel's own limit of tasks lies above ours, so that crossing ours is seen."""


class NoBox(Exception):
    """The sandbox itself failed, by no fault of the program; says how."""


class Setting(msgspec.Struct, frozen=True):
    """What a program is started with: its command, folder, limits, and whose place it takes.

    `seat` keeps the user numbers of programs apart that run at the same time.
    """

    run: tuple[str, ...]
    folder: str
    scratch: str
    resources: Resources
    seat: int = 0


class Box:
    """A program that runs by itself in its own session, as where there is no sandbox."""

    def __init__(self, popen: "subprocess.Popen[bytes]", scratch: str) -> None:
        self.popen = popen
        self._scratch = scratch

    @property
    def info(self) -> int | None:
        """A descriptor to wait for, readable once `begin` may be called; None for no wait."""
        return None

    def begin(self) -> None:
        """Let the program run. Raises `NoBox` where its sandbox could not be made."""

    def roots(self) -> list[int]:
        """The processes of the program below which all others are, as the arena numbers them."""
        group = self.popen.pid
        orphans = [pid for pid in children(os.getpid()) if _group(pid) == group and pid != group]
        return [group, *orphans]

    def program(self) -> int:
        """The process that runs the command itself, for a debugger."""
        return self.popen.pid

    def pids(self) -> list[int]:
        """All processes of the program."""
        return [pid for root in self.roots() for pid in descendants(root)]

    def cpu_s(self) -> float | None:
        """Processor seconds used so far, where they are known better than by the processes."""
        return None

    def scratch(self) -> tuple[int, int]:
        """Bytes and files that the program keeps in its scratch folder."""
        return disk_use(self._scratch)

    def terminate(self) -> None:
        """Ask the program to leave."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL to the program and whatever it has started, as far as it can be known."""
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """Give back what belongs to the box itself, once the program is gone."""

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, number)


class Bubble(Box):
    """A program inside bubblewrap. Its processes are those below the first of their namespace."""

    def __init__(
        self, popen: "subprocess.Popen[bytes]", setting: Setting, info: int, go: int
    ) -> None:
        super().__init__(popen, setting.scratch)
        self._setting = setting
        self._info: int | None = info
        self._go = go
        self._first: int | None = None
        self._handle: int | None = None
        self._group: Group | None = None
        self._folders: list[int] = []

    @property
    def info(self) -> int | None:
        return self._info

    def begin(self) -> None:
        try:
            self._find()
            if self._first is None:
                raise NoBox(bubblewrap.trouble(self._complaint()).what)
            if (folder := home()) is not None:
                self._group = Group(folder, self._first)
                self._group.add(self._first)
            for limit, value in _rlimits(self._setting.resources, own_tasks=True):
                resource.prlimit(self._first, limit, (value, value))
            os.write(self._go, b"1")
        except (msgspec.DecodeError, KeyError, OSError) as error:
            self.kill()
            raise NoBox(f"the box cannot be begun: {error}") from None
        finally:
            os.close(self._go)

    def _find(self) -> None:
        """Learn the box's first process from bubblewrap, once."""
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

    def cpu_s(self) -> float | None:
        return None if self._group is None else self._group.cpu_s()

    def scratch(self) -> tuple[int, int]:
        used = files = 0
        for fd in self._folders or self._opened():
            found = os.fstatvfs(fd)
            used += (found.f_blocks - found.f_bfree) * found.f_frsize
            files += found.f_files - found.f_ffree - 1
        return used, files

    def terminate(self) -> None:
        for pid in self.pids():
            if pid != self._first:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGTERM)

    def kill(self) -> None:
        with contextlib.suppress(OSError, msgspec.DecodeError, KeyError):
            if self._info is not None:  # never begun
                self._find()
                os.close(self._go)
        if self._handle is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        else:
            self.popen.kill()

    def _opened(self) -> list[int]:
        """The box's own scratch folders, once they are there; they are known by their size."""
        size = ((self._setting.resources.scratch_mib or 0) + bubblewrap.SLACK_MIB) * _MIB
        opened = []
        for folder in (bubblewrap.SCRATCH, bubblewrap.MEMORY):
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
        """What bubblewrap said before it gave up."""
        self.popen.wait()
        assert self.popen.stderr is not None
        said = self.popen.stderr.read() or b""
        return said.decode(errors="replace").strip().removeprefix("bwrap: ")

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        while self._folders:
            os.close(self._folders.pop())
        if self._group is not None:
            self._group.close()
            self._group = None


def disk_use(folder: str) -> tuple[int, int]:
    """The bytes on the disk that a folder's files take, and how many files and folders they are."""
    used = files = 0
    folders = [folder]
    for each in folders:
        try:
            entries = list(os.scandir(each))
        except FileNotFoundError:
            continue
        except OSError:  # closed to us, or too deep: nobody who means well does that
            return _TOO_MUCH, files
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                used += entry.stat(follow_symlinks=False).st_blocks * 512
                files += 1
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return used, files


def start(isolation: Isolation, setting: Setting) -> Box:
    """Start a program with three pipes on this very thread. Raises OSError where that fails."""
    if isolation.level == "bubblewrap":
        return _start_bubble(isolation, setting)
    environment = _environment(os.environ, setting.scratch)
    if isolation.level == "landlock":
        return _start_reduced(isolation, setting, environment)
    before = _die_with_parent if sys.platform == "linux" else None
    return Box(_popen(setting.run, setting.folder, environment, None, before), setting.scratch)


def _start_bubble(isolation: Isolation, setting: Setting) -> Box:
    uid = None if isolation.uid is None else isolation.uid + setting.seat
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        info, info_end = os.pipe()
        go_end, go = os.pipe()
        fds = {"info": info_end, "go": go_end}
        fds["filter"] = os.open(seccomp.filter_path("box"), os.O_RDONLY)
        fds |= {name: _filled(text) for name, text in bubblewrap.identity(uid).items()}
        for fd in fds.values():
            theirs.callback(os.close, fd)
        ours.callback(os.close, info)
        ours.callback(os.close, go)
        command = bubblewrap.arguments(
            isolation.bwrap,
            uid,
            isolation.runtimes,
            setting.resources,
            setting.folder,
            fds,
            setting.run,
        )
        command[0] = mark()  # by which a box without a maker is known
        popen = _popen(
            command, "/", {}, None, None, tuple(fds.values()), executable=isolation.bwrap
        )
        ours.pop_all()  # the box closes them
        return Bubble(popen, setting, info, go)


def _start_reduced(isolation: Isolation, setting: Setting, environment: dict[str, str]) -> Box:
    uid = None if isolation.uid is None else isolation.uid + setting.seat
    if uid is not None:
        os.chown(setting.scratch, uid, uid)
    environment["PATH"] = ":".join(isolation.runtimes.path)
    readable = [*SYSTEM, *settings(), *isolation.runtimes.folders, setting.folder, "/proc"]
    program = seccomp.filter_path("reduced").read_bytes()
    limits = list(_rlimits(setting.resources, own_tasks=False))
    rules = landlock.ruleset(readable, [setting.scratch])

    def before() -> None:
        _die_with_parent()
        for limit, value in limits:
            resource.setrlimit(limit, (value, value))
        landlock.restrict(rules)
        seccomp.install(program)

    try:
        return Box(_popen(setting.run, setting.folder, environment, uid, before), setting.scratch)
    finally:
        os.close(rules)


def _popen(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    uid: int | None,
    before: Callable[[], None] | None,
    fds: tuple[int, ...] = (),
    executable: str | None = None,
) -> "subprocess.Popen[bytes]":
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


def _rlimits(resources: Resources, own_tasks: bool) -> Iterator[tuple[int, int]]:
    """The kernel's limits by number. They lie above ours, which the watch sees crossed first."""
    yield resource.RLIMIT_CORE, 0
    yield resource.RLIMIT_MEMLOCK, 65536
    yield resource.RLIMIT_NOFILE, _OPEN_FILES
    yield resource.RLIMIT_MSGQUEUE, 0
    if resources.scratch_mib is not None:
        yield resource.RLIMIT_FSIZE, (resources.scratch_mib + bubblewrap.SLACK_MIB) * _MIB
    if resources.memory_mib is not None:
        yield resource.RLIMIT_DATA, (2 * resources.memory_mib + 1024) * _MIB
    if resources.tasks is not None and own_tasks:
        yield resource.RLIMIT_NPROC, resources.tasks + _MORE_TASKS


def _filled(text: bytes) -> int:
    """A descriptor from which a text can be read."""
    fd = os.memfd_create("zole")
    os.write(fd, text)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def _environment(ours: Mapping[str, str], scratch: str) -> dict[str, str]:
    """What a bot sees of the environment: where programs are, and its own folder to write in."""
    kept = {key: ours[key] for key in ("PATH", "LANG", "LC_ALL", "TZ") if key in ours}
    return {**kept, "HOME": scratch, "TMPDIR": scratch}


def _die_with_parent() -> None:
    """In the child, before the program: SIGKILL when the arena's worker dies."""
    assert _libc is not None
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
