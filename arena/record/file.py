"""Opens the file of a record: one of ours, of the present format."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar, Self

from arena.base.closing import closed_on_error
from arena.base.damage import reading, tell_damage, tell_errors
from arena.base.database import Allowance, open_guarded
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.record.durable import copy_database
from arena.record.rows import SqlRow
from arena.record.tables import RECORD


class RecordFile:
    """The open file of a record."""

    kind: ClassVar = RECORD

    def __init__(self, path: Path, connection: sqlite3.Connection, allowance: Allowance) -> None:
        self.path = path
        self.allowance = allowance
        self._sql = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open an existing record. Raises `ArenaError` if there is none or it is not ours."""
        return cls._open(path, reading=True)

    @classmethod
    def _open(cls, path: Path, reading: bool) -> Self:
        if not path.exists():
            league = path.with_suffix(".toml")
            if not league.exists():
                what = f"there is no such record, nor a league {league.name} beside it"
                raise ArenaError(Mistake(what, str(path)))
            what = "there is no record of this league yet"
            raise ArenaError(Mistake(what, str(path), "arena league plays it"))
        with tell_errors(RECORD, path, "read" if reading else "written"):
            mode = "rw"  # a reader that may not write could not remove its -wal and -shm
            if reading and not os.access(path.parent, os.W_OK) and not _ahead(path).exists():
                mode = "ro&immutable=1"  # SQLite would share memory with writers through a file
            allowance = Allowance(path)
            store = cls(path, open_guarded(RECORD, path, mode, allowance), allowance)
        with closed_on_error(store):
            store._prepare(reading)
        return store

    def _prepare(self, reading: bool) -> None:
        """Set what SQLite is to do with the file."""
        with tell_errors(RECORD, self.path, "read" if reading else "written"):
            self._sql.execute("PRAGMA synchronous=FULL")
            if reading:
                self._sql.execute("PRAGMA query_only=ON")

    def close(self) -> None:
        """Close the file; SQLite merges the write-ahead log into it if nobody else reads."""
        self._sql.close()

    def settle(self) -> None:
        """Merge what a write-ahead log still holds into the file, and keep writers out."""
        with tell_errors(RECORD, self.path):
            self._sql.execute("PRAGMA query_only=OFF")
            (mode,) = self._sql.execute("PRAGMA journal_mode=DELETE").fetchone()
            self._sql.execute("BEGIN IMMEDIATE")
        if mode != "delete":
            what = "the record cannot be settled: another program is using it"
            raise MachineError(Mistake(what, str(self.path), "try again"))

    def reading(self) -> AbstractContextManager[None]:
        """Say that the record is damaged where what was read from it makes no sense."""
        return reading(RECORD, self.path)

    @tell_damage
    def hold(self) -> None:
        """Read the record from now on as it stands, whatever a league under way still adds."""
        self._sql.execute("BEGIN")
        self._sql.execute("SELECT count(*) FROM league").fetchone()  # takes SQLite's snapshot

    @tell_damage
    def version(self) -> int:
        """A number that differs once another process has written to the record."""
        return int(self._sql.execute("PRAGMA data_version").fetchone()[0])

    def check(self) -> None:
        """Check the whole file. Raises `ArenaError` if SQLite finds it damaged."""
        with tell_errors(RECORD, self.path, "read"):
            (found,) = self._sql.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise ArenaError(Mistake(f"this record is damaged: {found}", str(self.path)))

    def copy(self, path: Path) -> None:
        """Copy the record as it stands at one moment into a new file. Raises `ArenaError`."""
        with tell_errors(RECORD, path):
            copy_database(self._sql, path)

    def _rows(self, query: str, values: SqlRow | Mapping[str, object] = ()) -> Iterator[SqlRow]:
        """The rows of a query. Raises `ValueError` beyond what a file of this size can hold."""
        for number, row in enumerate(self._sql.execute(query, values)):
            if number >= self.allowance.most_rows:
                raise ValueError("it has more rows than its size can hold")
            yield row


def _ahead(path: Path) -> Path:
    """The path of a record's write-ahead log."""
    return path.with_name(f"{path.name}-wal")
