"""arena deal and arena deals, on leagues that were really played."""

import json
import re
import shlex
import shutil
import sqlite3
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from arena.record.deals import deal_command
from tests.support.bots import good, write_bot, write_league
from tests.support.command import document, output, refusal, run
from tests.support.records import record_of_logs


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four tables with two deals, and then a third."""
    path = write_league(tmp_path_factory.mktemp("played"), "abcd", deals=2)
    for deals in (2, 3):
        path.write_text(path.read_text().replace("deals = 2", f"deals = {deals}"))
        output("league", path, "--seed", "5")
    return path


def games(league: Path) -> list[dict[str, Any]]:
    return [*map(json.loads, output("export", league, "games", "--format", "jsonl").splitlines())]


# --- deal ---


@pytest.mark.parametrize(("number", "of_match"), [(1, 1), (2, 2), (3, 1)])
def test_a_deal_has_what_was_played_in_each_seating_and_names_the_replay_of_each_game(
    league: Path, number: int, of_match: int
) -> None:
    """Deals count from one; deal 3 of the league is deal 1 of the matches played later."""
    sheet, known = document("deal", league, str(number), "a", "c", "d"), games(league)
    assert sheet["deal"] == number - 1
    assert {tuple(line["bots"]) for line in sheet["lines"]} == {*permutations("acd")}
    numbers = [line["match"] for line in sheet["lines"]]
    assert numbers == sorted(numbers)
    for line in sheet["lines"]:
        [game] = [
            each
            for each in known
            if (each["match"], each["league_deal"]) == (line["match"], number - 1)
        ]
        assert line["payments"] == [game[f"stakes_{seat}"] for seat in range(3)]
        assert (line["contract"], line["declarer"]) == (game["contract"], game["declarer"])
        assert line["result"]["points"]["declarer"] == game["declarer_points"]
        assert (line["deal"], line["replay"][-9:]) == (of_match - 1, f" --deal {of_match}")
        [deal] = document(*shlex.split(line["replay"])[1:])["deals"]
        assert deal["result"]["payments"] == line["payments"]
        assert deal["result"]["hands"] == sheet["hands"]


def test_a_fault_decides_a_deal_and_is_named_by_bot_and_kind_and_nothing_private_is_told(
    tmp_path: Path,
) -> None:
    path = write_league(tmp_path, "abc", deals=2)
    odd = 'answer["note"] = "mine <b>"\n    if m["type"] == "play": answer["card"] = "ZZ"'
    write_bot(tmp_path / "c", good(before=odd))
    output("league", path, "--seed", "5")
    lines = document("deal", path, "1")["lines"]
    given = [line for line in lines if line["forfeited"] and line["declarer"] is not None]
    assert given
    assert all(line["fault"] for line in given)
    out = output("deal", path, "1")
    rows = {row.split(maxsplit=1)[0]: row.split() for row in out.splitlines() if row.strip()}
    for line in given:
        won = line["payments"][line["declarer"]] > 0
        assert ("won" if won else "lost") in rows[str(line["match"])]
    assert "! is at fault" in out
    private = ("no such card", "mine")
    replayed = output("replay", path, "1")
    assert [word for word in private if word not in replayed] == []
    for words in (("deal", path, "1"), ("deals", path, "--worst", "c")):
        for text in (output(*words), output(*words, "--json")):
            assert [word for word in ("illegal", *private) if word in text] == ["illegal"]


def test_a_deal_has_its_cards_a_line_for_each_seating_and_what_bots_made_of_each_hand(
    league: Path,
) -> None:
    sheet = document("deal", league, "1", "a", "b", "c")
    matches = [line["match"] for line in sheet["lines"]]
    for each in sheet["stakes"]:
        made = [
            [line["payments"][seat] for line in sheet["lines"] if line["bots"][seat] == each["bot"]]
            for seat in range(3)
        ]
        assert each["by_seat"] == [sum(paid) / 2 for paid in made]
        assert each["mean"] == pytest.approx(sum(map(sum, made)) / 6)
    head, *out = output("deal", league, "1", "a", "b", "c").splitlines()
    assert head == "league: deal 1 of a, b, c"
    starts = [re.match(r"seat \d|talon|\d+(?= )", line.strip()) for line in out]
    shown = [found[0] for found in starts if found]
    assert shown == ["seat 0", "seat 1", "seat 2", "talon", *(str(each) for each in matches)]
    assert f"Replay a line: arena replay {league.with_suffix('.db')} 1 --deal 1" in out


def test_where_several_tables_have_the_deal_their_commands_are_listed(league: Path) -> None:
    first, *commands = output("deal", league, "2").splitlines()
    assert (first, len(commands)) == ("Each table has its own cards:", 4)
    listed = document("deal", league, "2", "a", "d")
    assert listed == [["a", "b", "d"], ["a", "c", "d"]]
    for lineup in listed:
        words = shlex.split(deal_command(str(league), 1, tuple(lineup)))[1:]
        assert document(*words)["lineup"] == lineup


def test_a_deal_that_lacks_a_seating_says_so_and_is_not_compared(
    league: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copy(league.with_suffix(".db"), tmp_path / "copy.db"))
    with closing(sqlite3.connect(copy)) as sql, sql:
        [(number,)] = sql.execute('SELECT min(id) FROM matches WHERE lineup LIKE \'%"b","c"%\'')
        sql.execute("DELETE FROM logs WHERE match = ?", (number,))
        sql.execute("DELETE FROM matches WHERE id = ?", (number,))
    assert "5 of 6 seatings are played so far." in output("deal", copy, "1", "a", "b", "c")
    before, after = (document("deals", file, "--most", "1")["deals"] for file in (league, copy))
    assert (before, after) == (12, 10)


def test_matches_that_ended_before_the_deal_are_named_and_make_it_void(tmp_path: Path) -> None:
    path = write_league(tmp_path, "abc", deals=2)
    write_bot(tmp_path / "c", good(before="answer['card'] = 'ZZ'"))
    path.write_text(path.read_text().replace("[limits]", "[limits]\nmax_faults = 1"))
    output("league", path, "--seed", "5")
    assert "The set is void: c was disqualified in " in output("deal", path, "1")
    done = run("deal", path, "2")
    every = "every match of a, b, c ended before deal 2" in done.stderr
    assert every or "ended before this deal." in done.stdout
    void = "2 deals of void sets are not counted."
    assert void in output("deals", path)
    told = output("deals", path, "--worst", "a")
    assert "There is nothing to compare." in told
    assert void in told


# --- deals ---


@pytest.mark.parametrize(("option", "sign"), [("--worst", 1), ("--best", -1)])
def test_the_hands_of_a_bot_are_those_that_its_games_give(
    league: Path, option: str, sign: int
) -> None:
    found = document("deals", league, option, "b", "--most", "100")
    stakes: dict[tuple[tuple[str, ...], int, int], list[list[int]]] = {}
    for game in games(league):
        bots = [game[f"bot_{seat}"] for seat in range(3)]
        for seat in range(3):
            both = stakes.setdefault((tuple(sorted(bots)), game["league_deal"], seat), [[], []])
            both[bots[seat] != "b"].append(game[f"stakes_{seat}"])
    gaps = {
        hand: sum(own) / len(own) - sum(others) / len(others)
        for hand, (own, others) in stakes.items()
        if own
    }
    told = {(tuple(it["lineup"]), it["deal"], it["seat"]): it["gap"] for it in found["lines"]}
    assert found["hands"] == len(gaps) == 27
    assert told == pytest.approx(gaps)
    assert [sign * gap for gap in told.values()] == sorted(sign * gap for gap in gaps.values())


def test_a_list_in_a_terminal_says_of_how_many_and_what_to_run_next(league: Path) -> None:
    out, found = output("deals", league, "--worst", "a", "--most", "2"), document("deals", league)
    assert (found["deals"], len(found["lines"])) == (12, 12)
    assert "2 of 27 hands of a, " in out
    first = document("deals", league, "--worst", "a", "--most", "1")["lines"][0]
    command = deal_command(str(league.with_suffix(".db")), first["deal"], tuple(first["lineup"]))
    assert f"Look at the first: {command}" in out
    assert "3 of 12 deals;" in output("deals", league, "--most", "3")


# --- other leagues ---


@pytest.mark.parametrize(
    ("bots", "more", "seatings"),
    [
        ("ab", "", 6),
        ("abcd", 'seatings = 8\n[rules]\npreset = "pagat"\nplayers = 4\n', 8),
        ("abcde", 'seatings = 5\n[rules]\npreset = "lzsf"\nplayers = 5\n', 5),
        ("abc", 'session = 2\n[rules]\nall_pass = "pool"\npools.enabled = true\n', 6),
    ],
    ids=["mirror", "four", "five", "pools"],
)
def test_a_league_of_another_kind_has_its_deals(
    tmp_path: Path, bots: str, more: str, seatings: int
) -> None:
    path = write_league(tmp_path, bots, deals=2, more=more)
    output("league", path, "--seed", "3")
    out = output("deal", path, "2")
    sheet = document("deal", path, "2")
    assert len(sheet["lines"]) == sheet["seatings"] == seatings
    assert [len(hand) for hand in sheet["hands"]].count(0) == len(sheet["hands"]) - 3
    assert out.count("sits out") == len(sheet["hands"]) - 3
    assert ("also depend on the pools before it" in out) is ("pools" in more)
    found = document("deals", path, "--worst", "a", "--most", "9")
    assert found["hands"] == 6
    assert all(sheet["hands"][line["seat"]] for line in found["lines"] if line["deal"] == 1)


# --- mistakes ---


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("deal {} 9", "there is no deal 9; there are deals 1 to 3"),
        ("deal {} 1 x", "no bot is called x here; there are a, b, c, d"),
        ("deal {} 1 a b c d", "a, b, c, d did not meet in deal 1; name bots of one table"),
        ("deals {} --worst x", "no bot is called x here; there are a, b, c, d"),
        ("deals {} --worst a --best b", "--best: either --worst or --best; run it twice for both"),
        ("deals nowhere.toml", "nowhere.db: there is no such record"),
        ("deal nowhere.toml 1", "nowhere.db: there is no such record"),
    ],
)
def test_a_mistake_is_told_in_a_line(league: Path, words: str, told: str) -> None:
    [message] = refusal(*words.format(league).split()).splitlines()
    assert told in message


def test_a_record_of_logs_has_the_same_deals(league: Path, tmp_path: Path) -> None:
    logs = record_of_logs(tmp_path / "league.db", output("export", league, "logs"))
    for command, *more in (["deal", "1"], ["deals"], ["deals", "--worst", "a"]):
        of_league = output(command, league, *more)
        of_logs = output(command, logs, *more)
        assert of_league.replace(str(league.with_suffix(".db")), str(logs)) == of_logs


def test_replays_link_back_to_the_page_of_the_league(league: Path, tmp_path: Path) -> None:
    output("report", league, "--replays", "all", "--out", tmp_path / "my page.html")
    texts = [each.read_text() for each in tmp_path.glob("my page.*/[0-9]*.html")]
    back = '"back":{"words":"the league","address":"../my%20page.html"}'
    assert [back in text for text in texts] == [True] * 24
