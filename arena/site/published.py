"""The database of what is public of a league: documents by key, rows of lists.

One process writes it, each version in one transaction; the web process reads it and never waits for
long. Whatever is in the file can be made anew from the record, so an old format is not converted.
"""

import gzip
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.base.files import closed_on_error
from arena.base.refusals import Busy

# The format of the file. Of another one, a writer discards the file and a reader takes nothing.
PUBLISHED_FORMAT: Final = 3

# The most bytes that a document may have.
LARGEST: Final = 16 << 20

# The level of gzip: higher ones save little and take twice the time.
_PACKING: Final = 5

_READ_S: Final = 1.0
_WRITE_S: Final = 10.0

_SCHEMA: Final = """
CREATE TABLE documents (
    key TEXT PRIMARY KEY, version INTEGER NOT NULL, data BLOB NOT NULL
) STRICT; -- without row numbers, whatever is longer than a kilobyte would take a page by itself
CREATE TABLE rows (
    list TEXT NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (list, number)
) WITHOUT ROWID, STRICT;
CREATE TABLE version (number INTEGER NOT NULL) STRICT;
INSERT INTO version VALUES (abs(random() % 1000000) * 1000000); -- no number comes twice
"""


class Document(msgspec.Struct, frozen=True):
    """A document as JSON, and the version that last changed it."""

    version: int
    data: bytes


class Publisher:
    """The file as the one process that writes it has it.

    What is put is kept until it is published: readers see all of it at once, or nothing.
    """

    def __init__(self, path: Path) -> None:
        """Open the file; make it anew if it is missing or of another format."""
        self._path = path
        self._sql = _opened(path)
        self._documents: dict[str, bytes] = {}
        self._rows: dict[tuple[str, int], bytes] = {}

    def close(self) -> None:
        """Close the file."""
        self._sql.close()

    def move(self, path: Path) -> None:
        """Take the place of another file, and go on there."""
        self.close()
        self._path = self._path.replace(path)
        self._sql = _opened(path)

    def put(self, key: str, document: object) -> None:
        """Put a document in place of the one under its key. Equal bytes change nothing."""
        self._put(key, msgspec.json.encode(document))

    def put_packed(self, key: str, document: bytes) -> None:
        """Put a document that is large, and is read as gzip packs it."""
        self._put(key, gzip.compress(document, _PACKING, mtime=0))

    def add(self, name: str, number: int, row: object) -> None:
        """Put a row into a list, by its number."""
        self._rows[name, number] = msgspec.json.encode(row)

    def publish(self) -> None:
        """Write all that was put as the next version."""
        self._sql.execute("BEGIN IMMEDIATE")
        try:
            (version,) = self._sql.execute(
                "UPDATE version SET number = number + 1 RETURNING number"
            ).fetchone()
            self._sql.executemany(
                "INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE"
                " SET version = excluded.version, data = excluded.data WHERE data != excluded.data",
                ((key, version, data) for key, data in self._documents.items()),
            )
            self._sql.executemany(
                "INSERT OR REPLACE INTO rows VALUES (?, ?, ?)",
                ((*place, data) for place, data in self._rows.items()),
            )
            self._sql.execute("COMMIT")
        except BaseException:
            if self._sql.in_transaction:
                self._sql.execute("ROLLBACK")
            raise
        self._documents, self._rows = {}, {}

    def _put(self, key: str, data: bytes) -> None:
        if len(data) > LARGEST:
            raise ValueError(f"the document {key} has {len(data)} bytes")
        self._documents[key] = data


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    with suppress(sqlite3.Error):
        sql = _connect(path, "rwc", _WRITE_S)
        with suppress(sqlite3.Error):
            if _format(sql) == PUBLISHED_FORMAT:
                return sql
        sql.close()
    unpublish(path)
    sql = _connect(path, "rwc", _WRITE_S)
    with closed_on_error(sql):
        path.chmod(0o600 | path.parent.stat().st_mode & 0o040)  # as the folder says
        sql.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version={PUBLISHED_FORMAT}; COMMIT;")
    return sql


def unpublish(path: Path) -> None:
    """Remove a published file."""
    for each in (path, path.with_name(f"{path.name}-journal")):
        each.unlink(missing_ok=True)


class Published:
    """The file as others read it, each time for a moment only.

    It need not be there yet, and another one may take its place. Only one thread may use it at a
    time.
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

    def version(self) -> int:
        """Return the number of the newest version; 0 if nothing was ever published."""
        return int(next(iter(self._read("SELECT number FROM version")), (0,))[0])

    def document(self, key: str) -> Document | None:
        """Return the document under a key, or None."""
        rows = self._read("SELECT version, data FROM documents WHERE key = ?", (key,))
        return Document(*rows[0]) if rows else None

    def before(self, name: str, before: int | None, most: int) -> list[tuple[int, bytes]]:
        """Return the last `most` rows of a list, or those before a number, the last first."""
        return self._read(
            "SELECT number, data FROM rows WHERE list = :list"
            " AND (:before IS NULL OR number < :before) ORDER BY number DESC LIMIT :most",
            {"list": name, "before": before, "most": most},
        )

    def after(self, name: str, after: int, most: int) -> tuple[list[tuple[int, bytes]], int]:
        """Return the last `most` rows of a list after a number, the first of them first.

        Also returns the number of rows between that number and these.
        """
        found = self._read(
            "SELECT number, data FROM rows WHERE list = ? AND number > ?"
            " ORDER BY number DESC LIMIT ?",
            (name, after, most),
        )
        if len(found) < most:
            return found[::-1], 0
        [(count,)] = self._read(
            "SELECT count(*) FROM rows WHERE list = ? AND number > ?", (name, after)
        )
        return found[::-1], max(0, count - len(found))

    # Return the rows of a query; none if there is no file.
    # Raises `Busy` if it cannot be read.
    def _read(
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
            self._sql = _connect(self.path, "ro", _READ_S)
            self._file = found.st_dev, found.st_ino
            if _format(self._sql) != PUBLISHED_FORMAT:
                self.close()
        return self._sql


# Return a connection. The file has a rollback journal, so that readers need not write.
def _connect(path: Path, mode: str, timeout_s: float) -> sqlite3.Connection:
    sql = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=timeout_s,
        check_same_thread=False,
    )
    sql.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "temp_store=MEMORY"):
        sql.execute(f"PRAGMA {pragma}")
    return sql


def _format(sql: sqlite3.Connection) -> int:
    return int(sql.execute("PRAGMA user_version").fetchone()[0])
