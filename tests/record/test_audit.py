"""What an open league's ledger says is recomputed, and whatever was tampered with is noticed."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pytest

from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Ordered,
    Resumed,
    Sealed,
    lines_after,
    read_line,
)
from arena.record.audit import ledger_flaws
from arena.record.rows import encode_json
from arena.record.store import Store
from arena.record.summary import table_before_final
from tests.support.command import run
from tests.support.open_record import SEED, Opened, entries_in, open_record


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An open league's record with eight orders, and one more bot in between."""
    league = Opened(tmp_path_factory.mktemp("open") / "ladder.db", "abcde")
    with closing(league.store):
        league.go_on(4)
        league.join("f")
        league.go_on(4)
    return league.path.read_bytes()


@pytest.fixture
def record(whole: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "ladder.db"
    path.write_bytes(whole)
    return path


Edit = Callable[[list[Entry]], list[Entry]]


def flaws(path: Path) -> list[str]:
    with closing(Store.open(path)) as store:
        return list(ledger_flaws(store))


def change(path: Path, how: str, *values: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        assert sql.execute(how, values).rowcount > 0


def rewritten(path: Path, edit: Edit) -> None:
    """Write the ledger anew as a forger who knows the format: the chain fits again."""
    with closing(Store.open(path)) as store:
        dated = [read_line(line.text) for line in store.ledger()]
    lines = lines_after(None, dated[0].at, edit([each.entry for each in dated]))
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("DELETE FROM ledger")
        sql.executemany("INSERT INTO ledger VALUES (?, ?, ?)", map(msgspec.structs.astuple, lines))


def replaced(of: type[Entry], number: int, **more: object) -> Edit:
    """One of the entries of a kind, with other values."""

    def edit(entries: list[Entry]) -> list[Entry]:
        place = [place for place, each in enumerate(entries) if isinstance(each, of)][number]
        entries[place] = msgspec.structs.replace(entries[place], **more)
        return entries

    return edit


def test_nothing_is_wrong_with_an_honest_ledger(record: Path) -> None:
    assert flaws(record) == []


def test_a_bot_that_was_benched_was_benched_for_a_reason(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db")
    with closing(league.store) as store:
        for _ in range(6):
            league.play(league.order(), out="b")
        assert "b" in league.draw.ledger.benched
        league.go_on(1)
        assert list(ledger_flaws(store)) == []
    change(league.path, "UPDATE matches SET disqualified = '[]'")
    assert any("benched for nothing" in flaw for flaw in flaws(league.path))


def test_an_organiser_needs_no_match_to_bench_a_bot(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db")
    with closing(league.store) as store:
        league.append(Benched("b", "a copy", True))
        league.go_on(1)
        league.append(Resumed("b", True))
        league.go_on(1)
        assert list(ledger_flaws(store)) == []


def test_a_bot_that_should_have_been_benched_gets_no_orders(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db")
    with closing(league.store):
        league.draw.to_bench = dict  # type: ignore[method-assign]
        for _ in range(6):
            league.play(league.order(), out="b")
    assert any("b was to be benched before" in flaw for flaw in flaws(league.path))


def test_what_ended_before_a_bot_was_resumed_is_held_against_it_no_more(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db", "abc")
    with closing(league.store) as store:
        for _ in range(2):
            league.play(league.order(), out="b")
        last, late = league.order(), league.order()
        league.play(last, out="b")
        league.play(late)  # under way when it was benched, and played well
        league.append(Resumed("b"))
        for _ in range(3):
            league.play(league.order(), out="b")
        benched = [each for each in entries_in(store) if isinstance(each, Benched)]
        assert [each.why for each in benched] == ["3 of its last 3 orders are void by it"] * 2
        assert list(ledger_flaws(store)) == []


def swap_lineup(entries: list[Entry]) -> list[Entry]:
    """Another table than that which was drawn, in the last order."""
    *rest, last = entries
    assert isinstance(last, Ordered)
    others = [name for name in "abcdef" if name not in last.lineup]
    lineup = tuple(sorted((*others, last.lineup[0])))[:3]
    return [*rest, msgspec.structs.replace(last, lineup=lineup, first=0)]


def test_another_table_than_the_one_drawn_is_noticed(tmp_path: Path) -> None:
    told = []
    for orders in range(1, 5):
        league = Opened(tmp_path / f"{orders}.db", "abcdef")
        with closing(league.store):
            league.go_on(orders)
            league.order()
        assert flaws(league.path) == []
        rewritten(league.path, swap_lineup)
        told += flaws(league.path)
    assert any("is not the one that was drawn" in flaw for flaw in told)
    assert len(told) >= 3


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (
            partial(change, how="UPDATE ledger SET text = replace(text, 'author of a', 'me')"),
            "line 2 of the ledger does not follow",
        ),
        (
            partial(change, how="DELETE FROM ledger WHERE number = 5"),
            "line 5 of the ledger does not follow",
        ),
        (partial(change, how="DELETE FROM ledger"), "the ledger is empty"),
        (
            partial(rewritten, edit=replaced(Committed, 0, commitment="f" * 64)),
            "the season's secret is not the one that was committed to",
        ),
        (
            partial(rewritten, edit=replaced(Joined, 0, content="f" * 64)),
            "a is another bot than the league has",
        ),
        (partial(rewritten, edit=replaced(Ordered, 1, first=90)), "is not the one that was drawn"),
        (partial(rewritten, edit=replaced(Ordered, 1, deals=20)), "is not the one that was drawn"),
        (partial(rewritten, edit=replaced(Ordered, -1, known=999)), "is of no order"),
        (partial(rewritten, edit=replaced(Ordered, 1, known=0)), "line "),
        (partial(rewritten, edit=lambda entries: entries[:-1]), "is of no order"),
        (partial(rewritten, edit=lambda entries: [*entries, Left("x", "withdrawn")]), "no 'x'"),
        (partial(change, how="UPDATE matches SET first = 70 WHERE id = 9"), "is of no order"),
        (
            partial(change, how="UPDATE league SET value = replace(value, '[\"7\"]', '[\"8\"]')"),
            "the season's secret is not the one that was committed to",
        ),
    ],
)
def test_what_was_tampered_with_is_noticed(
    record: Path, tamper: Callable[[Path], None], told: str
) -> None:
    tamper(record)
    found = flaws(record)
    assert any(told in flaw for flaw in found), found


def test_the_command_tells_of_the_ledger(tmp_path: Path) -> None:
    record = open_record(tmp_path / "ladder.db", orders=1, logs=True)
    done = run("verify", record)
    assert (done.returncode, done.stdout) == (0, "6 of 6 matches replay to what is stored\n")
    change(record, "DELETE FROM ledger WHERE number = 2")
    done = run("verify", record)
    assert done.returncode == 1
    assert "line 2 of the ledger does not follow from the lines before it" in done.stdout


def test_a_league_that_is_not_open_has_no_ledger(record: Path) -> None:
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        [(text,)] = sql.execute("SELECT value FROM league WHERE key = 'facts'")
        facts = msgspec.json.decode(text)
        rules = facts["terms"]["config"]["rules"]
        facts["terms"]["config"] = {"format": "closed", "rules": rules}
        sql.execute("UPDATE league SET value = ? WHERE key = 'facts'", (encode_json(facts),))
    assert flaws(record) == ["the league is not open, but it has a ledger"]


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """The record of a season that is over, with a final among three."""
    league = Opened(tmp_path / "ladder.db", "abcdefgh")
    league.configure(final=3, final_deals=20)
    with closing(league.store):
        league.go_on(2)
        final = league.draw.finalists(table_before_final(league.store, league.draw.ledger))
        league.append(Closed(1, final))
        orders = list(league.draw.final_orders(final))
        league.append(*orders)
        for order in orders:
            league.play(order)
        league.append(Sealed(1, SEED))
    return league.path


def without_last_of_final(entries: list[Entry]) -> list[Entry]:
    [*_, last] = [each for each in entries if isinstance(each, Ordered)]
    return [each for each in entries if each != last]


def test_a_final_has_every_table_that_it_should(season: Path) -> None:
    assert flaws(season) == []


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (without_last_of_final, "season 1 ends before its orders were played"),
        (replaced(Closed, 0, final=("a", "b", "d")), "is not between the best"),
        (replaced(Closed, 0, final=tuple("abcdefgh")), "is not between the best"),
        (replaced(Closed, 0, season=2), "is not between the best"),
        (replaced(Ordered, -1, deals=5), "is not the one that was drawn"),
        (replaced(Ordered, -1, kind="table"), "is not the one that was drawn"),
    ],
)
def test_another_final_than_the_one_that_was_closed_is_noticed(
    season: Path, edit: Edit, told: str
) -> None:
    rewritten(season, edit)
    found = flaws(season)
    assert any(told in flaw for flaw in found), found


def test_a_final_that_was_cut_short_is_noticed(season: Path) -> None:
    rewritten(season, without_last_of_final)
    change(season, "DELETE FROM matches WHERE id > (SELECT max(id) - 6 FROM matches)")
    [flaw] = flaws(season)
    assert "season 1 ends before its orders were played" in flaw


def test_a_season_that_is_sealed_before_its_orders_are_played_is_noticed(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db", "abcdef")
    with closing(league.store):
        league.go_on(1)
        league.order()
        league.append(Closed(1, ()), Sealed(1, SEED))
    [flaw] = flaws(league.path)
    assert "season 1 ends before its orders were played" in flaw


def test_a_line_behind_the_end_of_a_season_is_noticed(season: Path) -> None:
    rewritten(season, lambda entries: [*entries, entries[1]])
    [flaw] = flaws(season)
    assert "a line follows the end of the season" in flaw


def test_a_bot_that_is_resumed_twice_is_noticed(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db")
    with closing(league.store):
        for _ in range(2):
            while "b" not in league.draw.ledger.benched:
                league.play(league.order(), out="b")
            league.append(Resumed("b"))
    [flaw] = flaws(league.path)
    assert "b is resumed though it may not be" in flaw
