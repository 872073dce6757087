"""Writes the pages of a whole record as files, with replays of matches that are worth a look."""

import hashlib
import shlex
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

import msgspec
from rich.text import Text

from arena.base.files import write_whole, writing
from arena.base.harmless import harmless
from arena.base.refusals import Missing, Refusal
from arena.base.words import deal_number
from arena.league.played import Traveller
from arena.league.tournament import TournamentState
from arena.match.projection import public
from arena.record.deals import Seating, list_deals, seating_with_cards, traveller
from arena.record.faults import bundles
from arena.record.matches import ReplayedMatch, find_match, seen, stored_matches
from arena.record.publishing import everything, may_show
from arena.record.store import Store
from arena.record.summary import Report, Summary, summarize_fully
from arena.reports.faults import bundle_lines
from arena.reports.language import ENGLISH, Language, Saying, languages_with
from arena.reports.page import Link, commands_note, relative_address, replay_page
from arena.reports.sentences import highlights
from arena.reports.standings import (
    measure_of,
    progress,
    record_facts,
    remarks_on_seeds,
    remarks_on_sets,
    standings_table,
    unit_of,
)
from arena.site.config import Site, make_folders
from arena.site.documents import (
    LEAGUE,
    LEAGUE_NAME,
    NUMBERS,
    STANDINGS,
    MatchLine,
    ShownLeague,
    Standings,
    TravellerDocument,
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
from arena.site.publish.league import compared_documents, live_documents
from arena.site.publish.state import RecordState
from arena.site.registry.file import ORGANISER, Registry, note
from arena.stats.figures import HandSpread

# The matches that have replay pages: none, a few that are worth a look, those with faults, all.
Replays = Literal["none", "few", "faults", "all"]

# The number of deals with a page of their own: those that bots played most differently.
_DEALS: Final = 3

# The file in a folder of pages with the names and hashes of those that a report wrote.
_LIST: Final = "written.json"

# The size of the replay pages of a few matches beyond which no further one is written.
_MOST_BYTES: Final = 8_000_000


class Written(msgspec.Struct, frozen=True):
    """What a report has written: its folder, the bytes, the pages, and which of them are special.

    `removed` are pages of an earlier report.
    """

    folder: Path
    size: int
    pages: int
    replays: int
    deals: int
    removed: int


def write_report(
    store: Store,
    league: Path,
    out: Path,
    replays: Replays,
    language: str,
    private: bool = False,
    of_site: bool = False,
) -> Written:
    """Write the standings to a file, and all other pages into a folder beside it.

    Commands on the pages are for the `league` file, unless they are part `of_site`. Without
    `private`, matches that the league keeps back have no replay. Raises `ArenaError`.
    """
    store.hold()
    shows = everything if private else may_show(store.terms().config, store.fold())
    shown = {each.match: each for each in store.outlines() if shows(each.bots)}
    faults = (each for each in store.each_fault() if each[0] in shown)
    why = highlights(list(shown.values()), store.faults(), faults)
    written = _Pages(store, league, out, language, private, of_site)
    none = replays == "none"
    listed = () if none else list_deals(store, _DEALS, shows).lines
    apart = [each for each in listed if each.spread]
    tables = [sorted(store.matches_with(it.deal)[it.lineup]) for it in apart]
    seatings: dict[tuple[int, int], Seating] = {}

    def see(match: ReplayedMatch) -> None:
        for each, numbers in zip(apart, tables, strict=True):
            if match.number in numbers:
                key = match.number, each.deal
                seatings[key] = seating_with_cards(match, each.deal, league.name)

    def write(match: ReplayedMatch) -> None:
        written.write_replay(match)
        see(match)

    match replays:
        case "few":
            for number in why:
                if written.size < _MOST_BYTES:
                    write(find_match(store, number))
        case "faults":
            for each in stored_matches(store, faulty=True):
                if each.number in shown:
                    write(each)
        case "all":
            for each in stored_matches(store):
                if each.number in shown:
                    write(each)
    sheets: list[tuple[HandSpread, Traveller]] = []
    for line, numbers in zip(apart, tables, strict=True):
        for number in numbers:
            if (number, line.deal) not in seatings:
                see(find_match(store, number))
        found = [seatings[number, line.deal] for number in numbers]
        sheets.append((line, traveller(store.terms(), line.lineup, line.deal, found)))
    written.write_pages(why, sheets)
    removed = written.remove_old()
    return Written(
        written.folder, written.size, written.pages, written.replays, len(apart), removed
    )


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


# The pages of a league: the standings, and the others in a folder beside them.
# `pages` are counted, and the `replays` among them; `size` is that of all files in bytes. Pages
# that are `of_site` lead back to the site, and have no commands, for which one needs the record.
class _Pages:
    def __init__(
        self,
        store: Store,
        league: Path,
        page: Path,
        language: str,
        private: bool,
        of_site: bool,
    ) -> None:
        self.folder = page.with_suffix(".pages")
        self.size = self.pages = self.replays = 0
        self._store, self._page, self._league = store, page, league.name
        self._language, self._private, self._of_site = language, private, of_site
        self._files = {"/": page.name}
        self._shown: set[int] = set()
        self._written: dict[str, str] = {}

    def write_replay(self, match: ReplayedMatch) -> None:
        """Write a match's page, and a file about its faults.

        Raises `ArenaError` if the folder cannot be written to.
        """
        found, path = seen(match), f"/matches/{match.number}"
        kept = list(bundles(match, found, self._league, self._private))
        lines = [
            f"{harmless(line.plain)}\n" for one in kept for line in (*bundle_lines(one), Text())
        ]
        back = Link("the league", relative_address("..", self._page.name))
        replay = replay_page(found if self._private else public(found), back)
        self._write(self._add(f"{path}/replay", f"{match.number}.html"), replay)
        self._shown.add(match.number)
        if kept:
            note = Language(ENGLISH).said(commands_note(self._league))
            faults = self._add(f"{path}/faults", f"{match.number}.txt")
            self._write(faults, f"{note}\n\n{''.join(lines)}")
        self.replays += 1

    def write_pages(
        self,
        why: Mapping[int, tuple[Saying, ...]],
        deals: Sequence[tuple[HandSpread, Traveller]],
    ) -> None:
        """Write the league's pages, which lead to the replays written so far.

        `why` has reasons to look at matches, by number; `deals` are those to have a page of their
        own. Raises `ArenaError` if they cannot be written.
        """
        store, at, blocks = self._store, time.time(), self._store.blocks()
        state, found = RecordState(store), summarize_fully(store, blocks)
        made = live_documents(state, at) | compared_documents(state, found, blocks, at, {})
        league, numbers = made[LEAGUE], made[NUMBERS]
        pages = [matches_page, rules_played_page, zole_page]
        pages += [] if found.tournament else [crosstable_page]
        asked: list[tuple[PublicPage, dict[str, str]]] = [(page, {}) for page in pages]
        for page in pages:
            self._add(page.path, f"{page.path[1:]}.html")
        for number, name in enumerate(sorted(row.bot for row in found.standings), 1):
            self._add(f"/bots/{bot_path(name)}", f"bot-{number}.html")
            asked.append((bot_page, {"bot": name}))
        paths = []
        for _, sheet in deals:
            order, line = state.number(state.table_of(sheet.lineup, sheet.deal)), sheet.lines[0]
            told = msgspec.structs.asdict(sheet)
            made[f"deals/{order}/{sheet.deal}"] = TravellerDocument(
                **told, order=order, first=sheet.deal, deals=1
            )
            paths.append(f"/deals/{order}/{sheet.deal}")
            self._add(paths[-1], f"deal-{line.match}-{deal_number(line.deal)}.html")
            asked.append((deal_page, {"order": str(order), "deal": str(sheet.deal)}))
        templates = FolderTemplates(
            found.league, self._files, self._page.name, self._language, _MENU, self._foot(found)
        )
        about = Introduction(
            progress(found),
            tuple(record_facts(store, found)),
            _played(store),
            unit_of(found),
            {match: words for match, words in why.items() if match in self._shown},
            [(path, line) for path, (line, _) in zip(paths, deals, strict=True)],
            found.tournament,
        )
        standings = made[STANDINGS]
        assert isinstance(standings, Standings)
        standings = msgspec.structs.replace(standings, remarks=tuple(remarks_on_sets(found)))
        first = templates.draw(
            "record.html",
            here="/",
            league=league,
            numbers=numbers,
            about=about,
            ranking=standings_table(found).rows,
            **standings_values(standings, measure_of(found)),
        )
        with writing(self._page):
            write_whole(self._page, first.encode())
        source = _Record(made, map(state.line, store.outlines()))
        for page, parts in asked:
            details = self._details(parts["bot"]) if self._private and page is bot_page else {}
            quoted = {name: bot_path(part) for name, part in parts.items()}
            templates.here = self._files[page.path.format(**quoted)]
            ask = PageAsk(source, parts, whole=True)
            text = page.draw(ask, templates, numbers=numbers, details=details)
            self._write(Path(templates.here).name, text)

    def remove_old(self) -> int:
        """Remove files in the folder that only an earlier report wrote; return how many were pages.

        The folder's list of written files has their hashes: a file that is not on it, or not as it
        was written, is another's and stays.
        """
        listed = self.folder / _LIST
        gone = 0
        with writing(listed):
            for name, content in _earlier(listed).items():
                page = self.folder / Path(name).name
                if name in self._written or not page.is_file():
                    continue
                if _hash(page.read_bytes()) == content:
                    page.unlink()
                    gone += page.suffix == ".html"
            write_whole(listed, msgspec.json.format(msgspec.json.encode(self._written), indent=1))
        return gone

    # Return the details of a bot's faults, by match and deal; they are its author's.
    def _details(self, bot: str) -> dict[tuple[int, int], str]:
        return {
            (match, fault.deal): fault.fault.detail
            for match, who, fault in self._store.each_fault()
            if who == bot
        }

    # Let pages link to a file by the path that it has on a site; return its name.
    def _add(self, path: str, name: str) -> str:
        self._files[path] = f"{self.folder.name}/{name}"
        return name

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

    def _write(self, name: str, text: str) -> None:
        data, path = text.encode(), self.folder / name
        with writing(path):
            self.folder.mkdir(exist_ok=True)
            write_whole(path, data)
        self._written[name] = _hash(data)
        self.size += len(data)
        self.pages += name.endswith(".html")


# The documents of a record, and its matches, given as `Published` does.
class _Record:
    def __init__(self, made: Mapping[str, object], lines: Iterable[MatchLine]) -> None:
        self._made = made
        self._lines = [(line.match, msgspec.json.encode(line)) for line in lines]

    def document(self, key: str) -> bytes | None:
        """Return the document under a key, or None."""
        return msgspec.json.encode(self._made[key]) if key in self._made else None

    def before(self, name: str, before: int | None, most: int) -> list[tuple[int, bytes]]:
        """Return all matches, which are on one page."""
        return self._lines


# Return the minutes of the first and the last match, once if they are the same.
def _played(store: Store) -> tuple[float, ...]:
    dates = store.dates() or ()
    return tuple(dict.fromkeys(datetime.fromisoformat(at).timestamp() // 60 * 60 for at in dates))


# The hashes of the files that a report wrote before, by name; none if the list is damaged.
def _earlier(listed: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(listed.read_bytes(), type=dict[str, str])
    except (FileNotFoundError, ValueError):
        return {}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# The rank up to which bots are among the best.
_BEST: Final = 3

_SHOWN: Final = "shown.json"


def show_league(site: Site, registry: Registry, record: Path, name: str) -> ShownLeague:
    """Publish the pages of a record as it stands, in place of earlier ones under this name.

    Raises `ArenaError`, or `Refusal` for a name that cannot be part of an address.
    """
    if not LEAGUE_NAME.fullmatch(name):
        remedy = "choose a --name of a to z, digits, hyphens and points"
        raise Refusal(f"no league can be shown as {name}", remedy)
    with closing(Store.open(record)) as store:
        report = summarize_fully(store)
        shown = _shown_league(name, report, store)
    make_folders(site)
    folder = site.league_pages / name
    folder.mkdir(exist_ok=True)
    write_whole(folder / "standings.csv", standings_table(report).csv().encode())
    write_whole(folder / "standings.json", msgspec.json.encode(report))
    replays: Replays = "few" if report.complete else "none"
    for language in languages_with("league"):
        page = folder / language / "index.html"
        page.parent.mkdir(exist_ok=True)
        with closing(Store.open(record)) as store:
            write_report(store, Path(f"{name}.toml"), page, replays, language, of_site=True)
    write_whole(folder / _SHOWN, msgspec.json.encode(shown))
    _allow_group(folder)
    with registry.writing() as sql:
        note(sql, registry.now(), ORGANISER, "shows a league", name)
    return shown


def hide_league(site: Site, registry: Registry, name: str) -> None:
    """Remove the pages of a shown league. Raises `Missing` if there is none of this name."""
    shown = [each.name for each in shown_leagues(site)]
    if name not in shown:
        there = f"there are {', '.join(shown)}" if shown else "none is shown"
        raise Missing(f"no league is shown as {name}", there)
    shutil.rmtree(site.league_pages / name)
    with registry.writing() as sql:
        note(sql, registry.now(), ORGANISER, "hides a league", name)


def shown_leagues(site: Site) -> tuple[ShownLeague, ...]:
    """Return the shown leagues: those that go on, then those that ended, the last one first."""
    found = sorted(_read_shown(site), key=lambda it: it.name)
    return tuple(sorted(found, key=lambda it: (it.ended is not None, -(it.ended or 0.0))))


def _read_shown(site: Site) -> Iterator[ShownLeague]:
    for path in site.league_pages.glob(f"*/{_SHOWN}"):
        try:
            yield msgspec.json.decode(path.read_bytes(), type=ShownLeague)
        except FileNotFoundError:
            continue  # it has just been hidden


def _shown_league(name: str, report: Report, store: Store) -> ShownLeague:
    final = report.final.standings if report.final else report.standings
    ranked = report.tournament.ranking if report.tournament else [it for it in final if it.sets]
    dates = store.dates()
    is_over = report.complete and dates is not None
    return ShownLeague(
        name=name,
        title=report.league,
        bots=len(report.standings),
        matches=sum(report.isolation.values()),
        best={it.bot: it.rank for it in ranked if it.rank <= _BEST} if is_over else {},
        ended=datetime.fromisoformat(dates[1]).timestamp() if is_over and dates else None,
    )


# Let the group read as the folder of what is published says, whatever the umask.
def _allow_group(folder: Path) -> None:
    group = folder.parent.stat().st_mode & 0o050
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 | group if path.is_dir() else 0o600 | group & 0o040)
