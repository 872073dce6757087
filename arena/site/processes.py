"""The processes of a site: their names, the units that run them, and the folders they share.

The command line imports this at each start, so it imports nothing of ours.
"""

import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.site.config import Site

WEB: Final = "web"
"""The process that strangers talk to: `arena.site.web`, which confines itself."""

PROCESSES: Final = {
    "intake": "arena.site.intake:take_uploads",
    "clerk": "arena.site.clerk:answer_requests",
    "challenges": "arena.site.challenges:play_challenges",
    "tables": "arena.site.tables.service:serve_tables",
    "league": "arena.site.player:play_ladder",
    "publisher": "arena.site.publish.process:publish_league",
}
"""The others, each with its module and function, in the order in which they are ended, after the
web.

The publisher is last, to publish all that was played.
"""

LEAGUE_PLAYER: Final = tuple(each for each in PROCESSES if each not in ("intake", "tables"))
"""The processes of the player, which may run as one unit; web, intake and tables have their own."""

UPLOADS: Final = "uploads"
DRAWING_ORDERS: Final = "play"
PAUSES: Final = (UPLOADS, DRAWING_ORDERS)
"""The parts of a site that can be paused: taking uploads in, and drawing new orders."""


def names_of(site: "Site", part: str | None) -> list[str]:
    """Return the processes of a part of a site, or of all, in the order of their ends."""
    parts = {WEB: (WEB,), "player": LEAGUE_PLAYER, None: (WEB, *PROCESSES)}
    return [each for each in parts[part] if each != "tables" or site.guests.tables]


def make_folders(site: "Site") -> None:
    """Make the folders that the processes share, for the same users as the site's own folder."""
    site.folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    mode = stat.S_IMODE(site.folder.stat().st_mode)
    shared = (site.registry.parent, site.published.parent, site.spool, site.cut, site.tables)
    for folder in (*shared, site.league_pages, site.state, site.logs):
        with suppress(FileExistsError):
            folder.mkdir()
            folder.chmod(mode)
