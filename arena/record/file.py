"""Opens the file of a record, for reading or for writing."""

import os
import sqlite3
from pathlib import Path

from arena.base.database import check_foreign, file_errors, open_database, reading
from arena.base.errors import ArenaError, Mistake
from arena.base.files import closed_on_error
from arena.record.tables import RECORD


def open_file(path: Path, to_read: bool, own: bool) -> sqlite3.Connection:
    """Return an existing record's connection. Raises `ArenaError` if there is none.

    A record that comes from elsewhere, and is not our `own`, is checked first.
    """
    if not path.exists():
        league = path.with_suffix(".toml")
        if not league.exists():
            what = f"there is no such record, nor a league {league.name} beside it"
            raise ArenaError(Mistake(what, str(path)))
        what = "there is no record of this league yet"
        raise ArenaError(Mistake(what, str(path), "arena league plays it"))
    with file_errors(RECORD, path, "read" if to_read else "written"):
        mode = "rw"  # a reader that may not write could not remove its -wal and -shm
        if to_read and not os.access(path.parent, os.W_OK) and not _ahead(path).exists():
            mode = "ro&immutable=1"  # SQLite would share memory with writers through a file
        sql = open_database(RECORD, path, mode)
        with closed_on_error(sql):
            if not own:
                with reading(RECORD, path):
                    check_foreign(path)
            sql.execute("PRAGMA synchronous=FULL")
            if to_read:
                sql.execute("PRAGMA query_only=ON")
    return sql


def _ahead(path: Path) -> Path:
    """Return the path of a record's write-ahead log."""
    return path.with_name(f"{path.name}-wal")
