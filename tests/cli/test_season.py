"""A season of an open league from its first order to the next season, with commands alone."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.ledger import Closed, Ordered, Sealed
from arena.record.store import Store
from tests.cluster.test_cluster import machines, open_folder
from tests.support.bots import OPEN, write_league, write_quick_bot
from tests.support.command import document, output, refusal, run, said, start
from tests.support.open_record import entries_in


def write_ladder(folder: Path, keys: str) -> Path:
    """The file of an open league of four bots, each by its own author."""
    for turn, name in enumerate("abcd"):
        manifest = write_quick_bot(folder / name, turn=turn) / "bot.toml"
        manifest.write_text(manifest.read_text().replace('"tests"', f'"author {name}"'))
    path = folder / "ladder.toml"
    path.write_text(f'format = "open"\nbots = ["a", "b", "c", "d"]\n{keys}{OPEN}')
    return path


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """An open league with finals of three bots."""
    return write_ladder(tmp_path, "final = 3\nfinal_deals = 15\n")


def dump(record: Path) -> list[str]:
    """All that a record holds."""
    with closing(sqlite3.connect(record)) as sql:
        return list(sql.iterdump())


@pytest.mark.slow
def test_a_season_ends_with_a_final_and_another_begins(league: Path) -> None:
    record, kept = league.with_suffix(".db"), league.with_name("ladder.season-1.db")
    assert run("league", league, "--orders", "3").returncode == 0
    done = run("season", "close", league)
    assert done.returncode == 0, done.stderr
    assert "season 1 is over; its record is sealed" in done.stderr
    assert "Final of season 1: 15 of 15 sets" in done.stdout
    with closing(Store.open(record)) as store:
        entries, stored = entries_in(store), len(store.stored())
    [(place, closed)] = [
        (place, each) for place, each in enumerate(entries) if isinstance(each, Closed)
    ]
    orders = [each for each in entries[place + 1 :] if isinstance(each, Ordered)]
    assert [(each.lineup, each.deals) for each in orders] == [
        (tuple(sorted(closed.final)), deals) for deals in (10, 5)
    ]
    assert stored == 6 * (3 + len(orders))
    assert isinstance(entries[-1], Sealed)
    standings = document("standings", record)
    assert standings["complete"]
    assert [line["sets"] for line in standings["final"]["standings"]] == [15] * 3
    output("verify", record)
    page = league.with_suffix(".html")
    output("report", record, "--replays", "none", "--out", page)
    assert "Final of season 1: 15 of 15 sets" in page.read_text()
    before, content = record.read_bytes(), dump(record)
    late = write_quick_bot(league.parent / "late")
    for words in (("league", league), ("season", "close", league), ("submit", late)):
        more = ("--league", league) if words[0] == "submit" else ()
        assert "season 1" in refusal(*words, *more)
    assert record.read_bytes() == before

    assert run("season", "next", league).returncode == 2  # it says neither who nor all
    done = run("season", "next", league, "--all")
    assert (done.returncode, done.stdout) == (0, "season 2 begins with no submitted bot\n")
    assert dump(kept) == content
    assert run("league", league, "--orders", "1").returncode == 0
    for path in (kept, record):
        output("verify", path)


@pytest.mark.slow
def test_a_final_is_played_on_a_cluster_of_which_a_worker_is_lost(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    league = write_ladder(tmp_path, "final = 3\nfinal_deals = 100\n")
    assert run("league", league, "--orders", "3").returncode == 0
    with open_folder() as folder, machines(folder / "machines") as there:
        address = there.scheduler()
        for name in ("first", "second"):
            there.worker(name, address)
            there.registered(name)
        closing_it = ("season", "close", league, "--cluster", address)
        arena = start(*closing_it)
        said(arena, "its final is between")
        said(arena, "orders played")
        there.kill("first")
        said(arena, "orders played")
        arena.kill()
        arena.communicate()
        done = run(*closing_it)
    assert done.returncode == 0, done.stderr
    assert "season 1 is over; its record is sealed" in done.stderr
    assert "Final of season 1: 100 of 100 sets" in done.stdout
    output("verify", league)


def test_only_an_open_league_that_has_been_played_is_closed(tmp_path: Path, league: Path) -> None:
    assert "have played for a final table" in refusal("season", "close", league)
    other = tmp_path / "other"
    other.mkdir()
    assert "only open leagues have seasons" in refusal("season", "close", write_league(other))
