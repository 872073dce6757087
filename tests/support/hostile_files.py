"""Records and logs as strangers damage or forge them, and what commands make of such files."""

import contextlib
import copy
import gzip
import hashlib
import itertools
import json
import os
import resource
import shutil
import signal
import sqlite3
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from tests.support.command import run_here
from tests.support.made_up import ByChance
from tests.support.open_record import open_record
from tests.support.stored_league import stored_league

RECORD_USES: Final = (
    *("standings F", "standings F --all --json", "replay F --json", "replay F 2", "faults F"),
    *("verify F", "deals F", "deal F 0 a b faulty", "export F games", "export F sets"),
    *("export F moves", "export F logs --private", "rerun F 2 --seat 0", "submissions F"),
    *("merge whole.db F", "report F", "league league.toml --begin"),
    *("backup F saved", "review F 2 --worlds 8", "export F reviews", "merge F whole.db"),
    *("compare honest faulty --record F", "match honest --record F", "withdraw mine.2 --league F"),
)
REVIEWS_USES: Final = (
    *("review league.db 2 --worlds 8", "export league.db reviews", "backup league.db saved"),
    "replay league.db 2 --html page.html",
)
LOG_USES: Final = (
    *("replay F", "replay F 2", "faults F", "export F games", "export F logs --private"),
    *("rerun F 2 --seat 0", "replay F 2 --html page.html", "review F 2 --worlds 8"),
)
LADDER_USES: Final = (
    *("standings F", "verify F", "epochs F", "epochs F --json", "standings F --json"),
    *("submissions F", "report F", "merge whole.db F", "league ladder.toml --begin"),
    *("backup F saved", "replay F --json", "export F games", "season close F"),
)
"""What commands are asked of a file F; a record lies beside its league's file."""

ENOUGH_S: Final = 30.0
"""Seconds that one command may take with a small hostile file."""

ENOUGH_MIB: Final = 768
"""Memory, as address space, that commands may take beyond what the tests themselves have."""

_BATCH: Final = 40

ODD: Final[tuple[Any, ...]] = (
    *(None, -1, 2**63 - 1, -(2**63), 7, 0.5, float("inf"), "", "0", "nobody", "\x00\n\x1b[2J"),
    *("9" * 5000, b"", b"\xff\xfe", b"\x1f\x8b", "[" * 100_000, "é" * 3, "/etc"),
)
"""Values that no arena has written in most of the places they are put."""


def small_record(folder: Path) -> Path:
    """A record as small as can be with faults, a void match and submissions, and its league."""
    path = stored_league(folder).with_suffix(".db")
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


def small_ladder(folder: Path) -> Path:
    """The record of an open league as small as can be, with two epochs."""
    path = folder / "ladder.db"
    open_record(path, epochs=2, orders=1)
    (folder / "ladder.toml").write_text('format = "open"\nseed = 7\nbots = []\n')
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        for statement in ("PRAGMA journal_mode=DELETE", "PRAGMA page_size=512", "VACUUM"):
            sql.execute(statement)
    return path


def forged_ledgers(record: Path) -> Iterator[tuple[str, str, str]]:
    """A ledger with each part of each line replaced by each odd one, or with a line left out.

    The chain of hashes fits again. What it is, how by SQL, and with what.
    """
    with closing(sqlite3.connect(record)) as sql:
        texts = [text for (text,) in sql.execute("SELECT text FROM ledger ORDER BY number")]
    how = (
        "INSERT OR REPLACE INTO ledger"
        " SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)"
    )
    for place, text in enumerate(texts):
        for changed in (*altered(json.loads(text)), None):
            new = [] if changed is None else [json.dumps(changed, separators=(",", ":"))]
            before, lines = "0" * 64, []
            for number, each in enumerate((*texts[:place], *new, *texts[place + 1 :]), 1):
                before = hashlib.sha256(f"{before}\n{each}".encode()).hexdigest()
                lines.append((number, each, before))
            yield f"line {place + 1} of the ledger: {new!r:.200}", how, json.dumps(lines)


def forgeries(record: Path, among: str = "") -> Iterator[tuple[str, str, Any]]:
    """Each value of a record's tables replaced by each odd one: what it is, how by SQL, with what.

    Within JSON every part is replaced, too, and within logs every part of every line. All tables
    are forged, or those that are named.
    """
    with closing(sqlite3.connect(record)) as sql:
        for (table,) in sql.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchall():
            if among and table not in among.split():
                continue
            cursor = sql.execute(f"SELECT rowid AS row, * FROM {table} ORDER BY row")
            columns = [each[0] for each in cursor.description][1:]
            for row, *values in cursor.fetchall():
                for column, value in zip(columns, values, strict=True):
                    how = f"UPDATE OR REPLACE {table} SET {column} = ? WHERE rowid = {row}"
                    for odd in (*ODD, *_within(value)):
                        yield f"{table}.{column} of row {row}: {odd!r:.80}", how, odd


