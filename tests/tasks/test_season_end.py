"""The end of a season, by the organiser's word or by its calendar.

Matches are made up here; tests/cli/test_open_league.py plays real ones.
"""

import csv
import multiprocessing
import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest

from arena.base.errors import ArenaError, MachineError
from arena.bots.manifest import Bot
from arena.league.config import OpenConfig
from arena.league.file import read_league
from arena.league.ledger import Closed, Line, Ordered, Sealed
from arena.league.terms import MatchKey
from arena.record.audit import ledger_flaws
from arena.record.rows import Facts
from arena.record.store import Store
from arena.record.summary import summarize, table_before_final
from arena.tasks import next_season as module
from arena.tasks.league_request import opened_record, request_league
from arena.tasks.next_season import next_season
from arena.tasks.open_field import Ruling
from arena.tasks.open_league import OpenLeague
from tests.support.bots import write_league
from tests.support.command import output, run_here
from tests.support.killed import die, killed
from tests.support.open_record import AT, entries_in
from tests.support.present import present
from tests.tasks.test_open_league import (
    ladder,
    opened,
    play,
    play_all,
    reading,
    rewrite,
    submit,
    write_bot,
    writing,
)

FINAL = "final = 3\nfinal_deals = 20\n"
ABC = ("a", "b", "c")
PAST = "2020-01-01T12:00:00"
FUTURE = "2900-01-01T12:00:00"
MOMENT = "close_at must be a moment such as 2026-12-01T18:00:00, without quotation marks"


def states(path: Path) -> dict[str, str]:
    with reading(path) as store:
        return {entry.name: entry.state for entry in store.submissions()}


def test_a_final_is_ordered_whole_once_all_else_is_played_and_then_the_season_is_sealed(
    tmp_path: Path,
) -> None:
    path = ladder(tmp_path, "abc", FINAL)
    with opened(path) as league:
        play(league, 1)
        league.most_orders = 2
        next(league.jobs())
    orders = [Ordered(3, ABC, 20, 10, 12, "final"), Ordered(4, ABC, 30, 10, 12, "final")]
    with opened(path, ends=True) as league:
        assert len(play(league, 0)) == 6
        assert league.close() == "season 1 is closed; its final is between a, b, c"
        assert entries_in(league.store)[-3:] == [Closed(1, ABC), *orders]
    ladder(tmp_path, "abcd", FINAL)  # a bot that comes too late
    with opened(path) as league:
        for played in (12, 0):
            assert league.close() == "season 1 is closed; its final continues"
            assert len(play(league, 0)) == played
        assert league.seal() == "season 1 is over; its record is sealed"
        assert "d" not in league.ledger.bots
    with reading(path) as store:
        assert entries_in(store)[-3:] == [*orders, Sealed(1, "7")]
        summary = summarize(store)
    final = present(summary.final)
    assert (summary.complete, summary.sets_played) == (True, 40)
    assert (final.season, final.sets, final.sets_played) == (1, 20, 20)
    assert [line.sets for line in final.standings] == [20] * 3
    assert "ladder: 40 sets so far" in output("standings", path)


def test_a_bot_that_is_withdrawn_before_the_close_is_not_in_the_final(tmp_path: Path) -> None:
    path = ladder(tmp_path, "abc", "final = 4\nfinal_deals = 10\n")
    with opened(path):
        submit(path, write_bot(tmp_path / "mine"))
    with opened(path) as league:
        play(league, 6)
        assert all(line.sets for line in table_before_final(league.store, league.ledger))
    with opened(path, ends=True) as league:
        with writing(path) as writer:
            writer.withdraw("mine")
        league.close()
        assert sorted(league.ledger.final or ()) == ["a", "b", "c"]


def calendar(folder: Path, names: str = "abc", **moments: str) -> Path:
    keys = "".join(f"{key} = {moment}\n" for key, moment in moments.items())
    return ladder(folder, names, f"width = 0.01\n{FINAL}{keys}")


