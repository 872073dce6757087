"""A season that its calendar ends: until when bots come, and when the final begins."""

import csv
import random
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.base.run_events import Completed
from arena.bots.manifest import content_hash, read_bot
from arena.engine.builds import Copy, install
from arena.league.config import OpenConfig
from arena.league.file import read_league
from arena.league.ledger import Line
from arena.league.terms import MatchKey
from arena.record.audit import ledger_flaws
from arena.record.store import Store
from arena.sandbox.isolation import NO_ISOLATION
from arena.tasks.next_season import next_season
from arena.tasks.open_field import Ruling
from arena.tasks.open_league import OpenLeague
from tests.support.command import run, run_here
from tests.support.scripted import made_up
from tests.tasks.test_open_league import DEALS, entries_of, ladder, opened, play, write_bot
from tests.tasks.test_season_end import FINAL, kill_after

PAST = "2020-01-01T12:00:00"
FUTURE = "2900-01-01T12:00:00"
MOMENT = "close_at must be a moment such as 2026-12-01T18:00:00, without quotation marks"


def calendar(folder: Path, names: str = "abc", **moments: str) -> Path:
    keys = "".join(f"{key} = {moment}\n" for key, moment in moments.items())
    return ladder(folder, names, f"width = 0.01\n{FINAL}{keys}")


def play_runs(league: OpenLeague) -> int:
    """Play whatever is to be played until nothing is for now; the number of matches."""
    played = 0
    for jobs in league.runs():
        for job in jobs:
            if job is None:
                return played
            league.take(Completed(job[0], made_up(DEALS)))
            played += 1
    return played


def play_whole(path: Path) -> None:
    """Play a league to the end of its season, unless it is over."""
    with closing(Store.open(path.with_suffix(".db"))) as store:
        if store.sealed() is not None:
            return
    with opened(path) as league:
        play_runs(league)


def enter(path: Path, folder: Path, late: bool) -> str:
    bot, digest = read_bot(folder), content_hash(folder)
    install(Copy(bot, digest), path.with_suffix(".bots"), NO_ISOLATION)
    with closing(Store.write(path.with_suffix(".db"))) as writer:
        return writer.submit(bot, digest, datetime.now(UTC).isoformat(), (), late=late)


def states(path: Path) -> dict[str, str]:
    with closing(Store.open(path.with_suffix(".db"))) as store:
        return {entry.name: entry.state for entry in store.submissions()}


def test_moments_are_read_in_the_time_zone_of_the_league(tmp_path: Path) -> None:
    for written, hour in (
        ("2026-12-01T18:00:00", 16),  # winter
        ("2026-07-01T18:00:00", 15),  # summer
        ("2026-12-01T18:00:00+05:00", 13),
    ):
        path = calendar(tmp_path, time_zone='"Europe/Riga"', submit_until=written)
        config, _ = read_league(path)
        assert isinstance(config, OpenConfig)
        assert config.submit_until is not None
        assert (config.submit_until.hour, config.submit_until.tzinfo) == (hour, UTC)
        assert config.close_at is None


@pytest.mark.parametrize(
    ("moments", "what"),
    [
        ({"time_zone": '"Europe/Rigga"'}, "no time zone Europe/Rigga"),
        ({"time_zone": '"../../etc/passwd"'}, "no time zone"),
        (
            {"submit_until": FUTURE, "close_at": PAST},
            "submit_until is after close_at; give a moment before it",
        ),
        ({"close_at": '"2026-12-01 18:00"'}, f'{MOMENT}, not "2026-12-01 18:00"'),
        ({"close_at": "2026-12-01"}, f"{MOMENT}, not 2026-12-01$"),
    ],
    ids=str,
)
def test_mistakes_in_a_calendar_are_told(
    tmp_path: Path, moments: dict[str, str], what: str
) -> None:
    with pytest.raises(ArenaError, match=what):
        read_league(calendar(tmp_path, **moments))


def test_a_calendar_is_for_open_leagues(tmp_path: Path) -> None:
    path = calendar(tmp_path, close_at=FUTURE)
    path.write_text(path.read_text().replace('"open"', '"closed"'))
    with pytest.raises(ArenaError, match="close_at is for open leagues"):
        read_league(path)


def test_a_season_whose_moment_has_come_ends_by_itself(tmp_path: Path) -> None:
    with opened(calendar(tmp_path, close_at=FUTURE)) as league:
        assert len(play(league, 2)) == 12
        league.most_orders = 2
        assert play_runs(league) == 0
    path = calendar(tmp_path, close_at=PAST)
    with opened(path) as league:
        assert play_runs(league) == 12  # a final of 20 deals, in all seatings
    with closing(Store.open(path.with_suffix(".db"))) as store:
        assert store.sealed() == 1
        assert list(ledger_flaws(store)) == []


