"""Who may play into a record at one moment: locks that every copy of the record shares.

A lock is a file named by the record's identity, not by its path or its league's TOML: a record that
is renamed, copied or merged into another keeps its identity, and an editor may put another TOML in
the place of the first. The file lies in the record's folder, where other users and machines see it,
and among the user's caches, where copies in other folders see it.

    the whole league   holds the league alone
    a shard            shares the league, and holds its share alone
    a merge            shares the league, and holds the whole record, or the shard's, alone
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import time
from typing import Final

from arena.base.caches import caches
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.record.facts import SHARD, find_identity
from arena.record.store import Store

_LEFT_S: Final = 24 * 3600.0
"""A lock's file is taken for left behind only after this, not while it is being made."""


@contextmanager
def lock(store: Store, league: Path) -> Iterator[None]:
    """Keep all others from playing a league, its shards and its copies. Raises `ArenaError`."""
    facts = store.facts()
    with _held(store.path, find_identity(facts, league)):
        yield


@contextmanager
def lock_share(store: Store, league: Path) -> Iterator[None]:
    """Keep all others from one record of a league, and from the whole. Raises `ArenaError`."""
    facts = store.facts()
    identity = find_identity(facts, league)
    part = facts.get(SHARD, "whole").replace("/", "of")
    with (
        _held(store.path, identity, shared=True),
        _held(store.path, f"{identity}-{part}"),
    ):
        yield


@contextmanager
def _held(record: Path, name: str, shared: bool = False) -> Iterator[None]:
    """A lock in the record's folder and among the user's caches."""
    with ExitStack() as stack:
        try:
            stack.enter_context(_locked(record.resolve().parent / f".{name}.lock", record, shared))
        except OSError as error:
            what = f"the record cannot be written: {error.strerror}"
            raise MachineError(Mistake(what, str(record))) from None
        with suppress(OSError, RuntimeError):  # who has no home has no copies beside this one
            common = caches() / "locks"
            common.mkdir(parents=True, exist_ok=True)
            _sweep(common)
            stack.enter_context(_locked(common / name, record, shared))
        yield


@contextmanager
def _locked(path: Path, record: Path, shared: bool) -> Iterator[None]:
    """A file locked, and removed after its last use. Raises `ArenaError`, `OSError`."""
    file = _take(path, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    if file is None:
        what = "this is being played by another arena at this moment"
        raise ArenaError(Mistake(what, str(record), "wait for it, or stop it"))
    try:
        yield
    finally:
        with suppress(OSError):  # where others share it, the last of them removes it
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        os.close(file)


def _take(path: Path, kind: int) -> int | None:
    """Lock the file that has this name; None where others keep it. Raises `OSError`."""
    while True:
        file = _opened(path)
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), path.stat()):
                return file
        os.close(file)  # its last user has just removed it


def _sweep(folder: Path) -> None:
    """Remove what killed runs have left there; locks in a record's folder its next run removes."""
    for path in folder.iterdir():
        with suppress(OSError, ArenaError):  # it is gone, or still held
            if path.stat().st_mtime < time() - _LEFT_S:
                with _locked(path, path, shared=False):
                    pass


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)  # network file systems need writing
    except PermissionError:  # it is another user's
        return os.open(path, os.O_RDONLY)
