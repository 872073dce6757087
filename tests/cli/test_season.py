"""A season of an open league from its first order to the next season, with commands alone."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from arena.league.ledger import Closed, Joined, Left, Line, Ordered, Sealed
from arena.league.terms import MatchKey
from arena.record.audit import ledger_flaws
from arena.record.matches import verify_all
from arena.record.store import Store
from arena.record.submissions import playing
from arena.sandbox.box import children
from tests.cluster.test_cluster import machines, open_folder
from tests.support.bots import OPEN, good, write_bot, write_league, write_quick_bot
from tests.support.command import document, output, refusal, run, said, start
from tests.support.open_record import entries_in
from tests.support.patience import until


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
    return write_ladder(tmp_path, "final = 3\nfinal_deals = 15\n")


def dump(record: Path) -> list[str]:
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
    [closed] = [each for each in entries if isinstance(each, Closed)]
    *orders, sealed = entries[entries.index(closed) + 1 :]
    assert isinstance(sealed, Sealed)
    told = [(each.lineup, each.deals) for each in orders if isinstance(each, Ordered)]
    assert told == [(tuple(sorted(closed.final)), deals) for deals in (10, 5)]
    assert stored == 6 * (3 + len(told))
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
    refusal("season", "next", league)  # it says neither who nor all
    assert output("season", "next", league, "--all") == "season 2 begins with no submitted bot\n"
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


MOMENTS = 40
SEED = 40
LONGEST_S = 1.5
"""So long after an arena begins to write it is killed at the latest."""


class Seen(msgspec.Struct):
    """What a record held when it was last read; all of it must stay."""

    lines: list[Line] = []
    matches: dict[MatchKey, int] = {}
    entered: dict[str, str] = {}


def look(record: Path, seen: Seen) -> Seen:
    """Verify a record, and what it had when it was last seen."""
    with closing(Store.open(record)) as store:
        assert list(ledger_flaws(store)) == []
        assert [flaw for *_, flaw in verify_all(store) if flaw is not None] == []
        lines, matches, entries = store.ledger(), store.stored(), entries_in(store)
        entered = {entry.name: entry.digest for entry in store.submissions()}
        assert lines[: len(seen.lines)] == seen.lines
        assert seen.matches.items() <= matches.items()
        assert seen.entered.items() <= entered.items()
        assert set(store.fold().orders) >= {(lineup, first) for lineup, _, first in matches}
    joined = Counter(entry.bot for entry in entries if isinstance(entry, Joined))
    left = Counter(entry.bot for entry in entries if isinstance(entry, Left))
    for bot in entered:
        assert left[bot] <= joined[bot] <= 1, f"{bot} came or left twice"
    return Seen(lines, matches, entered)


def kill(arena: "subprocess.Popen[str]", what: str, dice: random.Random) -> None:
    workers = children(arena.pid)
    if what == "worker":
        workers = workers and [dice.choice(workers)]
    for pid in workers if what != "arena" else ():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if what == "worker" and workers:
        time.sleep(dice.uniform(0, 1))
    arena.kill()


def _wait_for_writing(arena: "subprocess.Popen[str]", record: Path) -> None:
    rows = "SELECT (SELECT count(*) FROM ledger) + (SELECT count(*) FROM matches)"
    with closing(sqlite3.connect(record)) as sql:
        before = sql.execute(rows).fetchone()
        until(lambda: arena.poll() is not None or sql.execute(rows).fetchone() != before)


def command_beside(what: str, ladder: Path, dice: random.Random, number: int) -> list[str | Path]:
    """A command to be killed while a league is played: its words, or none."""
    folder = ladder.parent
    if what == "submit":
        bot = write_quick_bot(folder / f"mine{number % 3}", turn=number % 3)
        (bot / "version.txt").write_text(str(number))
        return ["submit", bot, "--league", ladder]
    if what == "withdraw":
        with closing(Store.open(ladder.with_suffix(".db"))) as store:
            names = [entry.name for entry in playing(store.submissions())]
        return ["withdraw", dice.choice(names), "--league", ladder] if names else []
    others: dict[str, list[str | Path]] = {
        "resume": ["resume", "crasher", "--league", ladder],
        "backup": ["backup", ladder, folder / f"backup{number}"],
    }
    return others.get(what, [])


@pytest.mark.slow
def test_forty_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    keys = "width = 0.01\nfinal = 3\nfinal_deals = 30\n"
    ladder, dice, seen = write_ladder(tmp_path, keys), random.Random(SEED), Seen()
    _add_crasher(ladder)
    record = ladder.with_suffix(".db")
    assert run("league", ladder, "--orders", "1").returncode == 0
    commands = ["", "submit", "withdraw", "backup", "submit", "resume"]
    for number in range(MOMENTS):
        with closing(Store.open(record)) as store:
            ends = number % 10 >= 7 or store.fold().season is not None
        arena = start(*(("season", "close") if ends else ("league",)), ladder)
        early = dice.random() < 0.2
        time.sleep(dice.uniform(0, LONGEST_S)) if early else _wait_for_writing(arena, record)
        words = command_beside(commands[number % len(commands)], ladder, dice, number)
        other = start(*words) if words else None
        time.sleep(dice.uniform(0, LONGEST_S))
        if other is not None and dice.random() < 0.7:
            time.sleep(dice.uniform(0, LONGEST_S))
            other.kill()
        kill(arena, dice.choice(("arena", "worker", "both")), dice)
        for process in filter(None, (arena, other)):
            out, err = process.communicate()
            assert process.returncode in (0, 2, -signal.SIGKILL), out + err
        seen = look(record, seen)
        with closing(Store.open(record)) as store:
            over = store.sealed() is not None
        if over:
            seen = _next_season(ladder, dice, seen)
        for place in tmp_path.glob("backup*"):
            look(place / record.name, Seen())
            shutil.rmtree(place)
    done = run("season", "close", ladder)
    if "play on with arena league" in done.stderr:  # the last season has only just begun
        assert run("league", ladder, "--orders", "12").returncode == 0
        done = run("season", "close", ladder)
    assert "sealed" in done.stderr, done.stderr
    look(record, seen)
    with closing(Store.open(record)) as store:
        assert len(store.stored()) == 6 * len(store.fold().orders)
    for kept in tmp_path.glob("ladder.season-*.db"):
        look(kept, Seen())
    assert not list(tmp_path.glob("zole-*"))


def _add_crasher(ladder: Path) -> None:
    source = good(before="if m['type'] == 'play' and m['deal'] == 2: os._exit(3)")
    manifest = write_bot(ladder.parent / "crasher", source) / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"tests"', '"author e"'))
    ladder.write_text(ladder.read_text().replace('"d"]', '"d", "crasher"]'))


def _next_season(ladder: Path, dice: random.Random, seen: Seen) -> Seen:
    """Begin the next season, killed at a random moment and then not."""
    killed = start("season", "next", ladder, "--all")
    time.sleep(dice.uniform(0.3, 1.5))
    killed.kill()
    killed.communicate()
    done = run("season", "next", ladder, "--all")
    assert done.returncode == 0 or "this season is not over" in done.stderr, done.stderr
    look(max(ladder.parent.glob("ladder.season-*.db")), seen)
    with closing(Store.open(ladder.with_suffix(".db"))) as store:
        assert (store.sealed(), store.stored()) == (None, {})
    return Seen()
