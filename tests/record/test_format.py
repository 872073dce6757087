"""A record of format 3 that an earlier arena wrote opens, verifies, is brought up and goes on.

Commit 2c990b1 played `tests/data/format_3`: faults, a disqualification and thus void sets, a bot
handed in and replaced by its second version, a void match, a practice seed, and five
matches still to play when it was killed.
"""

import gzip
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.record.facts import IDENTITY
from arena.record.matches import Matches, verify_all
from arena.record.rows import VoidMatch
from arena.record.store import Store
from arena.record.summary import summarize
from tests.support.command import run

DATA = Path(__file__).parents[1] / "data" / "format_3"


@pytest.fixture
def store(league: Path) -> Iterator[Store]:
    """The old record, to be read."""
    with closing(Store.open(league.with_suffix(".db"))) as store:
        yield store


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """The record with its league and the copy of the bot that was handed in."""
    league = tmp_path / "league.toml"
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    league.with_suffix(".db").write_bytes(gzip.decompress((DATA / "league.db.gz").read_bytes()))
    with closing(Store.open(league.with_suffix(".db"))) as store:
        *_, newest = store.submissions()
    home = league.with_suffix(".bots")
    shutil.copytree(DATA / "newest", home / newest.digest[:16])
    (home / f"{newest.digest[:16]}.built").touch()
    return league


def test_an_old_record_tells_what_it_told_then(league: Path, store: Store) -> None:
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
    with closing(Matches(league)) as matches:
        assert [each.number for each in matches.with_faults()] == faulty


def test_every_match_of_an_old_record_replays_to_what_is_stored(store: Store) -> None:
    assert [problem for *_, problem in verify_all(store)] == [None] * 16


def test_who_would_write_to_an_old_record_is_told_how_to_bring_it_up(league: Path) -> None:
    before = league.with_suffix(".db").read_bytes()
    for words in (("league", league), ("withdraw", "mine.2", "--league", league)):
        done = run(*words)
        assert done.returncode == 2
        assert "format 3, this arena writes format 4; bring it to that" in done.stderr
    assert league.with_suffix(".db").read_bytes() == before


def test_an_old_record_goes_on_once_it_is_brought_up(league: Path) -> None:
    assert run("upgrade", league).returncode == 0
    done = run("league", league, "--json")
    assert done.returncode == 0, done.stderr
    assert "going on with " in done.stderr
    document = json.loads(done.stdout)
    assert (document["sets"], document["complete"], document["owed"]) == (14, True, [])
    with closing(Store.open(league.with_suffix(".db"))) as store:
        assert IDENTITY in store.facts()
        assert [problem for *_, problem in verify_all(store)] == [None] * 21
