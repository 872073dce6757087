"""Reads settings and counts of the kernel, which all programs of the machine share."""

from pathlib import Path

import play


def read(path):
    text = Path("/proc/sys", path).read_text()
    if not text.strip():
        raise play.HeldError("it is empty")
    return text.split()[0]


play.attempt(
    files=lambda: read("fs/file-nr"),
    inodes=lambda: read("fs/inode-nr"),
    names=lambda: read("fs/dentry-state"),
    boot=lambda: read("kernel/random/boot_id"),
    terminals=lambda: read("kernel/pty/nr"),
    last=lambda: read("kernel/ns_last_pid"),
)
