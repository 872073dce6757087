"""The pages that everybody may see: path, published document, and the function that draws it.

A page shows documents and nothing of its reader, so it is made once for all.
"""

import hashlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from arena.base.refusals import Beginning, Missing
from arena.league.ledger import Line
from arena.reports.sheets import crosstable_sheet
from arena.site.config import Site
from arena.site.documents import league as documents
from arena.site.documents import play as documents_play
from arena.site.documents.bot import BotDocument
from arena.site.documents.league import LEAGUE, LEDGER, NOW, LeagueDocument
from arena.site.pages.drawing import ALL_LANGUAGES, PAGE_LANGUAGES, Drawing
from arena.site.pages.files import StaticFile, static_files
from arena.site.pages.sheets import matches_sheet, published_standings_sheet
from arena.site.published import Document, Published
from arena.site.web.answers import FinishedAnswer, finished

ROWS: Final = 50
"""The number of rows of a list on one page."""


class ShownPage(msgspec.Struct, frozen=True):
    """The documents that a page is drawn from: the league, its own, and another one beside it.

    A page with a list has only its rows `before` a number, or the last ones. `parts` are those of
    its path.
    """

    league: LeagueDocument | None
    parts: Mapping[str, str]
    document: Any
    beside: Any
    before: int | None

    @property
    def known(self) -> LeagueDocument:
        """The league. Raises `Beginning` if nothing was published yet."""
        if self.league is None:
            raise Beginning
        return self.league


class Page(msgspec.Struct, frozen=True):
    """A page at a path, and as JSON at `path + ".json"`.

    It is there in its `languages`, the first of them for those who prefer none.
    `key` is that of the document it shows, with parts of the path in it; a page with a `list` shows
    its rows instead, and one with neither never changes and has no JSON. `document` is the struct
    that is published. `beside` is the key of another document and its struct, or a list and the
    struct of its rows; the page shows the last of these. A
    `sheet` makes the table of its document as comma-separated values.
    """

    path: str
    summary: str
    draw: Callable[[Drawing, ShownPage], str]
    key: str = ""
    list: str = ""
    document: Any = None
    beside: tuple[str, Any] | None = None
    languages: Sequence[str] = PAGE_LANGUAGES
    sheet: Callable[[Any], str] | None = None

    @property
    def json_path(self) -> str:
        """The path of its document as JSON."""
        return f"{self._figures}.json"

    @property
    def csv_path(self) -> str:
        """The path of its table as comma-separated values, if it has one."""
        return f"{self._figures}.csv"

    @property
    def _figures(self) -> str:
        return "/standings" if self.path == "/" else self.path


PAGES: Final = (
    Page(
        "/",
        "The live standings.",
        lambda pages, it: pages.home(it.known, it.document, it.beside),
        key=documents.STANDINGS,
        document=documents.Standings,
        beside=(NOW, documents_play.TablesDocument),
        sheet=published_standings_sheet,
    ),
    Page(
        "/crosstable",
        "All bots compared.",
        lambda pages, it: pages.crosstable(it.known, it.document),
        key=documents.CROSSTABLE,
        document=documents.CrosstableDocument,
        sheet=lambda found: crosstable_sheet(found.pairs),
    ),
    Page(
        "/bots/{bot}",
        "A bot.",
        lambda pages, it: pages.bot(it.known, it.document),
        key="bots/{bot}",
        document=BotDocument,
    ),
    Page(
        "/about",
        "What the organiser says.",
        lambda pages, it: pages.about(it.known, it.document),
        key=documents.ABOUT,
        document=documents.AboutDocument,
        beside=(LEAGUE, LeagueDocument),
    ),
    Page(
        "/matches",
        "Matches, the last first.",
        lambda pages, it: pages.matches(it.known, it.document, it.before),
        list=documents.MATCHES,
        document=documents_play.MatchesDocument,
        sheet=lambda found: matches_sheet(found.rows),
    ),
    Page(
        "/matches/{match}",
        "A match.",
        lambda pages, it: pages.match(it.known, it.document),
        key="matches/{match}",
        document=documents_play.MatchDocument,
    ),
    Page(
        "/deals/{order}/{deal}",
        "A deal in all its seatings.",
        lambda pages, it: pages.deal(it.known, it.document),
        key="deals/{order}/{deal}",
        document=documents_play.TravellerDocument,
    ),
    Page(
        "/ledger",
        "The ledger, and the proof of the deals.",
        lambda pages, it: pages.ledger(it.known, it.document, it.beside),
        key=documents.PROOF,
        document=documents.Proof,
        beside=(LEDGER, Line),
    ),
    Page(
        "/rules",
        "The rules that are played.",
        lambda pages, it: pages.rules(it.known, it.document),
        key=documents.RULES,
        document=documents.RulesDocument,
    ),
    Page(
        "/zole",
        "How Zole is played.",
        lambda pages, it: pages.zole(it.known, it.document),
        key=documents.RULES,
        document=documents.RulesDocument,
        languages=ALL_LANGUAGES,
    ),
    Page(
        "/tv",
        "Deals played again at a person's pace.",
        lambda pages, it: pages.tv(it.known, it.document, it.beside),
        key=documents.TELEVISION,
        document=documents_play.Television,
        beside=(NOW, documents_play.TablesDocument),
    ),
    Page("/start", "How to begin.", lambda pages, it: pages.start(it.league)),
    Page(
        "/start/guide",
        "The guide to this arena's protocol.",
        lambda pages, it: pages.guide(it.league, "guide"),
    ),
    Page(
        "/start/deals",
        "How deals come from a seed, and how to check it.",
        lambda pages, it: pages.guide(it.league, "deals"),
    ),
)


