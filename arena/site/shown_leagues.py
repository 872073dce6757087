"""Leagues that a site shows beside its own: pages and tables of any record, as plain files."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from arena.base.files import write_whole
from arena.base.refusals import Missing, Refusal
from arena.record.store import Store
from arena.record.summary import Report, summarize_fully
from arena.reports.language import languages_with
from arena.reports.standings import standings_table
from arena.site.config import Site, make_folders
from arena.site.documents import LEAGUE_NAME, ShownLeague
from arena.site.registry.file import ORGANISER, Registry, note
from arena.site.report import Replays, write_report

_BEST: Final = 3
"""The rank up to which bots are among the best."""

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


def _allow_group(folder: Path) -> None:
    """Let the group read as the folder of what is published says, whatever the umask."""
    group = folder.parent.stat().st_mode & 0o050
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 | group if path.is_dir() else 0o600 | group & 0o040)
