"""Copies a site to another place while all of it runs, and makes a site of such a copy.

What the registry says of the record must hold in the copy of the record. So the registry is copied
first, then the archives of the uploads that wait, and the league last. Published documents and cut
files are not copied, but made anew, except the pages of shown leagues. The copy holds the seeds
that are still secret, so only its owner may read it.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from arena import __version__
from arena.base.errors import ArenaError, Mistake
from arena.base.files import made_aside, read_file
from arena.record.backup import backup as copy_league
from arena.record.backup import copy_database, refuse_present
from arena.record.paths import record_path
from arena.record.store import Store
from arena.site.config import Site, read_site
from arena.site.registry.accounts import accounts
from arena.site.registry.file import Registry
from arena.site.registry.requests import forget_cuts
from arena.site.registry.tokens import end_all_sessions
from arena.site.registry.uploads import spooled

BACKUP_FORMAT: Final = 1
"""The format of a backup; it grows whenever an older arena would misread a new one."""

LIST: Final = "backup.json"
_LEAGUE: Final = "league"
_BESIDE: Final = "beside"
_LONGEST_LIST: Final = 64 << 20


class Listing(msgspec.Struct, frozen=True):
    """The contents of a backup: the site's file, and the SHA-256 of every file in hex."""

    format: int
    arena: str
    at: str
    site: str
    files: dict[str, str]


class SiteBackup(msgspec.Struct, frozen=True):
    """A copied or a restored site: its folder, and how much it holds."""

    folder: str
    accounts: int
    uploads: int
    matches: int
    bots: int


def back_up(site: Site, place: Path) -> SiteBackup:
    """Copy a site into a new folder as it stands, while its processes run. Raises `ArenaError`."""
    refuse_present(place)
    if not site.registry.exists():
        raise ArenaError(Mistake("this site was never started", str(site.path)))
    with made_aside(place) as aside:
        aside.mkdir(0o700)
        home = aside / site.folder.name
        home.mkdir(0o750)
        shutil.copy2(site.path, aside / site.path.name)
        for file in site.files_beside():
            to = aside / _BESIDE / file
            to.parent.mkdir(0o700, parents=True, exist_ok=True)
            shutil.copy2(site.path.parent / file, to)
        known, waiting = _copy_registry(site, home)
        league = copy_league(site.league, aside / _LEAGUE)
        for _, season in site.past_seasons():
            with closing(Store.open(season)) as store:
                copy_database(store.sql, aside / _LEAGUE / season.name)
        if site.league_pages.exists():
            shutil.copytree(site.league_pages, home / site.league_pages.relative_to(site.folder))
        made = Listing(
            format=BACKUP_FORMAT,
            arena=__version__,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            site=site.path.name,
            files=dict(_hashes(aside)),
        )
        (aside / LIST).write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1))
        os.sync()
        aside.rename(place)
        os.sync()
    return SiteBackup(str(place), known, waiting, league.matches, league.bots)


def restore(backup: Path, folder: Path) -> SiteBackup:
    """Make the site of a backup in a new folder. Raises `ArenaError`, and then makes nothing.

    Every file is compared with the list, and opened by the code that uses it: formats of a newer
    arena are refused.
    """
    made = _read_list(backup)
    refuse_present(folder)
    _compare(backup, made)
    with made_aside(folder) as aside:
        aside.mkdir(0o750)
        shutil.copy2(backup / made.site, aside / made.site)
        if (backup / _BESIDE).exists():
            shutil.copytree(backup / _BESIDE, aside, dirs_exist_ok=True)
        site = read_site(aside / made.site)
        inside = PurePosixPath(msgspec.toml.decode(site.path.read_bytes())["league"])
        if inside.is_absolute() or ".." in inside.parts:
            what = f"the league lay elsewhere, as {inside}"
            remedy = f"change league in the backup's {made.site} to a place beside it"
            raise ArenaError(Mistake(what, str(backup / made.site), remedy))
        shutil.copytree(backup / site.folder.name, site.folder, symlinks=True)
        shutil.copytree(backup / _LEAGUE, site.league.parent, symlinks=True, dirs_exist_ok=True)
        aside.chmod(0o750)
        done = _checked(site, folder)
        os.sync()
        aside.rename(folder)
        os.sync()
    return done


