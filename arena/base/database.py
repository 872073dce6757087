"""Opens the arena's SQLite files, and turns SQLite's errors into the user's or the machine's."""

import functools
import inspect
import sqlite3
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.files import caches, closed_on_error

Read = TypeVar("Read", bound=Callable[..., object])

_CHECK_MIB: Final = 512
_CHECK_S: Final = 60
_CHECK_BYTES_S: Final = 1 << 20
"""Bytes that even a slow machine checks in a second, in addition to `_CHECK_S` for any file."""

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
    if found.endswith("error code=7"):  # SQLITE_NOMEM, which newer versions report as damage
        raise MemoryError
except sqlite3.Error as error:
    found = error
print(found)
"""

_UNREADABLE: Final = (
    *(zlib.error, struct.error),
    *(ValueError, LookupError, TypeError, EOFError, RecursionError, OverflowError),
    MemoryError,  # newer versions of SQLite raise it for a damaged length
)
"""The errors of decoding a row if its bytes are not those that were stored."""


class FileKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of file: its tables, and the words of its error messages.

    `noun` follows "the" and "this"; a file of another kind is reported as not being `whole`. If
    the kind has a `format`, the table `facts` holds it under that key. The remedies are for a file
    that is of another kind, is damaged, or finds no room on the disk.
    """

    noun: str
    whole: str
    schema: str
    facts: str = ""
    format: str = ""
    if_other: str = ""
    if_damaged: str = ""
    if_full: str = ""


# --- opening ---


def open_database(
    kind: FileKind, path: Path, mode: str, wait_s: float = 5.0, threads: bool = False
) -> sqlite3.Connection:
    """Open a file by SQLite's `mode`.

    Raises `sqlite3.DatabaseError`, also for a file of another kind or format. `wait_s` are the
    seconds for which another process may hold the file; with `threads`, several threads may use the
    connection.
    """
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
    """Commit everything done within, or nothing.

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


def check_foreign(path: Path) -> None:
    """Have a child with limits check a file, once, unless this arena wrote it.

    Raises `ValueError` if SQLite finds it damaged.
    """
    if _known_mark(path).exists():
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
    """Note that this arena wrote or checked a file; without a cache it is checked each time."""
    with suppress(OSError):
        mark = _known_mark(path)
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def _known_mark(path: Path) -> Path:
    """The empty file that notes a file as known, by device and inode."""
    found = path.stat()
    return caches() / "known" / f"{found.st_dev}-{found.st_ino}"


def _check_kind(sql: sqlite3.Connection, kind: FileKind) -> None:
    """Raise `sqlite3.DatabaseError` unless a file has the tables of its kind, and its format."""
    found, ours = _tables(sql), _tables_of(kind.schema)
    if kind.facts and found.get(kind.facts) == ours[kind.facts]:
        row = sql.execute(f"SELECT value FROM {kind.facts} WHERE key = 'format'").fetchone()
        if row != (kind.format,):
            other = row[0] if row else "none"
            raise sqlite3.DatabaseError(
                f"it has format {other}, this arena opens format {kind.format}"
            )
    if found != ours:
        raise sqlite3.DatabaseError("it has other tables")


def _tables(sql: sqlite3.Connection) -> dict[str, str | None]:
    return dict(sql.execute("SELECT name, sql FROM sqlite_master LIMIT 100"))


@cache
def _tables_of(schema: str) -> dict[str, str | None]:
    with closing(sqlite3.connect(":memory:")) as sql:
        sql.executescript(schema)
        return _tables(sql)


# --- errors ---


def error_code(error: sqlite3.Error) -> int:
    """SQLite's primary code of an error; one of its own module, or of `open_database`, has one."""
    other = sqlite3.SQLITE_NOTADB if type(error) is sqlite3.DatabaseError else sqlite3.SQLITE_ERROR
    return getattr(error, "sqlite_errorcode", other) & 0xFF


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


@contextmanager
def reading(kind: FileKind, path: Path) -> Iterator[None]:
    """Raise `ArenaError` for a damaged file if a value read from it cannot be decoded."""
    with file_errors(kind, path, "read"):
        try:
            yield
        except _UNREADABLE as error:
            raise _damaged(kind, path, error) from error


def report_damage(read: Read) -> Read:
    """Decorate a method, or generator, that reads a file: it works as within `reading`.

    Its object has the file's `kind` and `path`.
    """

    @functools.wraps(read)
    def call(self: Any, *args: object, **kwargs: object) -> object:
        with reading(self.kind, self.path):
            return read(self, *args, **kwargs)

    @functools.wraps(read)
    def iterate(self: Any, *args: object, **kwargs: object) -> Iterator[object]:
        with reading(self.kind, self.path):
            yield from cast(Iterator[object], read(self, *args, **kwargs))

    return cast(Read, iterate if inspect.isgeneratorfunction(read) else call)


def meaning(error: sqlite3.Error, kind: FileKind, path: Path, done: str) -> ArenaError:
    """The error for the user if a file cannot be `done`: read, written or used."""
    what = f"the {kind.noun} cannot be {done}"
    match error_code(error):
        case sqlite3.SQLITE_NOTADB:
            other = f"this cannot be opened as {kind.whole}: {error}"
            return ArenaError(Mistake(other, str(path), kind.if_other))
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_ERROR | sqlite3.SQLITE_TOOBIG:
            return _damaged(kind, path, error)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return MachineError(Mistake(f"{what}: {_obstacle(path)}", str(path)))
        case sqlite3.SQLITE_BUSY:
            remedy = "another program is using it; try again"
        case _:
            remedy = "" if done == "read" else kind.if_full
    return MachineError(Mistake(f"{what}: {error}", str(path), remedy))


def _obstacle(path: Path) -> str:
    if not path.parent.is_dir():
        return "there is no such folder"
    if path.is_dir():
        return "it is a folder"
    return "permission denied" if path.exists() else "there is no such file"


def _damaged(kind: FileKind, path: Path, error: Exception) -> ArenaError:
    what = f"this {kind.noun} is damaged: {str(error) or type(error).__name__}"
    return ArenaError(Mistake(what, str(path), kind.if_damaged))
