"""Matches are read one at a time; logs from elsewhere become a record or are refused."""

import contextlib
import gc
import random
from collections.abc import Callable
from contextlib import closing
from functools import reduce
from operator import getitem
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from arena.base.errors import ArenaError
from arena.cli.record import export
from arena.league.terms import set_matches
from arena.match.commands import MatchPlan
from arena.match.logged import Replayed
from arena.record.export import TABLES, Row, viewed_log, whole_log
from arena.record.matches import ReplayedMatch, find_match, stored_matches, verify_all
from arena.record.paths import record_path
from arena.record.pulled import keep_match, last_pulled, read_logs
from arena.record.store import Store
from arena.tasks.league_request import opened_record, request_league
from arena.zole.rules import preset
from tests.support.alike import mixed, played, stored
from tests.support.bots import write_league
from tests.support.records import record_of
from tests.support.scripted import made_up, plan_of


def match_by(
    plan: MatchPlan | None = None, seed: int = 1, number: int = 7, first: int = 0
) -> ReplayedMatch:
    """A match of bots that go wrong now and then."""
    plan, dice = plan or plan_of(deals=3), random.Random(seed)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    return msgspec.structs.replace(stored(plan, log), number=number, first=first)


def rows(table: str, path: Path, private: bool = False) -> list[Row]:
    with closing(Store.open(path)) as store:
        return list(TABLES[table](store, None, private))


def test_a_games_deal_in_the_league_is_its_number_in_the_match_and_where_that_begins(
    tmp_path: Path,
) -> None:
    games = rows("games", record_of(match_by(first=40), tmp_path))
    assert [(row["deal"], row["league_deal"]) for row in games] == [(0, 40), (1, 41), (2, 42)]


@pytest.mark.parametrize(("table", "column"), [("moves", "note"), ("faults", "detail")])
def test_notes_and_details_are_columns_of_a_private_export_only(
    tmp_path: Path, table: str, column: str
) -> None:
    path = record_of(match_by(plan_of(deals=20)), tmp_path)
    for private in (False, True):
        assert {column in row for row in rows(table, path, private)} == {private}


@pytest.mark.parametrize(("out", "sets"), [((), [0, 1, 2, 3]), ((0,), [2, 3]), ((0, 6), [])])
def test_void_sets_keep_their_numbers(
    tmp_path: Path, out: tuple[int, ...], sets: list[int]
) -> None:
    path = write_league(tmp_path, "abc", deals=4)
    with opened_record(request_league(path, 1)) as writer:
        specs = [
            spec
            for first in (0, 2)
            for spec in set_matches(writer.terms(), ("a", "b", "c"), first, 2)
        ]
        for number, spec in enumerate(specs):
            away = (0,) if number in out else ()
            writer.add(spec, made_up([(1, 0, -1), (1, 0, -1)], disqualified=away))
    found = rows("sets", record_path(path))
    assert [row["set"] for row in found] == [each for each in sets for _ in range(3)]


def test_logs_are_exported_one_match_at_a_time(
    played_league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than two that were played again are in memory."""
    most: list[int] = []

    def text(match: ReplayedMatch, view: str | None, private: bool) -> str | None:
        gc.collect()
        most.append(sum(isinstance(each, Replayed) for each in gc.get_objects()))
        return viewed_log(match, view, private)

    gc.collect()
    gc.freeze()  # what earlier tests made
    monkeypatch.setattr("arena.cli.record.viewed_log", text)
    done = CliRunner().invoke(export, [str(played_league), "logs"])
    assert done.exit_code == 0, done.output
    assert len(most) == 6
    assert 1 <= max(most) <= 2


def sent(match: ReplayedMatch) -> ReplayedMatch:
    """A match as it comes by its text."""
    [found] = read_logs(whole_log(match, private=True).encode(), "logs")
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "logs.db"


def test_a_match_in_a_record_of_logs_is_the_one_that_was_sent(path: Path) -> None:
    first = match_by()
    assert last_pulled(path, "") == 0
    assert [keep_match(path, sent(first)) for _ in range(2)] == [True, False]
    assert last_pulled(path, "") == 7
    with closing(Store.open(path)) as store:
        found = find_match(store, 7)
    there, here = ((match.deals, match.plan.seeds, match.record.stderr) for match in (found, first))
    assert there == here


def test_tables_of_three_and_of_four_go_together(path: Path) -> None:
    for players in (3, 4):
        plan = plan_of(preset("pagat", {"players": players}), 2)
        keep_match(path, sent(match_by(plan, number=players)))
    with closing(Store.open(path)) as store:
        assert {len(match.bots) for match in stored_matches(store)} == {3, 4}
        assert [wrong for *_, wrong in verify_all(store)] == [None, None]


def test_a_record_has_the_logs_of_one_site(path: Path) -> None:
    match = sent(match_by())
    keep_match(path, match, "https://a")
    for site in ("https://b", ""):
        with pytest.raises(ArenaError, match="this is from https://a; name another record"):
            keep_match(path, match, site)
    assert last_pulled(path, "https://a") == 7


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (lambda: match_by(seed=2), "match 7 is of another league"),
        (
            lambda: match_by(plan_of(preset("pagat", {"conduct": {"corrections": 1}}), 3), 1, 8),
            "match 8 is of another league",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    path: Path, other: Callable[[], ReplayedMatch], said: str
) -> None:
    keep_match(path, sent(match_by()))
    with pytest.raises(ArenaError, match=said):
        keep_match(path, sent(other()))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("match.match", -1),
        ("match.first", -1),
        ("match.first", 1 << 60),
        ("plan.session", -1),
        ("match.bots", ["a", "b"]),
        ("match.bots", ["", "b", "c"]),
        ("match.bots", ["a", "a", "a"]),
        ("match.faults", 99),
        ("stderr", ["one"]),
        ("due", 4),
        ("plan.session", 0),
        ("plan.session", -5),
        ("plan.max_faults", 0),
        ("plan.people", {"7": {"move_s": 60, "start_s": 60, "line_bytes": 256}}),
        ("plan.rules.players", 4),
        ("plan.rules.players", 2),
        ("log", "two"),
    ],
)
def test_a_header_that_does_not_fit_its_log_is_refused(key: str, value: object) -> None:
    head, _, lines = whole_log(match_by(), private=True).partition("\n")
    made = msgspec.json.decode(head)
    *above, last = key.split(".")
    reduce(getitem, above, made)[last] = value
    with pytest.raises(ArenaError, match="logs:1: "):
        list(read_logs(f"{msgspec.json.encode(made).decode()}\n{lines}".encode(), "logs"))


def test_any_other_bytes_are_a_match_or_refused() -> None:
    text = whole_log(match_by(plan_of(deals=2)), private=True).encode()
    dice = random.Random(1)
    for _ in range(300):
        at, size = dice.randrange(len(text)), dice.choice((0, 1, 1, 40))
        put = bytes(dice.choice(b'{}[]",:019-AQx\n') for _ in range(dice.randrange(3)))
        with contextlib.suppress(ArenaError):
            list(read_logs(text[:at] + put + text[at + size :], "logs"))
