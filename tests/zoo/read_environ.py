"""Looks for a secret of the arena in its own and in every process's environment."""

import contextlib
import os
from pathlib import Path

import play

SECRET = play.target("parent_secret").encode()


def environ(pids):
    found = []
    for pid in pids:
        with contextlib.suppress(OSError):
            if SECRET in Path("/proc", pid, "environ").read_bytes():
                found.append(pid)
    if not found:
        raise play.HeldError("not found")
    return f"found in process {', '.join(found[:5])}"


def command_lines():
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if SECRET in path.read_bytes():
                return f"found in {path}"
    raise play.HeldError("not found")


play.attempt(
    own=lambda: environ(["self"]),
    parent=lambda: environ([str(os.getppid()), "1"]),
    everybody=lambda: environ(filter(str.isdigit, os.listdir("/proc"))),
    command_lines=command_lines,
)
