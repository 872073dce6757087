"""Opens the arena's SQLite files, which a stranger may have made, so that nothing in them acts.

A file has the tables of its kind and nothing else: no view, trigger or virtual table is ever asked
for anything. SQLite's limits bound what one value or statement may cost, and a handler what a query
may compute in proportion to the file's size.
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
"""More of SQLite's steps than it needs to read the list of tables, which it does by itself."""

_SUPER_JOURNAL: Final = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal ends that names another file, which SQLite would then remove."""

_STATISTICS: Final = ("table", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)")
"""What ANALYZE leaves in a file whose owner has asked for it."""

_OF_MAIN: Final = "*** in database main ***\n"
"""What SQLite begins with where it tells what is wrong with a file."""

_STEPS_A_CALL: Final = 1_000_000
_STEPS_A_BYTE: Final = 50
_SMALLEST_ROW: Final = 40
_SLOWEST: Final = 1 << 20
"""Bytes a second of a file that even a slow machine looks through, after a minute of its own."""

_REPEATED: Final = 8
"""How often the rows of a query may give a byte of the file: joins repeat what they join."""

_BATCH: Final = 256
_BATCH_BYTES: Final = 1 << 20

_DEAF_S: Final = 0.5
"""Ctrl-C that comes just before a wait begins is heard only once it is over."""

T = TypeVar("T")
Values = Sequence[object] | Mapping[str, object]

_Tables = frozenset[tuple[str, str, str | None]]
"""Tables and indexes as SQLite lists them: type, name, SQL."""


class FileKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of file: its tables, its largest value in bytes, and how people are told of it.

    `noun` stands behind "the" and "this"; `whole` is what a file of another kind is not. Where
    there is a `format`, it is the value of the key of that name in the table `facts`. What helps
    is said where a file is of another kind, where it is damaged, and where there is no room.
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
    """A file of the kind, but not of the format that this arena opens."""


class Allowance:
    """How much reading a file may cost: in proportion to its size, begun anew by `renew`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._calls = 0
        self.most_rows = self.most_bytes = 0
        self.call_s = 0.0
        """Seconds that one call of SQLite may take."""
        self.renew()

    def renew(self) -> None:
        """Begin the next reading."""
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
        """Count a million of SQLite's steps; whether these were too many."""
        self._calls -= 1
        return self._calls < 0


class GuardedReader:
    """Asks a file that a stranger may have made, so that no question takes time without bound.

    Not all that SQLite does counts as a step, and while it is at it, nobody hears Ctrl-C. So it is
    asked on a thread of its own, and interrupted where the caller is or the `allowance` is used up.
    The connection must allow `threads`.
    """

    def __init__(self, sql: sqlite3.Connection, allowance: Allowance) -> None:
        self._sql, self._allowance = sql, allowance
        self._thread = ThreadPoolExecutor(1, "database")

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()

    def row(self, query: str, values: Values = ()) -> Any:
        """The first row of a query, if there is one. Raises `ValueError` as `rows` does."""
        return self._ask(lambda: self._sql.execute(query, values).fetchone())

    def check(self, table: str | None = None) -> None:
        """Raise `ValueError` where SQLite finds the file, or a table with its indexes, damaged.

        No page is then reached in two ways: a walk over what was checked comes to an end, and its
        values are together no larger than the file. It costs a look at each page.
        """
        (found,) = self.row(f"PRAGMA quick_check({table or 1})")
        if found != "ok":
            raise ValueError(str(found).removeprefix(_OF_MAIN).partition("\n")[0])

    def rows(self, query: str, values: Values = ()) -> Iterator[Any]:
        """The rows of a query. Raises `ValueError` beyond what a file of this size can hold."""
        cursor = self._ask(lambda: self._sql.execute(query, values))
        number = size = 0
        while True:
            batch, more = self._ask(lambda: _some(cursor))
            number, size = number + len(batch), size + more
            if number > self._allowance.most_rows:
                raise ValueError("it has more rows than its size can hold")
            if size > self._allowance.most_bytes:
                raise ValueError("its rows hold more than it can")
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
            while not asked.done():  # an interruption before it has begun is lost
                self._sql.interrupt()
                wait([asked], 0.1)


def _some(cursor: sqlite3.Cursor) -> tuple[list[tuple[object, ...]], int]:
    """The next rows, and the bytes of their texts and blobs."""
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
    """Open a file by SQLite's `mode`. Raises `OSError`, and `sqlite3.DatabaseError` for another.

    Queries are interrupted where they take more than the `allowance`. `wait_s` is how long others
    may hold the file; `threads` may share the connection.
    """
    if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
        raise sqlite3.DatabaseError("it is a device, a pipe or a socket")
    for suffix in ("-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.stat(f"{path}{suffix}").st_mode):
                raise sqlite3.DatabaseError(f"what lies beside it as {suffix} is no file")
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
    """Do all of it or nothing. One that writes begins so: a reader that turns writer would fail."""
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
    """The tables of a schema."""
    sql = sqlite3.connect(":memory:")
    try:
        sql.executescript(schema)
        return frozenset(sql.execute("SELECT type, name, sql FROM sqlite_master"))
    finally:
        sql.close()


def _names_another(journal: Path) -> bool:
    """Whether a journal beside a file names another one."""
    try:
        with journal.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - len(_SUPER_JOURNAL)))
            return file.read() == _SUPER_JOURNAL
    except OSError:
        return False
