"""A stored match is found by reading one row, and a report reads each match once."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.base.errors import ArenaError
from arena.cli.record import export
from arena.match.log import LoggedDeal, LoggedStart, read_log
from arena.match.logged import Replayed
from arena.record.export import viewed_log
from arena.record.matches import ReplayedMatch
from arena.record.rows import Facts
from arena.record.store import Store
from tests.support.bots import write_league
from tests.support.command import run, run_here
from tests.support.records import find_match


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    league = write_league(tmp_path_factory.mktemp("league"), deals=1)
    assert run_here("league", league, "--seed", "1").returncode == 0
    return league


@contextmanager
def statements() -> Iterator[list[str]]:
    """What SQLite is told about matches and logs meanwhile."""
    told: list[str] = []

    def note(statement: str) -> None:
        if "FROM matches" in statement or "logs" in statement:
            told.append(statement)

    with pytest.MonkeyPatch.context() as patch:
        opened = Store.facts

        def facts(store: Store) -> Facts:
            store.sql.set_trace_callback(note)  # each record is asked for its facts when opened
            return opened(store)

        patch.setattr(Store, "facts", facts)
        yield told


def test_finding_one_match_reads_one_row(league: Path) -> None:
    with statements() as told:
        assert find_match(league, 4).number == 4
    [only] = told
    assert "WHERE id = 4" in only


def test_a_match_that_is_not_there_is_told_with_those_that_are(league: Path) -> None:
    with pytest.raises(ArenaError, match="there is no match 7; they are 1 to 6"):
        find_match(league, 7)
    with pytest.raises(ArenaError, match=r"which match\?; they are 1 to 6"):
        find_match(league, None)


def test_a_report_of_all_replays_plays_each_match_again_once(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs: list[bytes] = []

    def read(log: bytes) -> tuple[LoggedStart, Iterator[LoggedDeal]]:
        logs.append(log)
        return read_log(log)

    monkeypatch.setattr("arena.match.logged.read_log", read)
    assert run("report", league, "--replays", "all").returncode == 0
    assert len(logs) == len(set(logs)) == 6


def test_a_report_of_all_replays_reads_each_match_at_most_twice(league: Path) -> None:
    with statements() as told:
        done = run("report", league, "--replays", "all")
    assert done.returncode == 0, done.stderr
    assert len(list(league.with_suffix(".pages").glob("[0-9]*.html"))) == 6
    read = [statement for statement in told if "stderr" in statement]
    assert len(read) == 1 + 6, "once for the replays, once for each answer time"


@pytest.fixture
def _only_new() -> None:
    """Leave what earlier tests made out of every later look at what is in memory."""
    gc.collect()
    gc.freeze()


def played_again() -> int:
    """How many matches that were played again are in memory."""
    gc.collect()
    return sum(isinstance(each, Replayed) for each in gc.get_objects())


@pytest.mark.usefixtures("_only_new")
def test_logs_are_exported_one_match_at_a_time(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most: list[int] = []

    def text(match: ReplayedMatch, view: str | None, private: bool) -> str | None:
        most.append(played_again())
        return viewed_log(match, view, private)

    monkeypatch.setattr("arena.cli.record.viewed_log", text)
    done = CliRunner().invoke(export, [str(league), "logs"])
    assert done.exit_code == 0, done.output
    assert len(most) == 6
    assert 1 <= max(most) <= 2
