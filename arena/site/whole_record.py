"""The documents of a whole record, whatever the league's format: a report is drawn from them."""

from collections import Counter
from collections.abc import Collection
from typing import Final, Literal

import msgspec

from arena.league.config import OpenConfig
from arena.league.played import MatchOutline, Traveller
from arena.match.record import DealFault
from arena.record.store import Store
from arena.record.summary import Report
from arena.reports.standings import (
    remarks_on_sets,
)
from arena.site.documents import (
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
from arena.site.publish.bots import (
    LAST,
    best_and_worst,
    bot_figures,
    crosstable_document,
    read_times,
)
from arena.site.publish.table import rules_document
from arena.site.published import Document
from arena.stats.figures import HandGap, Lineup, Standing
from arena.stats.sets import Block

# The number of faults of each kind that a bot's page names.
FIRST_FAULTS: Final = 5


class WholeRecord:
    """A record with what was found in it, which gives documents as `Published` does.

    Matches in `shown` have replays; `sheets` are the deals with a page of their own.
    """

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
        self.sheets: list[TravellerDocument] = []

    def document(self, key: str) -> Document | None:
        """Return the document under a key, or None."""
        kind, _, name = key.partition("/")
        made: object
        match kind:
            case "league":
                made = self.league()
            case "crosstable":
                made = self.crosstable()
            case "rules":
                made = rules_document(self._terms.config)
            case "bots":
                made = self.bot(next(row for row in self._found.standings if row.bot == name))
            case "deals":
                made = next(it for it in self.sheets if f"{it.order}/{it.deal}" == name)
            case _:
                return None
        return Document(0, msgspec.json.encode(made))

    def before(self, name: str, before: int | None, most: int) -> list[tuple[int, bytes]]:
        """Return all matches, which are on one page."""
        return [(line.match, msgspec.json.encode(line)) for line in self.matches]

    def add_sheet(self, sheet: Traveller) -> str:
        """Add a deal with a page of its own; return the path of that."""
        order = self.order_of(sheet.lineup, sheet.deal - sheet.lines[0].deal)
        found = msgspec.structs.asdict(sheet)
        self.sheets.append(TravellerDocument(**found, order=order, first=sheet.deal, deals=1))
        return f"/deals/{order}/{sheet.deal}"

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
