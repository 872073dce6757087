"""The database of what is public of a league: documents by key, rows of lists.

One process writes it, each version in one transaction; the web process reads it and never waits for
long. Everything in the file can be rebuilt from the record, so an old format is not converted.
"""

import gzip
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from arena.base.database import FileKind, open_database, transaction
from arena.base.files import closed_on_error
from arena.base.refusals import Busy
from arena.site.config import Site
from arena.site.documents import ShownLeague

# The format of the documents. The writer discards a file of another format.
PUBLISHED_FORMAT: Final = "5"

# What is known of a league whose pages are shown, in addition to them.
SHOWN_FILE: Final = "shown.json"

# The level of gzip: higher ones save little and take twice the time.
_PACKING: Final = 5

_READ_S: Final = 1.0
_WRITE_S: Final = 10.0

_SCHEMA: Final = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE documents (key TEXT PRIMARY KEY, data BLOB NOT NULL)
STRICT; -- without row numbers, whatever is longer than a kilobyte would take a page by itself
CREATE TABLE rows (
    list TEXT NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (list, number)
) WITHOUT ROWID, STRICT;
"""

_FILE: Final = FileKind(
    noun="published file",
    whole="what a site publishes",
    schema=_SCHEMA,
    facts="facts",
    format=PUBLISHED_FORMAT,
)

_T = TypeVar("_T")


class Publisher:
    """The file as the one process that writes it has it.

    What is put is kept until it is published: readers see all of it at once, or nothing.
    """

    def __init__(self, path: Path) -> None:
        """Open the file; make it again if it is missing or of another format."""
        self._sql = _opened(path)
        self._documents: dict[str, bytes] = {}
        self._rows: dict[tuple[str, int], bytes] = {}

    def close(self) -> None:
        """Close the file."""
        self._sql.close()

    def put(self, key: str, document: object) -> None:
        """Replace the document under a key. Equal bytes change nothing."""
        self._documents[key] = msgspec.json.encode(document)

    def put_packed(self, key: str, document: bytes) -> None:
        """Put a document that is large, and is read as gzip packs it."""
        self._documents[key] = gzip.compress(document, _PACKING, mtime=0)

    def add(self, name: str, number: int, row: object) -> None:
        """Put a row into a list, by its number."""
        self._rows[name, number] = msgspec.json.encode(row)

    def publish(self) -> None:
        """Write everything that was put as the next version."""
        with transaction(self._sql):
            self._sql.executemany(
                "INSERT INTO documents VALUES (?, ?) ON CONFLICT (key) DO UPDATE"
                " SET data = excluded.data WHERE data != excluded.data",
                self._documents.items(),
            )
            self._sql.executemany(
                "INSERT OR REPLACE INTO rows VALUES (?, ?, ?)",
                ((*place, data) for place, data in self._rows.items()),
            )
        self._documents, self._rows = {}, {}


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    if path.exists():
        with suppress(sqlite3.Error):  # it is of another format, or no such file at all
            return open_database(_FILE, path, "rw", _WRITE_S)
        unpublish(path)
    sql = sqlite3.connect(path, isolation_level=None, timeout=_WRITE_S)
    with closed_on_error(sql):
        path.chmod(0o600 | path.parent.stat().st_mode & 0o040)  # as the folder's mode
        sql.executescript(
            f"BEGIN;{_SCHEMA}INSERT INTO facts VALUES ('format', '{PUBLISHED_FORMAT}'); COMMIT;"
        )
    return sql


def unpublish(path: Path) -> None:
    """Remove a published file."""
    for each in (path, path.with_name(f"{path.name}-journal")):
        each.unlink(missing_ok=True)


class Published:
    """The file as others read it, each time for a moment only.

    It need not be there yet, and another one may take its place. Only one thread may use it at a
    time. All methods raise `Busy` if it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._sql: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def close(self) -> None:
        """Close the file."""
        if self._sql is not None:
            self._sql.close()
            self._sql = None

    def document(self, key: str) -> bytes | None:
        """Return the document under a key as it was put, or None."""
        rows = self._rows("SELECT data FROM documents WHERE key = ?", (key,))
        return rows[0][0] if rows else None

    def read(self, key: str, kind: type[_T]) -> _T | None:
        """Return the document under a key, or None."""
        found = self.document(key)
        return None if found is None else msgspec.json.decode(found, type=kind)

    def before(self, name: str, before: int | None, most: int) -> list[tuple[int, bytes]]:
        """Return the last `most` rows of a list, or those before a number, the last first."""
        return self._rows(
            "SELECT number, data FROM rows WHERE list = :list"
            " AND (:before IS NULL OR number < :before) ORDER BY number DESC LIMIT :most",
            {"list": name, "before": before, "most": most},
        )

    def _rows(
        self, query: str, values: Sequence[object] | Mapping[str, object] = ()
    ) -> list[tuple[Any, ...]]:
        try:
            sql = self._opened()
            return [] if sql is None else sql.execute(query, values).fetchall()
        except sqlite3.Error:
            self.close()
            raise Busy("what was published cannot be read now", "try again", wait_s=2) from None

    # Return a connection to the file that has the name now; None if there is none.
    def _opened(self) -> sqlite3.Connection | None:
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            self.close()
            return None
        if self._sql is None or self._file != (found.st_dev, found.st_ino):
            self.close()
            self._sql = open_database(_FILE, self.path, "ro", _READ_S, threads=True)
            self._file = found.st_dev, found.st_ino
        return self._sql


def shown_leagues(site: Site) -> tuple[ShownLeague, ...]:
    """Return the shown leagues: those still playing, then those that ended, the last one first."""
    found = sorted(_read_shown(site), key=lambda it: it.name)
    return tuple(sorted(found, key=lambda it: (it.ended is not None, -(it.ended or 0.0))))


def _read_shown(site: Site) -> Iterator[ShownLeague]:
    for path in site.league_pages.glob(f"*/{SHOWN_FILE}"):
        try:
            yield msgspec.json.decode(path.read_bytes(), type=ShownLeague)
        except FileNotFoundError:
            continue  # it has just been hidden