def _copy_registry(site: Site, home: Path) -> tuple[int, int]:
    """Copy the registry and the archives that wait; return the numbers of accounts and uploads."""
    path = home / site.registry.relative_to(site.folder)
    with closing(Registry.open(site.registry, site.quotas)) as registry, registry.reading() as sql:
        path.parent.mkdir(0o750)
        copy_database(sql, path)
    spool = home / site.spool.name
    spool.mkdir(0o750)
    with closing(Registry.open(path, site.quotas)) as copy:
        forget_cuts(copy)
        end_all_sessions(copy)
        names, known = spooled(copy, kept_s=0), len(accounts(copy))
    for name in names:
        with suppress(FileNotFoundError):  # the upload ended meanwhile, and the record has it
            shutil.copy2(site.spool / name, spool / name)
    return known, len(names)


def _checked(site: Site, folder: Path) -> SiteBackup:
    """Open all that was restored, and count its parts. Raises `ArenaError`."""
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        known, waiting = len(accounts(registry)), len(spooled(registry, kept_s=0))
    for _, record in site.past_seasons():
        with closing(Store.open(record)) as store:
            store.check()
    with closing(Store.open(record_path(site.league))) as store:
        store.check()
        matches = sum(1 for _ in store.outcomes())
        digests = {bot.digest for bot in store.terms().bots.values()}
        bots = len(digests | {each.digest for each in store.submissions()})
    return SiteBackup(str(folder), known, waiting, matches, bots)


def _read_list(backup: Path) -> Listing:
    """Return the list of a backup. Raises `ArenaError` if it is missing or of a newer arena."""
    path = backup / LIST
    data = read_file(path, _LONGEST_LIST)
    try:
        number = msgspec.json.decode(data, type=dict[str, object]).get("format")
        if isinstance(number, int) and number > BACKUP_FORMAT:
            what = f"the backup has format {number}, this arena reads format {BACKUP_FORMAT}"
            raise ArenaError(
                Mistake(what, str(path), "use the arena that wrote it, or a newer one")
            )
        made = msgspec.json.decode(data, type=Listing)
    except msgspec.MsgspecError as error:
        raise ArenaError(Mistake(f"this is not the list of a backup: {error}", str(path))) from None
    if PurePosixPath(made.site).name != made.site or made.site not in made.files:
        raise ArenaError(Mistake("the file of the site is not in this list", str(path)))
    return made


def _compare(backup: Path, made: Listing) -> None:
    """Raise `ArenaError` unless a backup has exactly the files of its list, unchanged."""
    found = dict(_hashes(backup))
    mistakes = [
        Mistake(f"this file {what}", str(backup / name), "take another backup")
        for names, what in (
            (made.files.keys() - found.keys(), "is missing"),
            (found.keys() - made.files.keys(), "is not in the backup's list"),
            (
                {name for name in made.files.keys() & found if made.files[name] != found[name]},
                "is not as it was when the backup was made",
            ),
        )
        for name in sorted(names)
    ]
    if mistakes:
        raise ArenaError(*mistakes)


def _hashes(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the files of a folder but the list, with the SHA-256 of their bytes or their link."""
    for path in sorted(folder.rglob("*")):
        name = _listed(path.relative_to(folder).as_posix())
        if path.is_symlink():
            yield name, hashlib.sha256(os.fsencode(os.readlink(path))).hexdigest()
        elif path.is_file() and name != LIST:
            with path.open("rb") as file:
                yield name, hashlib.file_digest(file, "sha256").hexdigest()


def _listed(name: str) -> str:
    """Return a file's name as JSON can have it: bots may have files whose names are not UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return f"\0{os.fsencode(name).hex()}"  # no other file has such a name
    return name
