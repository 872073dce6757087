"""What `arena standings` shows of leagues with made-up matches."""

import csv
import re
from collections.abc import Sequence
from itertools import chain, combinations
from pathlib import Path

import numpy as np

from arena.league.terms import scheduled, set_matches
from arena.match.record import Course
from arena.record.rows import VoidMatch
from arena.stats.figures import Lineup
from arena.tasks.league_request import opened_record, request_league
from arena.zole.state import GAMES
from tests.support.bots import write_league
from tests.support.command import document, output, refusal
from tests.support.scripted import made_up as record_of
from tests.support.whole_site import write_author_bot


def made_up(
    folder: Path,
    names: str = "abcd",
    deals: int = 20,
    lineups: Sequence[Lineup] | None = None,
    out: tuple[int, ...] = (),
) -> Path:
    """A league whose bots, each of an author, win by their names' order and by luck; `out` are
    matches with a disqualified seat 0, by number.
    """
    path = write_league(folder, names, deals)
    for name in names:
        write_author_bot(folder / name, f"author of {name}")
    with opened_record(request_league(path, 1)) as writer:
        terms = writer.terms()
        tables = [set_matches(terms, table, 0, deals) for table in lineups or terms.lineups]
        for number, spec in enumerate(chain.from_iterable(tables)):
            chance = np.random.default_rng([ord(name) for name in "".join(spec.lineup)])
            payments, courses = [], []
            for deal, place in enumerate(chance.integers(0, 3, size=deals)):
                declarer = spec.seats.index(spec.lineup[place])
                ahead = ord(max(spec.seats)) - ord(spec.seats[declarer])
                won = 1 if chance.random() < 0.5 + 0.1 * ahead else -1
                payments.append(tuple(won * (4 if seat == declarer else -2) for seat in range(3)))
                courses.append(Course(deal % 3, GAMES[deal % 5 == 0], declarer))
            away = (0,) if number in out else ()
            writer.add(spec, record_of(payments, courses, away, 24 * deals))
    return path


def test_all_tables_fit_into_a_terminal_and_a_wide_crosstable_comes_in_panels(
    tmp_path: Path,
) -> None:
    text = output("standings", made_up(tmp_path / "few"), "--all")
    words = ("ranks", "row against the column", "By role", "By seat", "By company")
    assert [word for word in words if word not in text] == []
    table = [line for line in text.splitlines() if not line.startswith(("Record", "Practice"))]
    assert max(map(len, table)) <= 120
    assert "nan" not in text
    text = output("standings", made_up(tmp_path, "abcdefghij", deals=10), "--crosstable")
    assert sum(line.startswith("bot") for line in text.splitlines()) == 2
    assert max(map(len, text.splitlines()[:30])) <= 100


def test_json_keeps_its_keys_and_has_everything(tmp_path: Path) -> None:
    league = document("standings", made_up(tmp_path))
    keys = (
        "league complete practice commitment seed earlier_seeds sets sets_played sets_void"
        " decisions isolation standings"
    )
    assert {*keys.split()} <= {*league}
    lines = "rank bot stakes_per_deal ci95 elo elo_pm elo_bound games sets void_sets faults".split()
    assert list(league["standings"][0])[: len(lines)] == lines
    found = league["analysis"]
    told = found["bots"], len(found["pairs"]), found["roles"][0]["declares"]["of"]
    assert told == ([*"abcd"], 6, 360)


def test_each_table_is_a_sheet_and_several_are_none(tmp_path: Path) -> None:
    path = made_up(tmp_path)
    for table, head, rows in (
        ("", "rank", 4),
        ("--crosstable", "bot", 12),
        ("--roles", "bot", 5),
        ("--seats", "bot", 5),
        ("--company", "taker", 6),
    ):
        first, *rest = csv.reader(output("standings", path, "--csv", *table.split()).splitlines())
        assert (table, first[0], len(rest)) == (table, head, rows)
        assert {len(row) for row in rest} == {len(first)}, table
    for more in ("--all", "--json", "--roles --seats"):
        assert "--csv prints one table; name one of the tables" in refusal(
            "standings", path, "--csv", *more.split()
        )


def test_a_gauntlet_is_ordered_by_strength_and_void_sets_are_listed(tmp_path: Path) -> None:
    lineups = [lineup for lineup in combinations("abcd", 3) if "a" in lineup]
    text = output("standings", made_up(tmp_path / "gauntlet", lineups=lineups))
    head, *rows = [line.split() for line in text.splitlines()[1:6]]
    strengths = [float(row[head.index("strength")].partition("±")[0]) for row in rows]
    assert strengths == sorted(strengths, reverse=True)
    assert "Not all met equally often" in text
    text = output("standings", made_up(tmp_path, out=(0, 3)))
    assert "20 sets are void" in text
    assert "none, 2 out" in text


def test_bots_that_never_met_stand_apart(tmp_path: Path) -> None:
    path = made_up(tmp_path, "abcdef", lineups=[("a", "b", "c"), ("d", "e", "f")])
    text = output("standings", path)
    assert "These groups never met and are rated apart" in text
    rows = [line.split()[:1] for line in text.splitlines()[2:9]]
    assert [bool(row) for row in rows] == [True] * 3 + [False] + [True] * 3
    assert rows[0] == rows[4] == ["1"]


def test_a_league_without_sets_says_so_and_which_match_the_arena_spoiled(tmp_path: Path) -> None:
    path = write_league(tmp_path, deals=1)
    with opened_record(request_league(path, 1)) as writer:
        for more in ("", "--all", "--json", "--csv --roles"):
            assert "nan" not in output("standings", path, *more.split()).lower()
        assert "No set is complete yet." in output("standings", path)
        [first, *_] = scheduled(writer.terms())
        writer.add_void(first, "its worker died")
        assert writer.owed() == [VoidMatch(first.lineup, 0, 0, "its worker died")]
    assert "To be played again: a, b, c: its worker died" in output("standings", path)


def test_a_pair_that_never_met_is_compared_but_not_marked(tmp_path: Path) -> None:
    lineups = [("a", "b", "c"), ("a", "b", "d"), ("b", "c", "e"), ("b", "d", "e")]
    text = output("standings", made_up(tmp_path, "abcde", 60, lineups), "--crosstable")
    assert ["e", "-", "-1.95±0.82*", "-0.50±1.29", "-0.30±1.16"] in map(
        str.split, text.splitlines()
    )


def test_a_mark_says_that_the_interval_leaves_out_zero(tmp_path: Path) -> None:
    path = made_up(tmp_path)
    cells = re.findall(r"([+-][\d.]+)±([\d.]+)(\*?)", output("standings", path, "--crosstable"))
    assert {mark for *_, mark in cells} == {"", "*"}
    assert all((abs(float(gap)) > float(off)) == bool(mark) for gap, off, mark in cells)
    for pair in document("standings", path)["analysis"]["pairs"]:
        for gap in (pair["met"], pair["league"]):
            leaves_zero = abs(gap["stakes_per_deal"]) > gap["pm"]
            assert leaves_zero == (not 0.025 <= gap["los"] <= 0.975)
