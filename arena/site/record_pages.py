"""Draws the pages of a whole record as files: those of a site, for a league of any format."""

import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec

from arena.base.words import deal_number
from arena.league.played import Traveller
from arena.record.store import Store
from arena.record.summary import Summary, summarize_fully
from arena.reports.language import Saying
from arena.reports.page import commands_note
from arena.reports.record import record_facts
from arena.reports.standings import progress, remarks_on_seeds, unit_of
from arena.site.documents.play import MatchesDocument, TravellerDocument
from arena.site.pages.bars import AT_END, SO_FAR, STAKES
from arena.site.pages.folder import FolderDrawing, Introduction
from arena.site.pages.words import path as bot_path
from arena.site.publish.rules import rules_document
from arena.site.publish.whole import WholeRecord
from arena.stats.figures import HandSpread

_PLACES: Final = (
    ("/", "page-standings"),
    ("/crosstable", "page-crosstable"),
    ("/matches", "page-matches"),
    ("/rules", "page-rules"),
)


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
        places = [it for it in _PLACES if it[0] not in apart]
        for path in (*(path for path, _ in places[1:]), "/zole"):
            self._add(path, f"{path[1:]}.html")
        for number, bot in enumerate(sorted(row.bot for row in found.standings), 1):
            self._add(f"/bots/{bot_path(bot)}", f"bot-{number}.html")
        sheets = [_document(whole, sheet) for _, sheet in deals]
        paths = [f"/deals/{sheet.order}/{sheet.deal}" for sheet in sheets]
        for path, sheet in zip(paths, sheets, strict=True):
            line = sheet.lines[0]
            self._add(path, f"deal-{line.match}-{deal_number(line.deal)}.html")
        pages = FolderDrawing(
            found.league, self._files, self._page, self._language, places, self._foot(found)
        )
        league = whole.league()
        by = SO_FAR if found.open else STAKES if found.equal_schedule or apart else AT_END
        about = Introduction(
            progress(found),
            tuple(record_facts(store, found)),
            _played(store),
            unit_of(found),
            {match: words for match, words in why.items() if match in self._shown},
            [(path, line) for path, (line, _) in zip(paths, deals, strict=True)],
            found.tournament,
        )
        yield self._page, pages.record(league, whole.standings(), by, about)
        if not apart:
            yield pages.at("/crosstable"), pages.crosstable(league, whole.crosstable())
        matches = MatchesDocument(rows=whole.matches)
        yield pages.at("/matches"), pages.matches(league, matches)
        rules = rules_document(store.terms().config)
        yield pages.at("/rules"), pages.rules(league, rules)
        yield pages.at("/zole"), pages.zole(league, rules)
        for row in found.standings:
            details = whole.details(row.bot) if private else {}
            file = pages.at(f"/bots/{bot_path(row.bot)}")
            yield file, pages.bot(league, whole.bot(row), details)
        for path, sheet in zip(paths, sheets, strict=True):
            yield pages.at(path), pages.deal(league, sheet)

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
