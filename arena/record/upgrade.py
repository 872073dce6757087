"""Brings a record of an older format to the present one: into a new file, which takes its place.

The record is left as it is until the new one has been written, synchronized to the disk and
verified match by match. Then the old file gets a second name, and the new one takes the first.
Killed at any moment, the record is there under its name, old or new, and the same command goes on.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import MOST_TOLD, ArenaError, Mistake
from arena.base.marks import mark
from arena.record.damage import tell_damage, tell_errors
from arena.record.durable import make_private
from arena.record.lock import lock
from arena.record.matches import verify_all
from arena.record.paths import league_path
from arena.record.rows import SqlRow
from arena.record.store import Store
from arena.record.swap import put_in_place
from arena.record.tables import FORMAT, SCHEMAS
from arena.record.writer import sweep_drafts

_NEW_COLUMNS: Final = {("3", "matches"): {"processor": "[]"}}
"""What the columns hold that a table of a format lacks."""


class Upgraded(msgspec.Struct, frozen=True):
    """A record, the format it had, how many matches were verified, and where the old file lies.

    Nothing was done, and `kept` is None, where the record had the present format.
    """

    record: str
    before: str
    matches: int
    kept: str | None


def upgrade(path: Path) -> Upgraded:
    """Bring the record at a path to the present format. Raises `ArenaError`, and changes nothing.

    Nobody may write to it meanwhile.
    """
    sweep_drafts(path)
    with closing(_Old.open(path)) as old:
        if old.format == FORMAT:
            return Upgraded(str(path), FORMAT, 0, None)
        with lock(old, league_path(path.resolve())):
            old.settle()
            draft = path.with_name(f"{mark()}{path.name}")
            try:
                _write(old, draft)
                matches = _check(old, draft)
                kept = path.with_name(f"{path.stem}.format-{old.format}.db")
                with tell_errors(path):
                    put_in_place(draft, path, kept)
            finally:
                for suffix in ("", "-journal", "-wal", "-shm"):
                    with suppress(OSError):
                        Path(f"{draft}{suffix}").unlink()
        return Upgraded(str(path), old.format, matches, str(kept))


class _Old(Store):
    """A record that is copied row by row while nobody writes to it."""

    @tell_damage
    def tables(self) -> list[tuple[str, tuple[str, ...]]]:
        """The names of its tables, each with those of its columns."""
        names = [
            name for (name,) in self._rows("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return [
            (name, tuple(row[1] for row in self._rows(f"PRAGMA table_info({name})")))
            for name in names
            if f"CREATE TABLE {name} " in SCHEMAS[self.format]
        ]

    @tell_damage
    def rows_of(self, table: str) -> Iterator[SqlRow]:
        """All rows of a table in the order in which they were stored."""
        yield from self._rows(f"SELECT * FROM {table} ORDER BY rowid")

    @tell_damage
    def count(self, table: str) -> int:
        """The number of rows of a table."""
        return int(self._sql.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _write(old: _Old, draft: Path) -> None:
    """Write everything that the old record holds into a new one, readable by whom the old is."""
    with tell_errors(old.path):
        make_private(draft)
        with closing(sqlite3.connect(draft, isolation_level=None)) as sql:
            sql.execute("PRAGMA synchronous=FULL")
            sql.execute("BEGIN")
            for statement in SCHEMAS[FORMAT].split(";"):
                sql.execute(statement)
            for table, columns in old.tables():
                more = _NEW_COLUMNS.get((old.format, table), {})
                names = ", ".join((*columns, *more))
                places = ", ".join("?" * (len(columns) + len(more)))
                sql.executemany(
                    f"INSERT INTO {table} ({names}) VALUES ({places})",
                    ((*row, *more.values()) for row in old.rows_of(table)),
                )
            sql.execute("UPDATE league SET value = ? WHERE key = 'format'", (FORMAT,))
            sql.execute("COMMIT")
            sql.execute("PRAGMA journal_mode=WAL")
        shutil.copymode(old.path, draft)


def _check(old: _Old, draft: Path) -> int:
    """Replay every match of the new record, and count them. Raises `ArenaError` if one differs."""
    with closing(_Old.open(draft)) as new:
        new.check()
        new.facts(), new.submissions(), new.voids(), new.faults()
        for table, _ in old.tables():
            if old.count(table) != new.count(table):
                raise ArenaError(Mistake(f"not all {table} can be copied", str(old.path)))
        matches = new.count("matches")
        wrong = ((number, problem) for number, _, problem in verify_all(new) if problem is not None)
        mistakes = [
            Mistake(f"match {number}: {problem}", str(old.path), "the record is left as it is")
            for number, problem in islice(wrong, MOST_TOLD)
        ]
    if mistakes:
        raise ArenaError(*mistakes)
    return matches
