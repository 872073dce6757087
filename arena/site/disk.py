"""The room that a site may take: counts it, refuses work in time, and waits on a full disk."""

import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Final

import msgspec

from arena.base.database import error_code
from arena.base.errors import ArenaError
from arena.base.refusals import NoRoom
from arena.site.config import Site
from arena.site.life import Life

SPARE_BYTES: Final = 256 << 20
"""The bytes that are left free of the disk, whatever the site may take: others need some, too."""

BUILD_BYTES: Final = 1 << 30
"""The bytes that must be left before a bot is built."""

SHARE: Final = 16
"""On a small disk each of these is at most 1 / `SHARE` of the disk: a site lives there as well."""

LEAST_BYTES: Final = 16 << 20
"""If less is free, the disk counts as full, whatever error a write has raised."""

DISK_LOOK_S: Final = 30.0
"""Seconds after which the files are counted anew."""


_REST_S: Final = 5.0
_TICK_S: Final = 0.5
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


class DiskRoom(msgspec.Struct, frozen=True):
    """The room in bytes: `used` of the `most` that a site may take, `free` of a `disk` in all.

    The disk is that with the least room of those that are written to; `folder` lies on it.
    """

    used: int
    most: int
    free: int
    disk: int
    folder: str

    @property
    def spare(self) -> int:
        """The bytes that are left free of the disk."""
        return min(SPARE_BYTES, self.disk // SHARE)

    @property
    def for_build(self) -> int:
        """The bytes that must be left before a bot is built."""
        return min(BUILD_BYTES, self.disk // SHARE)

    @property
    def left(self) -> int:
        """The bytes that may still be written."""
        return max(0, min(self.most - self.used, self.free - self.spare))


class Disk:
    """Counts the bytes that a site takes; its processes ask before they write."""

    def __init__(self, site: Site, clock: Callable[[], float] = monotonic) -> None:
        self._site = site
        self._clock = clock
        self._counted: tuple[float, int] | None = None
        self._one = Lock()

    def room(self) -> DiskRoom:
        """Return the room. Files are counted every 30 s at most, free bytes each time."""
        with self._one:
            now = self._clock()
            if self._counted is None or now - self._counted[0] > DISK_LOOK_S:
                self._counted = now, sum(map(_size, _places(self._site)))
            used = self._counted[1]
        found = ((*_free_of(each), each) for each in _folders(self._site))
        free, disk, folder = min(found, key=itemgetter(0))
        return DiskRoom(used, self._site.disk_bytes, free, disk, str(folder))

    def shortage(self) -> str:
        """Return a sentence that names the folder which runs out of room, and what is left; or "".

        Its paths are as the site's file has them, since everybody may read it.
        """
        room = self.room()
        if room.left > room.for_build:
            return ""
        name = os.path.relpath(room.folder, self._site.path.resolve().parent)
        where = "the folder of the site" if name == "." else f"the folder {name}"
        if room.free - room.spare <= room.most - room.used:
            needed = (room.spare + room.for_build) >> 20
            return f"{where} has {room.free >> 20} MiB of room left; below {needed} uploads wait"
        taken, most = room.used >> 20, room.most >> 20
        return f"{where} and its league take {taken} of {most} MiB that disk_gib allows"

    def refuse_builds(self) -> None:
        """Raise `NoRoom` if there is too little for what a bot may build."""
        room = self.room()
        _refuse_if(room.left <= room.for_build)

    def refuse_if_full(self, size: int = 0) -> None:
        """Raise `NoRoom` if there is no room for `size` more bytes."""
        _refuse_if(self.room().left <= size)


def _refuse_if(full: bool) -> None:
    if full:
        raise NoRoom("the site has no room left for this", ", or raise disk_gib")


def work_on(site: Site, life: Life, work: Callable[[Site, Life], None]) -> None:
    """Do the work of a process; if it is `hindered`, rest and begin anew.

    Every process can be killed at any moment, and so can begin anew from what is on the disk.
    """
    while True:
        try:
            return work(site, life)
        except (OSError, sqlite3.Error, ArenaError, ExceptionGroup) as error:
            why = hindered(site, error)
            if not why:
                raise
            life.say(f"{why}, and it rests: {error}", True)
        rest(site, life, why)
        life.say("goes on")


def rest(site: Site, life: Life, why: str) -> None:
    """Rest for some seconds, and for as long as the disk is full; beat meanwhile."""
    until = monotonic() + _REST_S
    while monotonic() < until or _is_full(site):
        life.beat(f"rests: {why}")
        sleep(_TICK_S)


def hindered(site: Site, error: BaseException) -> str:
    """Return what hinders a process from reading or writing for now; "" if nothing does.

    The error tells it, or a disk that is full now.
    """
    codes = {*_troubles(error)}
    if sqlite3.SQLITE_FULL in codes or _is_full(site):
        return "the disk is full"
    return "others hold a file for too long" if sqlite3.SQLITE_BUSY in codes else ""


def tells_of_room(error: BaseException) -> bool:
    """Return whether an error, one of its group or one of its causes tells of a full disk."""
    return sqlite3.SQLITE_FULL in _troubles(error)


def _troubles(error: BaseException | None) -> Iterator[int]:
    """Yield SQLite's codes of what it and system calls told, in an error, its group and its causes.

    A refusal that comes from neither is an answer to somebody, and no trouble.
    """
    while error is not None:
        if isinstance(error, BaseExceptionGroup):
            for each in error.exceptions:
                yield from _troubles(each)
        elif isinstance(error, OSError) and error.errno in _FULL:
            yield sqlite3.SQLITE_FULL
        elif isinstance(error, sqlite3.Error):
            yield error_code(error)
        error = error.__cause__ or error.__context__


def _is_full(site: Site) -> bool:
    """Return whether next to no room is left where the site writes, or its bots have scratch."""
    places = (*_folders(site), Path(tempfile.gettempdir()))
    return any(_free_of(each)[0] < LEAST_BYTES for each in places)


def _folders(site: Site) -> list[Path]:
    """Return the folders that are written to, which may lie on two disks."""
    home = site.path.resolve().parent
    folder = site.folder if site.folder.exists() else home
    beside = site.league.resolve().parent
    return [folder, beside] if beside.exists() else [folder]


def _free_of(folder: Path) -> tuple[int, int]:
    """Return the free bytes of a folder's disk, and the size of that disk."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize


def _places(site: Site) -> Iterator[Path]:
    """Yield what belongs to a site: its folder, and all beside the league that has its name."""
    yield site.folder
    stem = site.league.stem
    beside = site.league.parent
    try:
        places = [*beside.iterdir()]
    except OSError:  # not there, or not for this user: what cannot be seen is not counted
        return
    for place in places:
        if place.name.startswith(f"{stem}.") and place != site.folder:
            yield place


def _size(place: Path) -> int:
    """Return the bytes that a file or folder takes on the disk, without what vanishes meanwhile."""
    total, waiting = 0, [place]
    while waiting:
        path = waiting.pop()
        try:
            found = path.lstat()
            total += found.st_blocks * 512
            if path.is_dir() and not path.is_symlink():
                waiting += path.iterdir()
        except OSError:
            continue
    return total
