"""Records and logs as strangers damage or forge them, and what commands make of such files."""

import contextlib
import copy
import gzip
import json
import os
import resource
import shutil
import signal
import sqlite3
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from tests.support.command import run_here

DATA: Final = Path(__file__).parents[1] / "data" / "format_3"

RECORD_USES: Final = (
    *("standings F", "standings F --all --json", "replay F --json", "replay F 2", "faults F"),
    *("verify F", "deals F", "deal F 0 a b faulty", "export F games", "export F sets"),
    *("export F moves", "export F logs --private", "rerun F 2 --seat 0", "submissions F"),
    *("merge whole.db F", "report F", "ratings --history .", "league league.toml --begin"),
)
LOG_USES: Final = (
    *("replay F", "replay F 2", "faults F", "export F games", "export F logs --private"),
    *("rerun F 2 --seat 0", "replay F 2 --html page.html"),
)
"""What commands are asked of a file F; a record lies beside its league's file."""

ENOUGH_S: Final = 30.0
"""Seconds that one command may take with a small hostile file."""

ENOUGH_MIB: Final = 768
"""Memory, as address space, that commands may take beyond what the tests themselves have."""

ODD: Final[tuple[Any, ...]] = (
    *(None, -1, 2**63 - 1, -(2**63), 7, 0.5, float("inf"), "", "0", "nobody", "\x00\n\x1b[2J"),
    *("9" * 5000, b"", b"\xff\xfe", b"\x1f\x8b", "[" * 100_000, "é" * 3, "/etc"),
)
"""Values that no arena has written in most of the places they are put."""


def small_record(folder: Path) -> Path:
    """A record as small as can be with faults, a void match and submissions, and its league."""
    path = folder / "league.db"
    shutil.copy(DATA / "league.toml", folder)
    for bot in ("honest", "faulty"):
        shutil.copytree(DATA / bot, folder / bot)
    path.write_bytes(gzip.decompress((DATA / "league.db.gz").read_bytes()))
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        for statement in (
            "DELETE FROM logs WHERE match > 3",
            "DELETE FROM matches WHERE id > 3",
            "DELETE FROM faults WHERE match > 3",
            "PRAGMA journal_mode=DELETE",
            "PRAGMA page_size=512",
            "VACUUM",
        ):
            sql.execute(statement)
    return path


def forged(record: Path) -> Iterator[tuple[str, list[tuple[str, tuple[Any, ...]]]]]:
    """Each value of a record's tables replaced by each odd one: what it is, and how by SQL.

    Within JSON every leaf is replaced, too, and within logs that of every line.
    """
    with closing(sqlite3.connect(record)) as sql:
        tables = [
            name for (name,) in sql.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        for table in tables:
            cursor = sql.execute(f"SELECT rowid AS row, * FROM {table} ORDER BY row")
            columns = [each[0] for each in cursor.description][1:]
            for row, *values in cursor.fetchall()[:12]:
                for column, value in zip(columns, values, strict=True):
                    for odd in (*ODD, *_within(value)):
                        yield (
                            f"{table}.{column} of row {row}: {odd!r:.80}",
                            [
                                (
                                    f"UPDATE OR REPLACE {table} SET {column}=? WHERE rowid={row}",
                                    (odd,),
                                )
                            ],
                        )


def _within(value: Any) -> Iterator[str | bytes]:
    if isinstance(value, str) and value[:1] in ("{", "["):
        yield from map(json.dumps, _altered(json.loads(value)))
    elif isinstance(value, bytes) and value[:2] == b"\x1f\x8b":
        lines = gzip.decompress(value).splitlines()
        for place, line in enumerate(lines):
            for each in _altered(json.loads(line)):
                new = [*lines[:place], json.dumps(each).encode(), *lines[place + 1 :]]
                yield gzip.compress(b"\n".join(new) + b"\n", 1)
            yield gzip.compress(b"\n".join([*lines[:place], *lines[place + 1 :]]), 1)
            yield gzip.compress(b"\n".join([*lines[:place], line, *lines[place:]]), 1)


_ODD_JSON: Final[tuple[Any, ...]] = (
    None,
    -1,
    10**12,
    2**70,
    0.5,
    "",
    "nobody",
    [],
    {},
    True,
    1e308,
)


def _altered(value: Any) -> Iterator[Any]:
    """A JSON value with each of its parts in turn replaced by an odd one, or left out."""
    for way in _ways(value):
        for odd in (*_ODD_JSON, ...):
            changed = copy.deepcopy(value)
            inner = changed
            for key in way[:-1]:
                inner = inner[key]
            if odd is ...:
                del inner[way[-1]]
            else:
                inner[way[-1]] = odd
            yield changed


def _ways(value: Any) -> Iterator[tuple[Any, ...]]:
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, inner in items:
        yield (key,)
        for way in _ways(inner):
            yield (key, *way)


def forge(record: Path, statements: Sequence[tuple[str, tuple[Any, ...]]]) -> None:
    """Change a record as only a forger can: its tables take values of any type."""
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        kept = sql.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql LIKE '%STRICT'"
        ).fetchall()
        (version,) = sql.execute("PRAGMA schema_version").fetchone()
        sql.execute("PRAGMA writable_schema=ON")
        sql.execute(
            "UPDATE sqlite_master SET sql = replace(replace(sql, ') STRICT', ')'), ' NOT NULL', '')"
        )
        sql.execute(f"PRAGMA schema_version={version + 1}")
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        for statement, values in statements:
            with contextlib.suppress(sqlite3.IntegrityError, sqlite3.OperationalError):
                sql.execute(statement, values)
        sql.execute("PRAGMA writable_schema=ON")
        for name, text in kept:
            sql.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (text, name))
        sql.execute(f"PRAGMA schema_version={version}")


