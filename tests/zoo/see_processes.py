"""Looks for processes outside in /proc."""

import os
from pathlib import Path

import play

VICTIM = str(play.target("victim_pid"))


def others():
    known = {1, os.getpid(), os.getppid()}
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    strangers = [pid for pid in pids if pid not in known]
    if not strangers:
        raise play.HeldError("there are none")
    return f"{len(strangers)} processes"


play.attempt(
    victim=lambda: Path("/proc", VICTIM, "stat").read_text()[:20],
    task=lambda: f"{len(os.listdir(f'/proc/{VICTIM}/task'))} threads",
    others=others,
)
