"""The pages of a league: each one text, drawn from documents, for a site or for files."""

from collections.abc import Callable, Mapping, Sequence
from math import factorial

import jinja2
from markupsafe import Markup

from arena import __version__
from arena.base.harmless import harmless_lines
from arena.base.words import count, in_words
from arena.league.ledger import Line, moment
from arena.reports.look import SUIT_SHAPES, read_card
from arena.reports.numbers import (
    circles_text,
    contracts,
    in_print,
    misfit_text,
    part_of,
)
from arena.reports.sheet_words import place, remarks_on_deal
from arena.site.documents.bot import BotDocument
from arena.site.documents.league import (
    CrosstableDocument,
    Epochs,
    LeagueDocument,
    RulesDocument,
    Standings,
)
from arena.site.documents.play import (
    MatchDocument,
    MatchesDocument,
    TablesDocument,
    Television,
    TravellerDocument,
)
from arena.site.pages import bars, words
from arena.site.pages.files import HERE
from arena.stats.figures import from_other_side

Place = tuple[str, str]
"""A page by its path, and how it is called."""


class LeagueDrawing:
    """Draws the pages of a league, of a title.

    `places` are pages that every page leads to, `known` what the templates know besides.
    """

    def __init__(self, title: str, places: Sequence[Place], known: Mapping[str, object]) -> None:
        self._words = jinja2.Environment(
            loader=jinja2.FileSystemLoader(HERE),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._words.filters |= {"path": words.path, "in_words": in_words}
        self._words.globals |= {
            "title": title,
            "places": places,
            "suits": SUIT_SHAPES,
            "suit_names": list(SUIT_SHAPES),
            "version": __version__,
            "read": read_card,
            "so_far": bars.SO_FAR,
            "at_end": bars.AT_END,
            "at": moment,
            "to": self.to,
            "link": self.link,
            **known,
        }
        functions: tuple[Callable[..., object], ...] = (
            *(bars.bar, bars.scale, bars.growth, bars.shade, bars.around, bars.table_axis),
            *(words.printed_signed, words.printed_half, words.printed_ranks, words.printed_share),
            *(words.printed_portion, words.printed_faults, words.stakes, words.number, words.iso),
            *(words.percent, words.seconds, words.how_long, words.moment_text, words.bytes_text),
            *(
                words.names_text,
                words.deals_text,
                words.limit_text,
                words.challenge_text,
                words.bdi,
            ),
            *(count, place, remarks_on_deal, circles_text, misfit_text, contracts),
            *(part_of, in_print, factorial),
            *(bars.past_track, bars.line_class),
        )
        self._words.globals |= {each.__name__: each for each in functions}

    def to(self, path: str) -> str | None:
        """The address of a page by its path on a site; None where there is no such page."""
        return path

    def link(self, path: str, text: str, kind: str = "", label: str = "") -> Markup:
        """A link to a page, of a class and with a label; its text where there is no such page."""
        marks = Markup(' class="{}"').format(kind) if kind else ""
        address = self.to(path)
        if address is None:
            return Markup("<span{}>{}</span>").format(marks, text)
        told = Markup(' aria-label="{}"').format(label) if label else ""
        return Markup('<a href="{}"{}{}>{}</a>').format(address, marks, told, text)

    def home(self, league: LeagueDocument, standings: Standings, tables: TablesDocument) -> str:
        """The live standings, what is played now, and the last results."""
        found = self._standings(standings, bars.SO_FAR)
        events = "/events?of=standings,matches"
        return self._draw("home.html", league, here="/", events=events, tables=tables, **found)

    def _standings(self, standings: Standings, by: bars.Measure) -> dict[str, object]:
        """What the tables of standings are drawn from."""
        return {
            "standings": standings,
            "playing": [line for line in standings.lines if line.state != "left"],
            "left": [line for line in standings.lines if line.state == "left"],
            "known": {line.bot: line for line in standings.lines},
            "by": by,
        }

    def crosstable(self, league: LeagueDocument, found: CrosstableDocument) -> str:
        """All bots compared: every two of them, by role and by seat, and in time.

        It is large, and so does not bring news by itself.
        """
        both = (each for pair in found.pairs for each in (pair, from_other_side(pair)))
        return self._draw(
            "crosstable.html",
            league,
            here="/crosstable",
            found=found,
            cells={(pair.bot, pair.other): pair for pair in both},
            tracks=bars.field_tracks(found),
        )

    def bot(
        self,
        league: LeagueDocument,
        bot: BotDocument,
        details: Mapping[tuple[int, int], str] = {},
    ) -> str:
        """A bot: its line, its versions, how it plays, against whom, and where it fails.

        `details` are an organiser's: of its faults, by match and deal.
        """
        return self._draw(
            "bot.html",
            league,
            here=f"/bots/{words.path(bot.line.bot)}",
            events="/events?of=standings",
            bot=bot,
            details=details,
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

    def deal(self, league: LeagueDocument | None, deal: TravellerDocument) -> str:
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

    def tv(self, league: LeagueDocument, tv: Television) -> str:
        """Deals that were shown lately, played one after the other."""
        return self._draw("tv.html", league, here="/tv", events="/events?of=matches", tv=tv)

    def _draw(self, template: str, league: LeagueDocument | None, **values: object) -> str:
        known = {"league": league, "events": "", "here": "", **values}
        return harmless_lines(self._words.get_template(template).render(known))
