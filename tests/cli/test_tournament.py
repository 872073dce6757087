"""A tournament from its file to its ranking: played, killed, resumed, tampered with."""

import csv
import os
import re
import shutil
import signal
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.support.bots import write_league, write_quick_bot
from tests.support.command import document, output, refusal, run, said, start


def tournament(folder: Path, names: str = "abcdefg") -> Path:
    return write_league(folder, names, 2, 'format = "tournament"\nrounds = 3\nseed = 7\n')


def matches(league: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(league.with_suffix(".db"))) as sql:
        return sql.execute("SELECT seats, first, payments FROM matches ORDER BY 2, 1").fetchall()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    league = tournament(tmp_path_factory.mktemp("tournament"))
    output("league", league)
    return league


def test_a_tournament_is_played_to_its_end_and_its_ranking_is_on_its_page(
    whole: Path, tmp_path: Path
) -> None:
    found = document("standings", whole)
    state, ranking = found["tournament"], found["tournament"]["ranking"]
    assert (state["played"], state["rounds"], state["deals"]) == (3, 3, 2)
    assert (found["complete"], found["sets"], found["sets_played"]) == (True, 6, 6)
    assert [line["bot"] for line in ranking] == [it["bot"] for it in found["standings"]]
    points = [line["points"] for line in ranking]
    assert points == sorted(points, reverse=True)
    assert points == pytest.approx(
        [sum(it["points"] for it in line["results"]) for line in ranking]
    )
    assert sum(points) == 3 * (12 + 12)  # a table of three and one of four each round
    assert sum(line["stakes"] for line in ranking) == 0
    assert all(each["strength_ci95"] is each["ci95"] is None for each in found["standings"])
    page = tmp_path / "page.html"
    output("report", whole, "--out", page, "--replays", "none")
    text = page.read_text()
    assert "3 of 3 rounds" in text
    table = text[text.index('aria-label="Ranking"') :].partition("</table>")[0]
    rows = re.findall(r"<tr><td[^>]*>(\d)</td><th.*?</th><td[^>]*>(.*?)</td>", table)
    assert rows == [(str(line["rank"]), f"{line['points']:g}") for line in ranking]
    assert "/crosstable" not in text
    assert "waiting" not in (tmp_path / "page.pages" / "matches.html").read_text()


def test_its_table_is_shown_and_printed_as_a_sheet_and_exports_have_a_fourth_seat(
    whole: Path,
) -> None:
    shown = output("standings", whole)
    assert "3 of 3 rounds, complete, practice deals" in shown
    assert "By points for the places at the tables" in shown
    sheet = output("standings", whole, "--csv").splitlines()
    assert sheet[0].endswith("round_1,round_2,round_3,faults,disqualified")
    assert len(sheet) == 8
    assert "a tournament has no such table" in refusal("standings", whole, "--crosstable")
    rows = [*csv.reader(output("export", whole, "matches").splitlines())]
    assert len({len(row) for row in rows}) == 1
    fourth = [bool(row[rows[0].index("bot_3")]) for row in rows[1:]]
    assert Counter(fourth) == {True: 3, False: 3}
    games = output("export", whole, "games").splitlines()
    assert len({line.count(",") for line in games}) == 1


def test_what_was_played_is_verified_with_its_pairings(whole: Path, tmp_path: Path) -> None:
    assert output("verify", whole) == "6 of 6 matches replay to what is stored\n"
    record = Path(shutil.copy(whole.with_suffix(".db"), tmp_path))
    with closing(sqlite3.connect(record)) as sql, sql:
        sql.execute("DELETE FROM matches WHERE first = 0 AND id = 1")
        sql.execute("DELETE FROM logs WHERE match = 1")
    tampered, flaw = run("verify", record), "the tables of round 2 are not those of its pairing"
    assert (tampered.returncode, flaw in tampered.stdout) == (1, True)


def test_a_deal_is_shown_across_the_room(whole: Path) -> None:
    three, four = document("deal", whole, "1")
    assert (len(three["lineup"]), len(four["lineup"])) == (3, 4)
    assert {*three["lineup"], *four["lineup"]} == set("abcdefg")
    assert three["talon"] == four["talon"]
    assert sorted(filter(None, three["hands"])) == sorted(filter(None, four["hands"]))


def test_killed_and_resumed_it_ends_as_it_would_have(whole: Path, tmp_path: Path) -> None:
    league = tournament(tmp_path)
    for kills in range(40):
        arena = start("league", league, "--jobs", "1")
        with suppress(AssertionError):  # it is over
            said(arena, "deals, ", 2 + kills % 3)
            os.killpg(arena.pid, signal.SIGKILL)
        arena.communicate()
        if arena.returncode == 0:
            break
    output("league", league)
    assert 0 < kills < 39
    assert matches(league) == matches(whole)
    assert document("standings", league)["tournament"] == document("standings", whole)["tournament"]


def test_bots_come_until_it_is_played_and_its_settings_stay(whole: Path, tmp_path: Path) -> None:
    league = tournament(tmp_path, "abc")
    output("league", league, "--begin")
    write_quick_bot(tmp_path / "d")
    text = league.read_text().replace('"c"]', '"c", "d"]')
    league.write_text(text.replace("rounds = 3", "rounds = 4"))
    assert "rounds is 4, was 3" in refusal("league", league)
    league.write_text(text)
    output("league", league)
    assert len(document("standings", league)["tournament"]["ranking"]) == 4
    write_quick_bot(tmp_path / "late")
    assert "the tournament has begun" in refusal("submit", tmp_path / "late", "--league", whole)
