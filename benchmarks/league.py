"""A league of one bot under several names, for what is measured of whole leagues."""

import shutil
from collections.abc import Iterable
from pathlib import Path


def league_of(bot: str, names: Iterable[str], deals: int, home: Path) -> Path:
    """Write the league and its bots' folders; returns the league's file."""
    home.chmod(0o755)  # bots may be other users
    names = list(names)
    for name in names:
        (home / name).mkdir()
        shutil.copy(bot, home / name / "bot")
        manifest = f'name = "{name}"\nversion = "1"\nauthor = "benchmark"\nrun = ["./bot"]\n'
        (home / name / "bot.toml").write_text(manifest)
    path = home / "league.toml"
    path.write_text(f"deals = {deals}\nbots = {names}\n")
    return path
