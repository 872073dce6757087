"""The file of the registry: opened by several processes, written in short transactions.

Each function of the other files here is one transaction on a `Registry`.
"""

import hashlib
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, Self

from arena.base.database import (
    FileKind,
    error_code,
    meaning,
    open_database,
    transaction,
)
from arena.base.files import closed_on_error, made_aside
from arena.base.refusals import Broken, Busy, NoRoom, Refusal
from arena.site.config import Quotas
from arena.site.registry.schema import REGISTRY_FORMAT, REGISTRY_SCHEMA

BUSY_S: Final = 5.0
"""Seconds that a transaction waits for those of others."""

_FILE: Final = FileKind(
    noun="registry",
    whole="a site's registry",
    schema=REGISTRY_SCHEMA,
    facts="facts",
    format=REGISTRY_FORMAT,
    if_damaged="go on with a backup: arena serve restore",
)


class Registry:
    """The open file. Threads may share it; a forked process may not."""

    def __init__(
        self,
        path: Path,
        sql: sqlite3.Connection,
        quotas: Quotas,
        clock: Callable[[], float],
    ) -> None:
        self.path, self.quotas, self.now = path, quotas, clock
        self._sql = sql
        self._lock = threading.RLock()
        self._written = 0

    @classmethod
    def open(
        cls, path: Path, quotas: Quotas | None = None, clock: Callable[[], float] = time.time
    ) -> Self:
        """Open the file, or make it if it is missing. Raises `Refusal`.

        `clock` gives the seconds since 1970 in UTC.
        """
        with _telling(path):
            try:
                if not path.exists():
                    _create(path)
                sql = _connected(path)
            except OSError as error:
                raise Broken(f"{path} cannot be made: {error.strerror}") from None
            return cls(path, sql, quotas or Quotas(), clock)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._sql.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write in a transaction: all or nothing, one writer after another. Raises `Refusal`."""
        with self._transaction("BEGIN IMMEDIATE") as sql:
            before = sql.total_changes
            yield sql
            changed = sql.total_changes != before
        self._written += changed

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read in a transaction, which sees one state of the file.

        Keep it short. Raises `Refusal`.
        """
        with self._transaction("BEGIN") as sql:
            yield sql

    def version(self) -> tuple[int, int]:
        """Return a value that changes once anybody has written. To ask is cheap."""
        with self._lock, _telling(self.path):
            (version,) = self._sql.execute("PRAGMA data_version").fetchone()
            return int(version), self._written

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, _telling(self.path), transaction(self._sql, begin):
            yield self._sql


def new_secret(prefix: str = "") -> str:
    """Return a text of 256 random bits that nobody can guess: 43 characters of base64url."""
    return prefix + secrets.token_urlsafe(32)


def hash_of(secret: str) -> bytes:
    """Return the hash that is stored of a secret.

    A secret has 256 bits, so it needs no salt and no slow hash.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _create(path: Path) -> None:
    """Make an empty file aside and name it, unless another process was quicker."""
    _make_folders(path.parent)
    shared = path.parent.stat().st_mode & 0o060  # a second user may do here what the folder says
    with made_aside(path) as draft:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR))
        draft.chmod(0o600 | shared)
        with closing(sqlite3.connect(draft, isolation_level=None)) as sql:
            sql.executescript(f"PRAGMA journal_mode=WAL; BEGIN;{REGISTRY_SCHEMA}; COMMIT;")
            sql.execute("INSERT INTO facts VALUES ('format', ?)", (REGISTRY_FORMAT,))
        with suppress(FileExistsError):  # another process was quicker
            os.link(draft, path)


def _make_folders(folder: Path) -> None:
    """Make the site's folder, and in it that of the registry with the same rights for its group."""
    folder.parent.mkdir(mode=0o750, exist_ok=True)
    if not folder.exists():
        shared = folder.parent.stat().st_mode & 0o070  # whatever the umask
        with suppress(FileExistsError):
            folder.mkdir(mode=0o750)
            folder.chmod(folder.stat().st_mode | shared)


def _connected(path: Path) -> sqlite3.Connection:
    """Return a connection. Nothing acts that another process may have written into the file."""
    sql = open_database(_FILE, path, "rw", wait_s=BUSY_S, threads=True)
    with closed_on_error(sql):
        sql.execute("PRAGMA foreign_keys=ON")
        sql.execute("PRAGMA synchronous=FULL")  # what was answered with 202 is on the disk
        sql.execute(f"PRAGMA journal_size_limit={16 << 20}")
    return sql


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as refusals: no room, others hold the file too long, damage."""
    try:
        yield
    except sqlite3.Error as error:
        raise _meaning(error, path) from None


def _meaning(error: sqlite3.Error, path: Path) -> Refusal:
    match error_code(error):
        case sqlite3.SQLITE_BUSY:
            return Busy("the site is busy", "try again", wait_s=round(BUSY_S))
        case sqlite3.SQLITE_FULL:
            return NoRoom()
        case _:
            [mistake] = meaning(error, _FILE, path, "used").mistakes
            return Broken(f"{path}: {mistake.what}", mistake.remedy)
