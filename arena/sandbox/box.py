"""One bot's box: a program started, measured and ended as one, with all its children."""

import contextlib
import errno
import os
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Final

import msgspec

from arena.base.resources import STANDARD, Resources
from arena.sandbox.limits import Group

GONE: Final = (FileNotFoundError, ProcessLookupError)  # a process or thread has ended

PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_MAX_RETRIES: Final = 5  # threads may end while we search for a living one


class Usage(msgspec.Struct, frozen=True):
    """What some processes and all below them use.

    In `pids`, another thread stands for a first one that has ended. `memory` and `mapped` are
    bytes, resident and mapped: shared pages count for each process.
    `faults` are the page faults so far that read no disk.
    """

    pids: list[int]
    memory: int
    mapped: int
    tasks: int
    faults: int
    cpu_s: float


def usage(roots: Iterable[int]) -> Usage:
    """The present usage of some processes and all below them.

    Raises OSError or ValueError if anything but the end of a process keeps it from looking.
    """
    pids = list(roots)
    memory = mapped = tasks = faults = ticks = 0
    for place, pid in enumerate(pids):
        try:
            fields = _fields(f"/proc/{pid}/stat")
            if fields[0] == b"Z" and fields[17] != b"1":
                pids[place], fields = _living_thread(pid)
        except GONE:
            continue
        pids += children(pid, [pid] if fields[17] == b"1" else None)
        memory += int(fields[21]) * PAGE_BYTES
        mapped += int(fields[20])
        tasks += int(fields[17])
        faults += int(fields[7]) + int(fields[8])
        ticks += sum(map(int, fields[11:15]))
    return Usage(pids, memory, mapped, tasks, faults, ticks / _TICKS)


def children(pid: int, threads: Iterable[int] | None = None) -> list[int]:
    """The children of a process, orphans that it adopted included; none if it is gone.

    Its `threads` are looked up unless given.
    """
    found: list[int] = []
    with contextlib.suppress(*GONE):
        for task in threads or os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(*GONE):
                found += map(int, _read(f"/proc/{pid}/task/{task}/children").split())
    return found


def tasks(pid: int) -> Iterator[str]:
    """The folder in `/proc` of each thread of a process."""
    with contextlib.suppress(OSError):
        yield from (f"/proc/{pid}/task/{task}" for task in os.listdir(f"/proc/{pid}/task"))


def task_state(task: str) -> str | None:
    """The kernel's letter for the state of a thread, None if the thread is gone."""
    fields = text_of(f"{task}/stat")
    return fields.rpartition(")")[2].split()[0] if fields else None


def text_of(path: str) -> str | None:
    """The text of a kernel file, None if it cannot be read."""
    try:
        return _read(path).decode(errors="replace")
    except OSError:
        return None


def is_alive(task: str) -> bool:
    """Whether the thread with this folder in `/proc` still has memory. Raises OSError."""
    return _fields(f"{task}/stat")[20] != b"0"


def sum_of_lines(path: str, names: tuple[bytes, ...]) -> int:
    """Bytes, summed over the lines of a kernel file that give KiB under some names."""
    text = _read(path)
    rests = (text.partition(b"\n" + name)[2] for name in names)
    return 1024 * sum(int(rest.split(None, 1)[0]) for rest in rests if rest)


# The fields of a `stat` file that follow the name, which may contain anything.
def _fields(path: str) -> list[bytes]:
    return _read(path).rpartition(b")")[2].split(None, 22)


# A living thread of a process whose first has ended, and the fields of its `stat`. The kernel shows
# nothing of the memory of such a process under the number of the process.
def _living_thread(pid: int) -> tuple[int, list[bytes]]:
    for _ in range(_MAX_RETRIES):
        for task in map(int, os.listdir(f"/proc/{pid}/task")):
            with contextlib.suppress(*GONE):
                fields = _fields(f"/proc/{task}/stat")
                if task != pid and fields[0] not in b"ZX":
                    return task, fields
    raise ProcessLookupError(f"all threads of process {pid} end as we look")


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read() or b""


# errors that are the machine's fault, not the program's
NO_MEANS: Final = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC}

TOO_MUCH: Final = 1 << 50  # bytes charged for what no honest bot does and nobody can measure

_FILES_A_LOOK: Final = 500  # one poll of a folder is skipped for each 500 files in it,
_ROOM_A_LOOK: Final = 4 << 20  # unless its disk has lost this many bytes of room


class Program(msgspec.Struct, frozen=True):
    """A bot's command, the folder it runs in, and the resources it may use.

    `network` are the addresses that it may connect to, as HOST:PORT, `environment` the names of
    variables of the arena's own environment that it is given.
    """

    name: str
    run: tuple[str, ...]
    folder: str
    resources: Resources = STANDARD
    network: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()

    def variables(self, network: int | None) -> dict[str, str]:
        """Its variables and their values; `network` is its descriptor to ask for connections."""
        given = {name: os.environ[name] for name in self.environment if name in os.environ}
        return given if network is None else {**given, NETWORK: str(network)}


