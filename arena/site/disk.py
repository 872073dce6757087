"""The room on a site's disk: refuses work while it is nearly full, and waits while it is full."""

import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Final, NamedTuple

from arena.base.database import error_code
from arena.base.errors import ArenaError
from arena.base.refusals import NoRoom
from arena.site.config import Site
from arena.site.process import SitePart

# If less is free, the disk is nearly full: what a build may take must be left, and some more. On a
# small disk that is at most 1 / `SHARE` of the disk.
LOW_BYTES: Final = 1 << 30
SHARE: Final = 8

# If less is free, the disk counts as full, whatever error a write has raised.
LEAST_BYTES: Final = 16 << 20

_REST_S: Final = 5.0
_TICK_S: Final = 0.5
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


class DiskRoom(NamedTuple):
    """The free bytes of a disk that has a folder of the site."""

    free: int
    disk: int
    folder: Path

    @property
    def low(self) -> int:
        """The free bytes below which the disk is nearly full."""
        return min(LOW_BYTES, self.disk // SHARE)


def disk_room(site: Site) -> DiskRoom:
    """Return the room of the fullest disk: the site's folder and its league may lie on two."""
    home, beside = site.path.resolve().parent, site.league.resolve().parent
    folder = site.folder if site.folder.exists() else home
    found = [_room(each) for each in (folder, beside) if each.exists()]
    return min(found, key=lambda room: room.free - room.low)


def shortage(site: Site) -> str:
    """Return a sentence that names the folder on a disk that is nearly full; "" if none is.

    Its paths are as the site's file has them, since everybody may read it.
    """
    room = disk_room(site)
    if room.free > room.low:
        return ""
    name = os.path.relpath(room.folder, site.path.resolve().parent)
    where = "the folder of the site" if name == "." else f"the folder {name}"
    left, low = room.free >> 20, room.low >> 20
    return f"{where} has {left} MiB of room left; below {low} MiB uploads and play pause"


def refuse_if_low(site: Site) -> None:
    """Raise `NoRoom` if the disk is nearly full."""
    if shortage(site):
        raise NoRoom("the site's disk is nearly full")


def work_on(part: SitePart, work: Callable[[SitePart], None]) -> None:
    """Do the work of a part of a process; if it is `hindered`, wait and start again.

    Every part can be killed at any moment, and so can start again from what is on the disk.
    """
    while True:
        try:
            return work(part)
        except (OSError, sqlite3.Error, ArenaError, ExceptionGroup) as error:
            why = hindered(part.site, error)
            if not why:
                raise
            part.say(f"{why}, and it rests: {error}")
        rest(part, why)


def rest(part: SitePart, why: str) -> None:
    """Rest for some seconds, and for as long as the disk is full; beat meanwhile."""
    until = monotonic() + _REST_S
    while monotonic() < until or _is_full(part.site):
        part.beat(f"rests: {why}")
        sleep(_TICK_S)
    part.say("continues")


def hindered(site: Site, error: BaseException) -> str:
    """Return what hinders a process from reading or writing for now; "" if nothing does.

    The error shows it, or a disk that is full now.
    """
    codes = {*_troubles(error)}
    if sqlite3.SQLITE_FULL in codes or _is_full(site):
        return "the disk is full"
    return "others hold a file for too long" if sqlite3.SQLITE_BUSY in codes else ""


def is_about_room(error: BaseException) -> bool:
    """Return whether an error, one of its group or one of its causes reports a full disk."""
    return sqlite3.SQLITE_FULL in _troubles(error)


# Yield the codes of SQLite and of system calls in an error, its group and its causes.
# A refusal that comes from neither is an answer to somebody, and no trouble.
def _troubles(error: BaseException | None) -> Iterator[int]:
    while error is not None:
        if isinstance(error, BaseExceptionGroup):
            for each in error.exceptions:
                yield from _troubles(each)
        elif isinstance(error, OSError) and error.errno in _FULL:
            yield sqlite3.SQLITE_FULL
        elif isinstance(error, sqlite3.Error):
            yield error_code(error)
        error = error.__cause__ or error.__context__


# Return whether next to no room is left where the site writes, or its bots have scratch.
def _is_full(site: Site) -> bool:
    return min(disk_room(site).free, _room(Path(tempfile.gettempdir())).free) < LEAST_BYTES


def _room(folder: Path) -> DiskRoom:
    found = os.statvfs(folder)
    return DiskRoom(found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize, folder)
