"""A file opens if it is of its kind and format, and its errors are told by its noun."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.database import (
    FileKind,
    check_foreign,
    error_code,
    file_errors,
    note_known,
    open_database,
    transaction,
)
from arena.base.errors import ArenaError, MachineError

KIND = FileKind(
    noun="box",
    whole="a box of words",
    schema="CREATE TABLE about (key TEXT, value TEXT); CREATE TABLE words (word TEXT UNIQUE);",
    facts="about",
    format="2",
    if_other="look elsewhere",
    if_damaged="take another",
    if_full="make room",
)


OTHER = "this cannot be opened as a box of words: "


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    with closing(sqlite3.connect(tmp_path / "box.db", isolation_level=None)) as sql:
        sql.executescript(f"{KIND.schema} INSERT INTO about VALUES ('format', '2')")
    return tmp_path / "box.db"


def test_a_schema_is_not_trusted(path: Path) -> None:
    """A view or trigger of a file of others may call no function with effects."""
    with closing(open_database(KIND, path, "rw")) as sql:
        assert sql.execute("PRAGMA trusted_schema").fetchone() == (0,)


def told(path: Path, statement: str = "SELECT 1", done: str = "read") -> str:
    """What is said where the file is opened and asked for something."""
    with (
        pytest.raises(ArenaError) as caught,
        file_errors(KIND, path, done),
        closing(open_database(KIND, path, "rw", wait_s=0.0)) as sql,
    ):
        sql.execute(statement).fetchall()
    return str(caught.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("UPDATE about SET value = '1'", "it has format 1, this arena opens format 2"),
        ("DELETE FROM about", "it has format none, this arena opens format 2"),
        ("CREATE TABLE more (x)", "it has other tables; look elsewhere"),
        ("DROP TABLE words", "it has other tables; look elsewhere"),
        (  # the format of a view is never read
            "DROP TABLE about; CREATE VIEW about AS SELECT 'format' AS key, '1' AS value",
            "it has other tables",
        ),
    ],
)
def test_another_format_and_another_kind_are_reported(path: Path, script: str, said: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.executescript(script)
    assert told(path).startswith(f"{OTHER}{said}")


def test_a_damaged_file_and_one_that_is_no_database_are_reported_with_a_remedy(path: Path) -> None:
    assert told(path, "SELECT colour FROM words") == (
        "this box is damaged: no such column: colour; take another"
    )
    path.write_bytes(b"words" * 1000)
    assert told(path) == f"{OTHER}file is not a database; look elsewhere"


def test_a_locked_file_is_reported_with_the_advice_to_try_again(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("BEGIN EXCLUSIVE")
        assert told(path, done="written").endswith("; another program is using it; try again")


def test_a_missing_file_is_reported_by_its_noun(tmp_path: Path) -> None:
    with (
        pytest.raises(MachineError, match="the box cannot be read: there is no such file"),
        file_errors(KIND, tmp_path / "box.db", "read"),
    ):
        open_database(KIND, tmp_path / "box.db", "rw")


def test_a_transaction_is_done_whole_or_not_at_all(path: Path) -> None:
    with closing(open_database(KIND, path, "rw")) as sql:
        with pytest.raises(sqlite3.IntegrityError) as caught, transaction(sql):
            sql.executemany("INSERT INTO words VALUES (?)", [("one",), ("one",)])
        assert error_code(caught.value) == sqlite3.SQLITE_CONSTRAINT
        assert sql.execute("SELECT count(*) FROM words").fetchone() == (0,)
        with transaction(sql):
            sql.execute("INSERT INTO words VALUES ('one')")
        assert not sql.in_transaction


def test_a_file_from_elsewhere_is_checked_once(path: Path) -> None:
    check_foreign(path)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)
    check_foreign(path)
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    with pytest.raises(ValueError, match="btreeInitPage"):
        check_foreign(copy)
    note_known(copy)
    check_foreign(copy)


def test_a_file_whose_check_takes_too_much_is_damaged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.base.database._CHECK_MIB", 1)
    with pytest.raises(ValueError, match="more reading than its size"):
        check_foreign(path)
