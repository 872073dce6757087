"""Opens the pipes of the other seats and of the arena through /proc."""

import contextlib
import os
from pathlib import Path

import play


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def pipes_of(pid):
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            yield f"/proc/{pid}/fd/{name}", os.readlink(f"/proc/{pid}/fd/{name}")


def pipes():
    own = {inode for _, inode in pipes_of("self")}
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    for pid in pids:
        with contextlib.suppress(OSError):
            if pid == os.getpid() or os.getppid() not in (pid, parent(pid)):
                continue
            for path, inode in pipes_of(pid):
                if inode.startswith("pipe:") and inode not in own:
                    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                    return f"one of process {pid} was opened"
    raise play.HeldError("none was opened")


play.attempt(pipes=pipes)
