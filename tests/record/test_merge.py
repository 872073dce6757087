"""Records put together: exact where they fit, refused with the place where they do not."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import ArenaError, MachineError
from arena.league.file import read_league
from arena.league.plans import scheduled
from arena.league.schedule import MatchSpec
from arena.match.log import LoggedDeal
from arena.match.record import MatchRecord
from arena.record.merge import merge
from arena.record.rows import encode_json
from arena.record.store import Store
from arena.record.writer import Writer
from arena.tasks.closed_league import resume_closed
from arena.tasks.field import ask_league
from arena.tasks.season_terms import open_or_create
from tests.cli.test_league import settle, standings
from tests.support.bots import (
    good,
    open_gate,
    write_bot,
    write_gated_league,
    write_league,
    write_quick_bot,
)
from tests.support.command import PROJECT, run, run_here, said, start
from tests.support.open_record import open_record
from tests.support.scripted import made_up

SEED = "17"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of four played in one run, and in three shards in another folder."""
    folder = tmp_path_factory.mktemp("played")
    whole = write_league(folder / "whole", "abcd", deals=2)
    assert run_here("league", whole, "--seed", SEED).returncode == 0
    league = write_league(folder / "parts", "abcd", deals=2)
    for number in (1, 2, 3):
        done = run_here("league", league, "--seed", SEED, "--shard", f"{number}/3")
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def parts(played: Path, tmp_path: Path) -> Path:
    """The league in shards, to be done with as one likes."""
    shutil.copytree(played / "parts", tmp_path / "parts")
    return tmp_path / "parts"


def shards(folder: Path) -> list[Path]:
    return sorted(folder.glob("league.*of3.db"))


def matches(record: Path) -> list[tuple[MatchSpec, object]]:
    """Every match of a record but for the times in its log."""
    with closing(Store.open(record)) as store:
        return [
            (spec, (match.results.payments, match.results.courses, timeless(match.log)))
            for _, spec, match in store.matches()
        ]


def timeless(log: bytes) -> list[object]:
    import gzip

    first, *lines = gzip.decompress(log).splitlines()
    deals = [msgspec.json.decode(line, type=LoggedDeal) for line in lines]
    return [first, *((deal.deal, deal.hands, [step[:2] for step in deal.steps]) for deal in deals)]


def test_merged_shards_are_the_league_played_in_one_run(played: Path, parts: Path) -> None:
    out = parts / "league.db"
    done = run("merge", out, *shards(parts))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{out}: 24 matches added, 24 in all\n"
    assert done.stderr == ""
    assert matches(out) == matches(played / "whole" / "league.db")
    assert standings(out) == standings(played / "whole" / "league.toml")
    assert run("verify", out).returncode == 0
    again = run_here("league", parts / "league.toml", "--seed", SEED)
    assert "everything has been played" in again.stderr


def test_merging_again_changes_nothing(parts: Path) -> None:
    out = parts / "league.db"
    assert merge(out, shards(parts)).added == 24
    before = standings(out)
    merged = merge(out, [*shards(parts), out])
    assert (merged.added, merged.before, merged.missing) == (0, 24, 0)
    assert standings(out) == before


def test_shards_may_come_one_after_another_and_the_league_fills_the_gap(parts: Path) -> None:
    out, (first, second, _) = parts / "league.db", shards(parts)
    assert merge(out, [second]).missing == 16
    done = run("merge", out, first, "--json")
    assert json.loads(done.stdout)["missing"] == 8
    assert not out.with_name("league.db-wal").exists()  # what is carried away is whole
    done = run("merge", out, first)
    assert done.stderr == "8 matches are missing; arena league plays the rest\n"
    done = run_here("league", parts / "league.toml", "--seed", SEED)
    assert done.returncode == 0
    assert "8 of 8 sets, complete" in done.stdout
    with pytest.raises(ArenaError, match="this was played a second time, and differs from"):
        merge(out, [shards(parts)[2]])


