"""A record that an earlier arena wrote opens, verifies and goes on; one of another format does not.

The record in `tests/data/league` is of format 8.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.record.matches import stored_matches, verify_all
from arena.record.rows import VoidMatch
from arena.record.store import Store
from arena.record.summary import summarize
from tests.support.command import run
from tests.support.stored_league import stored_league


@pytest.fixture
def store(league: Path) -> Iterator[Store]:
    """The record, to be read."""
    with closing(Store.open(league.with_suffix(".db"))) as store:
        yield store


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """The record with its league and the copy of the bot that was handed in."""
    league = stored_league(tmp_path)
    with closing(Store.open(league.with_suffix(".db"))) as store:
        *_, newest = store.submissions()
    home = league.with_suffix(".bots")
    shutil.copytree(tmp_path / "newest", home / newest.digest[:16])
    (home / f"{newest.digest[:16]}.built").touch()
    return league


def test_an_old_record_tells_what_it_told_then(store: Store) -> None:
    found = summarize(store)
    assert (found.sets, found.sets_played, found.sets_void) == (14, 4, 6)
    assert (found.complete, found.practice, found.seed) == (False, True, "7")
    assert [(each.name, each.state) for each in store.submissions()] == [
        ("mine", "replaced"),
        ("mine.2", "playing"),
    ]
    assert found.owed == (VoidMatch(("a", "faulty", "mine.2"), 1, 0, "its worker died"),)
    assert store.faults() == {"faulty": {"illegal": 6}}
    assert {each.disqualified for each in store.outlines()} == {(), (0,)}
    faulty = [each.match for each in store.outlines() if each.faults]
    assert [each.number for each in stored_matches(store, faulty=True)] == faulty


def test_every_match_of_an_old_record_replays_to_what_is_stored(store: Store) -> None:
    assert [problem for *_, problem in verify_all(store)] == [None] * 16


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
    for words in (("standings", league), ("league", league), ("verify", league)):
        done = run(*words)
        assert done.returncode == 2
        assert f"it has format {form}, this arena opens format 8\n" in done.stderr
    assert record.read_bytes() == before