NETWORK: Final = "ARENA_NETWORK"
"""The variable with the number of the descriptor by which a bot asks for connections."""


class NoBox(Exception):
    """The sandbox itself failed, not the program; the text describes how."""


def spawn(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    uid: int | None = None,
    before: Callable[[], None] | None = None,
    fds: tuple[int, ...] = (),
    executable: str | None = None,
) -> "subprocess.Popen[bytes]":
    """Start a command with three pipes, in its own session, from the calling thread.

    `uid` is the user to run as, `before` is called in the child, `fds` stay open in it, and
    `executable` is the program if the command's first word is only its name. Raises OSError.
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


class Box:
    """A program in its own session and process group.

    `scratch_name` is the scratch folder as the program knows it, `disk_folder` as
    we do if it is on a disk, where unnamed files are looked for. `info` is a descriptor that is
    readable once `begin` may be called, None if it may be at once.
    """

    scratch_name: ClassVar[str] = "$TMPDIR"

    def __init__(
        self,
        popen: "subprocess.Popen[bytes]",
        scratch: str,
        group: Group | None = None,
    ) -> None:
        self.popen = popen
        self.disk_folder: str | None = scratch
        self.info: int | None = None
        self._group = group
        self._in_scratch = (0, 0)
        self._looks_to_skip = 0
        self._room = 0

    def begin(self) -> None:
        """Let the program run. Raises `NoBox` if its sandbox could not be made."""

    def roots(self) -> list[int]:
        """The program's top processes, by their numbers outside the sandbox."""
        found = [self.popen.pid]
        for pid in children(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                if os.getpgid(pid) == found[0] != pid:  # an orphan
                    found.append(pid)
        return found

    def program(self) -> int:
        """The process that runs the command itself, for a debugger."""
        return self.popen.pid

    def cpu_s(self) -> float | None:
        """Processor seconds used so far; None if only its processes show it."""
        return None if self._group is None else self._group.cpu_s()

    def overrun_mib(self) -> int | None:
        """The kernel's memory limit in MiB if it has ended a process at that limit, else None."""
        return None if self._group is None else self._group.overrun_mib()

    def scratch(self) -> tuple[int, int]:
        """Bytes and files that the program keeps in its scratch folder.

        A folder with many files is counted at few polls, and at once if the disk has much less
        room.
        """
        folder = self.disk_folder or ""
        disk = os.statvfs(folder)
        room = disk.f_bfree * disk.f_frsize
        if self._looks_to_skip and self._room - room < _ROOM_A_LOOK:
            self._looks_to_skip -= 1
        else:
            self._room = room
            self._in_scratch = disk_use(folder)
            self._looks_to_skip = self._in_scratch[1] // _FILES_A_LOOK
        return self._in_scratch

    def end_handle(self) -> int | None:
        """A descriptor that is readable once the program has ended, the caller's to close.

        None if the kernel has none to give.
        """
        try:
            return os.pidfd_open(self.popen.pid)
        except OSError:  # without a free descriptor
            return None

    def exit_code(self) -> int | None:
        """The exit code, minus its number for a signal; None while the program runs.

        The program is not reaped: until that is done, no other process or group can have its
        number.
        """
        if self.popen.returncode is None:
            how = os.WEXITED | os.WNOHANG | os.WNOWAIT
            end = os.waitid(os.P_PID, self.popen.pid, how)
            if end is not None:
                return end.si_status if end.si_code == os.CLD_EXITED else -end.si_status
        return self.popen.returncode

    def terminate(self) -> None:
        """Ask the program to end."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL to the program and to the processes it has started, as far as known."""
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """Release the box's own resources, once the program is gone."""
        if self._group is not None:
            self._group.close()
            self._group = None

    def _signal(self, number: int) -> None:
        if self.popen.returncode is None:  # else it is reaped, and its number may be another's
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, number)


def disk_use(folder: str) -> tuple[int, int]:
    """The bytes that a folder takes on the disk, and the number of files and folders in it.

    A folder that cannot be counted, closed to us or too deep for a path, counts as too much: no
    honest bot makes one. Raises OSError only if the arena lacks the means to check.
    """
    used = files = 0
    folders = [folder]
    for each in folders:
        try:
            with os.scandir(each) as entries:
                for entry in entries:
                    with contextlib.suppress(*GONE):
                        used += entry.stat(follow_symlinks=False).st_blocks * 512
                        files += 1
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
        except GONE:
            continue
        except OSError as error:
            if error.errno in NO_MEANS:
                raise
            return TOO_MUCH, files
    return used, files
