"""The processes of a site: their names, which of them a unit runs, and the folders they share.

The command line reads it at each start, so that it loads nothing.
"""

import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.site.config import Site

WEB: Final = "web"
"""The process that strangers speak to: `arena.site.web`, which shuts itself in."""

PROCESSES: Final = {
    "intake": "arena.site.intake:take_uploads",
    "clerk": "arena.site.clerk:answer_requests",
    "challenges": "arena.site.challenges:play_challenges",
    "host": "arena.site.guests.process:host_tables",
    "league": "arena.site.player:play_ladder",
    "reviews": "arena.site.reviews:review_played",
    "publisher": "arena.site.publish.process:publish_league",
}
"""The others, each with its module and function, in the order in which they are ended after
the web: what was played is published last.
"""

LEAGUE_PLAYER: Final = tuple(each for each in PROCESSES if each != "intake")
"""The processes of the player, which may run as a unit of their own, as the web and the intake."""

UPLOADS: Final = "uploads"
DRAWING_ORDERS: Final = "play"
PAUSES: Final = (UPLOADS, DRAWING_ORDERS)
"""What can be paused: taking uploads in, and drawing new orders."""


def names_of(site: "Site", part: str | None) -> list[str]:
    """The processes of a part of a site, or of all of it, in the order in which they are ended."""
    parts = {WEB: (WEB,), "player": LEAGUE_PLAYER, None: (WEB, *PROCESSES)}
    wanted = {"host": site.guests.tables, "reviews": site.review_tables}
    return [each for each in parts[part] if wanted.get(each, True)]


def make_folders(site: "Site") -> None:
    """Make the folders that the processes share, for whom the site's own folder is."""
    site.folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    mode = stat.S_IMODE(site.folder.stat().st_mode)
    shared = (site.registry.parent, site.published.parent, site.spool, site.cut, site.tables)
    for folder in (*shared, site.state, site.logs):
        with suppress(FileExistsError):
            folder.mkdir()
            folder.chmod(mode)
