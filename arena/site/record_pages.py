"""Draws the pages of a whole record as files: those of a site, for a league of any format."""

import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec

from arena.base.words import deal_number
from arena.league.played import Traveller
from arena.league.tournament import TournamentState
from arena.record.store import Store
from arena.record.summary import Report, Summary, summarize_fully
from arena.reports.language import Saying
from arena.reports.page import commands_note
from arena.reports.standings import (
    measure_of,
    progress,
    record_facts,
    remarks_on_seeds,
    standings_table,
    unit_of,
)
from arena.site.documents import CROSSTABLE, LEAGUE, RULES, TravellerDocument
from arena.site.pages.public import (
    PageAsk,
    PublicPage,
    bot_page,
    crosstable_page,
    deal_page,
    matches_page,
    rules_played_page,
    standings_values,
    zole_page,
)
from arena.site.pages.templates import FolderTemplates
from arena.site.pages.words import path as bot_path
from arena.site.publish.table import rules_document
from arena.site.publish.whole import WholeRecord
from arena.site.published import Document
from arena.stats.figures import HandSpread

_MENU: Final = (
    ("/", "page-standings"),
    ("/crosstable", "page-crosstable"),
    ("/matches", "page-matches"),
    ("/rules", "page-rules"),
)


class Introduction(msgspec.Struct, frozen=True):
    """An introduction to a record: its progress, facts with their names, and what a set is.

    It was `played` from one moment to another, or at one, in seconds since 1970. `why` tells by
    match why to look at it; `deals` are those that bots played most differently, with the paths of
    their pages. A tournament has its ranking.
    """

    state: Saying
    facts: tuple[tuple[Saying, Saying], ...]
    played: tuple[float, ...]
    unit: Saying
    why: Mapping[int, tuple[Saying, ...]]
    deals: Sequence[tuple[str, HandSpread]]
    tournament: TournamentState | None


class _Documents:
    """The documents of a whole record, as `Published` gives them."""

    def __init__(
        self, whole: WholeRecord, found: Report, sheets: Sequence[TravellerDocument]
    ) -> None:
        made: dict[str, object] = {
            LEAGUE: whole.league(),
            CROSSTABLE: whole.crosstable(),
            RULES: rules_document(whole.store.terms().config),
        }
        made |= {f"bots/{row.bot}": whole.bot(row) for row in found.standings}
        made |= {f"deals/{sheet.order}/{sheet.deal}": sheet for sheet in sheets}
        self._made = made
        self._matches = whole.matches

    def document(self, key: str) -> Document | None:
        """Return the document under a key, or None."""
        return Document(0, msgspec.json.encode(self._made[key])) if key in self._made else None

    def before(self, name: str, before: int | None, most: int) -> list[tuple[int, bytes]]:
        """Return the matches, which are all on one page."""
        return [(line.match, msgspec.json.encode(line)) for line in self._matches]


