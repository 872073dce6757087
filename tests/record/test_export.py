"""Exports of deals, sets and voids, beyond what the commands' own tests cover."""

from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from arena.league.terms import set_matches
from arena.record.export import TABLES, Row
from arena.record.paths import record_path
from arena.record.store import Store
from arena.tasks.league_request import opened_record, request_league
from tests.support.alike import mixed, played, stored
from tests.support.bots import write_league
from tests.support.records import record_of
from tests.support.scripted import made_up, plan_of


def rows(table: str, folder: Path, deals: int, private: bool = False, first: int = 0) -> list[Row]:
    """The export of a match of bots that go wrong now and then."""
    plan, dice = plan_of(deals=deals), Random(1)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    match = msgspec.structs.replace(stored(plan, log), first=first)
    with closing(Store.open(record_of(match, folder))) as store:
        return list(TABLES[table](store, None, private))


def test_a_games_deal_in_the_league_is_its_number_in_the_match_and_where_that_begins(
    tmp_path: Path,
) -> None:
    games = rows("games", tmp_path, deals=3, first=40)
    assert [(row["deal"], row["league_deal"]) for row in games] == [(0, 40), (1, 41), (2, 42)]


@pytest.mark.parametrize(("table", "column"), [("moves", "note"), ("faults", "detail")])
@pytest.mark.parametrize("private", [False, True])
def test_notes_and_details_are_columns_of_a_private_export_only(
    tmp_path: Path, table: str, column: str, private: bool
) -> None:
    found = rows(table, tmp_path, deals=20, private=private)
    assert {column in row for row in found} == {private}


@pytest.mark.parametrize(("out", "sets"), [((), [0, 1, 2, 3]), ((0,), [2, 3]), ((0, 6), [])])
def test_void_sets_keep_their_numbers(
    tmp_path: Path, out: tuple[int, ...], sets: list[int]
) -> None:
    path = write_league(tmp_path, "abc", deals=4)
    with opened_record(request_league(path, 1)) as writer:
        terms, table = writer.terms(), ("a", "b", "c")
        specs = [*set_matches(terms, table, 0, 2), *set_matches(terms, table, 2, 2)]
        for number, spec in enumerate(specs):
            away = (0,) if number in out else ()
            writer.add(spec, made_up([(1, 0, -1), (1, 0, -1)], disqualified=away))
    with closing(Store.open(record_path(path))) as store:
        found = list(TABLES["sets"](store, None, False))
    assert [row["set"] for row in found] == [each for each in sets for _ in range(3)]
