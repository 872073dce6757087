"""Removes a folder that a stranger has filled, however deep, closed or large it is.

Everything happens below the descriptor of the folder above it, and no link is ever followed: a link
is removed itself. Folders inside are moved to the top one by one and emptied there, so that neither
depth nor the length of a path matters, and few descriptors are open at a time.
"""

import contextlib
import fcntl
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Final

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_AT_ONCE: Final = 10_000
"""The number of a folder's names that are held in memory at a time."""

_SET_FLAGS: Final = 0x40086602
"""The kernel's FS_IOC_SETFLAGS: with no flags, a file is no longer immutable."""


def remove_folder(folder: str | Path) -> bool:
    """Remove a folder, file or link with all that is in it; return whether it is gone.

    Raises nothing: whatever cannot be removed stays, for a later sweep.
    """
    path = os.path.abspath(folder)
    try:
        above = os.open(os.path.dirname(path), _FOLDER)
    except OSError:
        return not os.path.lexists(path)
    try:
        return _removed(above, os.path.basename(path))
    except OSError:
        return False
    finally:
        os.close(above)


def _removed(above: int, name: str) -> bool:
    if _unlinked(above, name):
        return True
    with _opened(above, name) as top:
        _empty(top)
    return _unlinked(above, name, folder=True)


def _empty(top: int) -> None:
    """Remove everything in a folder, as far as possible."""
    fresh = (f"{secrets.token_hex(8)}-{number}" for number in count())
    gone = 1
    while gone and (names := _names(top)):
        gone = 0
        for name in names:
            if not _unlinked(top, name):
                with contextlib.suppress(OSError), _opened(top, name) as inner:
                    _move_up(inner, top, fresh)
                if not _unlinked(top, name, folder=True):
                    continue
            gone += 1


def _move_up(inner: int, top: int, fresh: Iterator[str]) -> None:
    """Empty a folder: remove its files, and move its folders to the top."""
    while names := _names(inner):
        for name in names:
            if not _unlinked(inner, name):
                with _opened(inner, name):  # if it is closed, it cannot be moved before
                    os.rename(name, next(fresh), src_dir_fd=inner, dst_dir_fd=top)


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in islice(entries, _AT_ONCE)]


def _unlinked(above: int, name: str, folder: bool = False) -> bool:
    """Remove a file or link, or an empty folder; return whether it is gone."""
    remove = os.rmdir if folder else os.unlink
    for _ in range(2):
        try:
            remove(name, dir_fd=above)
        except FileNotFoundError:
            return True
        except PermissionError:
            _unlock(above, name)
            continue
        except OSError:
            return False
        return True
    return False


@contextlib.contextmanager
def _opened(above: int, name: str) -> Iterator[int]:
    """Open a folder with all rights on it, even if its owner closed it. Raises OSError."""
    found = os.open(name, _FOLDER_ITSELF, dir_fd=above)
    try:
        if sys.platform == "linux":  # by its own descriptor, since its name may change
            itself = f"/proc/self/fd/{found}"
            with contextlib.suppress(OSError):
                os.chmod(itself, stat.S_IRWXU)
            reader = os.open(itself, _FOLDER)
            os.close(found)
            found = reader
        yield found
    finally:
        os.close(found)


def _unlock(above: int, name: str) -> None:
    """Clear the flags of a file and of the folder above it that keep even root from removing it."""
    with contextlib.suppress(OSError):
        fcntl.ioctl(above, _SET_FLAGS, bytes(8))
    with contextlib.suppress(OSError):
        mode = os.stat(name, dir_fd=above, follow_symlinks=False).st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            found = os.open(name, _QUIETLY, dir_fd=above)
            try:
                fcntl.ioctl(found, _SET_FLAGS, bytes(8))
            finally:
                os.close(found)


_QUIETLY: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER_ITSELF: Final = _FOLDER | os.O_NOFOLLOW | getattr(os, "O_PATH", 0)
