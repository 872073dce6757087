"""Draws the pages of a whole record as files: those of a site, for a league of any format."""

import shlex
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

import msgspec

from arena.base.words import deal_number
from arena.league.config import OpenConfig
from arena.league.played import MatchOutline, Traveller
from arena.league.tournament import TournamentState
from arena.match.record import DealFault
from arena.record.store import Store
from arena.record.summary import Report, Summary, summarize_fully
from arena.reports.language import Saying
from arena.reports.page import commands_note
from arena.reports.standings import (
    measure_of,
    progress,
    record_facts,
    remarks_on_seeds,
    remarks_on_sets,
    standings_table,
    unit_of,
)
from arena.site.documents import (
    CROSSTABLE,
    LEAGUE,
    RULES,
    BotDocument,
    BotFault,
    CrosstableDocument,
    Hand,
    LeagueDocument,
    MatchLine,
    Numbers,
    StandingLine,
    Standings,
    TravellerDocument,
    Version,
)
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
from arena.site.publish.bots import (
    LAST,
    best_and_worst,
    bot_figures,
    crosstable_document,
    read_times,
)
from arena.site.publish.table import rules_document
from arena.site.published import Document
from arena.stats.figures import HandGap, HandSpread, Lineup, Standing
from arena.stats.sets import Block

# The number of faults of each kind that a bot's page names.
FIRST_FAULTS: Final = 5


