"""Opens the arena's SQLite files, and turns SQLite's errors into the user's or the machine's."""

import functools
import inspect
import os
import sqlite3
import stat
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from functools import cache
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

import msgspec

from arena.base.caches import caches
from arena.base.closing import closed_on_error
from arena.base.errors import ArenaError, MachineError, Mistake

P = ParamSpec("P")
R = TypeVar("R")

_STATISTICS: Final = "sqlite_stat1"
"""The table that ANALYZE leaves in a file whose owner has run it."""

_KNOWN_S: Final = 30 * 24 * 3600.0
"""Seconds for which a file that was created or checked here is not checked again."""

_CHECK_MIB: Final = 512
_CHECK_S: Final = 60
_CHECK_BYTES_S: Final = 1 << 20
"""Bytes that even a slow machine checks in a second, besides `_CHECK_S` for any file."""

_CHECK: Final = """
import sqlite3, sys
try:
    import resource
except ImportError:
    pass  # Windows has no limits
else:
    memory, seconds = int(sys.argv[2]) << 20, int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
try:
    (found,) = sqlite3.connect(sys.argv[1], uri=True).execute("PRAGMA quick_check(1)").fetchone()
except sqlite3.Error as error:
    found = error
print(found)
"""


class FileKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of file: its tables, and the words of its error messages.

    `noun` follows "the" and "this"; a file of another kind is said not to be `whole`. If the kind
    has a `format`, the table `facts` holds it under that key. The remedies are for a file that is
    of another kind, is damaged, or finds no room on the disk.
    """

    noun: str
    whole: str
    schema: str
    facts: str = ""
    format: str | None = None
    if_other: str = ""
    if_damaged: str = ""
    if_full: str = ""


class OtherFormat(sqlite3.DatabaseError):
    """The file is of its kind, but of a format that this arena does not open."""


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


# --- opening ---


def open_database(
    kind: FileKind, path: Path, mode: str, wait_s: float = 5.0, threads: bool = False
) -> sqlite3.Connection:
    """Open a file by SQLite's `mode`.

    Raises `OSError`, and `sqlite3.DatabaseError` for a file of another kind. `wait_s` are the
    seconds for which another process may hold the file; with `threads`, several threads may use the
    connection.
    """
    if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
        raise sqlite3.DatabaseError("it is a device, a pipe or a socket")
    sql = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=wait_s,
        check_same_thread=not threads,
    )
    with closed_on_error(sql):
        sql.execute("PRAGMA trusted_schema=OFF")
        _check_kind(sql, kind)
    return sql


@contextmanager
def transaction(sql: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """Commit all that is done within, or nothing.

    The default takes the write lock at once: a transaction that only reads at first may be refused
    it.
    """
    sql.execute(begin)
    try:
        yield
        sql.execute("COMMIT")
    except BaseException:
        if sql.in_transaction:  # on a full disk SQLite has already rolled back
            sql.execute("ROLLBACK")
        raise


def _check_kind(sql: sqlite3.Connection, kind: FileKind) -> None:
    """Raise `sqlite3.DatabaseError` unless a file has the tables of its kind, and its format."""
    listed = sql.execute("SELECT type, name, sql FROM sqlite_master LIMIT 100")
    found = {each[1]: each for each in listed if each[1] != _STATISTICS}
    ours = _tables(kind.schema)
    if kind.format is not None and found.get(kind.facts) == ours[kind.facts]:
        row = sql.execute(f"SELECT value FROM {kind.facts} WHERE key = 'format'").fetchone()
        other = row[0] if row and isinstance(row[0], str) else "none"
        if other != kind.format:
            raise OtherFormat(f"has format {other:.20}, this arena opens format {kind.format}")
    if found != ours:
        more = "more than our tables" if ours.items() < found.items() else "no tables of ours"
        raise sqlite3.DatabaseError(f"it has {more}")


@cache
def _tables(schema: str) -> dict[str, tuple[str, str, str | None]]:
    """A schema's tables and indexes by name, as SQLite lists them: type, name, SQL."""
    sql = sqlite3.connect(":memory:")
    try:
        sql.executescript(schema)
        listed = sql.execute("SELECT type, name, sql FROM sqlite_master")
        return {each[1]: each for each in listed}
    finally:
        sql.close()


# --- files from elsewhere ---


