"""Reads the name, command and state of a process that is not its own."""

from pathlib import Path

import play


def read(file):
    return Path("/proc", str(play.target("victim_pid")), file).read_text()[:40].strip("\0\n")


play.attempt(
    name=lambda: read("comm"),
    command=lambda: read("cmdline"),
    state=lambda: read("stat"),
    status=lambda: read("status"),
    group=lambda: read("cgroup"),
)
