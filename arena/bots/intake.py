"""Intake of untrusted bots: a child process makes a folder of ours from a folder or archive.

A child with limits of time and memory does everything that touches untrusted bytes: it copies or
unpacks them, checks where links lead, and reads the manifest. If a crafted file does harm through a
library, only the child suffers; however it ends, the file is refused and this process continues.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.archive import extract
from arena.bots.manifest import Bot, read_bot
from arena.bots.tree import MANIFEST, MIB, Room, content

SUBMISSION: Final = Room(64, 2000)
"""The most that a submission may hold before it is built."""

_MEMORY_MIB: Final = 512
_CHILD: Final = "from arena.bots.intake import take_in_here; take_in_here()"


class _Taken(msgspec.Struct):
    """The bot's folder, the hash of its content, and its manifest if it was asked for."""

    folder: str
    digest: str
    bot: Bot | None = None


def take_in(source: Path, folder: Path, most: Room = SUBMISSION) -> tuple[Bot, str]:
    """Copy or unpack a bot into an empty folder; return its manifest and its content's hash.

    Raises `ArenaError` if it cannot be taken, for links that lead out of the bot, and with all
    mistakes in the manifest.
    """
    taken = _in_child("take in", source, folder, most)
    if taken.bot is None:
        raise ArenaError(Mistake("the child that takes it in reported no bot", str(source)))
    return taken.bot, taken.digest


def unpack(archive: Path, folder: Path, most: Room = SUBMISSION) -> Path:
    """Unpack an archive into an empty folder; return the bot's folder. Raises `ArenaError`."""
    return Path(_in_child("unpack", archive, folder, most).folder)


def _in_child(task: str, source: Path, folder: Path, most: Room) -> _Taken:
    """The child's answer about a bot that it has taken in. Raises `ArenaError`."""
    wall_s = 20 * most.seconds + 60  # on a busy machine it gets a small share of the processor
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-S", "-c", _CHILD, task, source, folder, *map(str, most)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={"PYTHONPATH": os.pathsep.join(sys.path)},
            timeout=wall_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ArenaError(Mistake(f"it was not taken in after {wall_s} s", str(source))) from None
    what = f"taking it in needs more than {most.seconds} s or {_MEMORY_MIB} MiB"
    failed = Mistake(what, str(source))
    try:
        said = json.loads(done.stdout)  # names of files need not be UTF-8
        answer: _Taken | tuple[Mistake, ...] = msgspec.convert(said, _Taken | tuple[Mistake, ...])
    except (ValueError, RecursionError):
        raise ArenaError(failed) from None
    if isinstance(answer, _Taken):
        return answer
    raise ArenaError(*(answer or (failed,)))


# --- in the child ---


def take_in_here() -> None:
    """Take in a bot as the arguments say, and print the answer as JSON."""
    task, source, folder, *numbers = sys.argv[1:]
    most = Room(*map(int, numbers))
    _limit(most.seconds)
    answer: _Taken | tuple[Mistake, ...]
    try:
        answer = _taken(task, Path(source), Path(folder), most)
    except ArenaError as error:
        answer = tuple(replace(each, place=each.place or source) for each in error.mistakes)
    except OSError as error:  # an error of ours: the disk is full, or the like
        answer = (Mistake(f"it cannot be taken in: {error.strerror}", source),)
    print(json.dumps(msgspec.to_builtins(answer)))


def _taken(task: str, source: Path, folder: Path, most: Room) -> _Taken:
    is_folder = source.is_dir()
    bot = folder if is_folder else extract(source, folder, most)
    found = content(source, folder, most) if is_folder else content(bot)
    if task == "unpack":
        return _Taken(str(bot), found.digest)
    if not is_folder and not os.path.lexists(bot / MANIFEST):
        empty = not os.listdir(bot)
        what = f"there is no {MANIFEST} at its top or in its only folder"
        raise ArenaError(Mistake("there is nothing in it" if empty else what, str(source)))
    if found.links_out:
        what = "this link leads out of the bot"
        links = (Mistake(f"{what}: {to}", str(source / link)) for link, to in found.links_out)
        raise ArenaError(*links)
    return _Taken(str(bot), found.digest, read_bot(bot))


def _limit(seconds: int) -> None:
    """Limit the time and memory of this process, and suppress its core file."""
    import resource  # not on Windows

    for kind, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, _MEMORY_MIB * MIB),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
