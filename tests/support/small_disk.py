"""A small disk of its own, which a test fills and frees; only root can have one."""

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support.needs import need

MIB: Final = 1 << 20
_FILLS: Final = "fills"
_TRIES: Final = 20


class SmallDisk:
    """A mounted file system: what others write to its folder shares the room with what fills it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def free(self) -> int:
        """The bytes that may still be written."""
        found = os.statvfs(self.folder)
        return found.f_bavail * found.f_frsize

    def fill(self, left: int = 0) -> None:
        """Take all the room but so many bytes, as far as others do not take or free some."""
        with (self.folder / _FILLS).open("ab") as file:
            for _ in range(_TRIES):
                more = self.free - left
                if more <= 0:
                    return
                try:
                    os.posix_fallocate(file.fileno(), file.seek(0, os.SEEK_END), more)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def empty(self) -> None:
        """Give the room back."""
        (self.folder / _FILLS).unlink(missing_ok=True)


@contextmanager
def small_disk(folder: Path, mib: int) -> Iterator[SmallDisk]:
    """A disk of so many MiB at a folder; the test is skipped where it cannot be had."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    need("mount", "umount")
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={mib}m", "none", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
