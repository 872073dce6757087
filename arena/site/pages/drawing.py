"""The pages of a site: one method for each, which is given documents and answers with the HTML."""

from collections.abc import Sequence
from typing import Final

from arena import __version__
from arena.base.harmless import harmless_lines
from arena.base.words import count, in_words
from arena.league.ledger import Line, moment
from arena.reports.look import SUITS, page_words, read_card
from arena.reports.numbers import disqualified
from arena.site.documents.bot import BotDocument
from arena.site.documents.league import Epochs, LeagueDocument, RulesDocument, Standings
from arena.site.documents.play import (
    MatchDocument,
    MatchesDocument,
    TablesDocument,
    Television,
    TravellerDocument,
)
from arena.site.guests.wire import TableChoice
from arena.site.house.bots import OwnBot
from arena.site.house.quotas import QuotaLeft
from arena.site.house.requests import HouseRequest
from arena.site.house.tokens import Token
from arena.site.house.uploads import Upload
from arena.site.pages import bars, words
from arena.site.pages.files import HERE, static_files

_PLACES: Final = (
    ("/", "Standings"),
    ("/matches", "Matches"),
    ("/tv", "Watch"),
    ("/play", "Play"),
    ("/epochs", "Epochs"),
    ("/rules", "Rules"),
    ("/start", "Begin"),
    ("/me", "My bots"),
)