class Trial:
    """Commands that read hostile files in a child with limits of time and memory."""

    def __init__(self, folder: Path, uses: Sequence[str], name: str) -> None:
        self._folder = folder
        self._uses = uses
        self._name = name

    def failures(self, files: Iterable[tuple[str, Any]], write: Any) -> list[str]:
        """What went wrong with each file: `write` makes it from its second part."""
        found: list[str] = []
        for label, content in files:
            write(content)
            found += [f"{label}: {each}" for each in self.use()]
        return found

    def use(self) -> list[str]:
        """Run every command once, all in one child; tell those that failed."""
        read, told = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            self._child(told)
        os.close(told)
        with os.fdopen(read) as words:
            said = words.read()
        _, status = os.waitpid(child, 0)
        lines = said.splitlines()
        if not lines or lines[-1] != "done":
            lines.append(f"the child ended with {status}")
        return [line for line in lines if line != "done" and not line.startswith("begun ")] + [
            line for line in lines[-2:] if lines[-1] != "done" and line.startswith("begun ")
        ]

    def _child(self, told: int) -> None:
        def tell(line: str) -> None:
            os.write(told, f"{line}\n".encode(errors="replace"))

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        room = pages * resource.getpagesize() + (ENOUGH_MIB << 20)
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        try:
            for use in self._uses:
                tell(f"begun {use}")
                signal.setitimer(signal.ITIMER_REAL, ENOUGH_S)
                self._one(use, tell)
                signal.setitimer(signal.ITIMER_REAL, 0)
            tell("done")
        finally:
            os._exit(0)

    def _one(self, use: str, tell: Any) -> None:
        words = [self._name if word == "F" else word for word in use.split()]
        traces: list[str] = []

        def crash(error: BaseException) -> None:
            last = traceback.extract_tb(error.__traceback__)[-1]
            ours = [f for f in traceback.extract_tb(error.__traceback__) if "/arena/" in f.filename]
            at = ours[-1] if ours else last
            traces.append(
                f"{type(error).__name__}: {error!s:.80} at {at.filename[-40:]}:{at.lineno}"
            )

        with patch("arena.cli.crash.tell_crash", crash):
            try:
                done = run_here(*words, cwd=self._folder)
            except BaseException as error:
                tell(f"{use}: raised {error!r:.200}")
                return
        if done.returncode not in (0, 1, 2, 3) or traces:
            tell(f"{use}: exit {done.returncode} {traces}".replace("\n", " "))
        elif done.returncode == 2 and not done.stderr.strip():
            tell(f"{use}: says nothing")
