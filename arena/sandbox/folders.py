"""Folders: those of this machine that bots see, those they may fill, and how these are removed.

The root of every box has settings of the system and mount points, laid out once. Bubblewrap reads
the table of all mounts after each it makes, so one folder shown as a whole starts faster than its
parts.
"""

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from arena.base.marks import MARK_PREFIX, mark, owner_is_dead
from arena.sandbox.limits import remove_groups

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")

# files in `/etc` that runtimes read; the folders that Java and Python have there are added
SETTINGS: Final = (
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"),
    *("/etc/localtime", "/etc/os-release", "/etc/mono", "/etc/perl", "/etc/ssl/certs"),
    "/etc/ssl/openssl.cnf",
)

SYSTEM_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")

# the arguments with which a runtime outside the system's folders prints where it is installed
ASKED: Final = {
    "python3": ("-c", "import sys; print(sys.prefix, sys.base_prefix, sep='\\n')"),
    "node": ("-p", "require('path').dirname(require('path').dirname(process.execPath))"),
    "java": ("-XshowSettings:properties", "-version"),
    "rustc": ("--print", "sysroot"),
    "go": ("env", "GOROOT"),
}


class Runtimes(msgspec.Struct, frozen=True):
    """Folders to show read-only in addition to the system's, and the folders of programs."""

    folders: tuple[str, ...]
    path: tuple[str, ...]


def runtimes(more: Iterable[str] = (), everybody: bool = False) -> Runtimes:
    """The runtimes on the user's PATH, the arena's own Python, and any extra folders named.

    `everybody` leaves out those that only their owner can reach.
    """
    programs = {name: shutil.which(name) for name in ASKED}
    asked = tuple(
        (program, ASKED[name])
        for name, program in programs.items()
        if program and not of_system(os.path.realpath(program))
    )
    found = dict.fromkeys((*_homes_of(asked), sys.prefix, sys.base_prefix))
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
    return all(
        part.stat().st_mode & (0o1 if part.is_dir() else 0o4) for part in (whole, *whole.parents)
    )


def of_system(path: str) -> bool:
    """Whether a path is in one of the system's folders."""
    return any(path == top or path.startswith(f"{top}/") for top in SYSTEM)


