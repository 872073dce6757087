"""Copies a site to another place while all of it runs, and makes a site of such a copy.

A copy is laid out as the site is. What the registry records about the record must hold in the copy
of the record. So the registry is copied first, then the archives of the uploads that wait, and the
league last. Published documents and answers are not copied, but rebuilt, except the pages of shown
leagues. The copy holds the seeds that are still secret, so only its owner may read it.
"""

import shutil
import stat
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath

from arena.base.errors import ArenaError, Mistake
from arena.base.words import count
from arena.record.backup import copy_database, copy_league, new_folder
from arena.record.paths import record_path
from arena.record.store import Store
from arena.site.config import Site, read_site
from arena.site.registry import Registry
from arena.site.registry.accounts import accounts, end_all_sessions
from arena.site.registry.jobs import forget, spooled


def back_up(site: Site, place: Path) -> str:
    """Copy a site into a new folder while its processes run; return how much it holds, in words.

    Raises `ArenaError`.
    """
    home = site.path.parent
    if not site.registry.exists():
        raise ArenaError(Mistake("this site was never started", str(site.path)))
    inside = PurePosixPath(site.league_file)
    if inside.is_absolute() or ".." in inside.parts:
        what = f"the league is elsewhere, at {inside}"
        remedy = "move the league next to this file or into a folder below it"
        raise ArenaError(Mistake(what, str(site.path), remedy))
    with new_folder(place) as aside:
        for file in (site.path, site.about):
            if file is not None and file.is_relative_to(home):
                copy = aside / file.relative_to(home)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, copy)
        _copy_registry(site, aside / site.folder.name)
        beside = (aside / inside).parent
        beside.mkdir(parents=True, exist_ok=True)
        copy_league(site.league, beside)
        for season in site.past_seasons():
            with closing(Store.open(season)) as store:
                copy_database(store.sql, beside / season.name)
        if site.league_pages.exists():
            shutil.copytree(site.league_pages, aside / site.league_pages.relative_to(home))
        return _checked(read_site(aside / site.path.name))


def restore(backup: Path, folder: Path) -> str:
    """Make the site of a backup in a new folder; return how much it holds, in words.

    Every file is opened by the code that uses it: formats of a newer arena are refused. Raises
    `ArenaError`, and then makes nothing.
    """
    sites = [each.stem for each in backup.glob("*.site")]
    if len(sites) != 1:
        raise ArenaError(Mistake("this is not the backup of a site", str(backup)))
    with new_folder(folder) as aside:
        shutil.copytree(backup, aside, symlinks=True, dirs_exist_ok=True)
        done = _checked(read_site(aside / f"{sites[0]}.toml"))
        aside.chmod(0o750)
    return done


# Copy the registry and the archives that wait.
def _copy_registry(site: Site, home: Path) -> None:
    path = home / site.registry.relative_to(site.folder)
    spool = home / site.spool.name
    for folder in (home, path.parent, spool):
        folder.mkdir(0o750)
    with closing(Registry.open(site.registry, site.quotas)) as registry, registry.reading() as sql:
        copy_database(sql, path)
    with closing(Registry.open(path, site.quotas)) as copy:
        forget(copy, 0.0)
        end_all_sessions(copy)
        names = spooled(copy, kept_s=0)
    for name in names:
        with suppress(FileNotFoundError):  # the upload ended meanwhile, and the record has it
            if stat.S_ISREG((site.spool / name).lstat().st_mode):  # a link may lead anywhere
                shutil.copy2(site.spool / name, spool / name, follow_symlinks=False)


# Open everything that was copied, and return its size. Raises `ArenaError`.
def _checked(site: Site) -> str:
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        known, waiting = len(accounts(registry)), len(spooled(registry, kept_s=0))
    for record in site.past_seasons():
        with closing(Store.open(record)) as store:
            store.check()
    with closing(Store.open(record_path(site.league))) as store:
        store.check()
        matches = sum(1 for _ in store.outcomes())
        digests = {bot.digest for bot in store.terms().bots.values()}
        bots = len(digests | {each.digest for each in store.submissions()})
    parts = count(known, "account"), count(waiting, "waiting upload"), count(matches, "match")
    return ", ".join((*parts, count(bots, "bot")))
