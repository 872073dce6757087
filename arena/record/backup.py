"""Copies a league to another place while it plays: record, reviews, file and the bots' copies.

All of it is written aside and checked before it gets its name. No other user may read it, for it
holds the seeds that are still secret.
"""

import os
import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from arena.base.database import file_errors
from arena.base.errors import ArenaError, Mistake
from arena.base.files import made_aside
from arena.league.ledger import chain_flaw
from arena.record.durable import sync_folder
from arena.record.paths import league_path, record_path
from arena.record.reviews import Reviews, reviews_path
from arena.record.store import Store
from arena.record.tables import RECORD

_OF_A_COPY: Final = ("", ".built", ".log", ".tar")
"""The endings of the files and folders that belong to the copy of a bot."""


class Backup(msgspec.Struct, frozen=True):
    """A copy of a league: its folder, and the numbers of matches and of bots' copies in it."""

    folder: str
    matches: int
    bots: int


def backup(league: Path, place: Path) -> Backup:
    """Copy a league into a new folder as it stands at one moment. Raises `ArenaError`.

    Others may read and write the record meanwhile. A bot is copied if the record names it and it is
    built.
    """
    record = record_path(league)
    refuse_present(place)
    with (
        closing(Store.open(record)) as store,
        file_errors(RECORD, place),
        made_aside(place) as aside,
    ):
        aside.mkdir(0o700)
        matches = _copy_record(store, aside)
        bots = _copy_beside(record, aside)
        os.sync()  # the files are many
        aside.rename(place)
        sync_folder(place.parent)
    return Backup(str(place), matches, bots)


def refuse_present(place: Path) -> None:
    """Raise `ArenaError` unless a folder may be made there: nothing is written over another."""
    if place.exists():
        remedy = "name a folder that is still to be made"
        raise ArenaError(Mistake("this exists already", str(place), remedy))
    if not place.resolve().parent.is_dir():
        raise ArenaError(Mistake("there is no such folder", str(place.parent)))


def _copy_record(store: Store, folder: Path) -> int:
    """Copy a record into a folder, and check it; return its number of matches.

    Raises `ArenaError`.
    """
    path = folder / store.path.name
    store.copy(path)
    with closing(Store.open(path, own=True)) as copy:
        copy.check()
        for read in (copy.facts, copy.submissions, copy.voids):
            read()  # raises if it is damaged
        flaw = chain_flaw(copy.ledger())
        if flaw is not None:
            raise ArenaError(Mistake(flaw, str(store.path), "arena verify tells all"))
        return sum(1 for _ in copy.outcomes())


def _copy_beside(record: Path, folder: Path) -> int:
    """Copy the files beside a record, once it is copied itself; return the number of bots."""
    reviews, league = reviews_path(record), league_path(record)
    kept = Reviews.open(reviews)
    if kept is not None:
        with closing(kept):
            kept.copy(folder / reviews.name)
    if league.exists():
        shutil.copy2(league, folder / league.name)
    with closing(Store.open(folder / record.name, own=True)) as copy:
        digests = {*copy.terms().bots.values(), *(entry.digest for entry in copy.submissions())}
    home = record.with_suffix(".bots")
    return copy_bots(home, folder / home.name, digests)


def copy_bots(home: Path, to: Path, digests: Iterable[str]) -> int:
    """Copy a league's own copies of bots, by their hashes; return how many there are."""
    bots = 0
    for name in sorted(digest[:16] for digest in digests):
        if (home / f"{name}.built").exists():
            bots += 1
            for ending in _OF_A_COPY:
                _copy_tree(home / f"{name}{ending}", to / f"{name}{ending}")
    return bots


def _copy_tree(source: Path, target: Path) -> None:
    """Copy a file or a folder, if there is one."""
    target.parent.mkdir(exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    elif source.exists():
        shutil.copy2(source, target)
