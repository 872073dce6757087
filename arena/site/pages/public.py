"""The pages that everybody may see. Each is a handler with its path, its template and its document.

A page shows documents and nothing of its reader, so it is drawn once for all. A site takes them
from what is published, a report from a record.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

import msgspec

from arena.base.refusals import Beginning, Missing
from arena.league.ledger import Line
from arena.reports.tables import (
    PAIR_COLUMNS,
    SO_FAR,
    Column,
    Measure,
    Table,
    standing_columns,
)
from arena.site import documents
from arena.site.documents import (
    LEAGUE,
    NOW,
    NUMBERS,
    BotDocument,
    CrosstableDocument,
    LeagueDocument,
    MatchDocument,
    MatchesDocument,
    Numbers,
    Standings,
    TablesDocument,
    Television,
    TravellerDocument,
)
from arena.site.pages import words
from arena.site.pages.markdown import guide
from arena.site.pages.templates import ALL_LANGUAGES, PAGE_LANGUAGES, Templates
from arena.stats.figures import from_other_side


def published_standings(standings: Standings) -> Table:
    """Return the bots' lines with their authors, and their ranks in the final if there is one."""
    final = {} if standings.final is None else {it.bot: it.rank for it in standings.final.standings}
    columns: tuple[Column[Any], ...] = (
        *standing_columns(SO_FAR),
        Column("author"),
        Column("team"),
        Column("state"),
        Column("final_rank", value=lambda it: final.get(it.bot)),
    )
    return Table(columns, standings.lines)


def pairs_table(found: CrosstableDocument) -> Table:
    """Return every two bots, from both sides."""
    both = (each for pair in found.pairs for each in (pair, from_other_side(pair)))
    return Table(PAIR_COLUMNS, [*both])


def matches_table(found: MatchesDocument) -> Table:
    """Return matches, each with the stakes of its bots by seat."""
    seats = max((len(line.bots) for line in found.rows), default=0)
    columns: tuple[Column[Any], ...] = (
        Column("match"),
        Column("order"),
        Column("at"),
        Column("first"),
        Column("deals"),
        *map(_seat, range(seats)),
        Column("faults"),
        Column("counts"),
    )
    return Table(columns, found.rows)


def _seat(number: int) -> Column[Any]:
    def made(line: Any) -> tuple[str, int] | None:
        return (line.bots[number], line.stakes[number]) if number < len(line.bots) else None

    return Column(f"seat_{number}", value=made, parts=("", "stakes"))


_T = TypeVar("_T")
TemplateValues = dict[str, object]

# The seconds after which a page that may have changed is asked for again.
EVERY_S: Final = 8

# The number of rows of a list on a page; the first has up to twice as many.
ROWS: Final = 50


def list_before(newest: int, before: int) -> int | None:
    """Return the number before which that page of a list ends which has the rows before one.

    Pages end at fixed numbers, so that there are only as many as there is to show; beyond the
    `newest` row that is the first page, None.
    """
    end = 1 + ROWS * math.ceil((before - 1) / ROWS)
    return end if end <= newest else None


# The remarks on a figure that only the pages of bots have.
_OF_ELO: Final = ("elo-bounds",)


class Source(Protocol):
    """Where documents come from: what is published, or a record."""

    def document(self, key: str) -> bytes | None:
        """Return the document under a key, or None."""

    def before(self, name: str, before: int | None, most: int) -> list[tuple[int, bytes]]:
        """Return the last rows of a list, or those before a number, the last first."""


class PageAsk:
    """A request for a page: the parts of its path, and for a list the rows before one.

    A report shows `whole` lists.
    """

    def __init__(
        self,
        source: Source,
        parts: Mapping[str, str] = {},
        before: int | None = None,
        whole: bool = False,
    ) -> None:
        self.parts: Mapping[str, str] = parts
        self.before = before
        self.whole = whole
        self._source = source

    def data(self, key: str) -> bytes | None:
        """Return a document as JSON, or None."""
        return self._source.document(key)

    def document(self, key: str, kind: type[_T]) -> _T | None:
        """Return a document, or None."""
        data = self.data(key)
        return None if data is None else msgspec.json.decode(data, type=kind)

    def rows(self, name: str, before: int | None = None) -> list[tuple[int, bytes]]:
        """Return the last rows of a list with their numbers, or those before one."""
        return self._source.before(name, before, ROWS if before else 2 * ROWS)

    @property
    def league(self) -> LeagueDocument:
        """What every page shows of the league. Raises `Beginning` before there is one."""
        found = self.document(LEAGUE, LeagueDocument)
        if found is None:
            raise Beginning
        return found


