"""Only one run at a time plays into a record, whatever its name."""

import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from arena.base.errors import ArenaError, MachineError
from arena.record.store import Store
from arena.tasks.asked_league import ask_league
from arena.tasks.closed_league import ClosedLeague, resume_closed
from tests.support.bots import write_league
from tests.support.command import forks, run

REFUSED = "being played by process "


@contextmanager
def playing(league: Path) -> Iterator[BaseProcess]:
    """Another process that has opened a league for playing."""
    here, there = Pipe()
    process = forks.Process(target=play, args=(there, dict(os.environ), league))
    process.start()
    there.close()
    try:
        assert here.recv() == "open"
        yield process
    finally:
        here.close()
        process.join()


def play(word: Connection, environment: dict[str, str], league: Path) -> None:
    """Hold a league open until the other end of a pipe is closed."""
    os.environ.update(environment)
    with opened(league):
        word.send("open")
        with suppress(EOFError):
            word.recv()


def opened(league: Path) -> AbstractContextManager[ClosedLeague]:
    return resume_closed(ask_league(league, 1), "none")


@pytest.fixture
def league(tmp_path: Path) -> Path:
    league = write_league(tmp_path / "first")
    with opened(league):
        pass
    return league


def test_an_editor_that_saves_by_renaming_lets_no_second_run_in(league: Path) -> None:
    with playing(league):
        saved = league.with_name("saved")
        saved.write_text(league.read_text() + "\n")
        saved.rename(league)
        done = run("league", league)
        assert done.returncode == 2
        assert f"{league.with_suffix('.db')}: this is {REFUSED}" in done.stderr
    with opened(league):
        pass


def test_a_record_that_is_renamed_is_still_being_played(league: Path) -> None:
    other = league.with_name("other.toml")
    with playing(league):
        shutil.copy(league, other)
        league.with_suffix(".db").rename(other.with_suffix(".db"))
        with pytest.raises(ArenaError, match=REFUSED), opened(other):
            pass


def test_a_copy_is_not_played_beside_the_record(league: Path) -> None:
    other = league.with_name("other.toml")
    for suffix in (".toml", ".db"):
        shutil.copy(league.with_suffix(suffix), other.with_suffix(suffix))
    with playing(league), pytest.raises(ArenaError, match=REFUSED), opened(other):
        pass
    with playing(other), pytest.raises(ArenaError, match=REFUSED), opened(league):
        pass


def test_two_leagues_of_one_seed_are_two(league: Path, tmp_path: Path) -> None:
    other = write_league(tmp_path / "second")
    with playing(league), opened(other) as season:
        assert season.remaining()


def test_submissions_are_withdrawn_while_the_league_is_played(league: Path) -> None:
    with playing(league):
        done = run("withdraw", "nobody", "--league", league)
    assert "no bot called nobody was submitted" in done.stderr


def test_a_run_that_is_killed_keeps_nobody_out(league: Path) -> None:
    with playing(league) as process:
        process.kill()
        process.join()
    with opened(league) as season:
        assert season.remaining()


def test_a_lock_leaves_nothing_behind(league: Path) -> None:
    names = {path.name for path in league.parent.iterdir()}
    assert {name for name in names if name.endswith(".lock")} == set()
    with playing(league):
        assert len(list(league.parent.glob(".*.lock"))) == 1
    assert not list(league.parent.glob(".*.lock"))


def test_a_folder_in_which_nobody_may_write_is_told_by_its_cause(league: Path) -> None:
    with closing(Store.open(league.with_suffix(".db"))) as store:
        store.path = Path("/sys/league.db")  # a folder that is closed even to root
        with pytest.raises(MachineError, match="cannot be written: Permission denied"):
            store.lock().__enter__()
