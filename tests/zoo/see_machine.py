"""Looks for the disks, the mounts of the host and the host's name."""

import os
from pathlib import Path

import play


def mounts():
    work = play.target("work")
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    found = [line for line in lines if work in line.split()[3:5]]
    if not found:
        raise play.HeldError("no folder of the arena is among them")
    return found[0][:80]


def disks():
    names = [name for name in os.listdir("/dev") if name.startswith(("sd", "vd", "nvme", "loop"))]
    if not names:
        raise play.HeldError("there are none")
    return f"{len(names)} devices"


play.attempt(
    mounts=mounts,
    disks=disks,
    devices=lambda: f"{len(os.listdir('/sys/block'))} disks",
    controls=lambda: f"{len(os.listdir('/sys/fs/cgroup'))} names",
)
