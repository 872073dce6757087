"""Draws the pages of a site: those of its league, and those of authors and guests."""

from collections.abc import Mapping, Sequence
from typing import Final

from arena.base.refusals import Refusal
from arena.reports.language import Language, languages_with
from arena.site.documents.league import AboutDocument, LeagueDocument
from arena.site.pages.files import static_files
from arena.site.pages.guide import Part, guide
from arena.site.pages.league import EVERY_S, LeagueDrawing
from arena.site.pages.markdown import rendered
from arena.site.registry.bots import OwnBot
from arena.site.registry.invitations import Invitation
from arena.site.registry.quotas import QuotaLeft
from arena.site.registry.requests import SiteRequest
from arena.site.registry.tokens import Token
from arena.site.registry.uploads import Upload
from arena.site.tables.choice import TableChoice

PAGE_LANGUAGES: Final = languages_with("league")
"""The languages of the site's pages, English first."""

ALL_LANGUAGES: Final = languages_with("zole")
"""Those of the page that tells how Zole is played, and of tables."""

UPLOAD_S: Final = 2
"""The seconds after which a page that shows an upload under way is asked for again."""

_PLACES: Final = (
    ("/", "page-standings"),
    ("/crosstable", "page-crosstable"),
    ("/matches", "page-matches"),
    ("/tv", "page-watch"),
    ("/play", "page-play"),
    ("/ledger", "page-ledger"),
    ("/rules", "page-rules"),
    ("/about", "page-about"),
    ("/start", "page-begin"),
    ("/me", "page-own-bots"),
)


class Drawing(LeagueDrawing):
    """Draws the pages of the site with a title that is found at an address, in a language."""

    def __init__(self, title: str, address: str, language: str) -> None:
        static = {name: each.address for name, each in static_files().items()}
        known = {
            "address": address,
            "static": static,
            "live": True,
            "foot": (),
            "languages": tuple(map(Language, PAGE_LANGUAGES)),
            "all_languages": tuple(map(Language, ALL_LANGUAGES)),
            "rendered": rendered,
        }
        self._guide = guide()
        super().__init__(title, _PLACES, language, known)

    def start(self, league: LeagueDocument | None) -> str:
        """Return the page on how to begin: a first bot, its check, and the way in."""
        return self._draw("start.html", league, here="/start")

    def guide(self, league: LeagueDocument | None, part: Part) -> str:
        """Return a part of the guide to the protocol of this arena."""
        return self._draw("guide.html", league, here=f"/start/{part}", text=self._guide[part])

    def about(self, league: LeagueDocument, about: AboutDocument) -> str:
        """Return what the organiser says: a page, what happens when, announcements."""
        return self._draw("about.html", league, here="/about", every=EVERY_S, about=about)

    def play(self, choice: TableChoice, chosen: Mapping[str, str]) -> str:
        """Return the page at which a guest chooses bots: by the fields of a form, "" for any."""
        return self._draw("play.html", None, here="/play", choice=choice, chosen=chosen)

    # --- authors ---

    def invitation(
        self, invited: Invitation, name: str = "", team: str = "", refused: Refusal | None = None
    ) -> str:
        """Return the page of an invitation, with the button that accepts it.

        One without a name is for whoever comes, and asks for a name, and for a team if it has none:
        again with the name and the team that were given, if these were refused.
        """
        told = {"name": invited.name, "known": invited.known, "left": invited.places}
        told["asks_team"] = not (invited.name or invited.team)
        told["given"] = {"name": name, "team": team}
        return self._draw("join.html", None, token="", refused=refused, **told)

    def welcome(self, name: str, token: str) -> str:
        """Return the page that shows a new account its token, only this once."""
        return self._draw(
            "join.html",
            None,
            again="/me",
            name=name,
            known=False,
            left=1,
            asks_team=False,
            refused=None,
            token=token,
        )

    def login(self, name: str) -> str:
        """Return the page with the button that begins a session of an account."""
        return self._draw("login.html", None, name=name)

    def sign_in(self) -> str:
        """Return the page that somebody without a session sees in place of the own page."""
        return self._draw("sign_in.html", None, here="/me")

    def me(
        self,
        league: LeagueDocument | None,
        name: str,
        bots: Sequence[OwnBot],
        uploads: Sequence[Upload],
        left: QuotaLeft,
        tokens: Sequence[Token],
        challenges: Sequence[SiteRequest] = (),
        new_token: str = "",
        others: Sequence[str] = (),
    ) -> str:
        """Return an author's own page. The first of the uploads has its steps.

        `new_token` was made just now and is shown only this once; `others` may be challenged.
        """
        under_way = any(each.under_way for each in uploads)
        return self._draw(
            "me.html",
            league,
            here="/me",
            again="/me",
            every=UPLOAD_S if under_way else EVERY_S,
            name=name,
            bots=bots,
            uploads=uploads,
            left=left,
            tokens=tokens,
            challenges=challenges,
            new_token=new_token,
            others=others,
        )

    def upload(self, league: LeagueDocument | None, upload: Upload, left: QuotaLeft) -> str:
        """Return the page of one upload, step by step."""
        return self._draw(
            "upload.html",
            league,
            here="/me",
            every=UPLOAD_S if upload.under_way else 0,
            upload=upload,
            left=left,
        )

    # --- waiting and errors ---

    def waiting(self, what: str) -> str:
        """Return a page that says by a message what is being made, and that reloads itself."""
        return self._draw("waiting.html", None, what=what)

    def error(self, status: int, what: str, remedy: str = "", wait_s: int | None = None) -> str:
        """Return a page that says what went wrong, what one can do, and how long to wait."""
        return self._draw(
            "error.html", None, status=status, what=what, remedy=remedy, wait_s=wait_s
        )
