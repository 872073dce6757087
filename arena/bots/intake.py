"""Takes in what strangers hand in: a folder or archive becomes a folder of ours, in a child.

A child with limits of time and memory copies or unpacks it and reads its manifest once. Whatever a
crafted file does to a library, only the child pays for it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from arena.base.errors import ArenaError, Mistake
from arena.bots.tree import MANIFEST, MIB, Room

SUBMISSION: Final = Room(64, 2000)
"""What a submission may hold before it is built."""

_MEMORY_MIB: Final = 512
_ROOT: Final = str(Path(__file__).parents[2])
_CHILD: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); from arena.bots.intake_child import obey; obey()"
)
_TOO_LARGE: Final = "it holds more than"


def take_in(source: Path, folder: Path, most: Room = SUBMISSION) -> tuple[Path, str]:
    """Copy or unpack a bot into an empty folder; return its folder there, and its content's hash.

    Raises `ArenaError` for what cannot be taken, and for links that lead out of the bot.
    """
    taken = _in_child("copy" if source.is_dir() else "unpack", source, folder, most)
    bot = folder / taken["folder"]
    if not source.is_dir() and not os.path.lexists(bot / MANIFEST):
        what = f"there is no {MANIFEST} at its top or in its only folder"
        raise ArenaError(
            Mistake(what if os.listdir(bot) else "there is nothing in it", str(source))
        )
    _survey(bot, source)
    return bot, taken["digest"]


def unpack(archive: Path, folder: Path, most: Room = SUBMISSION) -> Path:
    """Unpack an archive into an empty folder; return the bot's folder. Raises `ArenaError`."""
    return folder / _in_child("unpack", archive, folder, most)["folder"]


def _survey(bot: Path, source: Path) -> None:
    """Raise `ArenaError` for every link in a bot that leads out of it."""
    mistakes: list[Mistake] = []
    top = bot.resolve()
    for root, folders, files in os.walk(bot):
        for name in sorted([*folders, *files]):
            path = Path(root, name)
            if not path.is_symlink():
                continue
            target = os.readlink(path)
            if os.path.isabs(target) or not Path(os.path.realpath(path)).is_relative_to(top):
                what = f"this link leads out of the bot: {target}"
                mistakes.append(Mistake(what, str(source / path.relative_to(bot))))
    if mistakes:
        raise ArenaError(*mistakes)


def _in_child(how: str, source: Path, folder: Path, most: Room) -> dict[str, str]:
    """What the child says of a bot that it has taken in. Raises `ArenaError`."""
    words = [how, str(source), str(folder), *map(str, most), str(_MEMORY_MIB)]
    wall_s = 20 * most.seconds + 60  # a busy machine gives it a small share of its processor
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _CHILD, _ROOT, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={},
            timeout=wall_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ArenaError(Mistake(f"it was not taken in after {wall_s} s", str(source))) from None
    if done.returncode == 0 and len(done.stdout) < MIB:
        said = json.loads(done.stdout)
    else:
        what = f"taking it in needs more than {most.seconds} s or {_MEMORY_MIB} MiB"
        said = {"refused": what, "place": ""}
    if "refused" in said:
        place = str(source / said["place"]) if said["place"] else str(source)
        large = said["refused"].startswith(_TOO_LARGE) and how == "copy"
        remedy = "leave out what the build makes" if large else ""
        raise ArenaError(Mistake(said["refused"], place, remedy))
    return {key: str(value) for key, value in said.items()}