@pytest.mark.slow
def test_a_killed_shard_goes_on(played: Path, tmp_path: Path) -> None:
    league = write_gated_league(tmp_path, "abcd", deals=2)
    begun = [start("league", league, "--seed", SEED, "--shard", f"{it}/2") for it in (1, 2)]
    for arena, word in zip(
        begun, ("the first matches", "decisions a second"), strict=True
    ):  # a, b, c is in the second
        said(arena, word)
        arena.kill()
        arena.communicate()
    settle(tmp_path)
    open_gate(league)
    for number, word in enumerate(("beginning", "going on with"), 1):
        done = run_here("league", league, "--seed", SEED, "--shard", f"{number}/2")
        assert f"league: {word}" in done.stderr
    merge(tmp_path / "league.db", sorted(tmp_path.glob("league.*of2.db")))
    found, whole = (
        json.loads(standings(each)) for each in (league, played / "whole" / "league.toml")
    )
    assert {**found, "isolation": whole["isolation"]} == whole


def test_records_of_other_leagues_are_refused_and_nothing_is_made(
    parts: Path, tmp_path: Path
) -> None:
    first, *_ = shards(parts)
    others = {
        "seed": (write_league(tmp_path / "seed", "abcd", deals=2), "8", "its seed is another"),
        "rules": (
            write_league(tmp_path / "rules", "abcd", deals=2, more='rules = "lzsf"\n'),
            SEED,
            "this is not the league of",
        ),
        "bots": (write_league(tmp_path / "bots", "abcd", deals=2), SEED, "the bot a has changed"),
    }
    write_bot(tmp_path / "bots" / "a", good(before="os.getpid()"))
    for name, (league, seed, told) in others.items():
        assert run_here("league", league, "--begin", "--seed", seed).returncode == 0
        done = run("merge", tmp_path / "out.db", first, league.with_suffix(".db"))
        assert (done.returncode, done.stdout) == (2, ""), name
        assert told in done.stderr
        assert str(league.with_suffix(".db")) in done.stderr
        assert not (tmp_path / "out.db").exists()


def test_a_match_that_is_not_what_was_played_is_refused_with_its_place(parts: Path) -> None:
    record = shards(parts)[1]
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        sql.execute("UPDATE matches SET payments = zeroblob(12)")
    sql.close()
    with pytest.raises(ArenaError, match=r"league\.2of3\.db: match \d+: it is not what was played"):
        merge(parts / "league.db", shards(parts))
    assert not (parts / "league.db").exists()
    assert merge(parts / "league.db", shards(parts), fast=True).missing == 0


@pytest.mark.parametrize("column", ["lineup = '[1'", "courses = x'0102'", "seating = 77"])
def test_a_match_that_cannot_be_read_is_refused_with_its_record(parts: Path, column: str) -> None:
    record = shards(parts)[1]
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        sql.execute(f"UPDATE matches SET {column} WHERE id = 3")
    sql.close()
    with pytest.raises(ArenaError, match=r"league\.2of3\.db: "):
        merge(parts / "league.db", shards(parts), fast=True)


def test_a_set_of_two_seeds_is_refused(tmp_path: Path) -> None:
    league = write_league(tmp_path, deals=1)
    with open_or_create(league, read_league(league), 1) as writer:
        writer.set_facts({"seeds": encode_json(("1", "2"))})
        first, second, *_ = scheduled(writer.store.terms())
        writer.add(first, made_up([(0, 0, 0)]))
        writer.add(msgspec.structs.replace(second, seed=1), made_up([(0, 0, 0)]))
    with pytest.raises(ArenaError, match="another seed than the rest of its sets"):
        merge(tmp_path / "out.db", [league.with_suffix(".db")], fast=True)


