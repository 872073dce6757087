"""Bots' folders, and a league of one bot under several names."""

import shutil
from collections.abc import Iterable
from pathlib import Path


def league_of(bot: str, names: Iterable[str], deals: int, home: Path, tables: int = 1) -> Path:
    """Write the league and its bots' folders; returns the league's file.

    Each bot plays at so many tables at once.
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