_LISTS: Final = (documents.MATCHES, documents.LEDGER)


class PublicPage(msgspec.Struct, frozen=True):
    """A page at a path; its subject is also there as JSON, and its table as CSV.

    That is the document under `key`, which has the parts of the path in it, the rows of a list, or
    nothing for a page without a subject: it is of the kind `document`. `sheet` makes the table.
    `values` gives the other values of the template. The page is there in its `languages`, the
    first of them for those who prefer none.
    """

    path: str
    template: str
    summary: str
    values: Callable[[PageAsk, Any], TemplateValues]
    key: str
    document: Any
    sheet: Callable[[Any], Table] | None
    languages: Sequence[str]

    @property
    def is_list(self) -> bool:
        """Whether it shows rows of a list."""
        return self.key in _LISTS

    def data(self, ask: PageAsk) -> bytes:
        """Return its subject as JSON. Raises `Missing`, and `Beginning` before a league."""
        if self.is_list:
            rows = ask.rows(self.key, ask.before)
            if rows and not (ask.before or ask.whole):  # the first page ends where another begins
                last = ROWS * ((rows[0][0] - 1) // ROWS - 1)
                rows = [row for row in rows if row[0] > last]
            more = bool(rows) and rows[-1][0] > 1 and not ask.whole
            older = b"%d" % rows[-1][0] if more else b"null"
            return b'{"rows":[%s],"older":%s}' % (b",".join(row for _, row in rows), older)
        found = ask.data(self.key.format(**ask.parts))
        if found is None:
            assert ask.league
            what = "not yet, perhaps: the site shows what was played"
            raise Missing("there is nothing here", what)
        return found

    def table(self, ask: PageAsk) -> bytes:
        """Return its table as comma-separated values. Raises as `data`."""
        assert self.sheet is not None
        return self.sheet(self.subject(ask)).csv().encode()

    def subject(self, ask: PageAsk) -> Any:
        """Return its subject. Raises as `data`."""
        return msgspec.json.decode(self.data(ask), type=self.document)

    def draw(self, ask: PageAsk, templates: Templates, **more: object) -> str:
        """Return it as HTML. Raises as `data`."""
        found = None
        values: TemplateValues = {"here": self.path.format(**ask.parts)}
        if self.key:
            found = self.subject(ask)
            values["league"] = ask.league
        else:
            values["league"] = ask.document(LEAGUE, LeagueDocument)
        values |= self.values(ask, found)
        return templates.draw(self.template, **values | more)


PAGES: Final[list[PublicPage]] = []


def public_page(
    path: str,
    template: str,
    summary: str,
    key: str = "",
    document: Any = None,
    sheet: Callable[[Any], Table] | None = None,
    languages: Sequence[str] = PAGE_LANGUAGES,
) -> Callable[[Callable[[PageAsk, Any], TemplateValues]], PublicPage]:
    """Make a page of a function that returns the values of its template."""

    def make(values: Callable[[PageAsk, Any], TemplateValues]) -> PublicPage:
        made = PublicPage(path, template, summary, values, key, document, sheet, languages)
        PAGES.append(made)
        return made

    return make


@public_page(
    "/standings",
    "standings.html",
    "The live standings.",
    documents.STANDINGS,
    documents.Standings,
    published_standings,
)
def standings_page(ask: PageAsk, found: documents.Standings) -> TemplateValues:
    """Show the standings."""
    return {"every": EVERY_S, "numbers": ask.document(NUMBERS, Numbers), **standings_values(found)}


# What the first page has of each list, from its beginning.
_FRONT: Final = {"shown_deals": 6, "shown_bots": 8, "shown_results": 6}


@public_page("/", "home.html", "A deal of late, and what is played.")
def home_page(ask: PageAsk, found: None) -> TemplateValues:
    """Show the best deal of late, ways to begin, the best bots, and the last results."""
    assert ask.league
    standings = standings_page.subject(ask)
    tv = ask.document(documents.TELEVISION, Television) or Television(deals=())
    return standings_page.values(ask, standings) | {"tables": _tables(ask), "tv": tv} | _FRONT


def standings_values(found: documents.Standings, by: Measure = SO_FAR) -> TemplateValues:
    """Return the values that tables of standings are drawn from."""
    return {
        "standings": found,
        "playing": [line for line in found.lines if line.state != "left"],
        "left": [line for line in found.lines if line.state == "left"],
        "known": {line.bot: line for line in found.lines},
        "by": by,
        "remarks": [it for it in found.remarks if it.message not in _OF_ELO],
    }


def _tables(ask: PageAsk) -> TablesDocument:
    return ask.document(NOW, TablesDocument) or TablesDocument(at=0.0, now=(), last=())


@public_page(
    "/crosstable",
    "crosstable.html",
    "All bots compared.",
    documents.CROSSTABLE,
    documents.CrosstableDocument,
    pairs_table,
)
def crosstable_page(ask: PageAsk, found: documents.CrosstableDocument) -> TemplateValues:
    """Compare all bots in pairs, by role and by seat: a large page, so not asked for again."""
    both = (each for pair in found.pairs for each in (pair, from_other_side(pair)))
    return {"found": found, "cells": {(pair.bot, pair.other): pair for pair in both}}


@public_page("/bots/{bot}", "bot.html", "A bot.", "bots/{bot}", BotDocument)
def bot_page(ask: PageAsk, found: BotDocument) -> TemplateValues:
    """Show a bot: line, versions, how and against whom it plays, and where it fails."""
    axis = words.gap_axis(found.against)
    return {"every": EVERY_S, "bot": found, "axis": axis}


@public_page(
    "/about", "about.html", "What the organiser says.", documents.ABOUT, documents.AboutDocument
)
def about_page(ask: PageAsk, found: documents.AboutDocument) -> TemplateValues:
    """Show the organiser's own page, what happens when, announcements, and other leagues."""
    return {"every": EVERY_S, "about": found}


@public_page(
    "/matches",
    "matches.html",
    "Matches, the last first.",
    documents.MATCHES,
    MatchesDocument,
    matches_table,
)
def matches_page(ask: PageAsk, found: MatchesDocument) -> TemplateValues:
    """Show a list of matches, the newest first."""
    every = EVERY_S if ask.before is None else 0
    return {"every": every, "matches": found.rows, "before": ask.before, "older": found.older}


@public_page("/matches/{match}", "match.html", "A match.", "matches/{match}", MatchDocument)
def match_page(ask: PageAsk, found: MatchDocument) -> TemplateValues:
    """Show a match, deal by deal."""
    return {"match": found, "line": found.line}


@public_page(
    "/deals/{order}/{deal}",
    "deal.html",
    "A deal in all its seatings.",
    "deals/{order}/{deal}",
    TravellerDocument,
)
def deal_page(ask: PageAsk, found: TravellerDocument) -> TemplateValues:
    """Show a deal in all its seatings."""
    return {"deal": found}


@public_page(
    "/ledger",
    "ledger.html",
    "The ledger, and the proof of the deals.",
    documents.PROOF,
    documents.Proof,
)
def ledger_page(ask: PageAsk, found: documents.Proof) -> TemplateValues:
    """Show the season's proof and the last lines of the ledger, the newest first."""
    lines = [msgspec.json.decode(data, type=Line) for _, data in ask.rows(documents.LEDGER)]
    return {"every": EVERY_S, "proof": found, "lines": lines}


@public_page(
    "/rules", "rules.html", "The rules that are played.", documents.RULES, documents.RulesDocument
)
def rules_played_page(ask: PageAsk, found: documents.RulesDocument) -> TemplateValues:
    """Show the rules, and how results are computed."""
    return {"rules": found}


@public_page(
    "/zole",
    "zole.html",
    "How Zole is played.",
    documents.RULES,
    documents.RulesDocument,
    languages=ALL_LANGUAGES,
)
def zole_page(ask: PageAsk, found: documents.RulesDocument) -> TemplateValues:
    """Explain how Zole is played, by the rules of the league."""
    return zole_values(found)


def zole_values(found: documents.RulesDocument) -> TemplateValues:
    """Return the values that `zole.html` is drawn from."""
    return {"rules": found, "rule": {each.key: each.value for each in found.rules}}


@public_page(
    "/tv",
    "tv.html",
    "Deals played again at a person's pace.",
    documents.TELEVISION,
    Television,
)
def tv_page(ask: PageAsk, found: Television) -> TemplateValues:
    """Show deals that were played lately one after another."""
    return {"every": EVERY_S, "tv": found, "tables": _tables(ask)}


@public_page("/start", "start.html", "How to begin.")
def start_page(ask: PageAsk, found: None) -> TemplateValues:
    """Explain how to begin: a first bot, its check, and how to submit it."""
    return {}


@public_page("/start/guide", "guide.html", "The guide to this arena's protocol.")
def protocol_page(ask: PageAsk, found: None) -> TemplateValues:
    """Show the guide to the protocol."""
    return {"text": guide("README")}


@public_page("/start/deals", "guide.html", "How deals come from a seed, and how to check it.")
def from_seed_page(ask: PageAsk, found: None) -> TemplateValues:
    """Show how deals come from a seed."""
    return {"text": guide("deals")}