class WholeRecord:
    """A record with what was found in it; matches in `shown` have replays."""

    def __init__(self, store: Store, found: Report, at: float, shown: Collection[int]) -> None:
        self.store, self._found, self._at, self._shown = store, found, at, shown
        self._terms, self._orders = store.terms(), store.fold().orders
        self._blocks = store.blocks()
        self._of_lineup: dict[Lineup, list[Block]] = {}
        for block in self._blocks:
            self._of_lineup.setdefault(block.lineup, []).append(block)
        self._times = read_times(store)
        told: Counter[tuple[str, str]] = Counter()
        self._faults: list[tuple[int, str, DealFault]] = []
        for each in store.each_fault():
            kind = each[1], each[2].fault.kind
            told[kind] += 1
            if told[kind] <= FIRST_FAULTS:
                self._faults.append(each)
        self._tables = {lineup: number for number, lineup in enumerate(self._lineups(), 1)}
        # All matches by number.
        self.matches = tuple(map(self._match_line, store.outlines()))
        self._firsts = {line.match: line for line in self.matches}

    def league(self) -> LeagueDocument:
        """Return what every page may tell."""
        found, config = self._found, self._terms.config
        state: Literal["playing", "sealed"] = "sealed" if found.complete else "playing"
        return LeagueDocument(
            name=found.league,
            practice=found.practice,
            state=state,
            season=self.store.facts().season,
            publish=config.publish if isinstance(config, OpenConfig) else "at_once",
        )

    def numbers(self) -> Numbers:
        """Return what was played."""
        return Numbers(
            at=self._at,
            orders=len(self._orders),
            matches=len(self.matches),
            games=sum(line.deals for line in self.matches),
            decisions=self._found.decisions,
        )

    def standings(self) -> Standings:
        """Return the table with all remarks on it."""
        return Standings(
            at=self._at,
            lines=tuple(map(self._line, self._found.standings)),
            final=self._found.final,
            remarks=tuple(remarks_on_sets(self._found)),
        )

    def crosstable(self) -> CrosstableDocument:
        """Return all bots that have played, compared."""
        order = [line.bot for line in self._found.standings if line.sets]
        return crosstable_document(self._found.analysis, order, self._at, self._times)

    def bot(self, row: Standing) -> BotDocument:
        """Return the page of a bot."""
        bot, line = row.bot, self._line(row)
        content, version = self._terms.bots[bot].digest, self._terms.bots[bot].version
        played = [each for each in self.matches if bot in each.bots]
        blocks = [block for block in self._blocks if bot in block.lineup]
        best, worst = (tuple(map(self._hand, gaps)) for gaps in best_and_worst(blocks, bot))
        order = [other.bot for other in self._found.standings]
        return BotDocument(
            at=self._at,
            line=line,
            version=version,
            content=content,
            versions=(Version(bot=bot, version=version, content=content, joined=None, was=line),),
            times=self._times.get(bot),
            faults=tuple(
                BotFault(
                    match=match,
                    number=fault.deal,
                    order=self._firsts[match].order,
                    deal=self._firsts[match].first + fault.deal,
                    kind=fault.fault.kind,
                    shown=match in self._shown,
                )
                for match, who, fault in self._faults
                if who == bot
            ),
            best=best,
            worst=worst,
            matches=tuple(reversed(played[-LAST:])),
            **bot_figures(self._found.analysis, bot, order),
        )

    def details(self, bot: str) -> dict[tuple[int, int], str]:
        """Return the details of a bot's faults, by match and deal; they are its author's."""
        return {
            (match, fault.deal): fault.fault.detail
            for match, who, fault in self._faults
            if who == bot
        }

    def order_of(self, lineup: Lineup, first: int) -> int:
        """Return the order of a table; if there are no orders, the table's number."""
        order = self._orders.get((lineup, first))
        return self._tables[lineup] if order is None else order.order

    def _lineups(self) -> list[Lineup]:
        stored = (tuple(sorted(set(each.bots))) for each in self.store.outlines())
        return sorted({*self._terms.lineups, *stored})

    def _line(self, row: Standing) -> StandingLine:
        open_state = self._found.open
        benched = {} if open_state is None else open_state.benched
        return StandingLine(
            **msgspec.structs.asdict(row),
            author=self._terms.bots[row.bot].author,
            house=open_state is not None and row.bot in open_state.house,
            state="left" if row.left else "benched" if row.bot in benched else "playing",
            why=benched.get(row.bot, ""),
        )

    def _match_line(self, outline: MatchOutline) -> MatchLine:
        lineup = tuple(sorted(set(outline.bots)))
        block = self._block(lineup, outline.first)
        waits = block is None and self._found.tournament is None
        void = block is not None and block.stakes is None
        return MatchLine(
            **msgspec.structs.asdict(outline),
            order=self.order_of(lineup, outline.first),
            at=None,
            counts="waiting" if waits else "void" if void else "counts",
            shown=outline.match in self._shown,
        )

    def _block(self, lineup: Lineup, deal: int) -> Block | None:
        blocks = self._of_lineup.get(lineup, ())
        return next((each for each in blocks if 0 <= deal - each.first < each.deals), None)

    def _hand(self, gap: HandGap) -> Hand:
        block = self._block(gap.lineup, gap.deal)
        order = self.order_of(gap.lineup, gap.deal if block is None else block.first)
        return Hand(**msgspec.structs.asdict(gap), order=order)


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


# The documents of a whole record, as `Published` gives them.
class _Documents:
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
            ask = PageAsk(source, parts, whole=True)
            yield templates.here, page.draw(ask, templates, numbers=numbers, details=details)

    # Return the words below each page: where deals come from, and what shows more.
    def _foot(self, found: Summary) -> tuple[Saying, ...]:
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


# Return the minutes of the first and the last match, once if they are the same.
def _played(store: Store) -> tuple[float, ...]:
    dates = store.dates() or ()
    return tuple(dict.fromkeys(datetime.fromisoformat(at).timestamp() // 60 * 60 for at in dates))


def _document(whole: WholeRecord, sheet: Traveller) -> TravellerDocument:
    order = whole.order_of(sheet.lineup, sheet.deal - sheet.lines[0].deal)
    found = msgspec.structs.asdict(sheet)
    return TravellerDocument(**found, order=order, first=sheet.deal, deals=1)
