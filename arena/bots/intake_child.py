"""The child that takes in a bot: it limits itself, then copies or unpacks, and reads the manifest.

It is started bare, without site packages, so that it costs little if no manifest is asked for.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from arena.bots.tree import MANIFEST, MIB, NotTaken, Room, copy, folder_hash, links_out

_TOO_LARGE: Final = "it holds more than"


def take_in_here() -> None:
    """Take in a bot as the arguments say, and print the answer as JSON.

    Standard input has the path of packages, and whether there must be a `manifest`.
    """
    how, source, folder, *numbers = sys.argv[2:]
    mib, files, headers_mib, seconds, memory_mib = map(int, numbers)
    asked = json.load(sys.stdin)
    _limit(seconds, memory_mib)
    most = Room(mib, files, headers_mib, seconds)
    said: dict[str, Any]
    try:
        said = _taken(how, source, folder, most)
        if asked["manifest"]:
            sys.path += asked["path"]
            said |= _read(Path(folder, said["folder"]), how, source)
    except NotTaken as refused:
        large = refused.what.startswith(_TOO_LARGE) and how == "copy"
        remedy = "leave out what the build makes" if large else ""
        said = _wrong((refused.what, os.path.join(source, refused.place), remedy))
    except OSError as error:  # an error of ours: the disk is full, or the like
        said = _wrong((f"it cannot be taken in: {error.strerror}", source))
    except MemoryError:
        said = _wrong((f"taking it in needs more than {memory_mib} MiB", source))
    except RecursionError:
        said = _wrong(("it cannot be taken in: it is nested too deeply", source))
    print(json.dumps(said))


def _taken(how: str, source: str, folder: str, most: Room) -> dict[str, Any]:
    bot = Path(folder)
    if how == "copy":
        digest = copy(source, bot, most)
    else:
        from arena.bots.archive import extract

        bot = extract(Path(source), bot, most)
        digest = folder_hash(bot)
    return {"folder": os.path.relpath(bot, folder), "digest": digest}


def _read(bot: Path, how: str, source: str) -> dict[str, Any]:
    """The bot by its manifest, or all mistakes in that or in the bot's links."""
    if how == "unpack" and not os.path.lexists(bot / MANIFEST):
        what = f"there is no {MANIFEST} at its top or in its only folder"
        return _wrong((what if os.listdir(bot) else "there is nothing in it", source))
    leading = [
        (f"this link leads out of the bot: {target}", os.path.join(source, name))
        for name, target in links_out(bot)
    ]
    if leading:
        return _wrong(*leading)
    import msgspec

    from arena.base.errors import ArenaError
    from arena.bots.manifest import read_bot

    try:
        return {"bot": msgspec.to_builtins(read_bot(bot))}
    except ArenaError as error:
        return _wrong(*((each.what, each.place, each.remedy) for each in error.mistakes))


def _wrong(*mistakes: tuple[str, ...]) -> dict[str, Any]:
    """An answer with mistakes, each given as what is wrong, its place and the remedy, if known."""
    words = ("what", "place", "remedy")
    return {"mistakes": [dict(zip(words, map(_sayable, each), strict=False)) for each in mistakes]}


def _sayable(text: str) -> str:
    """A text that JSON can express: names of files need not be UTF-8."""
    return text.removesuffix("/").encode("utf-8", "backslashreplace").decode()


def _limit(seconds: int, memory_mib: int) -> None:
    """Limit the time and memory of this process, and suppress its core file."""
    import resource

    for kind, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory_mib * MIB),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
