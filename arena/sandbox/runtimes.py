"""The part of this machine that a bot may see: programs and libraries, but no personal files."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

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
