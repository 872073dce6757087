"""The room that a site may take: what it has, and a clear stop before a disk is full."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec

from arena.base.refusals import NoRoom
from arena.site.config import Site

SPARE_BYTES: Final = 256 << 20
"""What is left free of the disk, whatever the site may take: others need some, too."""

DISK_LOOK_S: Final = 30.0
"""How old a count of the files may be."""


class DiskRoom(msgspec.Struct, frozen=True):
    """Bytes that the site and its league take, those that they may, and those free on the disk."""

    used: int
    most: int
    free: int

    @property
    def left(self) -> int:
        """How many bytes may still be written."""
        return max(0, min(self.most - self.used, self.free - SPARE_BYTES))


class Disk:
    """Counts what a site takes; who writes asks it before."""

    def __init__(self, site: Site, clock: Callable[[], float] = monotonic) -> None:
        self._site = site
        self._clock = clock
        self._counted: tuple[float, int] | None = None

    def room(self) -> DiskRoom:
        """The room as it was counted in the last 30 s; what is free is looked up each time."""
        now = self._clock()
        if self._counted is None or now - self._counted[0] > DISK_LOOK_S:
            self._counted = now, sum(map(_size, _places(self._site)))
        look = self._site.folder if self._site.folder.exists() else self._site.path.resolve().parent
        found = os.statvfs(look)
        return DiskRoom(self._counted[1], self._site.disk_bytes, found.f_bavail * found.f_frsize)

    def refuse_if_full(self, size: int = 0) -> None:
        """Raise `NoRoom` where `size` more bytes are not to be written."""
        if self.room().left <= size:
            what = "the site has no room left for this"
            raise NoRoom(what, "the organiser must make room, or raise disk_gib", wait_s=3600)


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
