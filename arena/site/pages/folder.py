"""Draws the pages of a league as files that need no network, with style and script in each."""

import posixpath
from collections.abc import Mapping, Sequence

import msgspec
from markupsafe import Markup

from arena.league.tournament import TournamentState
from arena.reports.language import Saying
from arena.reports.look import page_policy
from arena.reports.page import relative_address
from arena.reports.tournament import big_points, result_text
from arena.site.documents.league import LeagueDocument, Standings
from arena.site.pages.bars import Measure
from arena.site.pages.files import static_files
from arena.site.pages.league import LeagueDrawing, Place
from arena.stats.figures import HandSpread


class Introduction(msgspec.Struct, frozen=True):
    """An introduction to a record: its progress, facts with their names, and what a set is.

    It was `played` from one moment to another, or at one, in seconds since 1970.

    `why` tells by match why to look at it; `deals` are those that bots played most differently,
    with the paths of their pages. A tournament has its ranking.
    """

    state: Saying
    facts: tuple[tuple[Saying, Saying], ...]
    played: tuple[float, ...]
    unit: Saying
    why: Mapping[int, tuple[Saying, ...]]
    deals: Sequence[tuple[str, HandSpread]]
    tournament: TournamentState | None


class FolderDrawing(LeagueDrawing):
    """Draws pages for a folder. They link only to `files`, which have the paths of a site as keys.

    `here` is the file that is being drawn; `foot` stands below every page.
    """

    def __init__(
        self,
        title: str,
        files: Mapping[str, str],
        here: str,
        language: str,
        places: Sequence[Place] = (),
        foot: Sequence[Saying] = (),
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
        super().__init__(title, places, language, known)

    def at(self, path: str) -> str:
        """Draw the next page for the file of a path; return that file's name."""
        self.here = self.files[path]
        return self.here

    def record(
        self, league: LeagueDocument, standings: Standings, by: Measure, about: Introduction
    ) -> str:
        """Return the standings of a record, what to know about it, and what is worth a look."""
        found = self._standings(standings, by)
        in_print = {"big_points": big_points, "result_text": result_text}
        return self._draw("record.html", league, here="/", about=about, **in_print, **found)

    def to(self, path: str) -> str | None:
        """Return the address of a page from the one that is being drawn; None if it has no file."""
        page, mark, place = path.partition("#")
        if page not in self.files:
            return None
        found = posixpath.relpath(self.files[page], posixpath.dirname(self.here) or ".")
        return f"{relative_address(found)}{mark}{place}"
