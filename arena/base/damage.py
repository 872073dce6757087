"""Errors of the arena's SQLite files, as they are told to the user."""

import functools
import inspect
import os
import sqlite3
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

from arena.base.database import Allowance, FileKind, OtherFormat
from arena.base.errors import ArenaError, MachineError, Mistake

P = ParamSpec("P")
R = TypeVar("R")


class _Read(Protocol):
    @property
    def kind(self) -> FileKind: ...

    @property
    def path(self) -> Path: ...

    @property
    def allowance(self) -> Allowance: ...


S = TypeVar("S", bound=_Read)


class FileTrouble(Enum):
    """The trouble with a file, or with the place where it lies."""

    OTHER_KIND = auto()
    OTHER_FORMAT = auto()
    DAMAGED = auto()
    CLOSED = auto()
    """It may not be opened, or not be written."""
    BUSY = auto()
    FULL = auto()
    ODD = auto()
    """SQLite was asked for something it cannot do; in reading, this means a damaged file."""
    OTHER = auto()


_TROUBLES: Final = {
    sqlite3.SQLITE_NOTADB: FileTrouble.OTHER_KIND,
    sqlite3.SQLITE_CORRUPT: FileTrouble.DAMAGED,
    sqlite3.SQLITE_INTERRUPT: FileTrouble.DAMAGED,
    sqlite3.SQLITE_READONLY: FileTrouble.CLOSED,
    sqlite3.SQLITE_CANTOPEN: FileTrouble.CLOSED,
    sqlite3.SQLITE_PERM: FileTrouble.CLOSED,
    sqlite3.SQLITE_BUSY: FileTrouble.BUSY,
    sqlite3.SQLITE_FULL: FileTrouble.FULL,
    sqlite3.SQLITE_ERROR: FileTrouble.ODD,
    sqlite3.SQLITE_TOOBIG: FileTrouble.ODD,
}

_UNREADABLE: Final = (
    *(zlib.error, struct.error),
    *(ValueError, LookupError, TypeError, EOFError, RecursionError, OverflowError),
)
"""The errors of decoding a row if its bytes are not those that were stored."""


def trouble_of(error: sqlite3.Error) -> FileTrouble:
    """The trouble behind an error of SQLite, or one that `open_guarded` raises in its name."""
    if isinstance(error, OtherFormat):
        return FileTrouble.OTHER_FORMAT
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return _TROUBLES.get(code & 0xFF, FileTrouble.OTHER)
    return FileTrouble.OTHER_KIND if type(error) is sqlite3.DatabaseError else FileTrouble.ODD


@contextmanager
def tell_errors(kind: FileKind, path: Path, done: str = "written") -> Iterator[None]:
    """Turn SQLite's errors into ours: another file, a damaged one, no room, no permission."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise meaning(error, kind, path, done) from None
    except OSError as error:
        what = f"the {kind.noun} cannot be {done}: {error.strerror}"
        raise MachineError(Mistake(what, str(path))) from None
    except UnicodeDecodeError as error:  # SQLite quotes damaged text in its message
        raise _damaged(kind, path, error) from None


def tell_damage(read: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Let a method, or generator, that reads a file tell the user if the file is damaged."""

    @functools.wraps(read)
    def at_once(self: S, *args: P.args, **kwargs: P.kwargs) -> R:
        self.allowance.renew()
        with reading(self.kind, self.path):
            return read(self, *args, **kwargs)

    @functools.wraps(read)
    def by_and_by(self: S, *args: P.args, **kwargs: P.kwargs) -> Iterator[object]:
        self.allowance.renew()
        with reading(self.kind, self.path):
            yield from cast(Iterator[object], read(self, *args, **kwargs))

    told = by_and_by if inspect.isgeneratorfunction(read) else at_once
    return cast(Callable[Concatenate[S, P], R], told)


@contextmanager
def reading(kind: FileKind, path: Path) -> Iterator[None]:
    """Tell that a file is damaged if anything read from it makes no sense."""
    with tell_errors(kind, path, "read"):
        try:
            yield
        except _UNREADABLE as error:
            raise _damaged(kind, path, error) from error


def meaning(error: sqlite3.Error, kind: FileKind, path: Path, done: str) -> ArenaError:
    """The mistake for the user if a file cannot be `done`: read, written or used."""
    what, to_read = f"the {kind.noun} cannot be {done}", done == "read"
    match trouble_of(error):
        case FileTrouble.OTHER_FORMAT:
            return ArenaError(Mistake(f"the {kind.noun} {error}", str(path)))
        case FileTrouble.OTHER_KIND:
            other = f"this is not {kind.whole}: {error}"
            return ArenaError(Mistake(other, str(path), kind.if_other))
        case FileTrouble.DAMAGED:
            return _damaged(kind, path, error)
        case FileTrouble.ODD if to_read:
            return _damaged(kind, path, error)
        case FileTrouble.CLOSED:
            return MachineError(Mistake(f"{what}: {_obstacle(path, to_read)}", str(path)))
        case FileTrouble.BUSY:
            remedy = "another program is using it; try again"
            return MachineError(Mistake(f"{what}: {error}", str(path), remedy))
    if isinstance(error, sqlite3.OperationalError):
        remedy = "" if to_read else kind.if_full
        return MachineError(Mistake(f"{what}: {error}", str(path), remedy))
    return ArenaError(Mistake(f"{what}: {error}", str(path)))


def _obstacle(path: Path, reading: bool) -> str:
    """The reason why a file cannot be read or written."""
    folder = path.parent
    if not folder.is_dir():
        return "there is no such folder"
    if path.is_dir():
        return "it is a folder"
    if not reading and sys.platform != "win32" and os.statvfs(folder).f_flag & os.ST_RDONLY:
        return "its file system is read-only"
    for place in (path, folder) if path.exists() else (folder,):
        known = os.access in os.supports_effective_ids
        if not reading and not os.access(place, os.W_OK, effective_ids=known):
            return f"permission denied, {place} is read-only to you"
    return "permission denied"


def _damaged(kind: FileKind, path: Path, error: Exception) -> ArenaError:
    why = str(error)
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
        why = "it takes more reading than its size can need"
    return ArenaError(Mistake(f"this {kind.noun} is damaged: {why}", str(path), kind.if_damaged))
