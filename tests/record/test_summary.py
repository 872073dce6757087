"""A record that an earlier arena wrote opens, verifies and goes on; one of another format does not.

The record in `tests/data/league` is of format 8. A record without a match has a summary as well.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.bots.manifest import content_hash, read_bot
from arena.league.file import read_league
from arena.record.matches import stored_matches, verify_all
from arena.record.rows import VoidMatch
from arena.record.store import Store
from arena.record.summary import summarize
from arena.tasks.league_request import LeagueRequest, opened_record
from tests.support.bots import write_quick_bot
from tests.support.command import run
from tests.support.stored_league import stored_league


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """An old record with its league and the copy of the bot that was submitted."""
    league = stored_league(tmp_path)
    with closing(Store.open(league.with_suffix(".db"))) as store:
        digest = store.submissions()[-1].digest
    copy = league.with_suffix(".bots") / digest[:16]
    shutil.copytree(tmp_path / "newest", copy)
    copy.with_suffix(".built").touch()
    return league


def test_an_old_record_says_what_it_said_then_and_replays(league: Path) -> None:
    with closing(Store.open(league.with_suffix(".db"))) as store:
        summary, outlines = summarize(store), list(store.outlines())
        states = {each.name: each.state for each in store.submissions()}
        faulty = [each.number for each in stored_matches(store, faulty=True)]
        assert store.faults() == {"faulty": {"illegal": 6}}
        assert [problem for *_, problem in verify_all(store)] == [None] * 16
    assert (summary.sets, summary.sets_played, summary.sets_void) == (14, 4, 6)
    assert (summary.complete, summary.practice, summary.seed) == (False, True, "7")
    assert summary.owed == (VoidMatch(("a", "faulty", "mine.2"), 1, 0, "its worker died"),)
    assert states == {"mine": "replaced", "mine.2": "playing"}
    assert {each.disqualified for each in outlines} == {(), (0,)}
    assert faulty == [each.match for each in outlines if each.faults]


def test_an_old_record_goes_on(league: Path) -> None:
    done = run("league", league, "--json")
    assert done.returncode == 0, done.stderr
    assert "continuing, " in done.stderr
    document = json.loads(done.stdout)
    assert (document["sets"], document["complete"], document["owed"]) == (14, True, [])
    with closing(Store.open(league.with_suffix(".db"))) as store:
        assert [problem for *_, problem in verify_all(store)] == [None] * 21


OLDER = (
    "UPDATE league SET value = '5' WHERE key = 'format'",
    "ALTER TABLE matches DROP COLUMN at",
    "DROP TABLE ledger",
)
NEWER = ("UPDATE league SET value = '9' WHERE key = 'format'", "CREATE TABLE more (x)")
NONE = ("DELETE FROM league WHERE key = 'format'",)


@pytest.mark.parametrize(("form", "how"), [("5", OLDER), ("9", NEWER), ("none", NONE)])
def test_a_record_of_another_format_is_refused_and_left_as_it_is(
    league: Path, form: str, how: tuple[str, ...]
) -> None:
    record = league.with_suffix(".db")
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        for statement in how:
            sql.execute(statement)
    before = record.read_bytes()
    for command in ("standings", "league", "verify"):
        done = run(command, league)
        assert done.returncode == 2
        assert f"it has format {form}, this arena opens format 8\n" in done.stderr
    assert record.read_bytes() == before


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that lives on submissions: there is one, and nothing was played."""
    path = tmp_path_factory.mktemp("empty") / "league.toml"
    path.write_text("deals = 2\n")
    bot = write_quick_bot(path.with_name("mine"))
    config, bots = read_league(path, None)
    with opened_record(LeagueRequest(path, config, bots, (), {})) as store:
        store.submit(read_bot(bot), content_hash(bot), "2026-01-01T00:00:00+00:00", ())
    return path


@pytest.mark.parametrize(
    "words",
    [
        *("standings", "standings --all", "standings --csv"),
        *("standings --csv --crosstable", "standings --csv --roles", "standings --csv --seats"),
        *("standings --csv --company", "report", "report --replays all", "verify", "faults"),
        *("export standings", "export sets", "export matches", "export games", "export moves"),
        *("export faults", "export deals", "export logs", "replay", "submissions"),
        *("deals", "deals --json"),
    ],
)
def test_every_command_works_for_a_league_without_a_match(empty: Path, words: str) -> None:
    name, *more = words.split()
    done = run(name, empty, *more)
    assert done.returncode == 0, done.stderr


def test_a_league_without_a_table_is_not_complete_and_keeps_its_seed(empty: Path) -> None:
    document = json.loads(run("standings", empty, "--json").stdout)
    assert (document["sets"], document["complete"], document["seed"]) == (0, False, None)
