"""The processes of a site: what each does, and which of them a unit runs."""

import stat
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from arena.site.config import Site
from arena.site.life import Life

Run = Callable[[Site, Life], None]


def _intake(site: Site, life: Life) -> None:
    from arena.site.intake import run_intake

    run_intake(site, life)


def _league(site: Site, life: Life) -> None:
    from arena.site.player import run_player

    run_player(site, life)


def _publisher(site: Site, life: Life) -> None:
    from arena.site.publish.publisher import run_publisher

    run_publisher(site, life)


def _clerk(site: Site, life: Life) -> None:
    from arena.site.clerk import run_clerk

    run_clerk(site, life)


def _challenges(site: Site, life: Life) -> None:
    from arena.site.challenges import run_challenges

    run_challenges(site, life)


def _host(site: Site, life: Life) -> None:
    from arena.site.guests.host import host_tables

    life.beat("hosts tables")
    host_tables(site)


WEB: Final = "web"
"""The process that strangers speak to: `arena.site.web`, which shuts itself in."""

PROCESSES: Final[dict[str, Run]] = {
    "intake": _intake,
    "clerk": _clerk,
    "challenges": _challenges,
    "host": _host,
    "league": _league,
    "publisher": _publisher,
}
"""What each process does, in the order in which they are ended, after the web: what was played is
published last.

Each loads what it needs itself, so that no process has the modules of another.
"""

PLAYER: Final = ("clerk", "challenges", "host", "league", "publisher")
"""The processes of the player, which may run as a unit of their own, as the web and the intake."""


def names_of(site: Site, part: str | None) -> list[str]:
    """The processes of a part of a site, or of all of it, in the order in which they are ended."""
    parts = {WEB: (WEB,), "player": PLAYER, None: (WEB, *PROCESSES)}
    return [each for each in parts[part] if each != "host" or site.guests.tables]


def make_folders(site: Site) -> None:
    """Make the folders that the processes share, for whom the site's own folder is."""
    site.folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    mode = stat.S_IMODE(site.folder.stat().st_mode)
    shared = (site.house.parent, site.published.parent, site.spool, site.cut, site.tables)
    for folder in (*shared, site.state, site.logs):
        with suppress(FileExistsError):
            folder.mkdir()
            folder.chmod(mode)
