"""The processes of a site: their names, which of them a unit runs, and the folders they share."""

import stat
from contextlib import suppress
from typing import Final

from arena.site.config import Site

WEB: Final = "web"
"""The process that strangers speak to: `arena.site.web`, which shuts itself in."""

PROCESSES: Final = (
    "intake",
    "clerk",
    "challenges",
    "host",
    "league",
    "reviews",
    "publisher",
)
"""The others, in the order in which they are ended, after the web: what was played is published
last.
"""

PLAYER: Final = PROCESSES[1:]
"""The processes of the player, which may run as a unit of their own, as the web and the intake."""


def names_of(site: Site, part: str | None) -> list[str]:
    """The processes of a part of a site, or of all of it, in the order in which they are ended."""
    parts = {WEB: (WEB,), "player": PLAYER, None: (WEB, *PROCESSES)}
    wanted = {"host": site.guests.tables, "reviews": site.review_tables}
    return [each for each in parts[part] if wanted.get(each, True)]


def make_folders(site: Site) -> None:
    """Make the folders that the processes share, for whom the site's own folder is."""
    site.folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    mode = stat.S_IMODE(site.folder.stat().st_mode)
    shared = (site.house.parent, site.published.parent, site.spool, site.cut, site.tables)
    for folder in (*shared, site.state, site.logs):
        with suppress(FileExistsError):
            folder.mkdir()
            folder.chmod(mode)
