"""Backs a site up once a day, and removes the oldest backups."""

import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from arena.base.errors import ArenaError
from arena.sandbox.folders import remove_folder
from arena.site.backup import LIST, back_up
from arena.site.config import Site
from arena.site.disk import hindered
from arena.site.life import Life

_REST_S: Final = 1.0
AGAIN_S: Final = 600.0
"""Seconds after which a backup that failed is tried again."""

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def back_up_daily(site: Site, life: Life) -> None:
    """Back a site up every day from its hour on, until this process is told to end."""
    failed_at = float("-inf")
    while True:
        now = datetime.now(UTC)
        if is_due(site, now) and time.monotonic() >= failed_at + AGAIN_S:
            life.beat("backs up")
            failed_at = time.monotonic() if not _back_up(site, life, now) else float("-inf")
        life.beat("waits for the next backup")
        time.sleep(_REST_S)


def is_due(site: Site, now: datetime) -> bool:
    """Return whether a day's backup is to be made and is not there."""
    return f"{now:%H:%M}" >= site.backup.at and not _place(site, now).exists()


def _back_up(site: Site, life: Life, now: datetime) -> bool:
    """Make a backup and remove old ones; return whether it was made."""
    place = _place(site, now)
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        made = back_up(site, place)
    except ArenaError as error:
        if hindered(site, error):
            raise
        life.say(f"no backup: {error}", True)
        return False
    life.say(f"backed up to {place}: {made.matches} matches, {made.accounts} accounts")
    for old in backups(place.parent)[: -site.backup.keep]:
        remove_folder(old)
        life.say(f"removed the backup {old}")
    return True


def backups(folder: Path) -> list[Path]:
    """Return the daily backups in a folder, the oldest first; nothing else counts as one."""
    found = (each for each in folder.iterdir() if _DAY.fullmatch(each.name))
    return sorted(each for each in found if (each / LIST).is_file())


def _place(site: Site, now: datetime) -> Path:
    return Path(site.backup.folder) / f"{now:%Y-%m-%d}"
