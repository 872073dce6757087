"""The transfer of a bot to another machine: packed here as submitted, unpacked and built there."""

from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.archive import pack
from arena.bots.intake import unpack
from arena.bots.manifest import content_hash
from arena.bots.tree import Room
from arena.engine.build import BUILT_FILES, BUILT_MIB
from arena.engine.builds import Copy, beside, keep
from arena.engine.job import Program
from arena.sandbox.folders import scratch
from arena.sandbox.isolation import Isolation


def pack_copy(copy: Copy, home: Path) -> bytes:
    """A bot as an archive of its files before the build. Raises `ArenaError` if they are gone.

    `home` has the league's copies. Builds are never sent: they fit only this machine.
    """
    kept = beside(home, copy.digest, ".tar")
    if kept.exists():
        return kept.read_bytes()
    for folder in (beside(home, copy.digest), Path(copy.bot.folder)):
        if folder.is_dir() and content_hash(folder) == copy.digest:
            return pack(folder)
    what = f"the files of {copy.bot.name} before its build are gone"
    raise ArenaError(Mistake(what, str(kept), "withdraw the bot, and submit it again"))


def receive(copy: Copy, packed: bytes, isolation: Isolation) -> Program:
    """The program of a bot that came as an archive, built on this machine. Raises `ArenaError`."""
    with scratch(0o700) as place:
        archive, folder = Path(place, "bot.tar"), Path(place, "bot")
        archive.write_bytes(packed)
        folder.mkdir()
        unpack(archive, folder, Room(BUILT_MIB, BUILT_FILES))
        if content_hash(folder) != copy.digest:
            what = f"what arrived is not the bot {copy.bot.name}"
            raise ArenaError(Mistake(what, copy.digest))
        there = msgspec.structs.replace(copy.bot, folder=str(folder))
        return keep(msgspec.structs.replace(copy, bot=there), isolation)
