"""Locks that keep all but one arena from playing a league; every copy of its record shares them.

A lock is a file named after the record's identity, not its path or its league's TOML: a record that
is renamed or copied keeps its identity, and an editor may replace the TOML by a new file.
One such file lies in the record's folder, where other users and machines see it, and one in the
user's caches, where copies in other folders see it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import time
from typing import Final

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.files import caches
from arena.record.store import IN_MEMORY, Store

_LEFT_S: Final = 24 * 3600.0
"""The age at which an unheld lock file is abandoned; a younger one may just be being made."""


@contextmanager
def lock(store: Store) -> Iterator[None]:
    """Keep others from playing a league and its copies. Raises `ArenaError`."""
    if store.path == IN_MEMORY:
        yield
        return
    with _held(store.path, store.facts().identity):
        yield


@contextmanager
def _held(record: Path, name: str) -> Iterator[None]:
    """Hold a lock in the record's folder, and one in the user's caches."""
    with ExitStack() as stack:
        try:
            stack.enter_context(_locked(record.resolve().parent / f".{name}.lock", record))
        except OSError as error:
            what = f"the record cannot be written: {error.strerror}"
            raise MachineError(Mistake(what, str(record))) from None
        with suppress(OSError, RuntimeError):  # without a home folder there is no cache to lock
            common = caches() / "locks"
            common.mkdir(parents=True, exist_ok=True)
            _sweep(common)
            stack.enter_context(_locked(common / name, record))
        yield


@contextmanager
def _locked(path: Path, record: Path) -> Iterator[None]:
    """Lock a file, and remove it after its last use. Raises `ArenaError`, `OSError`."""
    file = _take(path)
    if file is None:
        what = "this is being played by another arena right now"
        raise ArenaError(Mistake(what, str(record), "wait for it, or stop it"))
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(file)


def _take(path: Path) -> int | None:
    """Lock the file at this path; return None if another holds it. Raises `OSError`."""
    while True:
        file = _opened(path)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), path.stat()):
                return file
        os.close(file)  # its last user has just removed it


def _sweep(folder: Path) -> None:
    """Remove locks that killed runs left here; a record's next run removes those in its folder."""
    for path in folder.iterdir():
        with suppress(OSError, ArenaError):  # it is gone, or still held
            if path.stat().st_mtime < time() - _LEFT_S:
                with _locked(path, path):
                    pass


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)  # network file systems need writing
    except PermissionError as refused:  # it belongs to another user
        try:
            return os.open(path, os.O_RDONLY)
        except FileNotFoundError:  # none can be made here
            raise refused from None
