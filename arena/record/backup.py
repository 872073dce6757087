"""Copies a league to another place while it plays: record, reviews, file and the bots' copies.

All of it is written aside and checked before it gets its name. No other user may read it, for it
holds the seeds that are still secret.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from arena.base.database import file_errors
from arena.base.errors import ArenaError, Mistake
from arena.base.files import atomic_target
from arena.record.paths import league_path, record_path
from arena.record.reviews import reviews_path
from arena.record.rows import RECORD
from arena.record.store import Store


class Backup(msgspec.Struct, frozen=True):
    """A copy of a league: its folder, and the numbers of matches and of bots' copies in it."""

    folder: str
    matches: int
    bots: int


def backup(league: Path, place: Path) -> Backup:
    """Copy a league into a new folder as it stands at one moment. Raises `ArenaError`."""
    with new_folder(place) as aside:
        made = copy_league(league, aside)
    return msgspec.structs.replace(made, folder=str(place))


def copy_league(league: Path, to: Path) -> Backup:
    """Copy a league into a folder as it stands at one moment, and check it. Raises `ArenaError`.

    Others may read and write the record meanwhile. A bot is copied if the record names it and it is
    built.
    """
    record, file = record_path(league), league_path(league)
    with closing(Store.open(record)) as store, file_errors(RECORD, to):
        copy_database(store.sql, to / record.name)
        if reviews_path(record).exists():
            with closing(sqlite3.connect(reviews_path(record))) as reviews:
                copy_database(reviews, to / reviews_path(record).name)
        if file.exists():
            shutil.copy2(file, to / file.name)
        with closing(Store.open(to / record.name, own=True)) as copy:
            copy.check()
            matches = sum(1 for _ in copy.outcomes())
            digests = {bot.digest for bot in copy.terms().bots.values()}
            digests |= {entry.digest for entry in copy.submissions()}
        home = record.with_suffix(".bots")
        bots = copy_bots(home, to / home.name, digests)
    return Backup(str(to), matches, bots)


@contextmanager
def new_folder(place: Path) -> Iterator[Path]:
    """Yield a folder that gets its name, and is on the disk, once all in it is made.

    Only its owner may read it. Raises `ArenaError` if there is something of that name.
    """
    refuse_present(place)
    with atomic_target(place) as aside:
        aside.mkdir(0o700)
        yield aside
        os.sync()
        aside.rename(place)
        os.sync()


def refuse_present(place: Path) -> None:
    """Raise `ArenaError` unless a folder may be made there: nothing is written over another."""
    if place.exists():
        raise ArenaError(Mistake("this exists already", str(place), "name a new folder"))
    if not place.resolve().parent.is_dir():
        raise ArenaError(Mistake("there is no such folder", str(place.parent)))


def copy_database(source: sqlite3.Connection, path: Path) -> None:
    """Copy a database as it stands at one moment, into a private file, while others write.

    Raises `OSError` and `sqlite3.Error`.
    """
    path.touch(0o600, exist_ok=False)
    with closing(sqlite3.connect(path)) as copy:
        source.backup(copy)  # unlike VACUUM INTO, keeps the mode of the journal


def copy_bots(home: Path, to: Path, digests: Iterable[str]) -> int:
    """Copy a league's own copies of bots, by their hashes; return how many there are."""
    built = {digest[:16] for digest in digests if (home / f"{digest[:16]}.built").exists()}
    if built:
        to.mkdir(exist_ok=True)
    for path in home.glob("*"):
        if path.name.partition(".")[0] in built:
            if path.is_dir():
                shutil.copytree(path, to / path.name, symlinks=True)
            else:
                shutil.copy2(path, to / path.name)
    return len(built)
