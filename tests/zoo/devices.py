"""Opens devices of the machine: memory, kernel log, disks, terminals, virtual machines."""

import os
from pathlib import Path

import play


def opened(path, how=os.O_RDONLY):
    os.close(os.open(path, how | os.O_NONBLOCK | os.O_NOCTTY))
    return "opened"


def made():
    path = Path(play.SCRATCH, "kmsg")
    os.mknod(path, 0o600 | 0o020000, os.makedev(1, 11))
    return opened(path)


play.attempt(
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
)
