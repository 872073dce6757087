"""The progress of a league counts deals and shows the bots from the first finished match on."""

import contextlib
import io
import re
from contextlib import suppress
from pathlib import Path

import pytest
from rich.console import Console

from arena.base.run_events import Completed, Interrupted, Playing
from arena.match.record import MatchRecord
from arena.reports.progress import LeagueProgress
from arena.tasks.asked_league import ask_league
from arena.tasks.closed_league import resume_closed
from arena.tasks.open_league import resume_open
from tests.match.test_record import played
from tests.support.bots import write_league
from tests.support.scripted import made_up, plan_of

DEALS = 4


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return played(plan_of(deals=DEALS), 1)[1]


def test_a_log_is_told_how_far_a_league_is(tmp_path: Path, record: MatchRecord) -> None:
    err = io.StringIO()
    asked = ask_league(write_league(tmp_path, "abc", DEALS), 1)
    with (
        contextlib.redirect_stderr(err),
        resume_closed(asked, "none") as league,
        suppress(Interrupted),
        LeagueProgress(league) as progress,
    ):
        progress.begin()
        progress.show(Playing())
        lines = [progress.line()]
        for spec in league.remaining():
            league.take(Completed(spec, record))
            progress.show(Completed(spec, record))
            lines.append(progress.line())
        raise Interrupted(130)
    begun, _, told, *_, stopped = err.getvalue().splitlines()
    assert begun.startswith("league: beginning, 24 deals, record ")
    assert told.startswith("4 of 24 deals, ")
    assert stopped.startswith("stopped; every finished match is stored.")
    assert lines[0] == "0 of 24 deals, the first matches are being played"
    assert re.match(r"4 of 24 deals, [\d,]+ decisions a second, about .* left$", lines[1])


def test_a_terminal_has_a_table_above_which_the_progress_stands(
    tmp_path: Path, record: MatchRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=60, color_system=None)
    monkeypatch.setattr("arena.reports.progress.console", lambda stderr: screen)
    asked = ask_league(write_league(tmp_path, "abc", DEALS), 1)
    with resume_closed(asked, "none") as league:
        specs = league.remaining()
        progress = LeagueProgress(league)
        with screen.capture() as before:
            screen.print(progress.picture())
        for spec in specs:
            league.take(Completed(spec, record))
        progress.finished(specs[0], record)
        with screen.capture() as after:
            screen.print(progress.picture())
    assert before.get().startswith("0 of 24 deals")
    told = [line.rstrip() for line in after.get().splitlines()]
    assert told[0].startswith("4 of 24 deals, ")
    assert "league: 4 of 4 sets, complete, practice deals" in told
    assert any("stakes/deal" in line for line in told)


@pytest.mark.usefixtures("quick_house")
def test_an_open_league_tells_its_orders_and_what_it_waits_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=60, color_system=None)
    monkeypatch.setattr("arena.reports.progress.console", lambda stderr: screen)
    path = write_league(tmp_path)
    path.write_text(path.read_text().replace("deals = 5", 'format = "open"'))
    with resume_open(ask_league(path, 1), orders=2) as league:
        league.begin()
        for number, job in enumerate(league.jobs()):
            assert job is not None
            if number < 6:
                league.take(Completed(job[0], made_up([(0, 0, 0)] * 10)))
        with LeagueProgress(league) as progress:
            with screen.capture() as playing:
                screen.print(progress.picture())
            with screen.capture() as waiting:
                league.waits = "waiting for bots that can meet"
                screen.print(progress.picture())
    assert "1 order played, 1 under way, 0 decisions a second" in playing.get()
    assert "1 order played, 1 under way, waiting for bots that can meet" in waiting.get()
