"""The pages of a league as files that need no network: style and script are in each of them."""

import posixpath
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from arena.reports.look import page_policy
from arena.reports.page import relative_address
from arena.site.pages.files import static_files
from arena.site.pages.league import LeagueDrawing, Place


class FolderDrawing(LeagueDrawing):
    """Draws pages for a folder. They link to what `files` has: files there, by the paths of a site.

    `here` is the file that is drawn; `foot` is said below every page.
    """

    def __init__(
        self,
        title: str,
        files: Mapping[str, str],
        here: str,
        places: Sequence[Place] = (),
        foot: Sequence[str] = (),
    ) -> None:
        self.files, self.here = files, here
        style, script = (static_files()[name].content.decode() for name in ("site.css", "site.js"))
        known = {
            "live": False,
            "foot": foot,
            "policy": page_policy(style, script),
            "style": Markup(style),
            "script": Markup(script),
        }
        super().__init__(title, places, known)

    def to(self, path: str) -> str | None:
        """The address of a file from the one that is drawn."""
        page, mark, place = path.partition("#")
        if page not in self.files:
            return None
        found = posixpath.relpath(self.files[page], posixpath.dirname(self.here) or ".")
        return f"{relative_address(found)}{mark}{place}"
