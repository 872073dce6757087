"""A program in its sandbox, to be watched and killed as one."""

import contextlib
import os
import signal
import subprocess
from typing import Final

import msgspec

from arena.base.resources import Resources
from arena.sandbox.tree import children, descendants

_TOO_MUCH: Final = 1 << 50


class NoBox(Exception):
    """The sandbox itself failed, not the program; says how."""


class Setting(msgspec.Struct, frozen=True):
    """What a program is started with: its command, folder, limits and seat.

    `seat` gives programs that run at the same time different user numbers.
    """

    run: tuple[str, ...]
    folder: str
    scratch: str
    resources: Resources
    seat: int = 0


class Box:
    """A program in a session of its own, with no other isolation."""

    def __init__(self, popen: "subprocess.Popen[bytes]", scratch: str) -> None:
        self.popen = popen
        self._scratch = scratch

    @property
    def info(self) -> int | None:
        """A descriptor that is readable once `begin` may be called; None if that is at once."""
        return None

    def begin(self) -> None:
        """Let the program run. Raises `NoBox` if its sandbox could not be made."""

    def roots(self) -> list[int]:
        """The program's top processes, by their numbers outside the sandbox."""
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
        """Processor seconds used so far; None if only its processes can tell."""
        return None

    def scratch(self) -> tuple[int, int]:
        """Bytes and files that the program keeps in its scratch folder."""
        return disk_use(self._scratch)

    def terminate(self) -> None:
        """Ask the program to end."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL to the program and to what it has started, as far as known."""
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """Release what belongs to the box itself, once the program is gone."""

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, number)


def disk_use(folder: str) -> tuple[int, int]:
    """How many bytes a folder takes on the disk, and how many files and folders it holds."""
    used = files = 0
    folders = [folder]
    for each in folders:
        try:
            entries = list(os.scandir(each))
        except FileNotFoundError:
            continue
        except OSError:  # closed to us, or too deep: no honest bot does that
            return _TOO_MUCH, files
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                used += entry.stat(follow_symlinks=False).st_blocks * 512
                files += 1
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return used, files


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None
