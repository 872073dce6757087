"""A stored match is found by reading one row, and a report reads each match once."""

import gc
import re
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


@pytest.mark.parametrize(
    ("number", "mistake"), [(7, "there is no match 7; they are"), (None, "which match?; they are")]
)
def test_a_match_that_is_not_there_is_refused_with_those_that_are(
    league: Path, number: int | None, mistake: str
) -> None:
    with pytest.raises(ArenaError, match=re.escape(f"{mistake} 1 to 6")):
        find_match(league, number)


def test_a_report_of_all_replays_plays_each_match_again_once_and_reads_it_at_most_twice(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read once for the replays, and once for each answer time."""
    logs: list[bytes] = []

    def read(log: bytes) -> tuple[LoggedStart, Iterator[LoggedDeal]]:
        logs.append(log)
        return read_log(log)

    monkeypatch.setattr("arena.match.logged.read_log", read)
    with statements() as read_from_record:
        assert run("report", league, "--replays", "all").returncode == 0
    assert len(logs) == len(set(logs)) == 6
    assert sum("stderr" in statement for statement in read_from_record) == 1 + 6
    assert len(list(league.with_suffix(".pages").glob("[0-9]*.html"))) == 6


def played_again() -> int:
    """How many matches that were played again are in memory, of those made since the freeze."""
    gc.collect()
    return sum(isinstance(each, Replayed) for each in gc.get_objects())


def test_logs_are_exported_one_match_at_a_time(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most: list[int] = []

    def text(match: ReplayedMatch, view: str | None, private: bool) -> str | None:
        most.append(played_again())
        return viewed_log(match, view, private)

    gc.collect()
    gc.freeze()  # what earlier tests made
    monkeypatch.setattr("arena.cli.record.viewed_log", text)
    done = CliRunner().invoke(export, [str(league), "logs"])
    assert done.exit_code == 0, done.output
    assert len(most) == 6
    assert 1 <= max(most) <= 2