def play_runs(league: OpenLeague) -> int:
    """Play whatever is to be played until nothing is for now; the number of matches."""
    return len(play_all(league, chain.from_iterable(league.runs())))


@pytest.mark.parametrize(
    ("written", "hour"),
    [
        ("2026-12-01T18:00:00", 16),
        ("2026-07-01T18:00:00", 15),
        ("2026-12-01T18:00:00+05:00", 13),
    ],
    ids=["winter", "summer", "another zone"],
)
def test_moments_are_read_in_the_time_zone_of_the_league(
    tmp_path: Path, written: str, hour: int
) -> None:
    config, _ = read_league(calendar(tmp_path, time_zone='"Europe/Riga"', submit_until=written))
    assert isinstance(config, OpenConfig)
    until = present(config.submit_until)
    assert (until.hour, until.tzinfo, config.close_at) == (hour, UTC, None)


@pytest.mark.parametrize(
    ("moments", "mistake"),
    [
        ({"time_zone": '"Europe/Rigga"'}, "no time zone Europe/Rigga"),
        ({"time_zone": '"../../etc/passwd"'}, "no time zone"),
        (
            {"submit_until": FUTURE, "close_at": PAST},
            "submit_until is after close_at; give a moment before it",
        ),
        ({"close_at": '"2026-12-01 18:00"'}, f'{MOMENT}, not "2026-12-01 18:00"'),
        ({"close_at": "2026-12-01"}, f"{MOMENT}, not 2026-12-01$"),
        ({"close_at": FUTURE, "format": '"closed"'}, "close_at is for open leagues"),
    ],
    ids=str,
)
def test_mistakes_in_a_calendar_are_reported(
    tmp_path: Path, moments: dict[str, str], mistake: str
) -> None:
    path = calendar(tmp_path, **{key: it for key, it in moments.items() if key != "format"})
    rewrite(path, '"open"', moments.get("format", '"open"'))
    with pytest.raises(ArenaError, match=mistake):
        read_league(path)


def test_a_season_ends_when_its_moment_has_come_and_there_are_bots_for_a_final(
    tmp_path: Path,
) -> None:
    """A final of 20 deals has twelve matches; it waits while the organiser pauses the league."""
    path = calendar(tmp_path, close_at=FUTURE)
    with opened(path) as league:
        assert (len(play(league, 2)), play_runs(league)) == (12, 0)
    calendar(tmp_path, close_at=PAST)
    with opened(path) as league:
        league.ruling = lambda: Ruling("paused")
        assert (play_runs(league), league.waits) == (0, "paused")
        league.ruling = Ruling
        assert (play_runs(league), league.store.sealed()) == (12, 1)
    with pytest.raises(ArenaError, match="write the moments of the next season first"):
        next_season(path, None)
    calendar(tmp_path, close_at=FUTURE)
    assert next_season(path, None).season == 2
    calendar(tmp_path, close_at=PAST)
    with opened(path) as league:
        assert (play_runs(league), league.store.sealed()) == (6 + 12, 2), "an order comes first"


def test_bots_after_the_deadline_wait_for_the_next_season(tmp_path: Path) -> None:
    path, mine = calendar(tmp_path, close_at=FUTURE), tmp_path / "mine"
    with opened(path) as league:
        assert submit(path, write_bot(mine)) == "mine"
        play(league, 6)
        newer = write_bot(mine, turn=2)
        assert submit(path, newer, late=True) == "mine.2"
        assert submit(path, write_bot(tmp_path / "late"), late=True) == "late"
        play(league, 8)
        assert {"mine.2", "late"}.isdisjoint(league.ledger.bots)
    assert states(path) == {"mine": "playing", "mine.2": "next_season", "late": "next_season"}
    stranger = write_bot(tmp_path / "other")
    rewrite(stranger / "bot.toml", 'name = "other"', 'name = "late"')
    for bot, why in ((newer, "in the field already, as mine.2"), (stranger, "taken by late and")):
        with pytest.raises(ArenaError, match=why):
            submit(path, bot, late=True)
    calendar(tmp_path, close_at=PAST)
    with opened(path) as league:
        play_runs(league)
    with pytest.raises(ArenaError, match="season 1 is over and its record is sealed"):
        submit(path, write_bot(tmp_path / "later"), late=True)
    calendar(tmp_path, close_at=FUTURE)
    assert set(next_season(path, None).bots) == {"mine.2", "late"}
    assert states(path) == {"mine": "replaced", "mine.2": "playing", "late": "playing"}
    with opened(path) as league:
        assert {"mine.2", "late"} <= league.ledger.bots.keys()


