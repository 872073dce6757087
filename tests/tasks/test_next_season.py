"""A new season takes the place of one that is over, whose record is kept as it was."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import msgspec
import pytest

from arena.base.errors import ArenaError, MachineError
from arena.bots.manifest import Bot
from arena.league.ledger import Closed, Sealed
from arena.record.rows import Facts
from arena.record.store import Store
from arena.tasks import next_season as module
from arena.tasks.asked_league import ask_league, opened_record
from arena.tasks.next_season import next_season
from tests.support.bots import OPEN, write_quick_bot
from tests.support.killed import die, killed

SECRET = "5e" * 32
MINE = Bot("mine", "1", "Anna", ("./run",))


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """An open league with three bots of its own and three submitted ones, whose season is over."""
    for turn, name in enumerate("abc"):
        write_quick_bot(tmp_path / name, turn=turn)
    path = tmp_path / "league.toml"
    path.write_text(f'format = "open"\nbots = ["a", "b", "c"]\n{OPEN}')
    with opened_record(ask_league(path)) as writer:
        for number, name in enumerate(("mine", "yours", "gone")):
            bot = msgspec.structs.replace(MINE, name=name)
            writer.submit(bot, f"{number:064}", "2026-01-01T00:00:00+00:00", ())
        writer.withdraw("gone")
        writer.append([Closed(1, ("a", "b", "c")), Sealed(1, SECRET)])
    return path


def facts_of(record: Path) -> Facts:
    with closing(Store.open(record)) as store:
        return store.facts()


def test_bots_that_stay_play_the_next_season_and_the_last_is_kept(league: Path) -> None:
    record = league.with_suffix(".db")
    sealed = facts_of(record)
    begun = next_season(league, ["mine", "a"])
    kept = league.with_name("league.season-1.db")
    assert (begun.season, begun.bots, begun.kept) == (2, ("mine",), str(kept))
    assert facts_of(kept) == sealed
    again = msgspec.structs.replace(MINE, name="yours", version="2")
    with closing(Store.write(record)) as writer:
        assert {entry.name: entry.state for entry in writer.submissions()} == {
            "mine": "playing",
            "yours": "withdrawn",
            "gone": "withdrawn",
        }
        assert writer.facts().season == 2
        assert writer.facts().identity != sealed.identity
        assert [line.number for line in writer.ledger()] == [1]
        own = writer.submit(again, "a" * 64, "2026-02-01T00:00:00+00:00", ())
        assert own == "yours.2"  # a name stays its author's, and no bot has it twice
        writer.append([Closed(2, ("a", "b", "c")), Sealed(2, SECRET)])
    assert next_season(league, None).bots == ("mine", "yours.2")
    assert league.with_name("league.season-2.db").exists()
    with pytest.raises(ArenaError, match="this season is not over; arena season close"):
        next_season(league, None)


def test_a_bot_that_did_not_play_to_the_end_cannot_stay(league: Path) -> None:
    with pytest.raises(ArenaError, match="no bot is called gone here; there are a, b"):
        next_season(league, ["mine", "gone"])
    assert not league.with_name("league.season-1.db").exists()


@pytest.mark.parametrize(
    ("place", "step", "when"),
    [
        (module, "create_record", "after"),
        (os, "sync", "before"),
        (module, "_keep", "after"),
    ],
)
def test_a_new_season_that_was_killed_is_begun_once(
    league: Path, place: ModuleType, step: str, when: str
) -> None:
    record, kept = league.with_suffix(".db"), league.with_name("league.season-1.db")
    sealed = facts_of(record)
    whole = getattr(place, step)

    def cut(*values: object, **more: object) -> None:
        if when == "after":
            whole(*values, **more)
        die()

    with patch.object(place, step, cut):
        killed(lambda: next_season(league, None))
    assert facts_of(record) == sealed
    assert next_season(league, None).season == 2
    Store.write(record).close()
    assert facts_of(kept) == sealed
    names = [name for name in sorted(os.listdir(league.parent)) if not name.endswith(".lock")]
    assert names == ["a", "b", "c", "league.db", "league.season-1.db", "league.toml"]


def test_a_file_under_the_old_record_s_new_name_is_in_the_way(league: Path) -> None:
    record = league.with_suffix(".db")
    sealed = facts_of(record)
    league.with_name("league.season-1.db").touch()
    with pytest.raises(ArenaError, match="in the way"):
        next_season(league, None)
    assert facts_of(record) == sealed
    assert not list(league.parent.glob("zole-*"))


def test_what_a_write_ahead_log_holds_is_kept_with_the_old_record(league: Path) -> None:
    record = league.with_suffix(".db")
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        sql.execute("INSERT INTO voids VALUES ('[\"a\",\"b\"]', 0, 0, 'later')")
        for suffix in (".db", ".db-wal"):  # as if its writer had been killed
            shutil.copy(league.with_suffix(suffix), league.with_suffix(f"{suffix}.killed"))
    for suffix in (".db", ".db-wal"):
        league.with_suffix(f"{suffix}.killed").rename(league.with_suffix(suffix))
    with closing(Store.open(Path(next_season(league, None).kept))) as store:
        assert store.row("SELECT detail FROM voids ORDER BY rowid DESC") == ("later",)


def test_a_record_in_use_is_not_put_aside(league: Path) -> None:
    with closing(sqlite3.connect(league.with_suffix(".db"), isolation_level=None)) as sql:
        sql.execute("BEGIN")
        sql.execute("SELECT * FROM league").fetchone()
        with pytest.raises(MachineError, match="database is locked; another program is using it"):
            next_season(league, None)