class SitePages:
    """Draws the pages in each language, and has the files that they use."""

    def __init__(self, site: Site) -> None:
        self.draw: Mapping[str, Drawing] = {
            tag: Drawing(site.title, site.address, tag) for tag in ALL_LANGUAGES
        }
        found = static_files().values()
        self.files: Mapping[str, StaticFile] = {each.address: each for each in found}
        """The style, the script and the icon by their paths."""
        self._mark = hashlib.sha256(" ".join(sorted(self.files)).encode()).hexdigest()[:8]

    def show(
        self,
        about: Page,
        published: Published,
        parts: Mapping[str, str],
        before: int | None,
        language: str,
        known: FinishedAnswer | None,
    ) -> FinishedAnswer:
        """Return a page, as it is `known` if nothing of it has changed. Raises `Missing`."""
        version = published.version()
        mark, found, beside = self._found(about, published, parts, before)
        if known is not None and known.mark == mark:
            return msgspec.structs.replace(known, version=version)
        league = published.document(LEAGUE)
        shown = ShownPage(
            None if league is None else msgspec.json.decode(league.data, type=LeagueDocument),
            parts,
            msgspec.json.decode(found.data, type=about.document or Any),
            _decoded(about, beside),
            before,
        )
        drawn = about.draw(self.draw[language], shown)
        return finished(version, mark, drawn.encode())

    def league(self, published: Published) -> LeagueDocument | None:
        """Return what every page tells of the league; None if nothing was published."""
        found = published.document(LEAGUE)
        return None if found is None else msgspec.json.decode(found.data, type=LeagueDocument)

    def _found(
        self, about: Page, published: Published, parts: Mapping[str, str], before: int | None
    ) -> tuple[str, Document, list[Document]]:
        """Return a page's mark, its own document and those beside it."""
        found = find(about, published, parts, before)
        beside = self._beside(about, published)
        newest = max((each.version for each in beside), default=0)
        return f"{found.version}-{newest}-{self._league(published)}{self._mark}", found, beside

    def _league(self, published: Published) -> str:
        """Return a hash of what any page may tell of the league: all but its live numbers."""
        if (league := self.league(published)) is None:
            return ""
        still = msgspec.structs.replace(
            league,
            at=0.0,
            lines=0,
            hash="",
            next_at=None,
            orders=0,
            matches=0,
            games=0,
            decisions=0,
        )
        return f"{zlib.crc32(msgspec.json.encode(still)):08x}-"

    def _beside(self, about: Page, published: Published) -> list[Document]:
        """Return the documents or rows beside a page's own document."""
        if about.beside is None:
            return []
        key, _ = about.beside
        found = published.document(key)
        if key != LEDGER:
            return [] if found is None else [found]
        rows = published.before(key, None, ROWS)
        return [Document(number, data) for number, data in rows]


def find(
    about: Page, published: Published, parts: Mapping[str, str], before: int | None
) -> Document:
    """Return a page's own document. Raises `Missing`, and `Beginning` before there is a league."""
    if about.list:
        rows = published.before(about.list, before, ROWS)
        older = b"%d" % rows[-1][0] if len(rows) == ROWS else b"null"
        data = b'{"rows":[%s],"older":%s}' % (b",".join(row for _, row in rows), older)
        return Document(zlib.crc32(data), data)
    if not about.key:
        return Document(0, b"null")
    found = published.document(about.key.format(**parts))
    if found is None:
        if published.document(LEAGUE) is None:
            raise Beginning
        raise Missing("there is nothing here", "not yet, perhaps: the site shows what was played")
    return found


def _decoded(about: Page, beside: list[Document]) -> Any:
    if about.beside is None:
        return None
    key, kind = about.beside
    found = [msgspec.json.decode(each.data, type=kind) for each in beside]
    return found if key == LEDGER else found[0] if found else kind(at=0.0, now=(), last=())
