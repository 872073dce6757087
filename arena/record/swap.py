"""Puts a new record in the place of an old one, which is kept under another name."""

import filecmp
import os
import shutil
import sqlite3
from pathlib import Path

from arena.base.database import error_code, file_errors
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.marks import mark
from arena.record.durable import sync_folder
from arena.record.store import Store
from arena.record.tables import RECORD


def settle_swap(store: Store) -> None:
    """Merge a write-ahead log into the record, and keep writers out. Raises `MachineError`."""
    mode = ""
    with file_errors(RECORD, store.path):
        try:
            store.sql.execute("PRAGMA query_only=OFF")
            (mode,) = store.sql.execute("PRAGMA journal_mode=DELETE").fetchone()
            store.sql.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error_code(error) != sqlite3.SQLITE_BUSY:
                raise
            mode = ""
    if mode != "delete":
        what = "the record is in use, perhaps by a site that plays this league"
        raise MachineError(Mistake(what, str(store.path), "stop that first"))


def put_in_place(draft: Path, path: Path, kept: Path) -> None:
    """Give the old record the name `kept`, and the new one that of the old. Raises `ArenaError`.

    The old one must be settled. A call killed at any moment can simply be made again.
    """
    try:
        os.link(path, kept)
    except FileExistsError:  # a killed call left it, or it is another file
        if not filecmp.cmp(path, kept, shallow=False):
            what = "this file is in the way: the old record is to be kept under its name"
            raise ArenaError(Mistake(what, str(kept), "move it away")) from None
    except OSError:  # this file system has no hard links
        aside = kept.with_name(f"{mark()}{path.name}.old")
        shutil.copy2(path, aside)
        aside.rename(kept)
    sync_folder(path.parent)
    draft.replace(path)
    sync_folder(path.parent)
