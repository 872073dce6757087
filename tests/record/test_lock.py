"""Only one run at a time plays into a record, whatever its name and whichever copy."""

import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from arena.base.caches import caches
from arena.base.errors import ArenaError, MachineError
from arena.record.lock import lock
from arena.record.merge import merge
from arena.record.store import Store
from arena.tasks.closed_league import ClosedLeague, resume_closed
from arena.tasks.field import ask_league
from arena.tasks.shards import Shard, read_shard
from tests.support.bots import write_league
from tests.support.command import forks, run
from tests.tasks.test_shards import open_shard

REFUSED = "being played by another arena"


@contextmanager
def playing(league: Path, *shard: str) -> Iterator[BaseProcess]:
    """Another process that has opened a league, or a shard of it, for playing."""
    here, there = Pipe()
    process = forks.Process(target=play, args=(there, dict(os.environ), league, *shard))
    process.start()
    there.close()
    try:
        assert here.recv() == "open"
        yield process
    finally:
        here.close()
        process.join()


def play(word: Connection, environment: dict[str, str], league: Path, *shard: str) -> None:
    """Hold a league open until the other end of a pipe is closed."""
    os.environ.update(environment)
    with open_shard(league, 1, read_shard(*shard)) if shard else opened(league):
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


@pytest.mark.parametrize("copy", ["first/other.toml", "second/other.toml"])
def test_a_copy_is_not_played_beside_the_record(league: Path, tmp_path: Path, copy: str) -> None:
    other = tmp_path / copy
    if other.parent != league.parent:
        shutil.copytree(league.parent, other.parent)
    for suffix in (".toml", ".db"):
        shutil.copy(league.with_suffix(suffix), other.with_suffix(suffix))
    with playing(league), pytest.raises(ArenaError, match=REFUSED), opened(other):
        pass
    with playing(other), pytest.raises(ArenaError, match=REFUSED), opened(league):
        pass


def test_a_merged_copy_is_not_played_beside_the_record(league: Path) -> None:
    other = league.with_name("other.toml")
    shutil.copy(league, other)
    merge(other.with_suffix(".db"), [league.with_suffix(".db")])
    with playing(league), pytest.raises(ArenaError, match=REFUSED), opened(other):
        pass


def test_two_leagues_of_one_seed_are_two(league: Path, tmp_path: Path) -> None:
    other = write_league(tmp_path / "second")
    with playing(league), opened(other) as season:
        assert season.remaining()


def test_shards_share_a_league_but_not_a_share(league: Path, tmp_path: Path) -> None:
    shutil.copytree(league.parent, tmp_path / "second")
    other = tmp_path / "second" / "league.toml"
    with playing(league, "1/2"):
        for place in (league, other):
            with open_shard(place, 1, Shard(2, 2)) as season:
                assert season.remaining()
            with (
                pytest.raises(ArenaError, match=REFUSED),
                open_shard(place, 1, Shard(1, 2)),
            ):
                pass
            with pytest.raises(ArenaError, match=REFUSED), opened(place):
                pass


def test_the_whole_is_merged_into_beside_shards_and_not_while_it_is_played(league: Path) -> None:
    whole, shard = league.with_suffix(".db"), Shard(1, 2).record(league)
    with playing(league, "1/2"):
        assert merge(whole, [shard]).missing == 6
        with pytest.raises(ArenaError, match=REFUSED):
            merge(shard, [whole])
    with playing(league), pytest.raises(ArenaError, match=REFUSED):
        merge(whole, [shard])


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
        [lock] = league.parent.glob(".*.lock")
        assert (caches() / "locks" / lock.name.strip(".").removesuffix(".lock")).exists()
    assert not list(league.parent.glob(".*.lock"))
    assert not (caches() / "locks" / lock.name.strip(".").removesuffix(".lock")).exists()


def test_what_killed_runs_left_goes_and_what_is_held_stays(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    locks = caches() / "locks"
    with playing(league):
        (locks / "left").touch()
        (locks / "new").touch()
        for each in locks.iterdir():
            if each.name != "new":
                os.utime(each, (1, 1))
        [held] = {each.name for each in locks.iterdir()} - {"left", "new"}
        with opened(write_league(tmp_path / "second")):
            assert {held, "new"} < {each.name for each in locks.iterdir()}
            assert not (locks / "left").exists()


def test_without_a_folder_for_caches_the_record_is_locked_all_the_same(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with playing(league), pytest.raises(ArenaError, match=REFUSED), opened(league):
        pass


def test_a_folder_in_which_nobody_may_write_is_told_by_its_cause(league: Path) -> None:
    with closing(Store.open(league.with_suffix(".db"))) as store:
        store.path = Path("/sys/league.db")  # a folder that is closed even to root
        with pytest.raises(MachineError, match="cannot be written: Permission denied"):
            lock(store).__enter__()
