"""The child that takes in a bot: it limits itself, then copies or unpacks, and reads the manifest.

It is started bare, without site packages, so that it costs little.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from arena.bots.tree import MANIFEST, MIB, NotTaken, Room, copy, folder_hash

_LARGEST_MANIFEST: Final = 1 << 18


def obey() -> None:
    """Take in a bot as the arguments say, and print as JSON what came of it."""
    how, source, folder, *numbers = sys.argv[2:]
    mib, files, headers_mib, seconds, memory_mib = map(int, numbers)
    _limit(seconds, memory_mib)
    most = Room(mib, files, headers_mib, seconds)
    said: dict[str, str]
    try:
        said = _taken(how, source, folder, most)
    except NotTaken as refused:
        said = {"refused": refused.what, "place": refused.place}
    except OSError as error:  # of ours: the disk is full, or the like
        said = {"refused": f"it cannot be taken in: {error.strerror}", "place": ""}
    except MemoryError:
        said = {"refused": f"taking it in needs more than {memory_mib} MiB", "place": ""}
    print(json.dumps(said))


def _taken(how: str, source: str, folder: str, most: Room) -> dict[str, str]:
    bot = Path(folder)
    if how == "copy":
        digest = copy(source, bot, most)
    else:
        from arena.bots.archive import extract

        bot = extract(Path(source), bot, most)
        digest = folder_hash(bot)
    _try_manifest(bot)
    return {"folder": os.path.relpath(bot, folder), "digest": digest}


def _try_manifest(bot: Path) -> None:
    """Read the manifest once: what costs too much ends this child; mistakes are told later."""
    path = os.path.join(bot, MANIFEST)
    if os.path.isfile(path) and not os.path.islink(path):
        import tomllib

        with open(path, "rb") as file, suppress(ValueError, RecursionError):
            tomllib.loads(file.read(_LARGEST_MANIFEST).decode())


def _limit(seconds: int, memory_mib: int) -> None:
    """Limit the time and memory of this process; without a core file when it ends by them."""
    import resource

    for kind, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory_mib * MIB),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
