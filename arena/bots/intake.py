"""Intake of strangers' bots: a folder or archive becomes a folder of ours, in a child.

A child with limits of time and memory does all that touches a stranger's bytes: it copies or
unpacks them, looks where links lead, and reads the manifest. If a crafted file does harm through a
library, only the child suffers; however it ends, the file is refused and this process goes on.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot
from arena.bots.tree import MIB, Room

SUBMISSION: Final = Room(64, 2000)
"""The most that a submission may hold before it is built."""

_MEMORY_MIB: Final = 512
_ROOT: Final = str(Path(__file__).parents[2])
_CHILD: Final = (
    "import sys; sys.path.insert(0, sys.argv[1])\n"
    "from arena.bots.intake_child import take_in_here\n"
    "take_in_here()"
)


class _Answer(msgspec.Struct):
    """The child's answer: the bot's folder and the hash of its content, or the mistakes."""

    folder: str = ""
    digest: str = ""
    bot: Bot | None = None
    mistakes: tuple[Mistake, ...] = ()


def take_in(source: Path, folder: Path, most: Room = SUBMISSION) -> tuple[Bot, str]:
    """Copy or unpack a bot into an empty folder; return its manifest and its content's hash.

    Raises `ArenaError` if it cannot be taken, for links that lead out of the bot, and with all
    mistakes in the manifest.
    """
    how = "copy" if source.is_dir() else "unpack"
    taken = _in_child(how, source, folder, most, True)
    if taken.bot is None:
        raise ArenaError(Mistake("the child that takes it in reported no bot", str(source)))
    return taken.bot, taken.digest


def unpack(archive: Path, folder: Path, most: Room = SUBMISSION) -> Path:
    """Unpack an archive into an empty folder; return the bot's folder. Raises `ArenaError`."""
    return folder / _in_child("unpack", archive, folder, most, False).folder


def _in_child(how: str, source: Path, folder: Path, most: Room, manifest: bool) -> _Answer:
    """The child's answer about a bot that it has taken in. Raises `ArenaError`."""
    words = [how, str(source), str(folder), *map(str, most), str(_MEMORY_MIB)]
    wall_s = 20 * most.seconds + 60  # on a busy machine it gets a small share of the processor
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _CHILD, _ROOT, *words],
            input=json.dumps({"path": sys.path, "manifest": manifest}).encode(),
            capture_output=True,
            env={},
            timeout=wall_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ArenaError(Mistake(f"it was not taken in after {wall_s} s", str(source))) from None
    what = f"taking it in needs more than {most.seconds} s or {_MEMORY_MIB} MiB"
    answer = _Answer(mistakes=(Mistake(what, str(source)),))
    if done.returncode == 0 and len(done.stdout) < MIB:
        try:
            answer = msgspec.json.decode(done.stdout, type=_Answer)
        except msgspec.MsgspecError as error:
            what = f"the report of the child that takes it in makes no sense: {error}"
            answer = _Answer(mistakes=(Mistake(what, str(source)),))
    if answer.mistakes:
        raise ArenaError(*answer.mistakes)
    return answer
