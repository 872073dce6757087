"""A record holds what was stored, all or nothing, and reading it plays nothing."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import msgspec
import pytest

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot
from arena.league.schedule import MatchSpec
from arena.record.rows import Facts, first_facts
from arena.record.store import Store
from tests.league.test_terms import terms
from tests.support.command import PROJECT
from tests.support.patience import PATIENCE_S
from tests.support.scripted import made_up

READS = "export faults matches rows store summary".split()
AT = "2026-01-01T00:00:00+00:00"
DIGESTS = ("a" * 64, "b" * 64, "c" * 64)


def facts(season: int = 1) -> Facts:
    """The facts of a league that begins."""
    bots = dict(zip("abc", DIGESTS, strict=True))
    first = first_facts(Path("league.toml"), terms(bots=bots), "1", True)
    return msgspec.structs.replace(first, season=season)


def match(number: int = 0) -> MatchSpec:
    return MatchSpec(("a", "b", "c"), 0, 1, number, ("a", "b", "c"))


def bot(name: str) -> Bot:
    return Bot(name=name, version="1", author="tests", run=("./run",))


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Store]:
    writer = Store.create(tmp_path / "league.db", facts())
    yield writer
    writer.close()


def test_who_only_reads_does_not_load_what_plays() -> None:
    code = f"import sys; from arena.record import {', '.join(READS)}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT
    )
    plays = ("trio", "arena.engine", "arena.sandbox", "arena.tasks", "arena.cluster")
    assert [each for each in done.stdout.split() if each.startswith(plays)] == []


@pytest.mark.parametrize("stakes", [32767, -32768])
def test_the_widest_stakes_come_back_as_they_were(writer: Store, stakes: int) -> None:
    writer.add(match(), made_up([(stakes, 0, 0)]))
    [(_, _, record)] = writer.matches()
    assert record.results.payments == ((stakes, 0, 0),)


@pytest.mark.parametrize("stakes", [32768, -32769, 2**16, 2**40])
def test_stakes_that_do_not_fit_are_refused_and_nothing_is_stored(
    writer: Store, stakes: int
) -> None:
    with pytest.raises(OverflowError, match="do not fit 16 bits"):
        writer.add(match(), made_up([(0, 0, 0), (0, stakes, 0)]))
    assert writer.stored() == {}


def test_a_record_of_that_name_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    Store.create(path, facts(season=8)).close()
    with pytest.raises(ArenaError, match="another process has just made this"):
        Store.create(path, facts(season=9))
    with closing(Store.open(path)) as store:
        assert store.facts().season == 8
    assert not list(tmp_path.glob("zole-*"))


def test_a_file_system_without_hard_links_has_records_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(draft: Path, path: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    test_a_record_of_that_name_stays_as_it_is(tmp_path)


KILLED = """
import os, sys
from pathlib import Path
from arena.record.store import Store
from tests.record.test_store import facts
link = os.link
def cut(*words):
    if sys.argv[2] == "after":
        link(*words)
    os.kill(os.getpid(), 9)
os.link = cut
Store.create(Path(sys.argv[1]), facts(season=8))
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_in_the_last_step_leaves_a_whole_record_or_none(tmp_path: Path, when: str) -> None:
    path = tmp_path / "league.db"
    words = [sys.executable, "-c", KILLED, str(path), when]
    assert subprocess.run(words, check=False, cwd=PROJECT).returncode == -signal.SIGKILL
    if when == "before":
        assert not path.exists()
        Store.create(path, facts(season=8)).close()
    with closing(Store.write(path)) as writer:
        assert writer.facts().season == 8
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith("zole-")] == []


def test_a_third_version_has_the_number_three(writer: Store) -> None:
    names = [writer.submit(bot("mine"), content, AT, ()) for content in DIGESTS]
    assert names == ["mine", "mine.2", "mine.3"]
    assert [entry.state for entry in writer.submissions()] == [
        "replaced",
        "replaced",
        "playing",
    ]


def test_a_name_of_the_league_s_file_is_not_given_again(writer: Store) -> None:
    assert writer.submit(bot("mine"), DIGESTS[0], AT, {"mine", "mine.2"}) == "mine.3"


def test_the_very_bot_that_plays_is_refused_and_may_come_back_once_withdrawn(
    writer: Store,
) -> None:
    writer.submit(bot("mine"), DIGESTS[0], AT, ())
    with pytest.raises(ArenaError, match="in the field already, as mine"):
        writer.submit(bot("other"), DIGESTS[0], AT, ())
    writer.withdraw("mine")
    assert writer.submit(bot("mine"), DIGESTS[0], AT, ()) == "mine.2"


def test_what_was_withdrawn_is_not_replaced_by_a_newer_version(writer: Store) -> None:
    writer.submit(bot("mine"), DIGESTS[0], AT, ())
    writer.withdraw("mine")
    writer.submit(bot("mine"), DIGESTS[1], AT, ())
    assert [entry.state for entry in writer.submissions()] == ["withdrawn", "playing"]


def test_what_was_replaced_or_withdrawn_cannot_be_withdrawn(writer: Store) -> None:
    for content in DIGESTS[:2]:
        writer.submit(bot("mine"), content, AT, ())
    writer.withdraw("mine.2")
    for name in ("mine", "mine.2", "nobody"):
        with pytest.raises(ArenaError, match=f"no bot called {name} was submitted and is playing"):
            writer.withdraw(name)
    assert [entry.state for entry in writer.submissions()] == ["replaced", "withdrawn"]


def test_bots_that_are_handed_in_at_the_same_time_have_names_of_their_own(writer: Store) -> None:
    begin, versions = Barrier(2), 20

    def hand_in(who: str) -> list[str]:
        own = Store.write(writer.path)
        own.sql.execute(f"PRAGMA busy_timeout={PATIENCE_S * 1000:.0f}")
        begin.wait()
        names = [
            own.submit(bot("mine"), f"{who}{each}".rjust(64, "0"), AT, ())
            for each in range(versions)
        ]
        own.close()
        return names

    with ThreadPoolExecutor(2) as both:
        first, second = both.map(hand_in, "ab")
    assert len({*first, *second}) == 2 * versions
    assert [entry.state for entry in writer.submissions()].count("playing") == 1


def test_a_record_that_is_held_stays_as_it_was_while_a_league_goes_on(writer: Store) -> None:
    writer.add(match(), made_up([(2, -1, -1)]))
    reader = Store.open(writer.path)
    reader.hold()
    writer.add(match(1), made_up([(0, 0, 0)]))
    assert [len(list(each.outlines())) for each in (reader, writer)] == [1, 2]
    reader.close()


def test_a_match_that_fails_to_be_stored_leaves_none_of_its_rows(writer: Store) -> None:
    writer.add(match(), made_up([(2, -1, -1)]))
    with pytest.raises(ArenaError, match="UNIQUE"):
        writer.add(match(), made_up([(0, 0, 0)]))
    assert len(list(writer.matches())) == 1
    with closing(sqlite3.connect(writer.path, isolation_level=None)) as sql:
        assert sql.execute("SELECT count(*) FROM logs").fetchone() == (1,)


def test_a_reader_leaves_nothing_beside_the_record(writer: Store, tmp_path: Path) -> None:
    path = writer.path
    writer.close()
    reader = Store.open(path)
    reader.facts()
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.sql.execute("DELETE FROM league")
    reader.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]