def test_a_damaged_file_is_refused(parts: Path) -> None:
    record = shards(parts)[2]
    data = bytearray(record.read_bytes())
    data[8192:12288] = b"\xff" * 4096
    record.write_bytes(data)
    done = run("merge", parts / "league.db", *shards(parts))
    assert done.returncode == 2
    assert str(record) in done.stderr
    assert not (parts / "league.db").exists()
    truncated = shards(parts)[0]
    truncated.write_bytes(truncated.read_bytes()[:5000])
    with pytest.raises(ArenaError):
        merge(parts / "league.db", shards(parts))


def test_voids_come_along_once(parts: Path) -> None:
    record = shards(parts)[0]
    writer = Writer.open(record)
    (_, spec, _), *_ = writer.store.matches()
    for why in ("its worker died", "its worker died", "no memory"):
        writer.add_void(spec, why)
    writer.close()
    out = parts / "league.db"
    for _ in range(2):
        merge(out, shards(parts))
        with closing(Store.open(out)) as merged:
            told = [void.why for void in merged.voids()]
        assert sorted(told) == ["its worker died", "its worker died", "no memory"]


@pytest.mark.usefixtures("brief_check")
def test_submissions_come_along(tmp_path: Path) -> None:
    league = write_league(tmp_path, "ab", deals=1)
    newcomer = write_quick_bot(tmp_path / "new")
    assert run("submit", newcomer, "--league", league).returncode == 0
    assert run_here("league", league, "--begin").returncode == 0
    for number in (1, 2):
        assert run_here("league", league, "--shard", f"{number}/2").returncode == 0
    out = tmp_path / "out.db"
    merge(out, sorted(tmp_path.glob("league.*of2.db")))
    with (
        closing(Store.open(out)) as merged,
        closing(Store.open(league.with_suffix(".db"))) as played,
    ):
        assert merged.submissions() == played.submissions()
    assert json.loads(standings(out))["complete"]


def test_a_shard_that_was_begun_before_the_league_was_extended_still_counts(parts: Path) -> None:
    league = parts / "league.toml"
    league.write_text(league.read_text().replace("deals = 2", "deals = 3"))
    out = parts / "league.db"
    merge(out, shards(parts)[:1])
    assert run_here("league", league, "--seed", SEED, "--begin").returncode == 0
    assert merge(out, shards(parts)).missing == 24
    again = parts / "again.db"
    assert merge(again, [*shards(parts), out]).missing == 24


def test_a_league_is_not_merged_into_while_it_is_played(parts: Path) -> None:
    with resume_closed(ask_league(parts / "league.toml", int(SEED)), "none"):
        done = run("merge", parts / "league.db", *shards(parts))
    assert done.returncode == 2
    assert "being played by another arena" in done.stderr


def test_a_league_is_not_merged_into_by_another_name_while_it_is_played(parts: Path) -> None:
    merge(parts / "league.db", shards(parts)[:1])
    (parts / "other").mkdir()
    link = parts / "other" / "league.db"
    link.symlink_to(parts / "league.db")
    with (
        resume_closed(ask_league(parts / "league.toml", int(SEED)), "none"),
        pytest.raises(ArenaError, match="being played by another arena"),
    ):
        merge(link, shards(parts))


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM league WHERE key = 'terms'",
        "DELETE FROM league WHERE key = 'practice'",
        "UPDATE league SET value = '{}' WHERE key = 'terms'",
        "DROP TABLE faults",
        "INSERT INTO submissions VALUES ('x', '{')",
        "INSERT INTO voids VALUES ('x', 1, 1, '{')",
    ],
)
def test_what_is_not_as_it_is_written_is_told_in_a_line(parts: Path, change: str) -> None:
    record = shards(parts)[1]
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        sql.execute(change)
    sql.close()
    done = run("merge", parts / "league.db", *shards(parts))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    told = done.stderr.removeprefix(f"{record}: ")
    begins = (
        "this record is damaged: ",
        "this is not the record of a league: ",
    )
    assert told.startswith(begins)
    assert not (parts / "league.db").exists()


