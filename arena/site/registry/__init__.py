"""The registry: a database of what only the site knows, opened by several processes.

It is written in short transactions: each function of the files here is one on a `Registry`. Times
are seconds since 1970 in UTC. Of secrets only the SHA-256 is stored.
"""

import hashlib
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

from arena.base.database import FileKind, error_code, meaning, open_database, transaction
from arena.base.files import atomic_target, closed_on_error
from arena.base.refusals import Broken, Busy, NoRoom, Refusal
from arena.site.config import Quotas

# Seconds that a transaction waits for those of others.
BUSY_S: Final = 5.0

# The format of the file; it grows whenever an older arena would misread a new one.
REGISTRY_FORMAT: Final = "7"

_SCHEMA: Final = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;

CREATE TABLE accounts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    likeness TEXT NOT NULL UNIQUE,
    at REAL NOT NULL,
    revoked REAL,
    why TEXT NOT NULL DEFAULT '',
    team TEXT NOT NULL DEFAULT '',
    token BLOB UNIQUE
) STRICT;

CREATE TABLE invitations (
    hash BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    likeness TEXT NOT NULL,
    until REAL NOT NULL,
    places INTEGER NOT NULL,
    team TEXT NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE sessions (
    hash BLOB PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    until REAL NOT NULL,
    code INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX sessions_of ON sessions (account, until);

CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account INTEGER NOT NULL REFERENCES accounts,
    kind TEXT NOT NULL,
    about TEXT NOT NULL,
    at REAL NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    tries INTEGER NOT NULL DEFAULT 0,
    ended REAL,
    answer TEXT NOT NULL DEFAULT '',
    result TEXT NOT NULL DEFAULT 'null',
    log BLOB,
    steps TEXT NOT NULL DEFAULT '[]',
    build_s REAL NOT NULL DEFAULT 0,
    entering TEXT,
    passed TEXT,
    name TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX jobs_about ON jobs (account, about, number);
CREATE INDEX jobs_of ON jobs (account, number);
CREATE INDEX jobs_of_a_day ON jobs (account, kind, at);
CREATE INDEX jobs_by_state ON jobs (state, kind, number);
CREATE INDEX jobs_by_end ON jobs (kind, ended);
CREATE UNIQUE INDEX one_upload ON jobs (account) WHERE kind = 'upload' AND ended IS NULL;

CREATE TABLE bots (
    name TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    called TEXT NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    at REAL NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX bots_of ON bots (account, state);

CREATE TABLE stops (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (kind, name)
) WITHOUT ROWID, STRICT;

CREATE TABLE announcements (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    about TEXT NOT NULL
) STRICT;
"""

_FILE: Final = FileKind(
    noun="registry",
    whole="a site's registry",
    schema=_SCHEMA,
    facts="facts",
    format=REGISTRY_FORMAT,
    if_damaged="continue from a backup: arena serve restore",
)

# The values of a query's parameters.
QueryValues = Sequence[object] | Mapping[str, object]


class Registry:
    """The open file. Threads may share it; a forked process may not."""

    def __init__(
        self, path: Path, sql: sqlite3.Connection, quotas: Quotas, clock: Callable[[], float]
    ) -> None:
        self.path: Path = path
        self.quotas = quotas
        self.now = clock
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
        with _errors_as_refusals(path):
            try:
                if not path.exists():
                    _create(path)
                sql = open_database(_FILE, path, "rw", wait_s=BUSY_S, threads=True)
            except OSError as error:
                raise Broken(f"{path} cannot be made: {error.strerror}") from None
            with closed_on_error(sql):
                sql.execute("PRAGMA foreign_keys=ON")
                # Only a compromised web process writes other text.
                sql.text_factory = lambda text: text.decode("utf-8", "replace")
                sql.execute("PRAGMA synchronous=FULL")  # what was answered with 202 is on the disk
                sql.execute(f"PRAGMA journal_size_limit={16 << 20}")
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
        """Read in a short transaction, which sees one state of the file. Raises `Refusal`."""
        with self._transaction("BEGIN") as sql:
            yield sql

    def read(self, query: str, values: QueryValues = ()) -> list[Any]:
        """Return the rows of a query. Raises `Refusal`."""
        with self.reading() as sql:
            return sql.execute(query, values).fetchall()

    def version(self) -> tuple[int, int]:
        """Return a value that changes once anybody has written. To ask is cheap."""
        with self._lock, _errors_as_refusals(self.path):
            (version,) = self._sql.execute("PRAGMA data_version").fetchone()
            return int(version), self._written

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, _errors_as_refusals(self.path), transaction(self._sql, begin):
            yield self._sql


def new_secret(prefix: str = "") -> str:
    """Return a text of 256 random bits that nobody can guess: 43 characters of base64url."""
    return prefix + secrets.token_urlsafe(32)


def hash_of(secret: str) -> bytes:
    """Return the hash that is stored of a secret: it has 256 bits, so it needs no salt."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


# Make an empty file aside and name it, for the users whom its folder is for.
def _create(path: Path) -> None:
    folder = path.parent
    folder.parent.mkdir(mode=0o750, exist_ok=True)
    if not folder.exists():
        shared = folder.parent.stat().st_mode & 0o070  # whatever the umask
        with suppress(FileExistsError):
            folder.mkdir(mode=0o750)
            folder.chmod(folder.stat().st_mode | shared)
    with atomic_target(path) as draft:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR))
        draft.chmod(0o600 | folder.stat().st_mode & 0o060)
        with closing(sqlite3.connect(draft, isolation_level=None)) as sql:
            sql.executescript(f"PRAGMA journal_mode=WAL; BEGIN;{_SCHEMA}; COMMIT;")
            sql.execute("INSERT INTO facts VALUES ('format', ?)", (REGISTRY_FORMAT,))
        with suppress(FileExistsError):  # another process was quicker
            os.link(draft, path)


@contextmanager
def _errors_as_refusals(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _refusal(error, path) from None


def _refusal(error: sqlite3.Error, path: Path) -> Refusal:
    match error_code(error):
        case sqlite3.SQLITE_BUSY:
            return Busy("the site is busy", "try again", wait_s=round(BUSY_S))
        case sqlite3.SQLITE_FULL:
            return NoRoom()
        case sqlite3.SQLITE_IOERR if not os.statvfs(path.parent).f_bavail:  # for its shared memory
            return NoRoom()
        case _:
            [mistake] = meaning(error, _FILE, path, "used").mistakes
            return Broken(f"{path}: {mistake.what}", mistake.remedy)
