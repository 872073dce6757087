"""Publishes the leagues that a site holds beside its own, and its past seasons, as plain files.

Each has a folder with its pages in every language and its table as CSV and JSON. They are made anew
while it is played, for a small share of the time.
"""

import time
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError
from arena.base.files import write_whole
from arena.base.toml import TomlFile
from arena.record.paths import record_path
from arena.record.store import Store
from arena.record.summary import Report, standing_rows, summarize_fully
from arena.reports.language import languages_with
from arena.reports.sheets import rows_sheet
from arena.site.config import Site
from arena.site.documents.league import ShownLeague
from arena.site.life import Life
from arena.site.registry.file import Registry
from arena.site.registry.held import HeldLeague, held_leagues
from arena.site.report import Replays, write_report

_SHARE: Final = 20
"""Pages of a league that is being played are made for 1 / `_SHARE` of the time."""

_BEST: Final = 3
"""The rank up to which bots are among the best."""

_SHOWN: Final = "shown.json"


class _Kept(msgspec.Struct, frozen=True):
    """What is shown of a league, and the sign of the record that it was made of."""

    league: ShownLeague
    sign: tuple[int, ...]


class HeldPages:
    """The pages of all leagues beside the site's own; `version` grows when others are `shown`."""

    def __init__(self, site: Site, registry: Registry, life: Life) -> None:
        self.version = 0
        self.shown: tuple[ShownLeague, ...] = ()
        """The leagues, that which begins last before the others; behind them past seasons."""
        self._site, self._registry, self._life = site, registry, life
        self._kept: dict[str, _Kept] = {}
        self._due: dict[str, float] = {}
        self._titles: dict[HeldLeague, str] = {}

    def look(self) -> None:
        """Make the pages of what has changed, as far as it is time to."""
        found: list[ShownLeague] = []
        for held in reversed(held_leagues(self._registry)):
            record = record_path(self._site.held_file(held.name))
            found.append(self._league(held, record))
        for number, record in reversed(self._site.past_seasons()):
            name = f"season-{number}"
            found.append(self._league(HeldLeague(name, 0.0, None, "over"), record))
        if (now := tuple(found)) != self.shown:
            self.shown = now
            self.version += 1

    def _league(self, held: HeldLeague, record: Path) -> ShownLeague:
        folder = self._site.league_pages / held.name
        kept = self._kept.get(held.name) or _read(folder)
        sign = _sign(record)
        stale = kept is None or kept.sign != sign or kept.league.state != held.state
        over = held.state not in ("waiting", "playing")
        if sign and stale and (over or time.monotonic() >= self._due.get(held.name, 0.0)):
            began = time.monotonic()
            kept = _Kept(_made(folder, held, record), sign)
            write_whole(folder / _SHOWN, msgspec.json.encode(kept))
            _allow(folder)
            self._due[held.name] = time.monotonic() + _SHARE * (time.monotonic() - began)
            self._life.beat(f"published {held.name}")
        if kept is None:
            title = self._title(held)
            return ShownLeague(name=held.name, title=title, state=held.state, at=held.at)
        self._kept[held.name] = kept
        return msgspec.structs.replace(kept.league, state=held.state)

    def _title(self, held: HeldLeague) -> str:
        """Return the title of a league that has no record yet: its file says it."""
        if held not in self._titles:
            self._titles[held] = held.name
            with suppress(ArenaError):
                name = TomlFile(self._site.held_file(held.name)).data.get("name")
                self._titles[held] = str(name or held.name)
        return self._titles[held]


def _made(folder: Path, held: HeldLeague, record: Path) -> ShownLeague:
    """Make the pages of a league from its record."""
    folder.mkdir(exist_ok=True)
    with closing(Store.open(record, own=True)) as store:
        found = summarize_fully(store)
        shown = _shown(held, found, store)
    write_whole(folder / "standings.csv", rows_sheet(standing_rows(found)).encode())
    write_whole(folder / "standings.json", msgspec.json.encode(found))
    replays: Replays = "few" if found.complete else "none"
    for language in languages_with("league"):
        place, named = folder / language, Path(f"{held.name}.toml")
        place.mkdir(exist_ok=True)
        with closing(Store.open(record, own=True)) as store:
            write_report(store, named, place / "index.html", replays, language, of_site=True)
    return shown


def _last_stored(store: Store) -> float | None:
    dates = store.dates()
    return None if dates is None else datetime.fromisoformat(dates[1]).timestamp()


def _shown(held: HeldLeague, found: Report, store: Store) -> ShownLeague:
    final = found.final.standings if found.final else found.standings
    ranked = found.tournament.ranking if found.tournament else [it for it in final if it.sets]
    return ShownLeague(
        name=held.name,
        title=found.league,
        state=held.state,
        at=held.at,
        has_pages=True,
        bots=len(found.standings),
        matches=sum(found.isolation.values()),
        best={it.bot: it.rank for it in ranked if it.rank <= _BEST} if found.complete else {},
        ended=_last_stored(store) if found.complete else None,
    )


def _sign(record: Path) -> tuple[int, ...]:
    """Return what changes whenever a record does; nothing if there is none."""
    found: list[int] = []
    for path in (record, record.with_name(f"{record.name}-wal")):
        with suppress(FileNotFoundError):
            status = path.stat()
            found += (status.st_mtime_ns, status.st_size)
    return tuple(found)


def _read(folder: Path) -> _Kept | None:
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((folder / _SHOWN).read_bytes(), type=_Kept)
    return None


def _allow(folder: Path) -> None:
    """Let the group read as the folder of what is published says, whatever the umask."""
    group = folder.parent.stat().st_mode & 0o050
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 | group if path.is_dir() else 0o600 | group & 0o040)