def test_a_record_that_is_not_there_is_told_in_a_line(parts: Path) -> None:
    out = parts / "league.db"
    merge(out, shards(parts))
    done = run("merge", out, parts / "nope.db")
    assert done.returncode == 2
    told = "there is no such record, nor a league nope.toml beside it"
    assert done.stderr.splitlines() == [f"{parts / 'nope.db'}: {told}"]


def test_an_empty_file_is_no_record(parts: Path) -> None:
    empty = parts / "empty.db"
    empty.touch()
    for out, record in ((parts / "league.db", empty), (empty, shards(parts)[0])):
        done = run("merge", out, record)
        assert done.returncode == 2
        assert (
            done.stderr
            == f"{empty}: this is not the record of a league: it has no tables of ours\n"
        )


@pytest.mark.parametrize("begun", [False, True])
def test_a_merge_that_is_killed_changes_nothing_and_the_same_command_goes_on(
    parts: Path, begun: bool
) -> None:
    out, (first, *others) = parts / "league.db", shards(parts)
    if begun:
        merge(out, [first])
    before = matches(out) if begun else []
    code = (
        "import os, sys; from arena.record.writer import Writer; from arena.__main__ import main\n"
        "add, left = Writer._add, list(range(5))\n"
        "def cut(*words): left.pop() if left else os.kill(os.getpid(), 9); add(*words)\n"
        "Writer._add = cut; main()"
    )
    words = [sys.executable, "-c", code, "merge", str(out), *map(str, shards(parts))]
    environment = {**os.environ, "PYTHONPATH": PROJECT}
    killed = subprocess.run(words, env=environment, check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL
    assert out.exists() == begun
    assert not begun or matches(out) == before
    done = run("merge", out, first, *others)
    assert done.stdout.endswith("24 in all\n"), done.stderr
    assert not list(parts.glob("zole-*"))


@pytest.mark.parametrize("begun", [False, True])
def test_a_full_disk_is_told_and_changes_nothing(
    parts: Path, begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, add, left = parts / "league.db", Writer._add, list(range(5))
    if begun:
        merge(out, shards(parts)[:1])
    before = matches(out) if begun else []

    def full(writer: Writer, spec: MatchSpec, record: MatchRecord) -> None:
        if not left:
            writer.store.sql.execute("ROLLBACK")  # as SQLite does by itself
            raise sqlite3.OperationalError("database or disk is full")
        left.pop()
        add(writer, spec, record)

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "_add", full)
        with pytest.raises(MachineError, match="cannot be written: database or disk is full"):
            merge(out, shards(parts))
    assert out.exists() == begun
    assert not begun or matches(out) == before
    assert merge(out, shards(parts)).missing == 0


@pytest.mark.slow
def test_records_on_a_read_only_file_system_are_merged_and_none_is_made_there(
    parts: Path, tmp_path: Path
) -> None:
    closed = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'

    def reading(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        words = ["unshare", "-m", "sh", "-c", closed, "sh", str(parts), sys.executable, "-m"]
        environment = {**os.environ, "PYTHONPATH": PROJECT}
        return subprocess.run(
            [*words, *map(str, arguments)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    if reading("this").returncode == 32 or subprocess.run(("unshare", "-m", "true")).returncode:
        pytest.skip("this user may not make mounts")
    done = reading("arena", "merge", tmp_path / "out.db", *shards(parts))
    assert done.stdout.endswith("24 in all\n"), done.stderr
    for out in (parts / "new.db", shards(parts)[0]):
        done = reading("arena", "merge", out, *shards(parts))
        assert done.returncode == 3
        assert done.stderr.startswith(f"{out}: the record cannot be written: ")
        assert len(done.stderr.splitlines()) == 1


def test_open_leagues_are_not_merged(tmp_path: Path) -> None:
    ladder = open_record(tmp_path / "ladder.db", epochs=1, orders=1)
    with pytest.raises(ArenaError, match="an open league has one record alone"):
        merge(tmp_path / "out.db", [ladder])
    assert not (tmp_path / "out.db").exists()