class RecordPages:
    """The files of a record's pages: the standings are in `page`, the others in a `folder`.

    Commands name the `league` by its file; pages are in a `language`, which is given by its tag.
    Those `of_site` lead back to the site, and have no commands, for which one needs the record.
    """

    def __init__(
        self,
        store: Store,
        league: str,
        page: str,
        folder: str,
        language: str,
        of_site: bool = False,
    ) -> None:
        self._of_site = of_site
        self._store, self._league, self._page, self._folder = store, league, page, folder
        self._language = language
        self._files = {"/": page}
        self._shown: set[int] = set()

    def add_replay(self, match: int, faults: bool) -> tuple[str, str | None]:
        """Let pages link to a match's replay and its faults; return the names of those files."""
        replay = self._add(f"/matches/{match}/replay", f"{match}.html")
        self._shown.add(match)
        return replay, self._add(f"/matches/{match}/faults", f"{match}.txt") if faults else None

    def draw(
        self,
        why: Mapping[int, tuple[Saying, ...]],
        deals: Sequence[tuple[HandSpread, Traveller]],
        private: bool,
    ) -> Iterator[tuple[str, str]]:
        """Yield the files and texts of all pages, that of the standings first.

        `why` tells by match why to look at it; `deals` are those with a page of their own.
        `private` pages tell the details of faults.
        """
        store, found = self._store, summarize_fully(self._store)
        whole = WholeRecord(store, found, time.time(), self._shown)
        apart = ("/crosstable",) if found.tournament is not None else ()
        menu = [it for it in _MENU if it[0] not in apart]
        asked: list[tuple[PublicPage, dict[str, str]]] = [
            (page, {})
            for page in (crosstable_page, matches_page, rules_played_page)
            if page.path not in apart
        ]
        asked.append((zole_page, {}))
        for page, _ in asked:
            self._add(page.path, f"{page.path[1:]}.html")
        for number, name in enumerate(sorted(row.bot for row in found.standings), 1):
            self._add(f"/bots/{bot_path(name)}", f"bot-{number}.html")
            asked.append((bot_page, {"bot": name}))
        sheets = [_document(whole, sheet) for _, sheet in deals]
        paths = [f"/deals/{sheet.order}/{sheet.deal}" for sheet in sheets]
        for path, sheet in zip(paths, sheets, strict=True):
            line = sheet.lines[0]
            self._add(path, f"deal-{line.match}-{deal_number(line.deal)}.html")
            asked.append((deal_page, {"order": str(sheet.order), "deal": str(sheet.deal)}))
        templates = FolderTemplates(
            found.league, self._files, self._page, self._language, menu, self._foot(found)
        )
        source = _Documents(whole, found, sheets)
        numbers = whole.numbers()
        about = Introduction(
            progress(found),
            tuple(record_facts(store, found)),
            _played(store),
            unit_of(found),
            {match: words for match, words in why.items() if match in self._shown},
            [(path, line) for path, (line, _) in zip(paths, deals, strict=True)],
            found.tournament,
        )
        yield (
            self._page,
            templates.draw(
                "record.html",
                here="/",
                league=whole.league(),
                numbers=numbers,
                about=about,
                ranking=standings_table(found).rows,
                **standings_values(whole.standings(), measure_of(found)),
            ),
        )
        for page, parts in asked:
            details = whole.details(parts["bot"]) if private and page is bot_page else {}
            quoted = {name: bot_path(part) for name, part in parts.items()}
            templates.here = self._files[page.path.format(**quoted)]
            ask = PageAsk(source, parts, most=len(whole.matches) + 1)
            yield templates.here, page.draw(ask, templates, numbers=numbers, details=details)

    def _foot(self, found: Summary) -> tuple[Saying, ...]:
        """Return the words below each page: where deals come from, and what shows more."""
        if self._of_site:
            return (*remarks_on_seeds(found), Saying("part-of-site"))
        named = shlex.quote(self._league)
        values = {
            "record": self._store.path.name,
            "verify": f"arena verify {named}",
            "faults": f"arena faults {named}",
            "replay": f"arena replay {named} 1",
        }
        note = commands_note(self._league)
        return (*remarks_on_seeds(found), Saying("made-from", {**values}), note)

    def _add(self, path: str, name: str) -> str:
        self._files[path] = f"{self._folder}/{name}"
        return name


def _played(store: Store) -> tuple[float, ...]:
    """Return the minutes of the first and the last match, once if they are the same."""
    dates = store.dates() or ()
    return tuple(dict.fromkeys(datetime.fromisoformat(at).timestamp() // 60 * 60 for at in dates))


def _document(whole: WholeRecord, sheet: Traveller) -> TravellerDocument:
    order = whole.order_of(sheet.lineup, sheet.deal - sheet.lines[0].deal)
    found = msgspec.structs.asdict(sheet)
    return TravellerDocument(**found, order=order, first=sheet.deal, deals=1)