class Drawing:
    """Draws the pages of a site of a title, which is found at an address."""

    def __init__(self, title: str, address: str) -> None:
        self._address = address
        self._words = page_words(HERE)
        self._words.filters |= {"path": words.path, "in_words": in_words}
        self._words.globals |= {
            "title": title,
            "address": address,
            "static": {name: each.address for name, each in static_files().items()},
            "places": _PLACES,
            "suits": SUITS,
            "suit_names": list(SUITS),
            "version": __version__,
            "bar": bars.bar,
            "scale": bars.scale,
            "growth": bars.growth,
            "read": read_card,
            "count": count,
            "shade": bars.shade,
            "disqualified": disqualified,
            "around": bars.around,
            "so_far": bars.SO_FAR,
            "at_end": bars.AT_END,
            "table_axis": bars.table_axis,
            "at": moment,
        }
        for each in (
            *(words.signed, words.half, words.stakes, words.number, words.ranks, words.iso),
            *(words.percent, words.seconds, words.how_long, words.moment_text, words.bytes_text),
            *(words.names_text, words.deals_text, words.faults_text, words.seat_place),
            *(words.limit_text, words.challenge_text),
        ):
            self._words.globals[each.__name__] = each

    # --- what all may see ---

    def home(self, league: LeagueDocument, standings: Standings, tables: TablesDocument) -> str:
        """The live standings, what is played now, and the last results."""
        playing = [line for line in standings.lines if line.state != "left"]
        return self._draw(
            "home.html",
            league,
            here="/",
            events="/events?of=standings,matches",
            standings=standings,
            tables=tables,
            playing=playing,
            left=[line for line in standings.lines if line.state == "left"],
            known={line.bot: line for line in standings.lines},
        )

    def bot(self, league: LeagueDocument, bot: BotDocument) -> str:
        """A bot: its line, its versions, how it plays, against whom, and where it fails."""
        return self._draw(
            "bot.html",
            league,
            here=f"/bots/{words.path(bot.line.bot)}",
            events="/events?of=standings",
            bot=bot,
            axis=bars.gap_axis(bot.against),
        )

    def matches(
        self,
        league: LeagueDocument,
        matches: MatchesDocument,
        before: int | None = None,
    ) -> str:
        """Matches, the newest first: those `before` a number, or the newest of all."""
        return self._draw(
            "matches.html",
            league,
            here="/matches",
            events="/events?of=matches" if before is None else "",
            matches=matches.rows,
            before=before,
            older=matches.older,
        )

    def match(self, league: LeagueDocument, match: MatchDocument) -> str:
        """A match, deal by deal."""
        return self._draw("match.html", league, match=match, line=match.line)

    def deal(self, league: LeagueDocument, deal: TravellerDocument) -> str:
        """A deal in all its seatings."""
        return self._draw("deal.html", league, deal=deal)

    def epochs(self, league: LeagueDocument, epochs: Epochs, lines: Sequence[Line]) -> str:
        """The epochs with what proves them, and the last lines of the ledger, the newest first."""
        return self._draw(
            "epochs.html",
            league,
            here="/epochs",
            events="/events?of=epochs",
            epochs=epochs,
            lines=lines,
        )

    def rules(self, league: LeagueDocument, rules: RulesDocument) -> str:
        """What is played, and how results are reckoned."""
        return self._draw("rules.html", league, here="/rules", rules=rules)

    def start(self, league: LeagueDocument | None) -> str:
        """How to begin: a first bot, its check, and the way in."""
        return self._draw("start.html", league, here="/start")

    def tv(self, league: LeagueDocument, tv: Television) -> str:
        """Deals that were shown lately, played one after the other."""
        return self._draw("tv.html", league, here="/tv", events="/events?of=matches", tv=tv)

    def play(self, choice: TableChoice, fields: Sequence[str]) -> str:
        """Whom a guest may play, in the fields of a form."""
        return self._draw("play.html", None, here="/play", choice=choice, fields=fields)

    def watch(self, players: Sequence[str]) -> str:
        """A guest's table, for who watches it; `players` are by seat."""
        return self._draw("watch.html", None, players=players)

    # --- who comes in ---

    def invitation(self, name: str, known: bool = False) -> str:
        """What an invitation is for, and the button that takes it."""
        return self._draw("join.html", None, name=name, known=known, token="")

    def welcome(self, name: str, token: str) -> str:
        """The token of somebody who has taken an invitation: it is shown this once."""
        return self._draw("join.html", None, name=name, known=False, token=token)

    def login(self) -> str:
        """The button that begins a session."""
        return self._draw("login.html", None)

    def sign_in(self) -> str:
        """What somebody without a session sees in the place of the own page."""
        return self._draw("sign_in.html", None, here="/me")

    def me(
        self,
        league: LeagueDocument | None,
        name: str,
        bots: Sequence[OwnBot],
        uploads: Sequence[Upload],
        left: QuotaLeft,
        tokens: Sequence[Token],
        challenges: Sequence[HouseRequest] = (),
        new_token: str = "",
        others: Sequence[str] = (),
    ) -> str:
        """An author's own page. The first of the uploads has its steps.

        `new_token` was made just now and is shown this once; `others` may be challenged.
        """
        under_way = [each for each in uploads if each.state in ("queued", "checking")]
        stream = f"/api/v1/uploads/{under_way[0].id}/events" if under_way else "/events?of=queue"
        return self._draw(
            "me.html",
            league,
            here="/me",
            events=stream,
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
        """One upload, step by step."""
        under_way = upload.state in ("queued", "checking")
        return self._draw(
            "upload.html",
            league,
            here="/me",
            events=f"/api/v1/uploads/{upload.id}/events" if under_way else "",
            upload=upload,
            left=left,
        )

    # --- what went otherwise ---

    def waiting(self, what: str) -> str:
        """Something is being made ready; the page asks again by itself."""
        return self._draw("waiting.html", None, what=what)

    def error(self, status: int, what: str, remedy: str = "", wait_s: int | None = None) -> str:
        """What went wrong, what one can do, and whether to wait."""
        return self._draw(
            "error.html", None, status=status, what=what, remedy=remedy, wait_s=wait_s
        )

    def _draw(self, template: str, league: LeagueDocument | None, **values: object) -> str:
        known = {"league": league, "events": "", "here": "", **values}
        return harmless_lines(self._words.get_template(template).render(known))