def test_a_league_with_a_calendar_is_played_to_its_end(tmp_path: Path) -> None:
    soon = f"{datetime.now(UTC) - timedelta(minutes=1):%FT%TZ}"
    path = calendar(tmp_path, time_zone='"Europe/Riga"', submit_until=PAST, close_at=soon)
    done = run_here("league", path)
    assert done.returncode == 0, done.stderr
    assert "season 1 is over; its record is sealed" in done.stderr
    assert "Final of season 1: 20 of 20 sets" in done.stdout
    output("verify", path)
    lines = csv.DictReader(output("standings", path, "--csv").splitlines())
    ranks = sorted(line["final_rank"] for line in lines if line["final_rank"])
    assert (len(ranks), ranks[0]) == (3, "1")  # equals share a rank


def play_whole(path: Path, by_hand: bool) -> None:
    """Play a season to its end, unless it is over; it is closed by hand or by its calendar."""
    with reading(path) as store:
        over = store.sealed() is not None
    if not over:
        with opened(path, None, ends=by_hand) as league:
            play_runs(league)


def play_without_end(path: Path) -> None:
    with opened(path, None) as league:
        while True:
            play(league, None, out="d")  # benched before long


def killed_after(seconds: float, *acts: Callable[[], object]) -> None:
    """Do some things at once, each in a process that is killed after a while."""
    children = [multiprocessing.get_context("fork").Process(target=act) for act in acts]
    for child in children:
        child.start()
    time.sleep(seconds)
    for child in children:
        child.kill()
        child.join()
        assert child.exitcode in (-signal.SIGKILL, 0)


@pytest.mark.parametrize("by_hand", [True, False], ids=["by hand", "by its calendar"])
def test_a_season_killed_at_any_moment_goes_on_with_nothing_lost_or_doubled(
    tmp_path: Path, by_hand: bool
) -> None:
    path = calendar(tmp_path, "abcd", close_at=FUTURE)
    with opened(path) as league:
        play(league, 4)  # so that there are enough for a final
    lines, matches, dice = list[Line](), dict[MatchKey, int](), random.Random(1)
    entered: dict[str, str] = {}
    play_on, end = partial(play_without_end, path), partial(play_whole, path, by_hand)
    for number, act in enumerate([*[play_on] * 3, *[end] * 4]):
        if number == 3 and not by_hand:
            calendar(tmp_path, "abcd", close_at=PAST)
        sent = [partial(submit, path, write_bot(tmp_path / f"x{number}"))] if number < 3 else []
        if number < 6:
            killed_after(dice.uniform(0.02, 0.25), act, *sent)
        else:
            act()
        with reading(path) as store:
            assert list(ledger_flaws(store)) == []
            assert store.ledger()[: len(lines)] == lines
            assert matches.items() <= store.stored().items()
            found = {entry.name: entry.digest for entry in store.submissions()}
            assert entered.items() <= found.items()
            lines, matches, entered = store.ledger(), store.stored(), found
            orders, sealed = store.fold().orders, store.sealed()
    assert (len(matches), sealed) == (6 * len(orders), 1)


SECRET = "5e" * 32
MINE = Bot("mine", "1", "Anna", ("./run",))


@pytest.fixture(name="league")
def _league(tmp_path: Path) -> Path:
    """An open league with three bots of its own and three submitted ones, whose season is over."""
    path = write_league(tmp_path)
    rewrite(path, "deals = 5", 'format = "open"')
    with opened_record(request_league(path)) as writer:
        for number, name in enumerate(("mine", "yours", "gone")):
            writer.submit(msgspec.structs.replace(MINE, name=name), f"{number:064}", AT, ())
        writer.withdraw("gone")
        writer.append([Closed(1, ABC), Sealed(1, SECRET)])
    return path


