"""The summary of a league before anything is played."""

import json
from pathlib import Path

import pytest

from arena.bots.manifest import content_hash, read_bot
from arena.league.file import read_league
from arena.tasks.asked_league import AskedLeague, opened_record
from tests.support.bots import write_quick_bot
from tests.support.command import run


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league that lives on submissions: one was handed in, and nothing was played."""
    path = tmp_path / "league.toml"
    path.write_text("deals = 2\n")
    bot = write_quick_bot(tmp_path / "mine")
    config, bots = read_league(path, None)
    with opened_record(AskedLeague(path, config, bots, (), {})) as store:
        store.submit(read_bot(bot), content_hash(bot), "2026-01-01T00:00:00+00:00", ())
    return path


@pytest.mark.parametrize(
    "words",
    [
        *("standings", "standings --all", "standings --json", "standings --csv"),
        *("standings --csv --crosstable", "standings --csv --roles", "standings --csv --seats"),
        *("standings --csv --company", "report", "report --replays all", "verify", "faults"),
        *("export standings", "export sets", "export matches", "export games", "export moves"),
        *("export faults", "export deals", "export logs", "replay", "submissions"),
        *("deals", "deals --json"),
    ],
)
def test_a_league_without_a_match_is_told_of_without_a_mistake(league: Path, words: str) -> None:
    name, *more = words.split()
    done = run(name, league, *more)
    assert done.returncode == 0, done.stderr


def test_a_league_without_a_table_is_not_complete_and_keeps_its_seed(league: Path) -> None:
    document = json.loads(run("standings", league, "--json").stdout)
    assert (document["sets"], document["complete"], document["seed"]) == (0, False, None)
