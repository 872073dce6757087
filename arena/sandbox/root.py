"""The parts of this machine that a bot may see: programs and libraries, no personal files.

The root of every box has settings of the system and mount points, laid out once.

Bubblewrap reads the table of all mounts after each it makes, so one folder shown as a whole starts
faster than its parts. Bots only read it, and all boxes of this process show the same, as they do
the system's own folders.
"""

import atexit
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.base.marks import mark
from arena.sandbox.removal import remove_folder

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")

SETTINGS: Final = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/os-release",
    "/etc/perl",
    "/etc/ssl/openssl.cnf",
)
"""Files in `/etc` that runtimes read; the folders that Java and Python have there are added."""

SYSTEM_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")

ASKED: Final = {
    "python3": ("-c", "import sys; print(sys.prefix, sys.base_prefix, sep='\\n')"),
    "node": ("-p", "require('path').dirname(require('path').dirname(process.execPath))"),
    "java": ("-XshowSettings:properties", "-version"),
    "rustc": ("--print", "sysroot"),
    "go": ("env", "GOROOT"),
}
"""The arguments with which a runtime outside the system's folders tells where it is installed."""


class Runtimes(msgspec.Struct, frozen=True):
    """Folders to show read-only besides the system's, and the folders of programs."""

    folders: tuple[str, ...]
    path: tuple[str, ...]


def runtimes(more: Iterable[str] = (), everybody: bool = False) -> Runtimes:
    """The runtimes on the user's PATH, the arena's own Python, and any extra folders named.

    `everybody` leaves out those that only their owner can reach.
    """
    asked = []
    for name, question in ASKED.items():
        program = shutil.which(name)
        if program and not of_system(os.path.realpath(program)):
            asked.append((program, question))
    found = dict.fromkeys((*_homes_of(tuple(asked)), sys.prefix, sys.base_prefix))
    folders = [home for home in found if _showable(home, everybody)]
    path = [f"{folder}/bin" for folder in folders if Path(folder, "bin").is_dir()]
    return Runtimes((*folders, *more), (*path, *SYSTEM_PATH))


@cache
def settings() -> tuple[str, ...]:
    """The files and folders of `/etc` that runtimes need and that exist; looked for once."""
    some = [str(path) for mask in ("java*", "python3*") for path in sorted(Path("/etc").glob(mask))]
    return tuple(path for path in (*SETTINGS, *some) if Path(path).exists())


def reachable(path: str) -> bool:
    """Whether everybody on this machine may enter a folder or read a file."""
    whole = Path(path).absolute()
    parts = (whole, *whole.parents)
    return all(part.stat().st_mode & (0o1 if part.is_dir() else 0o4) for part in parts)


def of_system(path: str) -> bool:
    """Whether a path is in one of the system's folders."""
    return any(path == top or path.startswith(f"{top}/") for top in SYSTEM)


@cache
def _homes_of(asked: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[str, ...]:
    """The folders where programs are installed, asked once and all at once, since some are slow."""
    answers = [_asked(program, question) for program, question in asked]
    return tuple(home for answer in answers for home in _homes(answer))


def _asked(program: str, question: tuple[str, ...]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        (program, *question),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _homes(answer: "subprocess.Popen[str]") -> list[str]:
    """The folders where a runtime says it is installed; empty if it does not answer."""
    try:
        said, _ = answer.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        answer.kill()
        answer.communicate()
        return []
    lines = [line.split("java.home = ")[-1].strip() for line in said.splitlines()]
    return [line for line in lines if Path(line).is_absolute() and Path(line).is_dir()]


def _showable(folder: str, everybody: bool) -> bool:
    """Whether to show a runtime's folder: it must not hold a home or be shown already."""
    home = Path.home().resolve()
    real = Path(folder).resolve()
    if of_system(folder) or real == home or real in home.parents:
        return False
    return not everybody or reachable(folder)


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
