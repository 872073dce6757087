"""Writes files that survive a loss of power and that no other user reads."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Flush the names of a folder's files to the disk. Raises `OSError`."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def make_private(path: Path) -> None:
    """Make an empty file that only this user may read. Raises `OSError`, also if it exists."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def copy_database(source: sqlite3.Connection, path: Path) -> None:
    """Copy a database as it stands at one moment, whoever writes to it, into a private file.

    Raises `OSError` and `sqlite3.Error`.
    """
    make_private(path)
    with closing(sqlite3.connect(path)) as target:
        source.backup(target)
