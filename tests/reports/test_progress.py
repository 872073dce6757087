"""The progress of a league counts deals and shows the bots from the first finished match on."""

import contextlib
import io
from pathlib import Path

import pytest
from rich.console import Console

from arena.league.file import read_league
from arena.league.schedule import matches
from arena.match.record import MatchRecord
from arena.record.summary import summarize
from arena.reports.open_progress import OpenProgress
from arena.reports.progress import Progress
from arena.tasks.season_terms import open_or_create
from tests.match.test_record import played
from tests.support.bots import write_league
from tests.support.scripted import plan_of

DEALS = 4


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return played(plan_of(deals=DEALS), 1)[1]


def told(folder: Path, records: list[MatchRecord]) -> list[str]:
    """What a league of three bots says on a pipe after its first matches went like these."""
    path = write_league(folder, "abc", DEALS)
    err = io.StringIO()
    with contextlib.redirect_stderr(err), open_or_create(path, read_league(path), 1) as writer:
        specs = list(matches(writer.store.terms().lineups, 3, 0, DEALS))
        with Progress(summarize(writer.store), specs, lambda: summarize(writer.store)) as progress:
            progress.begin(path)
            for spec, each in zip(specs, records, strict=False):
                progress.started(spec)
                writer.add(spec, each)
                progress.finished(spec, each)
    return err.getvalue().splitlines()


def test_the_first_match_is_told_when_it_begins_and_when_it_ends(
    tmp_path: Path, record: MatchRecord
) -> None:
    begun, first, after, *more = told(tmp_path, [record] * 6)
    assert begun.startswith("league: beginning 24 deals (each seating counts), record ")
    assert first == "0 of 24 deals, the first matches are being played (0 s)"
    assert after.startswith("4 of 24 deals, ")
    assert "no whole set yet, so far " in after
    assert not more  # further lines come seconds apart


def test_averages_stand_in_for_standings_until_a_set_is_whole(
    tmp_path: Path, record: MatchRecord
) -> None:
    line = told(tmp_path, [record])[-1]
    totals = [sum(column) for column in zip(*record.results.payments, strict=True)]
    best = sorted(zip(totals, "abc", strict=True), key=lambda each: -each[0])
    assert line.endswith(", ".join(f"{bot} {stakes / DEALS:+.1f}" for stakes, bot in best))


@pytest.mark.parametrize("whole", [False, True])
def test_a_terminal_has_a_table_above_which_the_progress_stands(
    tmp_path: Path, record: MatchRecord, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=60, color_system=None)
    monkeypatch.setattr("arena.reports.progress.console", lambda stderr: screen)
    path = write_league(tmp_path, "abc", DEALS)
    with open_or_create(path, read_league(path), 1) as writer:
        specs = list(matches(writer.store.terms().lineups, 3, 0, DEALS))
        progress = Progress(summarize(writer.store), specs, lambda: summarize(writer.store))
        with screen.capture() as before:
            screen.print(progress.picture())
        for spec in specs[: 6 if whole else 1]:
            writer.add(spec, record)
        progress.finished(specs[0], record)
        with screen.capture() as after:
            screen.print(progress.picture())
    assert before.get().startswith("0 of 24 deals")
    told = [line.rstrip() for line in after.get().splitlines()]
    assert told[0].startswith("4 of 24 deals, ")
    assert any("stakes/deal" in line for line in told)
    if whole:
        assert "league: 4 of 4 sets, complete, practice deals" in told
        assert any("stakes/deal" in line for line in told)
    else:
        assert "league: no whole set yet, averages so far" in told


def test_an_open_league_tells_its_orders_and_what_it_waits_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=60, color_system=None)
    monkeypatch.setattr("arena.reports.progress.console", lambda stderr: screen)
    path = write_league(tmp_path, "abc", DEALS)
    waits = ["", "waiting for bots that can meet"]
    with open_or_create(path, read_league(path), 1) as writer:
        summary = summarize(writer.store)
        with OpenProgress(summary, lambda: summary, lambda: 2, lambda: waits[0]) as progress:
            progress.order_played()
            with screen.capture() as playing:
                screen.print(progress.picture())
            with screen.capture() as waiting:
                del waits[0]
                screen.print(progress.picture())
    assert "1 order played, 2 under way, 0 decisions a second (0 s)" in playing.get()
    assert "1 order played, 2 under way, waiting for bots that can meet" in waiting.get()
