"""Files and databases are whole or refused by their noun; extras install where the arena runs."""

import os
import re
import resource
import shlex
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

import arena
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
from arena.base.files import allow_descriptors, atomic_target, sweep_drafts
from arena.base.installation import how_to_install


def forsaken_draft(path: Path) -> Path:
    """What a process that was killed has left of a draft of this path."""
    namespace = os.stat("/proc/self/ns/pid").st_ino
    return path.with_name(f"zole-{namespace}-999999999-1-1-{path.name}")


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_renamed_draft_stays_and_its_temporary_files_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    with atomic_target(path) as draft:
        draft.touch()
        Path(f"{draft}-wal").touch()
        draft.rename(path)
    with suppress(KeyError), atomic_target(tmp_path / "backup") as draft:
        (draft / "in it").mkdir(parents=True)
        raise KeyError  # it is given up, which leaves nothing
    assert names(tmp_path) == ["league.db"]


def test_what_killed_processes_left_is_swept_and_what_others_make_stays(tmp_path: Path) -> None:
    """A link is removed, but not its target."""
    path, other = tmp_path / "league.db", tmp_path / "other.db"
    (tmp_path / "mine" / "folder").mkdir(parents=True)
    forsaken_draft(path).symlink_to(tmp_path / "mine")
    (forsaken_draft(tmp_path / "league.db.old") / "in it").mkdir(parents=True)
    forsaken_draft(other).touch()
    with atomic_target(path) as draft:
        draft.touch()
        sweep_drafts(path)
        assert names(tmp_path) == sorted(["mine", forsaken_draft(other).name, draft.name])
    assert names(tmp_path / "mine") == ["folder"]
    sweep_drafts(tmp_path / "nowhere" / "league.db")


def test_a_low_limit_is_raised_as_far_as_allowed_and_a_higher_one_is_left() -> None:
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    limits = []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, most))
        for wanted in (300, 250, most + 1):
            allow_descriptors(wanted)
            limits.append(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))
    assert limits == [300, 300, most]


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


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    with closing(sqlite3.connect(tmp_path / "box.db", isolation_level=None)) as sql:
        sql.executescript(f"{KIND.schema} INSERT INTO about VALUES ('format', '2')")
    return tmp_path / "box.db"


OTHER = "this cannot be opened as a box of words: "


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


def test_a_file_that_is_locked_damaged_no_database_or_missing_is_reported_with_a_remedy(
    path: Path,
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("BEGIN EXCLUSIVE")
        assert told(path, done="written").endswith("; another program is using it; try again")
    assert told(path, "SELECT colour FROM words") == (
        "this box is damaged: no such column: colour; take another"
    )
    path.write_bytes(b"words" * 1000)
    assert told(path) == f"{OTHER}file is not a database; look elsewhere"
    path.unlink()
    with (
        pytest.raises(MachineError, match="the box cannot be read: there is no such file"),
        file_errors(KIND, path, "read"),
    ):
        open_database(KIND, path, "rw")


def test_a_transaction_is_done_whole_or_not_at_all_in_a_file_whose_schema_is_not_trusted(
    path: Path,
) -> None:
    """A view or trigger of a file of others may call no function with effects."""
    with closing(open_database(KIND, path, "rw")) as sql:
        assert sql.execute("PRAGMA trusted_schema").fetchone() == (0,)
        with pytest.raises(sqlite3.IntegrityError) as caught, transaction(sql):
            sql.executemany("INSERT INTO words VALUES (?)", [("one",), ("one",)])
        assert error_code(caught.value) == sqlite3.SQLITE_CONSTRAINT
        assert sql.execute("SELECT count(*) FROM words").fetchone() == (0,)
        with transaction(sql):
            sql.execute("INSERT INTO words VALUES ('one')")
        assert not sql.in_transaction


def test_a_file_from_elsewhere_is_checked_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_foreign(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])
    check_foreign(path)
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    with pytest.raises(ValueError, match="btreeInitPage"):
        check_foreign(copy)
    note_known(copy)
    check_foreign(copy)
    other = path.with_name("other.db")
    other.write_bytes(whole)
    with closing(sqlite3.connect(other)) as sql, sql:
        sql.executemany("INSERT INTO words VALUES (?)", ((f"{n:080}",) for n in range(20_000)))
    monkeypatch.setattr("arena.base.database._CHECK_MIB", 1)
    with pytest.raises(ValueError, match="more reading than its size"):
        check_foreign(other)


CLONE = Path(arena.__file__).parents[1]
PIP = f"{shlex.quote(sys.executable)} -m pip install"
UV = f"uv pip install --python {shlex.quote(sys.executable)}"


@pytest.mark.parametrize(
    ("package", "environment", "pip", "said"),
    [
        (CLONE / "arena", CLONE / ".venv", False, f"{shlex.quote(f'{CLONE}/scripts/add')} review"),
        (CLONE / "arena", "/elsewhere", True, f"{PIP} -e {shlex.quote(f'{CLONE}[review]')}"),
        (Path("/x/arena"), "/x", True, f"{PIP} 'zole-arena[review]'"),
        (Path("/x/arena"), "/x", False, f"{UV} 'zole-arena[review]'"),
    ],
    ids=["a clone's own environment", "a clone elsewhere", "no clone", "no clone and no pip"],
)
def test_an_extra_is_installed_where_the_arena_runs(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    package: Path,
    environment: Path | str,
    pip: bool,
    said: str,
) -> None:
    (tmp_path / "pip.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path)] if pip else [])
    monkeypatch.setattr(sys, "prefix", str(environment))
    monkeypatch.setattr("arena.base.installation._ARENA", package)
    assert how_to_install("review") == f"to install: {said}"


def test_no_text_says_to_install_the_arena_from_an_index() -> None:
    """The name is not registered there: a stranger's package would be installed."""
    asks = re.compile(r"(install|add|run) (-\S+ )*['\"]?zole-arena\b(?! install)|uvx zole")
    folders = ("arena", "docs", "protocol", "sample_bots", "leagues", "scripts")
    paths = [CLONE / "README.md", *(each for name in folders for each in (CLONE / name).rglob("*"))]
    texts = {
        path: path.read_text("utf-8", "replace")
        for path in paths
        if path.suffix in {".md", ".py", ".html", ".ftl", ".toml", ""}
        and path.is_file()
        and "node_modules" not in path.parts
    }
    assert len(texts) > 100
    assert [path for path, text in texts.items() if asks.search(text)] == []
