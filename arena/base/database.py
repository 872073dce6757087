"""Opens the arena's SQLite files so that nothing in them acts: a stranger may have made them.

A file must have exactly the tables of its kind, so no view, trigger or virtual table is ever
queried. SQLite's limits bound what one value or statement may cost, and a progress handler bounds
the work of a query in proportion to the file's size.
"""

import math
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from arena.base.closing import closed_on_error

_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1 << 16,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1 << 16,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 4,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

_STEPS_TO_OPEN: Final = 20_000
"""SQLite's steps that opening a file may take; reading the list of tables takes fewer."""

_SUPER_JOURNAL: Final = bytes.fromhex("d9d505f920a163d7")
"""The last bytes of a rollback journal that names another file, which SQLite would then remove."""

_STATISTICS: Final = ("table", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)")
"""The table that ANALYZE leaves in a file whose owner has run it."""

_OF_MAIN: Final = "*** in database main ***\n"
"""The line with which SQLite begins to tell what is wrong with a file."""

_STEPS_A_CALL: Final = 1_000_000
_STEPS_A_BYTE: Final = 50
_SMALLEST_ROW: Final = 40
_SLOWEST: Final = 1 << 20
"""Bytes of a file that even a slow machine reads in a second; each call gets a minute more."""

_REPEATED: Final = 8
"""The number of times that the rows of a query may repeat a byte of the file, as joins do."""

_BATCH: Final = 256
_BATCH_BYTES: Final = 1 << 20

_DEAF_S: Final = 0.5
"""Seconds of one wait for the thread: Ctrl-C just before a wait is heard only after it."""

T = TypeVar("T")
Values = Sequence[object] | Mapping[str, object]

_Tables = frozenset[tuple[str, str, str | None]]
"""Tables and indexes as SQLite lists them: type, name, SQL."""


class FileKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of file: its tables, its largest value in bytes, and the words in which it is told of.

    `noun` follows "the" and "this"; a file of another kind is said not to be `whole`. If the kind
    has a `format`, the table `facts` holds it under that key. The remedies are told if a file is of
    another kind, is damaged, or finds no room on the disk.
    """

    noun: str
    whole: str
    schema: str
    largest: int
    facts: str = ""
    format: str | None = None
    if_other: str = ""
    if_damaged: str = ""
    if_full: str = ""


class OtherFormat(sqlite3.DatabaseError):
    """The file is of its kind, but of a format that this arena does not open."""


class Allowance:
    """The work that reading a file may cost, in proportion to its size.

    `renew` begins the next reading.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._calls = 0
        self.most_rows = self.most_bytes = 0
        self.call_s = 0.0
        """Seconds that one call of SQLite may take."""
        self.renew()

    def renew(self) -> None:
        """Start afresh, with the present size of the file."""
        size = 0
        for name in (self._path, f"{self._path}-wal"):
            try:
                size += os.stat(name).st_size
            except OSError:
                continue
        self._calls = 5 + size * _STEPS_A_BYTE // _STEPS_A_CALL
        self.most_rows = 1000 + size // _SMALLEST_ROW
        self.most_bytes = (1 << 24) + _REPEATED * size
        self.call_s = 60 + size / _SLOWEST

    def exceeded(self) -> bool:
        """Count a million of SQLite's steps, and return whether these were too many."""
        self._calls -= 1
        return self._calls < 0


class GuardedReader:
    """Queries a file that a stranger may have made, and never longer than its size can need.

    Some of SQLite's work counts as no step, and Python hears no Ctrl-C during a call. So queries
    run on a thread of their own, and are interrupted when the caller is, or when the `allowance` is
    used up. The connection must have been opened for `threads`.
    """

    def __init__(self, sql: sqlite3.Connection, allowance: Allowance) -> None:
        self._sql, self._allowance = sql, allowance
        self._thread = ThreadPoolExecutor(1, "database")

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()

    def row(self, query: str, values: Values = ()) -> Any:
        """Return the first row of a query, or None. Raises `ValueError` as `rows` does."""
        return self._ask(lambda: self._sql.execute(query, values).fetchone())

    def check(self, table: str | None = None) -> None:
        """Raise `ValueError` if SQLite finds the file, or one table with its indexes, damaged.

        Afterwards no page can be reached in two ways: a walk over what was checked comes to an end,
        and its values together are no larger than the file. The check reads every page once.
        """
        (found,) = self.row(f"PRAGMA quick_check({table or 1})")
        if found != "ok":
            raise ValueError(str(found).removeprefix(_OF_MAIN).partition("\n")[0])

    def rows(self, query: str, values: Values = ()) -> Iterator[Any]:
        """Yield the rows of a query. Raises `ValueError` for more than its file can hold."""
        cursor = self._ask(lambda: self._sql.execute(query, values))
        number = size = 0
        while True:
            batch, more = self._ask(lambda: _some(cursor))
            number, size = number + len(batch), size + more
            if number > self._allowance.most_rows:
                raise ValueError("it has more rows than its size can hold")
            if size > self._allowance.most_bytes:
                raise ValueError("its rows hold more bytes than its size can")
            if not batch:
                return
            yield from batch

    def _ask(self, do: Callable[[], T]) -> T:
        asked = self._thread.submit(do)
        try:
            for _ in range(math.ceil(self._allowance.call_s / _DEAF_S)):
                with suppress(TimeoutError):
                    return asked.result(_DEAF_S)
            raise ValueError("it takes more reading than its size can need")
        finally:
            while not asked.done():  # an interruption before the query has begun is lost
                self._sql.interrupt()
                wait([asked], 0.1)