# The folders where programs are installed, asked once and all at once, since some are slow.
@cache
def _homes_of(asked: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[str, ...]:
    with ThreadPoolExecutor(len(ASKED)) as threads:
        return tuple(home for homes in threads.map(_homes, asked) for home in homes)


def _homes(asked: tuple[str, tuple[str, ...]]) -> list[str]:
    program, words = asked
    try:
        text = subprocess.check_output((program, *words), stderr=subprocess.STDOUT, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return []
    lines = [line.split("java.home = ")[-1].strip() for line in text.decode().splitlines()]
    return [line for line in lines if Path(line).is_absolute() and Path(line).is_dir()]


# Whether to show a runtime's folder: it must not hold a home or be shown already.
def _showable(folder: str, everybody: bool) -> bool:
    home = Path.home().resolve()
    real = Path(folder).resolve()
    if of_system(folder) or real == home or real in home.parents:
        return False
    return not everybody or reachable(folder)


BOT: Final = "/bot"
SCRATCH: Final = "/tmp"
SEATS: Final = 8  # user numbers that each worker has, one for each bot at its table
INSIDE_UID: Final = 1000  # of a bot whose user is this process's own outside


def laid_out(runtimes: Runtimes, uid: int | None) -> str:
    """The layout of boxes with these runtimes, made on first use. Raises OSError.

    In the folder are `root`, an `empty` folder, and an idle machine's `/proc/stat` as `stat`.

    `uid` is the first of the users that bots run as, None if they have one of their own inside.
    The root is removed when this process ends.
    """
    key = runtimes, uid, tempfile.gettempdir()
    found = _made.get(key)
    if found is None or not os.path.isdir(f"{found}/root"):
        found = _made[key] = _lay_out(runtimes, uid)
    return found


_made: dict[tuple[Runtimes, int | None, str], str] = {}


def _lay_out(runtimes: Runtimes, uid: int | None) -> str:
    home = tempfile.mkdtemp(prefix=mark())
    atexit.register(remove_folder, home)
    root = f"{home}/root"
    os.mkdir(f"{home}/empty")
    tops = [top for top in SYSTEM if os.path.isdir(top) and not os.path.islink(top)]
    mounted = (*(f"{top}/" for top in SYSTEM), f"{SCRATCH}/")  # shown there, not in the root
    inside = [path for path in runtimes.folders if not path.startswith(mounted)]
    for path in ("/etc", "/proc", "/dev", SCRATCH, BOT, *tops, *inside):
        os.makedirs(f"{root}{path}", exist_ok=True)
    first = INSIDE_UID if uid is None else uid
    users = range(first, first + (1 if uid is None else SEATS))
    cores = ("cpu", *(f"cpu{core}" for core in range(os.cpu_count() or 1)))
    idle = "".join(f"{core}{' 0' * 10}\n" for core in cores) + "ctxt 0\nbtime 0\nprocesses 1\n"
    for file, text in (
        (f"{home}/stat", idle),
        (f"{root}/etc/passwd", "".join(f"bot:x:{n}:{n}::/tmp:/bin/sh\n" for n in users)),
        (f"{root}/etc/group", "".join(f"bot:x:{n}:\n" for n in users)),
    ):
        Path(file).write_text(text, encoding="ascii")
    for path in settings():
        with contextlib.suppress(shutil.Error, PermissionError):  # files that we may not read
            _copy(path, f"{root}{path}")
    for top in filter(os.path.islink, SYSTEM):  # last: nothing is written through a link
        os.symlink(os.readlink(top), f"{root}{top}")
    for folder, _, files in os.walk(home):  # bots may run as other users, whatever our umask
        os.chmod(folder, 0o711 if folder == home else 0o755)
        for file in (f"{folder}/{name}" for name in files):
            if not os.path.islink(file):
                os.chmod(file, 0o644)
    return home


def _copy(path: str, target: str) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(path) and of_system(os.path.realpath(path)):
        os.symlink(os.readlink(path), target)
    elif os.path.isdir(path):
        shutil.copytree(path, target, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copyfile(path, target)


@contextmanager
def scratch(mode: int = 0o711) -> Iterator[str]:
    """A scratch folder that bots may enter as other users; removed afterwards with its content."""
    folder = tempfile.mkdtemp(prefix=mark())
    os.chmod(folder, mode)
    try:
        yield folder
    finally:
        remove_folder(folder)


_SWEEP_S: Final = 5.0
_SWEEP_ENTRIES: Final = 100_000


def sweep() -> None:
    """Clear away what a killed arena left: its boxes, scratch folders and control groups.

    They carry the mark of the process that made them, and are abandoned if that has ended. Folders
    of other users are not touched; what a sweep has no time for is left to the next.
    """
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if _is_abandoned(process):
                os.kill(int(process.name), signal.SIGKILL)
    until = time.monotonic() + _SWEEP_S
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in islice(entries, _SWEEP_ENTRIES):
            left_s = until - time.monotonic()
            if not entry.name.startswith(MARK_PREFIX) or left_s <= 0:
                continue
            with contextlib.suppress(OSError):
                owner = entry.stat(follow_symlinks=False).st_uid
                if owner == os.geteuid() and owner_is_dead(entry.name):
                    remove_folder(entry.path, left_s)
    remove_groups()


def _is_abandoned(process: Path) -> bool:
    title = _beginning(process / "cmdline", 256).partition(b"\0")[0].decode(errors="replace")
    if title.startswith(MARK_PREFIX):
        return owner_is_dead(title)
    environment = _beginning(process / "environ", 4096).split(b"\0")
    folders = [entry.decode(errors="replace") for entry in environment if b"TMPDIR=" in entry[:7]]
    return any(owner_is_dead(part) for path in folders for part in path.split("/"))


def _beginning(path: Path, size: int) -> bytes:
    with path.open("rb", buffering=0) as file:
        return file.read(size) or b""


def remove_folder(folder: str | Path, longest_s: float | None = None) -> bool:
    """Remove a folder, file or link with everything in it; return whether it is gone.

    Raises no OSError: whatever cannot be removed in `longest_s` seconds stays, for a later sweep.
    Folders that a bot has filled, however deep or closed, are left to coreutils: no path is too
    long for them, and they follow no link.
    """
    path = os.path.abspath(folder)
    if f"{os.getcwd()}/".startswith(f"{path}/"):  # a mistake of ours, which would cost everything
        raise ValueError(f"{path} holds the folder that this process is in")
    if longest_s is None:
        with contextlib.suppress(OSError, RecursionError):
            shutil.rmtree(path)
    removing, opening = ("rm", "-rf", "--", path), ("chmod", "-R", "u+rwx", "--", path)
    for command in (removing, opening, removing):
        if os.path.lexists(path):
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(command, stderr=subprocess.DEVNULL, timeout=longest_s, check=False)
    return not os.path.lexists(path)
