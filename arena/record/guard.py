"""Opens the file of a record, which a stranger may have made, so that nothing in it acts.

A record has our tables and nothing else: no view, trigger or virtual table is ever asked for
anything. SQLite's limits bound what one value or statement may cost, and a handler what a query may
compute in proportion to the file's size.
"""

import os
import sqlite3
import stat
from functools import cache
from pathlib import Path
from typing import Final

from arena.base.closing import closed_on_error
from arena.base.errors import ArenaError, Mistake

LARGEST_VALUE: Final = 128 << 20
"""The most bytes of one stored value, such as the log of a match."""

_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: LARGEST_VALUE,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1 << 16,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 4,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

_SUPER_JOURNAL: Final = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal ends that names another file, which SQLite would then remove."""

_STATISTICS: Final = ("table", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)")
"""What ANALYZE leaves in a record whose owner has asked for it."""

Tables = frozenset[tuple[str, str, str | None]]
"""Tables and indexes as SQLite lists them: type, name, SQL."""

_STEPS_A_CALL: Final = 1_000_000
_STEPS_A_BYTE: Final = 50
_SMALLEST_ROW: Final = 40


class Allowance:
    """How much reading a record may cost: in proportion to its size, begun anew by `renew`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._calls = 0
        self.most_rows = 0
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

    def exceeded(self) -> bool:
        """Count a million of SQLite's steps; whether these were too many."""
        self._calls -= 1
        return self._calls < 0


def open_guarded(
    path: Path, mode: str, allowance: Allowance, schema: str, form: str | None = None
) -> sqlite3.Connection:
    """Open the file of a record by SQLite's `mode`. Raises `ArenaError`, `sqlite3.DatabaseError`.

    Its tables must be exactly those of the `schema`; where it has a table `league`, this says that
    it has the format `form`. Queries are interrupted where they take more than the `allowance`.
    """
    if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
        raise ArenaError(Mistake("this is not a file", str(path)))
    _refuse_journal(path)
    sql = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    with closed_on_error(sql):
        for limit, most in _LIMITS.items():
            sql.setlimit(limit, most)
        sql.set_progress_handler(allowance.exceeded, _STEPS_A_CALL)
        sql.execute("PRAGMA trusted_schema=OFF")
        sql.execute("PRAGMA cell_size_check=ON")
        _check(sql, path, schema, form)
    return sql


def _check(sql: sqlite3.Connection, path: Path, schema: str, form: str | None) -> None:
    """Raise `ArenaError` for another format, `sqlite3.DatabaseError` for other tables."""
    found, ours = _found(sql), _ours(schema)
    if form is not None and _named("league", found) == _named("league", ours):
        row = sql.execute("SELECT value FROM league WHERE key = 'format'").fetchone()
        other = row[0] if row and isinstance(row[0], str) else "none"
        if other != form:
            what = f"the record has format {other:.20}, this arena opens format {form}"
            raise ArenaError(Mistake(what, str(path)))
    if found != ours:
        more = "more than our tables" if found > ours else "no tables of ours"
        raise sqlite3.DatabaseError(f"it has {more}")


def _named(name: str, tables: Tables) -> Tables:
    return frozenset(table for table in tables if table[1] == name)


def _found(sql: sqlite3.Connection) -> Tables:
    found = frozenset(sql.execute("SELECT type, name, sql FROM sqlite_master LIMIT 100"))
    return found - {_STATISTICS}


@cache
def _ours(schema: str) -> Tables:
    """The tables of a schema."""
    sql = sqlite3.connect(":memory:")
    try:
        sql.executescript(schema)
        return frozenset(sql.execute("SELECT type, name, sql FROM sqlite_master"))
    finally:
        sql.close()


def _refuse_journal(path: Path) -> None:
    """Raise `ArenaError` for a journal beside a record that names another file."""
    journal = Path(f"{path}-journal")
    try:
        with journal.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - len(_SUPER_JOURNAL)))
            names_another = file.read() == _SUPER_JOURNAL
    except OSError:
        return
    if names_another:
        what = "this journal beside a record names another file"
        raise ArenaError(Mistake(what, str(journal), "no arena wrote it; move it away"))
