"""The room that a site may take: what it has, a clear stop before a disk is full, and what then."""

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

from arena.base.damage import FileTrouble, trouble_of
from arena.base.errors import ArenaError
from arena.base.refusals import NoRoom
from arena.site.config import Site
from arena.site.life import Life

SPARE_BYTES: Final = 256 << 20
"""What is left free of the disk, whatever the site may take: others need some, too."""

BUILD_BYTES: Final = 1 << 30
"""The room that there must be before a bot is built."""

SHARE: Final = 16
"""Of a small disk neither is more than this part: a site lives there as well."""

LEAST_BYTES: Final = 16 << 20
"""Where less is free, whatever cannot be written is taken for the disk's fault."""

DISK_LOOK_S: Final = 30.0
"""How old a count of the files may be."""


_REST_S: Final = 5.0
_TICK_S: Final = 0.5
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


class DiskRoom(msgspec.Struct, frozen=True):
    """Bytes that the site and its league take, that they may, and of the disk: free, and all.

    The disk is the one with the least room of those in which is written, `folder` lies on it.
    """

    used: int
    most: int
    free: int
    disk: int
    folder: Path

    @property
    def spare(self) -> int:
        """What is left free of the disk."""
        return min(SPARE_BYTES, self.disk // SHARE)

    @property
    def for_build(self) -> int:
        """The room that there must be before a bot is built."""
        return min(BUILD_BYTES, self.disk // SHARE)

    @property
    def left(self) -> int:
        """How many bytes may still be written."""
        return max(0, min(self.most - self.used, self.free - self.spare))


class Disk:
    """Counts what a site takes; who writes asks it before."""

    def __init__(self, site: Site, clock: Callable[[], float] = monotonic) -> None:
        self._site = site
        self._clock = clock
        self._counted: tuple[float, int] | None = None
        self._one = Lock()

    def room(self) -> DiskRoom:
        """The room as it was counted in the last 30 s; what is free is looked up each time."""
        with self._one:
            now = self._clock()
            if self._counted is None or now - self._counted[0] > DISK_LOOK_S:
                self._counted = now, sum(map(_size, _places(self._site)))
            used = self._counted[1]
        found = ((*_free_of(each), each) for each in _folders(self._site))
        free, disk, folder = min(found, key=itemgetter(0))
        return DiskRoom(used, self._site.disk_bytes, free, disk, folder)

    def shortage(self) -> str:
        """A sentence that names the folder in which room runs out, and what is left; "" if none.

        Its paths are as the site's file has them: all may read it.
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
        return f"{where} and its league take {taken} of {most} MiB that disk_gib lets them"

    def refuse_builds(self) -> None:
        """Raise `NoRoom` where there is too little for what a bot may build."""
        room = self.room()
        _refuse_if(room.left <= room.for_build)

    def refuse_if_full(self, size: int = 0) -> None:
        """Raise `NoRoom` where `size` more bytes are not to be written."""
        _refuse_if(self.room().left <= size)


def _refuse_if(full: bool) -> None:
    if full:
        what = "the site has no room left for this"
        raise NoRoom(what, "the organiser must make room, or raise disk_gib", wait_s=3600)


def work_on(site: Site, life: Life, work: Callable[[Site, Life], None]) -> None:
    """Do the work of a process; where `hindered`, rest and begin anew.

    Each can be killed at any moment, and so begins anew from what is on the disk.
    """
    while True:
        try:
            return work(site, life)
        except (OSError, sqlite3.Error, ArenaError, ExceptionGroup) as error:
            why = hindered(site, error)
            if not why:
                raise
            life.say(f"{why}, and it rests: {error}")
        rest(site, life, why)
        life.say("goes on")


def rest(site: Site, life: Life, why: str) -> None:
    """Rest, heard of, for some seconds and as long as the disk is full."""
    until = monotonic() + _REST_S
    while monotonic() < until or _is_full(site):
        life.beat(f"rests: {why}")
        sleep(_TICK_S)


def hindered(site: Site, error: BaseException) -> str:
    """What kept somebody from reading or writing for a while; "" where nothing did.

    It is seen by what was raised, or since there is no room now.
    """
    troubles = {*_troubles(error)}
    if FileTrouble.FULL in troubles or _is_full(site):
        return "the disk is full"
    return "others hold a file for too long" if FileTrouble.BUSY in troubles else ""


def tells_of_room(error: BaseException) -> bool:
    """Whether an error, one of a group, or what it stands for says that a disk is full."""
    return FileTrouble.FULL in _troubles(error)


def _troubles(error: BaseException | None) -> Iterator[FileTrouble]:
    """What system calls and SQLite said; a refusal that comes from neither is somebody's answer."""
    while error is not None:
        if isinstance(error, BaseExceptionGroup):
            for each in error.exceptions:
                yield from _troubles(each)
        elif isinstance(error, OSError) and error.errno in _FULL:
            yield FileTrouble.FULL
        elif isinstance(error, sqlite3.Error):
            yield trouble_of(error)
        error = error.__cause__ or error.__context__


def _is_full(site: Site) -> bool:
    """Whether there is next to no room, where the site writes or where its bots have scratch."""
    places = (*_folders(site), Path(tempfile.gettempdir()))
    return any(_free_of(each)[0] < LEAST_BYTES for each in places)


def _folders(site: Site) -> list[Path]:
    """The folders in which is written, which may lie on two disks."""
    home = site.path.resolve().parent
    folder = site.folder if site.folder.exists() else home
    beside = site.league.resolve().parent
    return [folder, beside] if beside.exists() else [folder]


def _free_of(folder: Path) -> tuple[int, int]:
    """The bytes that are free on a folder's disk, and all that it has."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize


def _places(site: Site) -> Iterator[Path]:
    """What belongs to a site: its folder, and whatever lies beside the league under its name."""
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
    """The bytes that a file or a folder takes on the disk; what vanishes meanwhile takes none."""
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