def facts_of(record: Path) -> Facts:
    with closing(Store.open(record)) as store:
        return store.facts()


def test_bots_that_stay_play_the_next_season_and_the_last_is_kept(league: Path) -> None:
    sealed = facts_of(league.with_suffix(".db"))
    begun = next_season(league, ["mine", "a"])
    kept = league.with_name("league.season-1.db")
    assert (begun.season, begun.bots, begun.kept) == (2, ("mine",), str(kept))
    assert facts_of(kept) == sealed
    assert states(league) == {"mine": "playing", "yours": "withdrawn", "gone": "withdrawn"}
    with writing(league) as writer:
        assert writer.facts().season == 2
        assert writer.facts().identity != sealed.identity
        assert [line.number for line in writer.ledger()] == [1]
        again = msgspec.structs.replace(MINE, name="yours", version="2")
        # a name stays its author's, and no bot has it twice
        assert writer.submit(again, "a" * 64, AT, ()) == "yours.2"
        writer.append([Closed(2, ABC), Sealed(2, SECRET)])
    assert next_season(league, None).bots == ("mine", "yours.2")
    assert league.with_name("league.season-2.db").exists()
    with pytest.raises(ArenaError, match="this season is not over; arena season close"):
        next_season(league, None)


@pytest.mark.parametrize(
    ("place", "step", "when"),
    [
        (module, "create_record", "after"),
        (os, "sync", "before"),
        (module, "_keep", "after"),
    ],
)
def test_a_new_season_that_was_killed_is_begun_once(
    league: Path, place: object, step: str, when: str
) -> None:
    record, whole = league.with_suffix(".db"), getattr(place, step)
    sealed = facts_of(record)

    def cut(*values: object, **more: object) -> None:
        if when == "after":
            whole(*values, **more)
        die()

    with patch.object(place, step, cut):
        killed(lambda: next_season(league, None))
    assert facts_of(record) == sealed
    assert next_season(league, None).season == 2
    Store.write(record).close()
    assert facts_of(league.with_name("league.season-1.db")) == sealed
    names = [name for name in sorted(os.listdir(league.parent)) if not name.endswith(".lock")]
    assert names == ["a", "b", "c", "league.db", "league.season-1.db", "league.toml"]


def test_a_season_is_not_begun_with_a_bot_that_left_a_record_in_use_or_a_file_in_the_way(
    league: Path,
) -> None:
    record, kept = league.with_suffix(".db"), league.with_name("league.season-1.db")
    sealed = facts_of(record)
    with pytest.raises(ArenaError, match="no bot is called gone here; there are a, b"):
        next_season(league, ["mine", "gone"])
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        sql.execute("BEGIN")
        sql.execute("SELECT * FROM league").fetchone()
        with pytest.raises(MachineError, match="database is locked; another program is using it"):
            next_season(league, None)
    assert not kept.exists()
    kept.touch()
    with pytest.raises(ArenaError, match="in the way"):
        next_season(league, None)
    assert facts_of(record) == sealed
    assert not list(league.parent.glob("zole-*"))


def test_what_a_write_ahead_log_holds_is_kept_with_the_old_record(league: Path) -> None:
    files = [league.with_suffix(suffix) for suffix in (".db", ".db-wal")]
    with closing(sqlite3.connect(files[0], isolation_level=None)) as sql:
        sql.execute("INSERT INTO voids VALUES ('[\"a\",\"b\"]', 0, 0, 'later')")
        held = [file.read_bytes() for file in files]  # as if its writer had been killed
    for file, data in zip(files, held, strict=True):
        file.write_bytes(data)
    with closing(Store.open(Path(next_season(league, None).kept))) as store:
        assert store.row("SELECT detail FROM voids ORDER BY rowid DESC") == ("later",)
