"""What it means to the user if a record cannot be read or written."""

import functools
import inspect
import os
import sqlite3
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.match.log import Unfaithful
from arena.record.guard import Allowance

P = ParamSpec("P")
R = TypeVar("R")


class _Read(Protocol):
    @property
    def path(self) -> Path: ...

    @property
    def allowance(self) -> Allowance: ...


S = TypeVar("S", bound=_Read)

_UNREADABLE: Final = (
    *(msgspec.MsgspecError, zlib.error, struct.error, Unfaithful),
    *(ValueError, LookupError, TypeError, EOFError, RecursionError, OverflowError),
)
"""What decoding a row raises if its bytes are not what was stored."""

_MAKE_ROOM: Final = "what was stored before is safe; make room and run the same command again"


@contextmanager
def tell_errors(path: Path, done: str = "written") -> Iterator[None]:
    """Turn SQLite's errors into ours: no record, a damaged one, no room, no permission."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _meaning(error, path, done) from None
    except OSError as error:
        what = f"the record cannot be {done}: {error.strerror}"
        raise MachineError(Mistake(what, str(path))) from None
    except UnicodeDecodeError as error:  # SQLite's own words, taken from what is damaged
        raise _damaged(path, error) from None


def tell_damage(read: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Let a method that reads a record, at once or by and by, say if what it reads is damaged."""

    @functools.wraps(read)
    def at_once(self: S, *args: P.args, **kwargs: P.kwargs) -> R:
        self.allowance.renew()
        with reading(self.path):
            return read(self, *args, **kwargs)

    @functools.wraps(read)
    def by_and_by(self: S, *args: P.args, **kwargs: P.kwargs) -> Iterator[object]:
        self.allowance.renew()
        with reading(self.path):
            yield from cast(Iterator[object], read(self, *args, **kwargs))

    told = by_and_by if inspect.isgeneratorfunction(read) else at_once
    return cast(Callable[Concatenate[S, P], R], told)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Say that a record is damaged where what was read from it makes no sense."""
    with tell_errors(path, "read"):
        try:
            yield
        except _UNREADABLE as error:
            raise _damaged(path, error) from error


def _meaning(error: sqlite3.DatabaseError, path: Path, done: str) -> ArenaError:
    code = getattr(error, "sqlite_errorcode", None)  # None where it was not SQLite that found it
    kind = None if code is None else code & 0xFF
    to_read = done == "read"
    if kind == sqlite3.SQLITE_INTERRUPT:
        return _damaged(path, ValueError("it takes more reading than its size can need"))
    if kind == sqlite3.SQLITE_NOTADB or (kind is None and type(error) is sqlite3.DatabaseError):
        return ArenaError(Mistake(f"this is not the record of a league: {error}", str(path)))
    if kind == sqlite3.SQLITE_CORRUPT or (to_read and kind in (None, sqlite3.SQLITE_ERROR)):
        return _damaged(path, error)
    what = f"the record cannot be {done}: {error}"
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        what = f"the record cannot be {done}: {_obstacle(path, to_read)}"
        return MachineError(Mistake(what, str(path)))
    if kind == sqlite3.SQLITE_BUSY:
        return MachineError(Mistake(what, str(path), "another program is using it; try again"))
    if isinstance(error, sqlite3.OperationalError):
        return MachineError(Mistake(what, str(path), "" if to_read else _MAKE_ROOM))
    return ArenaError(Mistake(what, str(path)))


def _obstacle(path: Path, reading: bool) -> str:
    """Why a file cannot be read or written."""
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


def _damaged(path: Path, error: Exception) -> ArenaError:
    what = f"this record is damaged: {error}"
    return ArenaError(Mistake(what, str(path), "go on with a copy of it from before"))
