"""An upgrade leaves a record whole at every moment, and refuses what was tampered with."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import ArenaError, MachineError
from arena.record import upgrade as upgrading
from arena.record.store import Store
from arena.record.upgrade import Upgraded, upgrade
from arena.record.writer import Writer
from tests.support.command import PROJECT, run
from tests.support.hostile_files import small_record


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return small_record(tmp_path)


def contents(path: Path) -> dict[str, object]:
    """Everything that a record tells, whatever its format."""
    with closing(Store.open(path)) as store:
        facts = store.facts()
        del facts["format"]
        return {
            "facts": facts,
            "matches": list(store.matches()),
            "voids": store.voids(),
            "submissions": store.submissions(),
            "faults": list(store.faulty(99)),
        }


def test_an_upgrade_keeps_all_there_was_and_the_old_file(record: Path) -> None:
    before, bytes_before, mode = contents(record), record.read_bytes(), 0o640
    record.chmod(mode)
    kept = record.with_name("league.format-3.db")
    assert upgrade(record) == Upgraded(str(record), "3", 3, str(kept))
    assert contents(record) == contents(kept) == before
    assert (record.stat().st_mode & 0o777, kept.read_bytes()) == (mode, bytes_before)
    with closing(Writer.open(record)) as store:
        assert (store.format, store.ledger()) == ("4", [])
    assert upgrade(record) == Upgraded(str(record), "4", 0, None)
    assert sorted(path.name for path in record.parent.glob("*league*")) == [
        *("league.db", "league.format-3.db", "league.toml"),
    ]


def test_what_a_write_ahead_log_holds_is_brought_along(record: Path) -> None:
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        sql.execute("PRAGMA journal_mode=WAL")
        sql.execute("INSERT INTO voids VALUES ('[\"a\",\"b\"]', 0, 0, 'later')")
        for name in ("league.db", "league.db-wal"):  # as if its writer had been killed
            shutil.copy(record.with_name(name), record.with_name(f"killed.{name}"))
    for name in ("league.db", "league.db-wal"):
        record.with_name(f"killed.{name}").rename(record.with_name(name))
    upgrade(record)
    with closing(Store.open(record)) as store:
        assert store.voids()[-1].why == "later"


def change(how: str) -> Callable[[Path], None]:
    def tamper(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as sql:
            sql.execute(how)

    return tamper


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (change("UPDATE matches SET decisions = decisions + 1 WHERE id = 2"), "match 2: "),
        (change("UPDATE matches SET first = 1 WHERE id = 2"), "match 2: "),
        (change("DELETE FROM league WHERE key = 'terms'"), "damaged"),
        (lambda path: path.with_name("league.format-3.db").touch(), "in the way"),
    ],
)
def test_what_cannot_be_brought_up_is_left_as_it_is(
    record: Path, tamper: Callable[[Path], None], told: str
) -> None:
    tamper(record)
    before = record.read_bytes()
    with pytest.raises(ArenaError, match=told):
        upgrade(record)
    assert record.read_bytes() == before
    assert not list(record.parent.glob("zole-*"))


def test_a_record_in_use_is_not_brought_up(record: Path) -> None:
    with closing(sqlite3.connect(record, isolation_level=None, timeout=0)) as sql:
        sql.execute("PRAGMA journal_mode=WAL")
        sql.execute("BEGIN")
        sql.execute("SELECT * FROM league").fetchone()
        with pytest.raises(MachineError, match="locked"):
            upgrade(record)


KILLED = """
import os, signal, sys
from pathlib import Path
from unittest.mock import patch
from arena.record import swap, upgrade
place, when, path = *sys.argv[1:3], Path(sys.argv[3])
home = upgrade if hasattr(upgrade, place) else swap
real = getattr(home, place)
def killed(*args):
    if when == "after":
        real(*args)
    os.kill(os.getpid(), signal.SIGKILL)
with patch.object(home, place, killed):
    upgrade.upgrade(path)
"""


@pytest.mark.parametrize(
    ("place", "when"),
    [
        ("_write", "after"),
        ("put_in_place", "before"),
        ("sync_folder", "before"),
        ("put_in_place", "after"),
    ],
)
def test_an_upgrade_that_was_killed_lost_nothing_and_goes_on(
    record: Path, place: str, when: str
) -> None:
    before = contents(record)
    words = [sys.executable, "-c", KILLED, place, when, str(record)]
    done = subprocess.run(words, cwd=PROJECT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert contents(record) == before
    upgrade(record)
    assert contents(record) == before
    assert contents(record.with_name("league.format-3.db")) == before
    assert not list(record.parent.glob("zole-*"))


def test_without_hard_links_the_old_record_is_copied(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError("no hard links here")

    before = record.read_bytes()
    monkeypatch.setattr(os, "link", refused)
    assert upgrading.upgrade(record).matches == 3
    assert record.with_name("league.format-3.db").read_bytes() == before


def test_the_command_says_what_it_did(record: Path) -> None:
    done = run("upgrade", record)
    assert done.stdout == f"{record} is brought up from format 3; 3 matches verified\n"
    assert "kept as" in done.stderr
    again = run("upgrade", record)
    assert (again.returncode, again.stdout) == (0, "")
    assert "has format 4 already" in again.stderr
