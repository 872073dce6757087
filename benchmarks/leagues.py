"""Whole leagues of instant bots, as `arena league` plays them on one core with one worker."""

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.figures import Rows, Run, Times, compared, took


class Shape(NamedTuple):
    """A league: how many bots, deals a match, and tables that a bot plays at once."""

    bots: int
    deals: int
    tables: int

    @property
    def matches(self) -> int:
        """Every three bots meet in the six orders of their seats."""
        return self.bots * (self.bots - 1) * (self.bots - 2)


SHAPES: Final = {
    "1,000 deals": Shape(3, 1000, 1),
    "1,000 deals at 64 tables": Shape(3, 1000, 64),
    "10 deals": Shape(7, 10, 1),
    "one deal": Shape(7, 1, 1),
}


def measure(run: Run) -> Rows:
    """What a match takes in each league, the command's own start and end included."""
    times: dict[str, Times] = {name: defaultdict(list) for name in SHAPES}
    for places in run.in_turn():
        for name, shape in SHAPES.items():
            for place in places:
                with tempfile.TemporaryDirectory() as home:
                    bots = "abcdefgh"[: shape.bots]
                    file = league_of(run.bot, bots, shape.deals, Path(home), shape.tables)
                    spent = place.arena("league", str(file), "--seed", "7", "--jobs", "1")
                times[name][place.name].append(spent.each(shape.matches))
    for name in SHAPES:
        yield compared(f"a match of {name} in a league", times[name], took)


def league_of(bot: str, names: Iterable[str], deals: int, home: Path, tables: int = 1) -> Path:
    """Write the league and its bots' folders; returns the league's file.

    Each bot plays at this many tables at once.
    """
    home.chmod(0o755)  # bots may be other users
    names = list(names)
    for name in names:
        enter(bot, home / name, tables)
    path = home / "league.toml"
    path.write_text(f"deals = {deals}\nbots = {names}\n")
    return path


def enter(bot: str, folder: Path, tables: int = 1) -> Path:
    """A folder with a copy of a program and its manifest."""
    folder.mkdir()
    shutil.copy(bot, folder / "bot")
    run = ["./bot", str(tables)]
    manifest = f'name = "{folder.name}"\nversion = "1"\nauthor = "benchmark"\nrun = {run}\n'
    (folder / "bot.toml").write_text(manifest)
    return folder
