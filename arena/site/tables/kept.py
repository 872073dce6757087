"""Keeps tables that are over for a while: in files that only their service reads."""

import gzip
import hashlib
import sys
import zlib
from pathlib import Path
from time import time
from typing import Final

import msgspec

from arena.base.files import write_whole

_KEPT_S: Final = 30 * 24 * 3600.0
"""Seconds to keep a table."""

_MOST_KEPT: Final = 1000
"""The most tables that are kept; beyond them the oldest go early."""


class KeptTable(msgspec.Struct, frozen=True):
    """A table that is over: its players by seat, seed, log, and the page that replays it."""

    players: tuple[str, ...]
    seed: str
    log: str
    page: str


class KeptTables:
    """The tables in a folder, by their watchers' keys."""

    def __init__(self, folder: Path) -> None:
        self._path = folder
        self._unwritten: dict[Path, bytes] = {}
        """Files that could not be written yet."""

    def keep(self, watch: str, table: KeptTable) -> None:
        """Keep a table; on a full disk it is written later."""
        self._unwritten[self._file(watch)] = gzip.compress(msgspec.json.encode(table))
        self._write()

    def find(self, watch: str) -> KeptTable | None:
        """Return a table; None if it is not kept, or its file is damaged."""
        path = self._file(watch)
        try:
            data = self._unwritten.get(path) or path.read_bytes()
            return msgspec.json.decode(gzip.decompress(data), type=KeptTable)
        except (OSError, EOFError, zlib.error, msgspec.DecodeError):
            return None

    def sweep(self) -> None:
        """Write what could not be written yet, and remove old tables."""
        self._write()
        kept = sorted((_age(file), file) for file in self._folder().iterdir())
        for number, (age_s, file) in enumerate(kept):
            if age_s > _KEPT_S or number >= _MOST_KEPT:
                file.unlink(missing_ok=True)

    def _write(self) -> None:
        for path, data in list(self._unwritten.items()):
            try:
                write_whole(path, data)
            except OSError as error:
                what = f"the log of a guest's table cannot be kept yet: {error.strerror}"
                print(what, file=sys.stderr, flush=True)
            else:
                del self._unwritten[path]

    def _folder(self) -> Path:
        self._path.mkdir(mode=0o700, exist_ok=True)
        return self._path

    def _file(self, watch: str) -> Path:
        """Return the path of a table, whose name does not give the key away."""
        return self._folder() / f"{hashlib.sha256(watch.encode()).hexdigest()}.json.gz"


def _age(file: Path) -> float:
    """Return the seconds since a file was written."""
    try:
        return time() - file.stat().st_mtime
    except OSError:
        return 0.0