def test_the_next_season_begins_with_moments_of_its_own(tmp_path: Path) -> None:
    path = calendar(tmp_path, close_at=PAST)
    with opened(path) as league:
        play_runs(league)
    with pytest.raises(ArenaError, match="write the moments of the next season first"):
        next_season(path, None)
    calendar(tmp_path, close_at=FUTURE)
    assert next_season(path, None).season == 2


def test_a_season_without_bots_for_a_final_goes_on_until_there_are(tmp_path: Path) -> None:
    path = calendar(tmp_path, close_at=PAST)
    with opened(path) as league:
        assert play_runs(league) == 6 + 12
    assert sum(type(each).__name__ == "Closed" for each in entries_of(path)) == 1


def test_a_season_waits_for_its_final_while_the_organiser_pauses_it(tmp_path: Path) -> None:
    path = calendar(tmp_path, close_at=FUTURE)
    with opened(path) as league:
        play(league, 2)
    path = calendar(tmp_path, close_at=PAST)
    with opened(path) as league:
        league.ruling = lambda: Ruling("paused")
        assert play_runs(league) == 0
        assert league.waits == "paused"
        league.ruling = Ruling
        assert play_runs(league) == 12


def test_a_season_killed_at_any_moment_of_its_calendar_ends_with_nothing_lost_or_doubled(
    tmp_path: Path,
) -> None:
    path = calendar(tmp_path, "abcd", close_at=FUTURE)
    with opened(path) as league:
        play(league, 4)
    path = calendar(tmp_path, "abcd", close_at=PAST)
    lines: list[Line] = []
    matches: dict[MatchKey, int] = {}
    dice = random.Random(2)
    for _ in range(6):
        kill_after(dice.uniform(0.02, 0.2), partial(play_whole, path))
        with closing(Store.open(path.with_suffix(".db"))) as store:
            assert list(ledger_flaws(store)) == []
            assert store.ledger()[: len(lines)] == lines
            assert matches.items() <= store.stored().items()
            lines, matches = store.ledger(), store.stored()
    play_whole(path)
    with closing(Store.open(path.with_suffix(".db"))) as store:
        assert list(ledger_flaws(store)) == []
        assert matches.items() <= store.stored().items()
        assert len(store.stored()) == 6 * len(store.fold().orders)
        assert store.sealed() == 1


def test_bots_after_the_deadline_wait_for_the_next_season(tmp_path: Path) -> None:
    path = calendar(tmp_path, close_at=FUTURE)
    with opened(path):
        assert enter(path, write_bot(tmp_path / "mine"), late=False) == "mine"
    with opened(path) as league:
        play(league, 6)
        newer = write_bot(tmp_path / "mine", turn=2)
        assert enter(path, newer, late=True) == "mine.2"
        assert enter(path, write_bot(tmp_path / "late"), late=True) == "late"
        play(league, 8)
        assert {"mine.2", "late"}.isdisjoint(league.ledger.bots)
    assert states(path) == {"mine": "playing", "mine.2": "next_season", "late": "next_season"}
    with pytest.raises(ArenaError, match=r"in the field already, as mine\.2"):
        enter(path, newer, late=True)
    stranger = write_bot(tmp_path / "other")
    manifest = stranger / "bot.toml"
    manifest.write_text(manifest.read_text().replace('name = "other"', 'name = "late"'))
    with pytest.raises(ArenaError, match="is taken by late and son"):
        enter(path, stranger, late=True)
    path = calendar(tmp_path, close_at=PAST)
    with opened(path) as league:
        play_runs(league)
    with pytest.raises(ArenaError, match="season 1 is over and its record is sealed"):
        enter(path, write_bot(tmp_path / "later"), late=True)
    path = calendar(tmp_path, close_at=FUTURE)
    begun = next_season(path, None)
    assert set(begun.bots) == {"mine.2", "late"}
    assert states(path) == {"mine": "replaced", "mine.2": "playing", "late": "playing"}
    with opened(path) as league:
        assert {"mine.2", "late"} <= league.ledger.bots.keys()


def test_a_league_with_a_calendar_is_played_to_its_end(tmp_path: Path) -> None:
    soon = datetime.now(UTC) - timedelta(minutes=1)
    path = calendar(
        tmp_path, time_zone='"Europe/Riga"', submit_until=PAST, close_at=f"{soon:%FT%TZ}"
    )
    assert run_here("league", path, "--begin").returncode == 0
    done = run_here("league", path)
    assert done.returncode == 0, done.stderr
    assert "season 1 is over; its record is sealed" in done.stderr
    assert "Final of season 1: 20 of 20 sets" in done.stdout
    assert run("verify", path).returncode == 0
    lines = csv.DictReader(run("standings", path, "--csv").stdout.splitlines())
    ranks = sorted(line["final_rank"] for line in lines if line["final_rank"])
    assert (len(ranks), ranks[0]) == (3, "1")  # equals share a rank