def check_foreign(path: Path) -> None:
    """Have a file that comes from elsewhere checked, once, by a child with limits.

    Files count as the same by device and inode. Raises `ValueError` if SQLite finds it damaged.
    """
    mark = _known_mark(path)
    with suppress(OSError):
        if mark is not None and mark.stat().st_mtime > time.time() - _KNOWN_S:
            return
    seconds = _CHECK_S + path.stat().st_size // _CHECK_BYTES_S
    words = (path.resolve().as_uri() + "?mode=rw", str(_CHECK_MIB), str(seconds))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _CHECK, *words], capture_output=True, check=False
    )
    found = done.stdout.decode(errors="replace").strip()
    if done.returncode != 0:
        raise ValueError("it takes more reading than its size can need")
    if found != "ok":
        raise ValueError(found.rpartition("\n")[2])
    note_known(path)


def note_known(path: Path) -> None:
    """Note that a file was made or checked here, and forget those noted long ago."""
    mark = _known_mark(path)
    if mark is None:
        return
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        for each in mark.parent.iterdir():
            if each.stat().st_mtime < time.time() - _KNOWN_S:
                each.unlink()
        mark.touch()


def _known_mark(path: Path) -> Path | None:
    """The empty file that notes a file as known; None for a user without a folder for caches."""
    with suppress(OSError, RuntimeError):
        found = path.stat()
        return caches() / "known" / f"{found.st_dev}-{found.st_ino}"
    return None


# --- errors ---


class _File(Protocol):
    @property
    def kind(self) -> FileKind: ...

    @property
    def path(self) -> Path: ...


S = TypeVar("S", bound=_File)


def trouble_of(error: sqlite3.Error) -> FileTrouble:
    """The trouble behind an error of SQLite, or one that `open_database` raises in its name."""
    if isinstance(error, OtherFormat):
        return FileTrouble.OTHER_FORMAT
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return _TROUBLES.get(code & 0xFF, FileTrouble.OTHER)
    return FileTrouble.OTHER_KIND if type(error) is sqlite3.DatabaseError else FileTrouble.ODD


@contextmanager
def file_errors(kind: FileKind, path: Path, done: str = "written") -> Iterator[None]:
    """Raise SQLite's errors as `ArenaError`: another file, a damaged one, no room, no permission.

    `done` is what was to be done with the file: read, written or used.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise meaning(error, kind, path, done) from None
    except OSError as error:
        what = f"the {kind.noun} cannot be {done}: {error.strerror}"
        raise MachineError(Mistake(what, str(path))) from None
    except UnicodeDecodeError as error:  # SQLite quotes damaged text in its message
        raise _damaged(kind, path, error) from None


@contextmanager
def reading(kind: FileKind, path: Path) -> Iterator[None]:
    """Raise `ArenaError` for a damaged file if a value read from it cannot be decoded."""
    with file_errors(kind, path, "read"):
        try:
            yield
        except _UNREADABLE as error:
            raise _damaged(kind, path, error) from error


def report_damage(read: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Decorate a method, or generator, that reads a file: it works as within `reading`."""

    @functools.wraps(read)
    def wrap_call(self: S, *args: P.args, **kwargs: P.kwargs) -> R:
        with reading(self.kind, self.path):
            return read(self, *args, **kwargs)

    @functools.wraps(read)
    def wrap_generator(self: S, *args: P.args, **kwargs: P.kwargs) -> Iterator[object]:
        with reading(self.kind, self.path):
            yield from cast(Iterator[object], read(self, *args, **kwargs))

    wrapped = wrap_generator if inspect.isgeneratorfunction(read) else wrap_call
    return cast(Callable[Concatenate[S, P], R], wrapped)


def meaning(error: sqlite3.Error, kind: FileKind, path: Path, done: str) -> ArenaError:
    """The error for the user if a file cannot be `done`: read, written or used."""
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


def _obstacle(path: Path, to_read: bool) -> str:
    """The reason why a file cannot be read or written."""
    folder = path.parent
    if not folder.is_dir():
        return "there is no such folder"
    if path.is_dir():
        return "it is a folder"
    if not to_read and sys.platform != "win32" and os.statvfs(folder).f_flag & os.ST_RDONLY:
        return "its file system is read-only"
    for place in (path, folder) if path.exists() else (folder,):
        known = os.access in os.supports_effective_ids
        if not to_read and not os.access(place, os.W_OK, effective_ids=known):
            return f"permission denied, {place} is read-only to you"
    return "permission denied"


def _damaged(kind: FileKind, path: Path, error: Exception) -> ArenaError:
    return ArenaError(Mistake(f"this {kind.noun} is damaged: {error}", str(path), kind.if_damaged))
