"""Opens the file of a record, for reading or for writing."""

import os
import sqlite3
from pathlib import Path

from arena.base.closing import closed_on_error
from arena.base.damage import tell_errors
from arena.base.database import Allowance, open_guarded
from arena.base.errors import ArenaError, Mistake
from arena.record.tables import RECORD


def open_file(path: Path, reading: bool) -> tuple[sqlite3.Connection, Allowance]:
    """Return an existing record's connection. Raises `ArenaError` if there is none."""
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
        sql = open_guarded(RECORD, path, mode, allowance, threads=True)
        with closed_on_error(sql):
            sql.execute("PRAGMA synchronous=FULL")
            if reading:
                sql.execute("PRAGMA query_only=ON")
    return sql, allowance


def _ahead(path: Path) -> Path:
    """Return the path of a record's write-ahead log."""
    return path.with_name(f"{path.name}-wal")
