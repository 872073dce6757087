"""Kills at any moment, of leagues and of the commands beside them, lose and double nothing."""

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

from arena.league.ledger import Joined, Left, Line
from arena.league.terms import MatchKey
from arena.record.audit import ledger_flaws
from arena.record.matches import verify_all
from arena.record.store import Store
from arena.record.submissions import playing
from arena.sandbox.box import children
from tests.support.bots import good, write_bot, write_quick_bot
from tests.support.command import output, run, start
from tests.support.open_record import entries_in
from tests.support.patience import until
from tests.tasks.test_open_league import ladder, rewrite

MOMENTS = 40
SEED = 40
LONGEST_S = 1.5
"""So long after an arena begins to write it is killed at the latest."""


class Seen(msgspec.Struct):
    """What a record held when it was last read; all of it must stay."""

    lines: list[Line] = []
    matches: dict[MatchKey, int] = {}
    entered: dict[str, str] = {}


def look(record: Path, seen: Seen | None = None) -> Seen:
    """Verify a record, and what it had when it was last seen."""
    with closing(Store.open(record)) as store:
        assert list(ledger_flaws(store)) == []
        assert [flaw for *_, flaw in verify_all(store) if flaw is not None] == []
        entered = {entry.name: entry.digest for entry in store.submissions()}
        found, entries = Seen(store.ledger(), store.stored(), entered), entries_in(store)
        orders = {*store.fold().orders}
    if seen is not None:
        assert found.lines[: len(seen.lines)] == seen.lines
        assert seen.matches.items() <= found.matches.items()
        assert seen.entered.items() <= entered.items()
    assert orders >= {(lineup, first) for lineup, _, first in found.matches}
    joined = Counter(entry.bot for entry in entries if isinstance(entry, Joined))
    left = Counter(entry.bot for entry in entries if isinstance(entry, Left))
    assert [bot for bot in entered if not left[bot] <= joined[bot] <= 1] == []
    return found


def kill(arena: "subprocess.Popen[str]", dice: random.Random) -> None:
    """Kill an arena, or one of its workers and then it, or all of them."""
    what, workers = dice.choice(("arena", "worker", "both")), children(arena.pid)
    for pid in {"arena": [], "worker": workers[:1], "both": workers}[what]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if what == "worker":
        time.sleep(dice.uniform(0, 1))
    arena.kill()


def wait_for_writing(arena: "subprocess.Popen[str]", record: Path) -> None:
    rows = "SELECT (SELECT count(*) FROM ledger) + (SELECT count(*) FROM matches)"
    with closing(sqlite3.connect(record)) as sql:
        before = sql.execute(rows).fetchone()
        until(lambda: arena.poll() is not None or sql.execute(rows).fetchone() != before)


def command_beside(league: Path, dice: random.Random, number: int) -> list[str | Path]:
    """A command to be killed while a league is played: its words, or none."""
    bot = write_quick_bot(league.with_name(f"mine{number % 3}"), turn=number % 3)
    (bot / "version.txt").write_text(str(number))
    with closing(Store.open(league.with_suffix(".db"))) as store:
        names = [entry.name for entry in playing(store.submissions())]
    submit: list[str | Path] = ["submit", bot, "--league", league]
    commands: tuple[list[str | Path], ...] = (
        [],
        submit,
        ["withdraw", dice.choice(names), "--league", league] if names else [],
        ["backup", league, league.with_name("backup")],
        submit,
        ["resume", "crasher", "--league", league],
    )
    return commands[number % len(commands)]


def ended(league: Path) -> tuple[bool, bool]:
    """Whether a season's end has begun, and whether it is over."""
    with closing(Store.open(league.with_suffix(".db"))) as store:
        return store.fold().season is not None, store.sealed() is not None


@pytest.mark.slow
def test_forty_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    league = ladder(tmp_path, "abcd", "width = 0.01\nfinal = 3\nfinal_deals = 30\n")
    source = good(before="if m['type'] == 'play' and m['deal'] == 2: os._exit(3)")
    rewrite(write_bot(tmp_path / "crasher", source) / "bot.toml", '"tests"', '"author e"')
    rewrite(league, '"d"]', '"d", "crasher"]')
    record, dice, seen = league.with_suffix(".db"), random.Random(SEED), Seen()
    assert run("league", league, "--orders", "1").returncode == 0
    for number in range(MOMENTS):
        ends = number % 10 >= 7 or ended(league)[0]
        processes = [start(*(("season", "close") if ends else ("league",)), league)]
        if dice.random() < 0.2:
            time.sleep(dice.uniform(0, LONGEST_S))
        else:
            wait_for_writing(processes[0], record)
        if words := command_beside(league, dice, number):
            processes.append(start(*words))
        time.sleep(dice.uniform(0, LONGEST_S))
        if dice.random() < 0.7:
            time.sleep(dice.uniform(0, LONGEST_S))
            processes[-1].kill()
        kill(processes[0], dice)
        for process in processes:
            out, err = process.communicate()
            assert process.returncode in (0, 2, -signal.SIGKILL), out + err
        seen = look(record, seen)
        if (tmp_path / "backup").exists():
            look(tmp_path / "backup" / record.name)
            shutil.rmtree(tmp_path / "backup")
        if ended(league)[1]:
            killed = start("season", "next", league, "--all")
            time.sleep(dice.uniform(0.3, 1.5))
            killed.kill()
            killed.communicate()
            done = run("season", "next", league, "--all")
            assert done.returncode == 0 or "this season is not over" in done.stderr, done.stderr
            look(max(tmp_path.glob("ladder.season-*.db")), seen)
            seen = look(record)
            assert (ended(league), seen.matches) == ((False, False), {})
    done = run("season", "close", league)
    if "play on with arena league" in done.stderr:  # the last season has only just begun
        assert run("league", league, "--orders", "12").returncode == 0
        done = run("season", "close", league)
    assert "sealed" in done.stderr, done.stderr
    look(record, seen)
    with closing(Store.open(record)) as store:
        assert len(store.stored()) == 6 * len(store.fold().orders)
    for kept in tmp_path.glob("ladder.season-*.db"):
        look(kept)
    output("backup", league, tmp_path / "backup")  # which removes what killed ones have left
    assert not list(tmp_path.glob("zole-*"))
