"""Looks at the machine and its kernel, and reaches for their devices and settings."""

import os
import re
from pathlib import Path

import play


def mounts():
    work = play.target("work")
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    found = [line for line in lines if work in line.split()[3:5]]
    if not found:
        raise play.HeldError("none of the arena")
    return found[0][:80]


def disks():
    names = [name for name in os.listdir("/dev") if name.startswith(("sd", "vd", "nvme", "loop"))]
    if not names:
        raise play.HeldError("none")
    return f"{len(names)} devices"


def opened(path, how=os.O_RDONLY):
    os.close(os.open(path, how | os.O_NONBLOCK | os.O_NOCTTY))
    return "opened"


def made():
    path = Path(play.SCRATCH, "kmsg")
    os.mknod(path, 0o600 | 0o020000, os.makedev(1, 11))
    return opened(path)


def counts(path):
    """What the whole machine is doing, by which bots could signal each other."""
    text = Path("/proc", path).read_text()
    if not any(map(int, re.findall(r"\b\d+\b", text.replace("processes 1", "")))):
        raise play.HeldError("0")
    return text.split()[0]


def setting(path):
    text = Path("/proc/sys", path).read_text()
    if not text.strip():
        raise play.HeldError("empty")
    return text.split()[0]


COUNTS = (
    *("stat", "loadavg", "vmstat", "zoneinfo", "buddyinfo", "schedstat", "interrupts"),
    *("softirqs", "diskstats", "pressure/cpu", "pressure/memory"),
)
SETTINGS = (
    *("fs/file-nr", "fs/inode-nr", "fs/dentry-state"),
    *("kernel/random/boot_id", "kernel/pty/nr", "kernel/ns_last_pid"),
)

play.attempt(
    mounts=mounts,
    disks=disks,
    devices=lambda: f"{len(os.listdir('/sys/block'))} disks",
    controls=lambda: f"{len(os.listdir('/sys/fs/cgroup'))} names",
    mem=lambda: opened("/dev/mem"),
    kmsg=lambda: opened("/dev/kmsg"),
    log=lambda: opened("/proc/kmsg"),
    core=lambda: opened("/proc/kcore"),
    disk=lambda: opened("/dev/vda"),
    fuse=lambda: opened("/dev/fuse", os.O_RDWR),
    kvm=lambda: opened("/dev/kvm", os.O_RDWR),
    tun=lambda: opened("/dev/net/tun", os.O_RDWR),
    console=lambda: opened("/dev/console", os.O_WRONLY),
    mknod=made,
    sysrq=lambda: opened("/proc/sysrq-trigger", os.O_WRONLY),
    hostname=lambda: opened("/proc/sys/kernel/hostname", os.O_WRONLY),
    core_pattern=lambda: opened("/proc/sys/kernel/core_pattern", os.O_WRONLY),
    caches=lambda: opened("/proc/sys/vm/drop_caches", os.O_WRONLY),
    helper=lambda: opened("/sys/kernel/uevent_helper", os.O_WRONLY),
    cgroup=lambda: opened("/sys/fs/cgroup/cgroup.procs", os.O_WRONLY),
    own_score=lambda: opened("/proc/self/oom_score_adj", os.O_WRONLY),
    parents_score=lambda: opened(f"/proc/{os.getppid()}/oom_score_adj", os.O_WRONLY),
    **{path: lambda path=path: counts(path) for path in COUNTS},
    **{path: lambda path=path: setting(path) for path in SETTINGS},
)
