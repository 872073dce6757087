"""Draws the pages of a league from documents, each as one text, for a site or for files."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import factorial
from typing import Final

import jinja2
from markupsafe import Markup

from arena import __version__
from arena.base.harmless import harmless_lines
from arena.base.words import deal_number
from arena.league.ledger import Line, moment
from arena.reports.language import SUITS, Language
from arena.reports.look import drawn_deck, read_card
from arena.reports.numbers import (
    chance,
    company_text,
    contracts,
    gap,
    in_print,
    part_of,
)
from arena.reports.rule_words import about_rule
from arena.reports.sheet_words import place, remarks_on_deal
from arena.site.documents.bot import BotDocument
from arena.site.documents.league import (
    CrosstableDocument,
    LeagueDocument,
    Proof,
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

_OF_ELO: Final = ("elo-bounds", "elo-disagrees")
"""The remarks on a figure that only the pages of bots have."""

EVERY_S: Final = 5
"""The seconds after which a page that may have changed is asked for again."""

Place = tuple[str, str]
"""The path of a page, and the message that is its name."""


class LeagueDrawing:
    """Draws the pages of a league in a language, under a title.

    Every page links to those of `places`, by messages; `known` are further values for the
    templates.
    """

    def __init__(
        self, title: str, places: Sequence[Place], language: str, known: Mapping[str, object]
    ) -> None:
        self._words = jinja2.Environment(
            loader=jinja2.FileSystemLoader(HERE),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        say = words.PageWords(Language(language))
        self._words.filters["path"] = words.path
        self._words.globals |= {
            "title": title,
            "places": places,
            "language": language,
            "suits": tuple(SUITS.values()),
            "drawn_deck": lambda whole: Markup(drawn_deck(whole)),
            "version": __version__,
            "read": partial(read_card, say.language),
            "so_far": bars.SO_FAR,
            "at_end": bars.AT_END,
            "at": moment,
            "to": self.to,
            "link": self.link,
            "scale": partial(bars.scale, say),
            **known,
        }
        functions: tuple[Callable[..., object], ...] = (
            *(say.say, say.said, say.figure, say.printed_signed, say.printed_half),
            *(say.printed_share, say.printed_faults, say.stakes, say.number, say.seconds),
            *(
                say.how_long,
                say.moment_text,
                say.date_text,
                say.bytes_text,
                say.names_text,
                say.deals_text,
            ),
            *(say.deal_name, say.limit_text, say.challenge_text, say.script_words),
            *(words.printed_ranks, words.printed_portion, words.percent, words.iso),
            *(words.replay_path, words.bdi, words.in_code, words.english, words.short_hash),
            *(bars.bar, bars.shade, bars.around, bars.table_axis),
            *(deal_number, place, remarks_on_deal),
            *(company_text, about_rule),
            *(part_of, in_print, factorial, contracts, gap, chance),
        )
        self._words.globals |= {each.__name__: each for each in functions}

    def to(self, path: str) -> str | None:
        """Return the address of a page by its path on a site; None if there is no such page."""
        return path

    def link(self, path: str, text: str, kind: str = "", label: str = "") -> Markup:
        """Return a link with a class and a label, or its text if there is no such page."""
        marks = Markup(' class="{}"').format(kind) if kind else ""
        address = self.to(path)
        if address is None:
            return Markup("<span{}>{}</span>").format(marks, text)
        told = Markup(' aria-label="{}"').format(label) if label else ""
        return Markup('<a href="{}"{}{}>{}</a>').format(address, marks, told, text)

    def home(self, league: LeagueDocument, standings: Standings, tables: TablesDocument) -> str:
        """Return the live standings, the tables that are played now, and the last results."""
        found = self._standings(standings, bars.SO_FAR)
        return self._draw("home.html", league, here="/", every=EVERY_S, tables=tables, **found)

    def _standings(self, standings: Standings, by: bars.Measure) -> dict[str, object]:
        """Return the values that tables of standings are drawn from."""
        return {
            "standings": standings,
            "playing": [line for line in standings.lines if line.state != "left"],
            "left": [line for line in standings.lines if line.state == "left"],
            "known": {line.bot: line for line in standings.lines},
            "by": by,
            "remarks": [it for it in standings.remarks if it.message not in _OF_ELO],
        }

    def crosstable(self, league: LeagueDocument, found: CrosstableDocument) -> str:
        """Return the page that compares all bots: in pairs, by role and by seat.

        It is large, so it is not reloaded at every piece of news.
        """
        both = (each for pair in found.pairs for each in (pair, from_other_side(pair)))
        return self._draw(
            "crosstable.html",
            league,
            here="/crosstable",
            found=found,
            cells={(pair.bot, pair.other): pair for pair in both},
        )

    def bot(
        self,
        league: LeagueDocument,
        bot: BotDocument,
        details: Mapping[tuple[int, int], str] = {},
    ) -> str:
        """Return a bot's page: line, versions, how and against whom it plays, and where it fails.

        `details` are for an organiser: those of its faults, by match and deal.
        """
        here = f"/bots/{words.path(bot.line.bot)}"
        return self._draw(
            "bot.html",
            league,
            here=here,
            every=EVERY_S,
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
        """Return a page of matches, the newest first: those `before` a number, or the newest."""
        return self._draw(
            "matches.html",
            league,
            here="/matches",
            every=EVERY_S if before is None else 0,
            matches=matches.rows,
            before=before,
            older=matches.older,
        )

    def match(self, league: LeagueDocument, match: MatchDocument) -> str:
        """Return the page of a match, deal by deal."""
        return self._draw("match.html", league, match=match, line=match.line)

    def deal(self, league: LeagueDocument | None, deal: TravellerDocument) -> str:
        """Return the page of a deal in all its seatings."""
        return self._draw("deal.html", league, deal=deal)

    def ledger(self, league: LeagueDocument, proof: Proof, lines: Sequence[Line]) -> str:
        """Return the page of the ledger: the season's proof and the last lines, newest first."""
        return self._draw(
            "ledger.html",
            league,
            here="/ledger",
            every=EVERY_S,
            proof=proof,
            lines=lines,
        )

    def rules(self, league: LeagueDocument, rules: RulesDocument) -> str:
        """Return the page of the rules, and of how results are computed."""
        return self._draw("rules.html", league, here="/rules", rules=rules)

    def zole(self, league: LeagueDocument | None, rules: RulesDocument) -> str:
        """Return the page that tells how Zole is played, by the rules of the league."""
        values = {each.key: each.value for each in rules.rules}
        return self._draw("zole.html", league, here="/zole", rules=rules, rule=values)

    def tv(self, league: LeagueDocument, tv: Television, tables: TablesDocument) -> str:
        """Return the page on which deals that were shown lately are played one after another."""
        values = {"tv": tv, "tables": tables}
        return self._draw("tv.html", league, here="/tv", every=EVERY_S, **values)

    def _draw(self, template: str, league: LeagueDocument | None, **values: object) -> str:
        """Return a page. It is asked for again each `every` seconds, never for 0.

        `again` is where a form's answer is asked for anew, "" for its own address.
        """
        known = {"league": league, "every": 0, "here": "", "again": "", **values}
        return harmless_lines(self._words.get_template(template).render(known))