def _some(cursor: sqlite3.Cursor) -> tuple[list[tuple[object, ...]], int]:
    """Return the next rows, and the bytes of their texts and blobs."""
    batch: list[tuple[object, ...]] = []
    size = 0
    while len(batch) < _BATCH and size < _BATCH_BYTES and (row := cursor.fetchone()) is not None:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
    return batch, size


def open_guarded(
    kind: FileKind,
    path: Path,
    mode: str,
    allowance: Allowance | None = None,
    wait_s: float = 5.0,
    threads: bool = False,
) -> sqlite3.Connection:
    """Open a file by SQLite's `mode`.

    Raises `OSError`, and `sqlite3.DatabaseError` for a file of another kind. Queries beyond the
    `allowance` are interrupted. `wait_s` are the seconds for which another process may hold the
    file; with `threads`, several threads may use the connection.
    """
    if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
        raise sqlite3.DatabaseError("it is a device, a pipe or a socket")
    for suffix in ("-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.stat(f"{path}{suffix}").st_mode):
                raise sqlite3.DatabaseError(f"the {suffix} beside it is not a regular file")
    if _names_another(Path(f"{path}-journal")):
        raise sqlite3.DatabaseError("the journal beside it names another file; no arena wrote that")
    sql = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=wait_s,
        check_same_thread=not threads,
    )
    with closed_on_error(sql):
        for limit, most in _LIMITS.items():
            sql.setlimit(limit, most)
        sql.set_progress_handler(lambda: True, _STEPS_TO_OPEN)
        sql.execute("PRAGMA trusted_schema=OFF")
        sql.execute("PRAGMA cell_size_check=ON")
        _check(sql, kind)
        sql.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, kind.largest)
        sql.set_progress_handler(None if allowance is None else allowance.exceeded, _STEPS_A_CALL)
    return sql


@contextmanager
def transaction(sql: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """Commit all that is done within, or nothing.

    The default takes the write lock at once: a transaction that only reads at first may be refused
    it.
    """
    sql.execute(begin)
    try:
        yield
        sql.execute("COMMIT")
    except BaseException:
        if sql.in_transaction:  # on a full disk SQLite has already rolled back
            sql.execute("ROLLBACK")
        raise


def _check(sql: sqlite3.Connection, kind: FileKind) -> None:
    """Raise `sqlite3.DatabaseError` unless a file has the tables of its kind, and its format."""
    listed = sql.execute("SELECT type, name, sql FROM sqlite_master LIMIT 100")
    found, ours = frozenset(listed) - {_STATISTICS}, _tables(kind.schema)
    if kind.format is not None and _named(kind.facts, found) == _named(kind.facts, ours):
        row = sql.execute(f"SELECT value FROM {kind.facts} WHERE key = 'format'").fetchone()
        other = row[0] if row and isinstance(row[0], str) else "none"
        if other != kind.format:
            raise OtherFormat(f"has format {other:.20}, this arena opens format {kind.format}")
    if found != ours:
        more = "more than our tables" if found > ours else "no tables of ours"
        raise sqlite3.DatabaseError(f"it has {more}")


def _named(name: str, tables: _Tables) -> _Tables:
    return frozenset(table for table in tables if table[1] == name)


@cache
def _tables(schema: str) -> _Tables:
    """Return a schema's tables and indexes as SQLite lists them."""
    sql = sqlite3.connect(":memory:")
    try:
        sql.executescript(schema)
        return frozenset(sql.execute("SELECT type, name, sql FROM sqlite_master"))
    finally:
        sql.close()


def _names_another(journal: Path) -> bool:
    """Return whether this rollback journal names another file."""
    try:
        with journal.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - len(_SUPER_JOURNAL)))
            return file.read() == _SUPER_JOURNAL
    except OSError:
        return False
