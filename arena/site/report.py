"""Writes the pages of a whole record as files, with replays of matches worth watching."""

import re
import shlex
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import atomic_target, write_whole, writing
from arena.base.refusals import Missing, Refusal
from arena.league.played import MatchOutline
from arena.match.projection import public
from arena.record.matches import find_match, seen, stored_matches
from arena.record.publishing import everything, may_show
from arena.record.store import Store
from arena.record.summary import Report, summarize_fully
from arena.reports.language import Phrase, languages_with
from arena.reports.page import Link, replay_page
from arena.reports.page_parts import relative_address
from arena.reports.standings import measure_of, progress, remarks, standings_table
from arena.site.config import Site, make_folders
from arena.site.documents import (
    LEAGUE,
    LEAGUE_NAME,
    NUMBERS,
    STANDINGS,
    MatchLine,
    ShownLeague,
    Standings,
)
from arena.site.pages.public import (
    PageAsk,
    PublicPage,
    bot_page,
    crosstable_page,
    matches_page,
    rules_played_page,
    standings_values,
    zole_page,
)
from arena.site.pages.templates import FolderTemplates
from arena.site.pages.words import path as bot_path
from arena.site.publish.league import compared_documents, live_documents
from arena.site.publish.state import RecordState
from arena.site.published import SHOWN_FILE, shown_leagues
from arena.site.registry import Registry
from arena.site.registry.organiser import ORGANISER, note

# The matches that have replay pages: none, a few worth watching, all.
Replays = Literal["none", "few", "all"]

# The matches with most faults, and those with the largest swings, that are worth watching.
_FEW: Final = 3

# The names of the files in the folder of a report.
_OURS: Final = re.compile(r"(bot-)?[0-9]+\.html|(crosstable|matches|rules|zole)\.html")

_MENU: Final = (
    ("/", "page-standings"),
    ("/crosstable", "page-crosstable"),
    ("/matches", "page-matches"),
    ("/rules", "page-rules"),
)


def write_report(
    store: Store,
    out: Path,
    replays: Replays,
    language: str,
    private: bool = False,
    of_site: bool = False,
) -> Path:
    """Write the standings to a file, all other pages into a folder next to it, which is returned.

    Pages that are part `of_site` lead back to it, others name commands for the record. Without
    `private`, matches that the league keeps back have no replay. The folder of an earlier report
    is replaced, unless there is anything else in it. Raises `ArenaError`.
    """
    if out.is_dir():
        raise ArenaError(Mistake("this is a folder", str(out), "name a file"))
    folder = out.with_suffix(".pages")
    for each in folder.glob("*"):
        if not _OURS.fullmatch(each.name):
            remedy = "move it away, or write to another --out"
            raise ArenaError(Mistake("no report wrote this", str(each), remedy))
    store.hold()
    shows = everything if private else may_show(store.terms().config, store.fold())
    numbers = _worth_a_look([it for it in store.outlines() if shows(it.bots)], replays)
    files = {"/": out.name}
    with writing(out), atomic_target(folder) as draft:
        draft.mkdir()
        some = (find_match(store, number) for number in numbers)
        for match in stored_matches(store) if replays == "all" else some:
            if match.number not in numbers:
                continue
            number, found = match.number, seen(match)
            back = Link("the league", relative_address("..", out.name))
            page = replay_page(found if private else public(found), back)
            (draft / f"{number}.html").write_text(page, encoding="utf-8")
            files[f"/matches/{number}/replay"] = f"{folder.name}/{number}.html"
        for path, text in _pages(store, files, folder.name, numbers, language, of_site):
            write_whole(out if path == out.name else draft / Path(path).name, text.encode())
        if folder.exists():
            folder.rename(f"{draft}-old")  # which goes with the draft
        draft.rename(folder)
    return folder


def _worth_a_look(matches: Sequence[MatchOutline], replays: Replays) -> set[int]:
    by_faults = sorted(matches, key=lambda it: -it.faults)[:_FEW]
    by_swing = sorted(matches, key=lambda it: -max(map(abs, it.stakes), default=0))[:_FEW]
    some = {"none": (), "few": (*by_faults, *by_swing, *matches[-1:]), "all": matches}[replays]
    return {it.match for it in some}


# Yield each page with its path below the folder of the standings.
def _pages(
    store: Store,
    files: dict[str, str],
    folder: str,
    shown: Collection[int],
    language: str,
    of_site: bool,
) -> Iterator[tuple[str, str]]:
    blocks, dates = store.blocks(), store.dates()
    at = datetime.fromisoformat(dates[1]).timestamp() if dates else 0.0
    state, found = RecordState(store), summarize_fully(store, blocks)
    made = live_documents(state, at) | compared_documents(state, found, blocks, at, {})
    lines = [*map(state.line, store.outlines())]
    standings = made[STANDINGS]
    assert isinstance(standings, Standings)
    standings = msgspec.structs.replace(standings, remarks=tuple(remarks(found)))
    pages: list[PublicPage] = [matches_page, rules_played_page, zole_page]
    pages += [] if found.tournament else [crosstable_page]
    asked: list[tuple[PublicPage, dict[str, str], str]] = [
        (page, {}, f"{page.path[1:]}.html") for page in pages
    ]
    for number, bot in enumerate(sorted(row.bot for row in found.standings), 1):
        asked.append((bot_page, {"bot": bot}, f"bot-{number}.html"))
    for page, parts, name in asked:
        path = page.path.format(**{key: bot_path(part) for key, part in parts.items()})
        files[path] = f"{folder}/{name}"
    foot = (Phrase("part-of-site"),) if of_site else _commands(store.path)
    templates = FolderTemplates(found.league, files, files["/"], language, _MENU, foot)
    first = templates.draw(
        "record.html",
        here="/",
        league=made[LEAGUE],
        numbers=made[NUMBERS],
        state=progress(found),
        replays=[line for line in lines if line.match in shown][: 3 * _FEW],
        tournament=found.tournament,
        ranking=standings_table(found).rows,
        **standings_values(standings, measure_of(found)),
    )
    yield files["/"], first
    source = _Record(made, lines)
    for page, parts, name in asked:
        templates.here = f"{folder}/{name}"
        ask = PageAsk(source, parts, whole=True)
        yield templates.here, page.draw(ask, templates, numbers=made[NUMBERS])


# The words below each page that name the commands for the record.
def _commands(record: Path) -> tuple[Phrase, ...]:
    named = shlex.quote(record.name)
    values = {
        "record": record.name,
        "verify": f"arena verify {named}",
        "faults": f"arena faults {named}",
        "replay": f"arena replay {named} 1",
    }
    return Phrase("made-from", {**values}), Phrase("commands-for", {"league": record.name})


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


# The rank up to which bots are among the best.
_BEST: Final = 3


def show_league(site: Site, registry: Registry, record: Path, name: str) -> ShownLeague:
    """Publish the pages of a record as it is now; earlier ones of this name are replaced.

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
            write_report(store, page, replays, language, of_site=True)
    write_whole(folder / SHOWN_FILE, msgspec.json.encode(shown))
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


# Let the group read if the folder of published files lets it, whatever the umask.
def _allow_group(folder: Path) -> None:
    group = folder.parent.stat().st_mode & 0o050
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 | group if path.is_dir() else 0o600 | group & 0o040)
