"""The starter for a new user: a league, sample bots, a bot of one's own."""

import shutil
from pathlib import Path
from typing import Final

from arena.base.errors import ArenaError, Mistake
from arena.bots.templates import begin_bot, shipped
from arena.bots.tree import SKIPPED

STARTER_LEAGUE: Final = "league.toml"
STARTER_BOT: Final = "mine"
SAMPLES: Final = ("careful", "lazy", "random")

_LEAGUE: Final = """\
# Play it, or go on with it: arena league {league}
# More bots and more deals may be added at any time, and the same command goes on. A bot that has
# played stays as it was: enter a new version under a new name, or move league.db away.
name = "First"
deals = 60                   # for each table of three; each is played in all six seatings
rules = "pagat"              # `arena rules` lists others
bots = [                     # folders, relative to this file
    "mine",
    "careful",
    "lazy",
    "random",
]
"""


def write_starter(folder: Path) -> None:
    """Fill a folder, made if missing. Raises `ArenaError`, and overwrites nothing."""
    there = [folder / name for name in (STARTER_LEAGUE, STARTER_BOT, *SAMPLES)]
    exist = [path for path in there if path.exists() or path.is_symlink()]
    if exist:
        remedy = "choose an empty folder"
        raise ArenaError(*(Mistake("this exists already", str(path), remedy) for path in exist))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in SAMPLES:
            skipped = shutil.ignore_patterns(*SKIPPED)
            shutil.copytree(shipped("sample_bots") / name, folder / name, ignore=skipped)
        begin_bot(folder / STARTER_BOT, "python")
        with (folder / STARTER_LEAGUE).open("x", encoding="utf-8") as file:
            file.write(_LEAGUE.format(league=STARTER_LEAGUE))
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise ArenaError(Mistake(what, str(folder))) from None
