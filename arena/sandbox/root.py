"""The root of every box: settings of the system and mount points, laid out once.

Bubblewrap reads the table of all mounts after each it makes, so one folder shown as a whole starts
faster than its parts. Bots only read it, and all boxes of this process show the same, as they do
the system's own folders.
"""

import atexit
import contextlib
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.base.marks import mark
from arena.sandbox.removal import remove_folder
from arena.sandbox.runtimes import SYSTEM, Runtimes, of_system, settings

BOT: Final = "/bot"
SCRATCH: Final = "/tmp"

_INSIDE_UID: Final = 1000
SEATS: Final = 8
"""User numbers that each worker has, one for each bot at its table."""

_PLACES: Final = ("/proc", "/dev", SCRATCH, BOT)


class Root(msgspec.Struct, frozen=True):
    """The paths of the layout: the root, an empty folder, and an idle machine's `/proc/stat`."""

    root: str
    empty: str
    stat: str


def laid_out(runtimes: Runtimes, uid: int | None) -> Root:
    """The root for boxes with these runtimes, made on first use. Raises OSError.

    `uid` is the first of the users that bots run as, None if they have one of their own inside.
    The root is removed when this process ends.
    """
    key = runtimes, uid, tempfile.gettempdir()
    found = _made.get(key)
    if found is None or not os.path.isdir(found.root):
        found = _made[key] = _lay_out(runtimes, uid)
    return found


_made: dict[tuple[Runtimes, int | None, str], Root] = {}


def inside_uid(uid: int | None) -> int:
    """The user number inside the box for a number outside; None is this process's own."""
    return _INSIDE_UID if uid is None else uid


def _lay_out(runtimes: Runtimes, uid: int | None) -> Root:
    home = tempfile.mkdtemp(prefix=mark())
    atexit.register(remove_folder, home)
    made = Root(f"{home}/root", f"{home}/empty", f"{home}/stat")
    os.chmod(home, 0o711)  # bots may run as other users
    for folder in (made.root, made.empty):
        _folder(folder)
    _write(made.stat, _idle())
    tops = [top for top in SYSTEM if os.path.isdir(top) and not os.path.islink(top)]
    for path in (*_PLACES, *tops, *filter(_needs_place, runtimes.folders)):
        _folder(f"{made.root}{path}", made.root)
    first = inside_uid(uid)
    users = range(first, first + (1 if uid is None else SEATS))
    _folder(f"{made.root}/etc")
    _write(f"{made.root}/etc/passwd", "".join(f"bot:x:{n}:{n}::/tmp:/bin/sh\n" for n in users))
    _write(f"{made.root}/etc/group", "".join(f"bot:x:{n}:\n" for n in users))
    for path in settings():
        with contextlib.suppress(shutil.Error, PermissionError):  # files that we may not read
            _copy(path, f"{made.root}{path}", made.root)
    for top in filter(os.path.islink, SYSTEM):  # last: nothing is written through a link
        os.symlink(os.readlink(top), f"{made.root}{top}")
    return made


def _needs_place(path: str) -> bool:
    """Whether a folder is shown in the root itself, not in one that is mounted there."""
    return not of_system(path) and not path.startswith(f"{SCRATCH}/")


def _folder(path: str, top: str | None = None) -> None:
    """Make a folder that everybody may enter, with those above it as far as `top`."""
    if os.path.isdir(path):
        return
    if top is not None and path != top:
        _folder(os.path.dirname(path), top)
    os.mkdir(path)
    os.chmod(path, 0o755)  # whatever this process's umask


def _write(path: str, text: str) -> None:
    Path(path).write_text(text, encoding="ascii")
    os.chmod(path, 0o644)


def _copy(path: str, target: str, top: str) -> None:
    """Copy a setting; a link into the system stays a link."""
    _folder(os.path.dirname(target), top)
    if os.path.islink(path) and of_system(os.path.realpath(path)):
        os.symlink(os.readlink(path), target)
    elif os.path.isdir(path):
        shutil.copytree(path, target, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copyfile(path, target)
        os.chmod(target, 0o644)


def _idle() -> str:
    """The text of `/proc/stat` for this machine's cores before they have done anything."""
    cores: Sequence[str] = ("cpu", *(f"cpu{core}" for core in range(os.cpu_count() or 1)))
    idle = " 0" * 10
    return "".join(f"{core}{idle}\n" for core in cores) + "ctxt 0\nbtime 0\nprocesses 1\n"
