"""What of an open league may be shown to others, and that its page shows no more."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.league.ledger import Closed, Sealed
from arena.record.publishing import may_show
from arena.record.rows import encode_json
from arena.record.store import Store
from tests.support.command import run_here
from tests.support.open_record import Opened, open_record
from tests.support.records import small_record


def publish(path: Path, when: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        [(text,)] = sql.execute("SELECT value FROM league WHERE key = 'facts'")
        facts = msgspec.json.decode(text)
        facts["terms"]["config"]["publish"] = when
        sql.execute("UPDATE league SET value = ? WHERE key = 'facts'", (encode_json(facts),))


def shown(path: Path) -> list[int]:
    """The numbers of the matches that may be shown."""
    with closing(Store.open(path)) as store:
        shows = may_show(store.terms().config, store.fold())
        return [each.match for each in store.outlines() if shows(each.bots)]


FIRST, BOTH = list(range(1, 7)), list(range(1, 13))


@pytest.mark.parametrize(("when", "numbers"), [("at_once", BOTH), ("season", [])])
def test_matches_are_shown_when_the_league_says(
    tmp_path: Path, when: str, numbers: list[int]
) -> None:
    path = open_record(tmp_path / "ladder.db", orders=2)
    publish(path, when)
    assert shown(path) == numbers


def test_all_of_a_season_that_is_over_may_be_shown(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db")
    with closing(league.store):
        league.go_on(1)
        league.append(Closed(1, ()), Sealed(1, "7"))
    publish(league.path, "season")
    assert shown(league.path) == FIRST


def test_what_house_bots_play_among_themselves_may_be_shown_at_once(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db", bots="")
    with closing(league.store):
        league.join("r", "s", "t", house=True)
        league.go_on(1)
        league.join("a")
        league.go_on(1)
    publish(league.path, "season")
    assert shown(league.path) == FIRST


def test_all_of_any_other_league_may_be_shown(tmp_path: Path) -> None:
    assert shown(small_record(tmp_path)) == [1, 2, 3]


def test_a_page_has_replays_of_what_may_be_shown_alone(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db", bots="", logs=True)
    with closing(league.store):
        league.join("r", "s", "t", house=True)
        league.go_on(1)
        league.join("a")
        league.go_on(1)
    path = league.path
    publish(path, "season")
    folder = path.with_suffix(".pages")
    for private, numbers in ((False, FIRST), (True, BOTH)):
        done = run_here("report", path, "--replays", "all", *(["--private"] if private else []))
        assert done.returncode == 0, done.stderr
        assert {page.name for page in folder.glob("[0-9]*.html")} == {f"{n}.html" for n in numbers}
    assert run_here("report", path, "--replays", "few").returncode == 0
    assert {int(page.stem) for page in folder.glob("[0-9]*.html")} <= set(FIRST)
