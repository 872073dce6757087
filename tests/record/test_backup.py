"""A backup is the league as it stood at one moment, and goes on where it is copied to."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from unittest.mock import patch

import pytest

from arena.base.errors import ArenaError
from arena.record.backup import Backup, backup
from arena.record.reviews import Reviews, reviews_path
from arena.record.store import Store
from tests.record.test_store import facts, match
from tests.support.bots import write_league
from tests.support.command import run, run_here
from tests.support.killed import die, killed
from tests.support.open_record import open_record
from tests.support.scripted import made_up


def test_a_league_goes_on_from_its_backup_as_from_itself(tmp_path: Path) -> None:
    league, place = write_league(tmp_path / "first", deals=1), tmp_path / "monday"
    assert run_here("league", league).returncode == 0
    said = run("backup", league, place)
    assert (said.returncode, said.stdout) == (
        0,
        f"{place}: 6 matches and 3 bots copied and checked\n",
    )
    assert {path.name for path in place.iterdir()} == {"league.toml", "league.db", "league.bots"}
    modes = [path.stat().st_mode & 0o777 for path in (place, place / "league.db")]
    assert modes == [0o700, 0o600]
    before = run("standings", league, "--json").stdout
    for bot in "abc":
        (league.parent / bot).rename(tmp_path / bot)
    shutil.rmtree(league.parent)  # the drill: the disk is lost
    shutil.copytree(place, league.parent)
    for bot in "abc":
        (tmp_path / bot).rename(league.parent / bot)
    assert run("standings", league, "--json").stdout == before
    assert run("verify", league).returncode == 0
    league.write_text(league.read_text().replace("deals = 1", "deals = 2"))
    done = json.loads(run_here("league", league, "--json").stdout)
    assert (done["complete"], done["sets"]) == (True, 2)


def test_a_backup_is_of_one_moment_while_a_league_plays(tmp_path: Path) -> None:
    path, over = tmp_path / "league.db", Event()
    Store.create(path, facts()).close()

    def play() -> None:
        with closing(Store.write(path)) as store:
            for number in range(6):
                store.add(match(number), made_up([(number, 0, 0)]))
                store.set_facts(season=number + 2)
            over.wait()

    player = Thread(target=play)
    player.start()
    try:
        copies = [backup(path, tmp_path / f"copy-{number}") for number in range(3)]
    finally:
        over.set()
        player.join()
    for copy in copies:
        with closing(Store.open(Path(copy.folder, "league.db"))) as store:
            assert len(store.stored()) == copy.matches
            assert store.facts().season - 1 in (copy.matches, copy.matches - 1)


def test_the_ledger_and_its_secret_are_in_a_backup(tmp_path: Path) -> None:
    path = open_record(tmp_path / "ladder.db", orders=1)
    with closing(Reviews.open(reviews_path(path), create=True)) as reviews:
        reviews.keep(8, [])
    assert backup(path, tmp_path / "copy") == Backup(str(tmp_path / "copy"), 6, 0)
    with closing(Store.open(path)) as old, closing(Store.open(tmp_path / "copy/ladder.db")) as new:
        assert new.ledger() == old.ledger()
        assert new.facts() == old.facts()
    assert (tmp_path / "copy" / "ladder.reviews").exists()


def test_a_backup_is_never_written_over_another(tmp_path: Path) -> None:
    path = open_record(tmp_path / "ladder.db", orders=0)
    (tmp_path / "copy").mkdir()
    with pytest.raises(ArenaError, match="exists already"):
        backup(path, tmp_path / "copy")
    with pytest.raises(ArenaError, match="no such folder"):
        backup(path, tmp_path / "nowhere" / "copy")


def test_no_backup_is_made_of_a_record_that_is_damaged(tmp_path: Path) -> None:
    path = open_record(tmp_path / "ladder.db", orders=0)
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("PRAGMA journal_mode=DELETE")
        (page,) = sql.execute("SELECT rootpage FROM sqlite_master WHERE name = 'voids'").fetchone()
        (size,) = sql.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)
    with pytest.raises(ArenaError, match="damaged"):
        backup(path, tmp_path / "copy")
    assert {each.name for each in tmp_path.iterdir()} == {"ladder.db"}


def test_a_backup_that_was_killed_has_no_name_and_the_next_removes_it(tmp_path: Path) -> None:
    path, place = open_record(tmp_path / "ladder.db", orders=0), tmp_path / "copy"
    with patch("arena.record.backup.copy_bots", die):
        killed(lambda: backup(path, place))
    assert not place.exists()
    assert list(tmp_path.glob("zole-*"))
    backup(path, place)
    assert not list(tmp_path.glob("zole-*"))
