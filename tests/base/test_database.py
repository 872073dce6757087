"""A file opens if it is of its kind and format, and its errors are told by its noun."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.damage import FileTrouble, tell_errors, trouble_of
from arena.base.database import Allowance, FileKind, GuardedReader, open_guarded, transaction
from arena.base.errors import ArenaError, MachineError

KIND = FileKind(
    noun="box",
    whole="a box of words",
    schema="CREATE TABLE about (key TEXT, value TEXT); CREATE TABLE words (word TEXT UNIQUE);",
    largest=1000,
    facts="about",
    format="2",
    if_other="look elsewhere",
    if_damaged="take another",
    if_full="make room",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "box.db", isolation_level=None)) as sql:
        sql.executescript(KIND.schema)
        sql.execute("INSERT INTO about VALUES ('format', '2')")
    return tmp_path / "box.db"


def told(path: Path, statement: str = "SELECT 1", done: str = "read") -> str:
    """What is said where the file is opened and asked for something."""
    with (
        pytest.raises(ArenaError) as caught,
        tell_errors(KIND, path, done),
        closing(open_guarded(KIND, path, "rw", wait_s=0.0)) as sql,
    ):
        sql.execute(statement).fetchall()
    return str(caught.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE about SET value = '1'", "the box has format 1, this arena opens format 2"),
        ("DELETE FROM about", "the box has format none, this arena opens format 2"),
        ("CREATE TABLE more (x)", "this is not a box of words: it has more than our tables; look"),
        (
            "DROP TABLE words",
            "this is not a box of words: it has no tables of ours; look elsewhere",
        ),
    ],
)
def test_another_format_and_another_kind_are_told_apart(path: Path, change: str, said: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute(change)
    assert told(path).startswith(said)


def test_the_format_of_a_view_is_never_asked(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("DROP TABLE about")
        sql.execute("CREATE VIEW about AS SELECT 'format' AS key, '1' AS value")
    assert told(path).startswith("this is not a box of words: it has no tables of ours")


def test_a_list_of_tables_with_large_values_is_not_read(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("PRAGMA writable_schema=ON")
        sql.execute("UPDATE sqlite_master SET tbl_name = hex(zeroblob(50000)) WHERE sql IS NULL")
    assert told(path) == "this box is damaged: string or blob too big; take another"


def test_what_is_no_database_and_what_is_damaged_are_told_with_what_to_do(path: Path) -> None:
    assert told(path, "SELECT colour FROM words") == (
        "this box is damaged: no such column: colour; take another"
    )
    path.write_bytes(b"words" * 1000)
    assert told(path) == "this is not a box of words: file is not a database; look elsewhere"


def test_who_waits_for_others_in_vain_is_told_to_try_again(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("BEGIN EXCLUSIVE")
        assert told(path, done="written").endswith("; another program is using it; try again")


def test_a_value_that_is_too_large_is_not_stored(path: Path) -> None:
    said = told(path, "INSERT INTO words VALUES (zeroblob(2000))", "written")
    assert said == "the box cannot be written: string or blob too big"


def test_a_file_that_is_not_there_is_told_by_its_noun(tmp_path: Path) -> None:
    with (
        pytest.raises(MachineError, match="the box cannot be read: No such file"),
        tell_errors(KIND, tmp_path / "box.db", "read"),
    ):
        open_guarded(KIND, tmp_path / "box.db", "rw")


def test_a_transaction_is_done_whole_or_not_at_all(path: Path) -> None:
    with closing(open_guarded(KIND, path, "rw")) as sql:
        with pytest.raises(sqlite3.IntegrityError) as caught, transaction(sql):
            sql.executemany("INSERT INTO words VALUES (?)", [("one",), ("one",)])
        assert trouble_of(caught.value) is FileTrouble.OTHER
        assert sql.execute("SELECT count(*) FROM words").fetchone() == (0,)
        with transaction(sql):
            sql.execute("INSERT INTO words VALUES ('one')")
        assert not sql.in_transaction


ENDLESS = "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT"


@pytest.fixture
def asked(path: Path) -> Iterator[tuple[GuardedReader, Allowance]]:
    """A reader of a small file that nothing but the reader itself bounds."""
    with closing(sqlite3.connect(path, check_same_thread=False)) as sql:
        allowance = Allowance(path)
        with closing(GuardedReader(sql, allowance)) as reader:
            yield reader, allowance


def test_what_takes_no_steps_is_bounded_in_time(asked: tuple[GuardedReader, Allowance]) -> None:
    reader, allowance = asked
    allowance.call_s = 0.1
    with pytest.raises(ValueError, match="more reading than its size"):
        reader.row(f"{ENDLESS} count(*) FROM n")
    allowance.renew()
    assert reader.row("SELECT value FROM about") == ("2",)


def test_who_is_interrupted_waits_for_no_query(asked: tuple[GuardedReader, Allowance]) -> None:
    reader, _ = asked
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            reader.row(f"{ENDLESS} count(*) FROM n")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert reader.row("SELECT value FROM about") == ("2",)


def test_rows_hold_no_more_than_a_file_of_the_size_can(
    asked: tuple[GuardedReader, Allowance],
) -> None:
    reader, allowance = asked
    sizes: list[int] = []
    rows = (len(value) for (value,) in reader.rows(f"{ENDLESS} zeroblob(1000000) FROM n"))
    with pytest.raises(ValueError, match="hold more bytes than its size can"):
        sizes.extend(rows)
    assert sum(sizes) <= allowance.most_bytes
    with pytest.raises(ValueError, match="more rows than its size"):
        list(reader.rows(f"{ENDLESS} x FROM n"))


@pytest.mark.parametrize("suffix", ["-journal", "-wal", "-shm"])
def test_a_pipe_beside_a_file_is_never_opened(path: Path, suffix: str) -> None:
    os.mkfifo(f"{path}{suffix}")
    assert f"the {suffix} beside it is not a regular file" in told(path)