def _within(value: Any) -> Iterator[str | bytes]:
    if isinstance(value, str) and value[:1] in ("{", "["):
        yield from map(json.dumps, altered(json.loads(value)))
    elif isinstance(value, bytes) and value[:2] == b"\x1f\x8b":
        yield from (gzip.compress(text, 1) for text in altered_log(gzip.decompress(value)))


def altered_log(text: bytes) -> Iterator[bytes]:
    """A log with each part of each line altered, and each line left out or told twice."""
    lines = text.splitlines()
    for place, line in enumerate(lines):
        before, after = lines[:place], lines[place + 1 :]
        for each in altered(json.loads(line)):
            yield b"\n".join([*before, json.dumps(each).encode(), *after, b""])
        yield b"\n".join([*before, *after, b""])
        yield b"\n".join([*before, line, line, *after, b""])


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


def altered(value: Any) -> Iterator[Any]:
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


def forge(record: Path, how: str, value: Any) -> None:
    """Change a record as only a forger can: its tables take values of any type."""
    plain = "UPDATE sqlite_master SET sql = replace(replace(sql, ') STRICT', ')'), ' NOT NULL', '')"
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        kept = sql.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql LIKE '%STRICT'"
        ).fetchall()
        (version,) = sql.execute("PRAGMA schema_version").fetchone()
        sql.execute("PRAGMA writable_schema=ON")
        sql.execute(plain)
        sql.execute(f"PRAGMA schema_version={version + 1}")
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        with contextlib.suppress(sqlite3.IntegrityError, sqlite3.OperationalError):
            sql.execute(how, (value,))
        sql.execute("PRAGMA writable_schema=ON")
        for name, text in kept:
            sql.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (text, name))
        sql.execute(f"PRAGMA schema_version={version}")


class Case(NamedTuple):
    """A hostile file: what it is, how it is written to a path, and what is asked of it."""

    label: str
    write: Callable[[Path], None]
    uses: Sequence[str]


def failures(folder: Path, name: str, cases: Iterable[Case]) -> list[str]:
    """What went wrong with files called `name`: tracebacks, silence, too much memory or time.

    Commands run in children, a batch of files in each, whose memory is limited and who say what
    they have begun.
    """
    found: list[str] = []
    left = iter(cases)
    while batch := list(itertools.islice(left, _BATCH)):
        read, told = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            _child(folder, name, batch, told)
        os.close(told)
        with os.fdopen(read, errors="replace") as words:
            said = words.read().splitlines()
        _, status = os.waitpid(child, 0)
        found += [line for line in said if line[0] == "!"]
        if status:
            found.append(f"! ended with {status}: {said[-1] if said else 'nothing begun'}")
    return found


def _child(folder: Path, name: str, batch: Sequence[Case], told: int) -> None:
    def tell(line: str) -> None:
        os.write(told, (line.replace("\n", " ") + "\n").encode(errors="replace"))

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    room = pages * resource.getpagesize() + (ENOUGH_MIB << 20)
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    try:
        for case in batch:
            for beside in folder.glob(f"{name}*"):
                beside.unlink()
            shutil.rmtree(folder / "saved", ignore_errors=True)
            case.write(folder / name)
            for use in case.uses:
                tell(f"{use} of {case.label}")
                signal.setitimer(signal.ITIMER_REAL, ENOUGH_S)
                wrong = _failure(folder, name, use)
                signal.setitimer(signal.ITIMER_REAL, 0)
                if wrong:
                    tell(f"! {use} of {case.label}: {wrong}")
    except BaseException as error:
        tell(f"! {error!r}")
    finally:
        os._exit(0)


def _failure(folder: Path, name: str, use: str) -> str | None:
    words = [name if word == "F" else word for word in use.split()]
    crashes: list[str] = []

    def crash(error: BaseException) -> None:
        ours = [at for at in traceback.extract_tb(error.__traceback__) if "/arena/" in at.filename]
        place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "nowhere"
        crashes.append(f"{type(error).__name__} {error!s:.80} at {place}")

    # The solver's room is no bound here.
    by_chance = patch("arena.tasks.review.solver_here", ByChance)
    with patch("arena.cli.crash.tell_crash", crash), by_chance:
        done = run_here(*words, cwd=folder)
    if crashes or done.returncode not in (0, 1, 2, 3):
        return f"exit {done.returncode} {crashes}"
    if done.returncode >= 2 and not done.stderr.strip():
        return "says nothing"
    return None
