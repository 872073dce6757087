"""Reading a league that was really played: replay, faults, rerun, export, deal and deals."""

import csv
import io
import json
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from arena.record.deals import deal_command
from arena.record.paths import record_path
from arena.record.reviews import Reviews, deals_with_keys, reviews_path
from arena.review.turns import draw_name, review
from tests.support.bots import good, write_bot, write_league
from tests.support.command import document, output, refusal, run, run_here, said, start
from tests.support.made_up import ByChance
from tests.support.records import find_match, record_of_logs

NOTE = 'answer["note"] = "mine <b>"'


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league: `b` kills itself in the third deal, and `c` plays a word in the second."""
    path = write_league(tmp_path_factory.mktemp("played"), deals=4)
    dies = 'print("deal", m.get("deal"), file=sys.stderr)\n    if m.get("deal") == 2'
    write_bot(
        path.with_name("b"), good(before=f"{dies} and m['type'] == 'play': os.kill(os.getpid(), 9)")
    )
    odd = f"{NOTE}\n    if m.get('deal') == 1 and m['type'] == 'play': answer['card'] = 'ZZ'"
    write_bot(path.with_name("c"), good(before=odd))
    output("league", path, "--seed", "5")
    return path


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a match of `a`, `b` that is never ready, and `c` whose answers lack a type."""
    folder = tmp_path_factory.mktemp("broken")
    write_bot(folder / "a", good())
    write_bot(folder / "b", "import sys\nprint('got hello', flush=True)\nsys.stdin.read()\n")
    untyped = "if m['type'] != 'hello': (answer.clear(), answer.update(id=99))"
    write_bot(folder / "c", good(before=untyped))
    played = run_here(
        *("match", folder / "a", folder / "b", folder / "c", "--deals", "6", "--seatings", "one"),
        *("--seed", "1", "--isolation", "none", "--record", folder / "it.db"),
    )
    assert (folder / "it.db").exists(), played.stderr
    return folder / "it.db"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("replay LEAGUE 99", "there is no match 99; there are 1 to 6; arena replay"),
        ("replay LEAGUE 1 --seat 7", "--seat: there is no seat 7; seats are 0 (a), 1 (b), 2 (c)"),
        ("replay LEAGUE 1 --seat nobody", "--seat: there is no seat nobody; seats are 0 (a)"),
        ("replay LEAGUE 1 --seat 1 --json", "--seat: a page or document would not hide anything"),
        ("replay LEAGUE 1 --seat 1 --html x", "a page or document would not hide anything"),
        ("replay LEAGUE --html x", "name a match; there are 1 to 6"),
        ("replay LEAGUE 1 --review", "--review: a review is shown on a page; add --html FILE"),
        ("replay LEAGUE 1 --deal 9", "--deal: the match has 4 deals"),
        ("replay LEAGUE 1 --html /nowhere/x.html", "/nowhere/x.html: cannot be written"),
        ("replay nowhere.toml", "nowhere.db: there is no such record"),
        (f"replay {__file__}", "neither a league's file nor a record; these end in .toml and .db"),
        ("faults LEAGUE --bot nobody", "no bot is called nobody here; there are a, b, c"),
        ("rerun LEAGUE 1 --seat 5", "there is no seat 5"),
        ("rerun LEAGUE 1 --seat 0 --until 999", "the seat was asked"),
        ("rerun LEAGUE 1 --seat 0 --wait", "--wait needs --until"),
        ("export LEAGUE logs --view seat:nobody", "--view"),
        ("export LEAGUE logs --view seat:9", "--view"),
        ("export LEAGUE logs --view whatever", "--view"),
        ("deal LEAGUE 9", "there is no deal 9; there are deals 1 to 4"),
        ("deal LEAGUE 1 x", "no bot is called x here; there are a, b, c"),
        ("deal TABLES 1 a b c d", "a, b, c, d did not meet in deal 1; name bots of one table"),
        ("deals LEAGUE --worst x", "no bot is called x here; there are a, b, c"),
        ("deals LEAGUE --worst a --best b", "either --worst or --best; run it twice for both"),
        ("deals nowhere.toml", "nowhere.db: there is no such record"),
        ("deal nowhere.toml 1", "nowhere.db: there is no such record"),
    ],
)
def test_a_mistake_is_reported(league: Path, tables: Path, words: str, why: str) -> None:
    paths = {"LEAGUE": str(league), "TABLES": str(tables)}
    *before, last = refusal(*(paths.get(word, word) for word in words.split())).splitlines()
    assert why in last
    assert before in ([], ["a is fed the lines of seat 0 (a)"])


# --- replay ---


def test_without_a_match_all_are_listed_with_what_their_deals_paid(league: Path) -> None:
    out, listed = output("replay", league), document("replay", league)
    assert out.count("1 to 4") == 6
    assert [each["match"] for each in listed] == [1, 2, 3, 4, 5, 6]
    for each in listed:
        deals = document("replay", league, str(each["match"]))["deals"]
        columns = zip(*(deal["result"]["payments"] for deal in deals), strict=True)
        paid = dict(zip(each["bots"], map(sum, columns), strict=True))
        assert ", ".join(f"{bot} {stakes:+d}" for bot, stakes in paid.items()) in out
        assert [*paid.values()] == each["stakes"]


def test_a_match_is_printed_with_faults_and_notes_and_deals_count_from_one(league: Path) -> None:
    out = output("replay", league, "1")
    assert out.count("stakes:") == 4
    shown = ("fault: exited: ", "fault: illegal: there is no such card", "note: 'mine <b>'")
    assert [part for part in shown if part not in out] == []
    assert re.search(r"play 10[♣♠♥♦]", out)
    assert not re.search(r"\bT[CSHD♣♠♥♦]", out)
    assert re.findall(r"match 1, deal (\d): ", out) == ["1", "2", "3", "4"]
    assert out.startswith(output("replay", league, "1", "--deal", "1"))
    third = document("replay", league, "1", "--deal", "3")  # documents count from zero
    assert [deal["deal"] for deal in third["deals"]] == [2]


def test_a_seat_sees_no_hand_but_its_own(league: Path) -> None:
    words = ("replay", league, "1", "--deal", "1")
    whole = output(*words).splitlines()
    out = output(*words, "--seat", "1").splitlines()
    assert out[2] == whole[2]
    assert out[1].count("?") == out[3].count("?") == 8
    assert "talon ? ?" in out[4]
    assert output(*words, "--seat", "b").splitlines() == out


@pytest.mark.parametrize("words", ["replay LEAGUE 1 --json", "export LEAGUE logs"])
def test_private_words_leave_the_arena_only_if_asked(league: Path, words: str) -> None:
    command = words.replace("LEAGUE", str(league)).split()
    private = ("mine", "SIGKILL", "deal None")  # a note, a detail, stderr
    for more, told in (((), ()), (("--private",), private)):
        text = output(*command, *more)
        assert tuple(word for word in private if word in text) == told


def test_a_page_has_the_stored_reviews_and_says_how_to_get_others(
    league: Path, tmp_path: Path
) -> None:
    stored, path = find_match(league, 2), reviews_path(record_path(league))
    first = next(deals_with_keys(stored, 4))
    with closing(Reviews.open(path, create=True)) as kept:
        draw = draw_name(stored.bots, stored.first)
        kept.keep(4, [(key, review(ByChance(), each, draw, 4)) for each, key in first])
    page = tmp_path / "page.html"
    run("replay", league, "2", "--html", page, "--review")
    path.unlink()
    pattern = r'<script type="application/json" id="match">(.*?)</script>'
    shown = json.loads(re.findall(pattern, page.read_text())[0])["review"]
    reviewed, *others = [each["verdicts"] for each in shown["deals"]]
    assert others == [None] * 3
    assert [each["step"] for each in reviewed] == sorted(
        {each.step for turns, _ in first for each in turns.decisions}
    )
    assert shown["command"] == f"arena review {league.with_suffix('.db').name} 2"


def test_a_match_with_the_log_of_another_is_refused(league: Path, tmp_path: Path) -> None:
    record = Path(shutil.copy(record_path(league), tmp_path))
    with closing(sqlite3.connect(record)) as sql, sql:
        sql.execute("UPDATE logs SET log = (SELECT log FROM logs WHERE match = 2) WHERE match = 1")
    assert "match 1 is not what was played" in refusal("replay", record, "1")
    output("replay", record, "3")


# --- faults ---


def test_faults_are_kept_with_their_last_lines_and_the_commands_that_replay_and_repeat_them(
    league: Path,
) -> None:
    listed = document("faults", league)
    assert len(listed) == 12
    fault = next(each for each in listed if each["bot"] == "b")
    assert (fault["match"], fault["deal"], fault["kind"]) == (1, 2, "exited")
    assert "SIGKILL" in fault["detail"]
    assert fault["stderr"].startswith("deal None")
    asked, answered = json.loads(fault["lines"][-1]["to_bot"]), fault["lines"][-1]["from_bot"]
    assert (asked["type"], asked["deal"], answered[:8]) == ("play", 2, "exited: ")
    assert f"answer {fault['request']}: exited: " in output(
        *fault["rerun"].removeprefix("arena ").split()
    )
    shown = output(*fault["replay"].removeprefix("arena ").split())
    assert shown.startswith("match 1, deal 3: ")
    assert "fault: exited" in shown
    assert f'in match 1, deal 3 ("deal": 2), ply {fault["ply"]}' in output(
        "faults", league, "1", "--bot", "b"
    )


def test_faults_are_counted_in_one_way_everywhere(league: Path) -> None:
    """In each of six matches `b` exited in one deal and forfeited the next."""
    faults = {line["bot"]: line["faults"] for line in document("standings", league)["standings"]}
    assert faults == {"a": {}, "b": {"exited": 6}, "c": {"illegal": 6}}
    assert [each["faults"] for each in document("replay", league)] == [2] * 6
    table = output("faults", league)
    assert len(table.splitlines()) == 1 + 12
    assert table.count("exited") == table.count("(1 more deal forfeited)") == 6
    assert "(1 more deal forfeited)" in output("faults", league, "1")
    assert f"Faults: arena faults {record_path(league)}\n" in output("standings", league)


def test_a_bot_that_was_never_ready_counts_once_and_is_shown_its_hello_alone(broken: Path) -> None:
    table = document("standings", broken)["standings"]
    assert [line["faults"] for line in table if line["bot"] == "b"] == [{"malformed": 1}]
    out, listed = output("faults", broken, "1"), document("faults", broken, "1")
    [one] = [each for each in listed if each["bot"] == "b"]
    assert (one["unready"], one["forfeited"]) == (True, 3), "then c is disqualified"
    assert out.count("b: malformed in match 1") == 1
    assert "(3 more deals forfeited)" in out
    assert out.count("malformed in match 1") == min(5, len(listed))
    own = output("faults", broken, "1", "--bot", "b")
    [sent] = [line for line in own.splitlines() if line.startswith("  → ")]
    assert '"type":"hello"' in sent
    assert "it was never ready, so it was asked nothing" in own
    assert "--until" not in own


# --- rerun ---


def test_a_deterministic_bot_gets_the_same_lines_and_answers_as_logged(league: Path) -> None:
    out = output("rerun", league, "1", "--seat", "a", "--lines")
    assert re.search(r"(\d+) of \1 answers as logged", out)
    fed = [line[2:] for line in out.splitlines() if line.startswith("→ ")]
    _, *view = output("export", league, "logs", "1", "--view", "seat:0").splitlines()
    assert [json.loads(line) for line in fed] == [
        sent["to_bot"] for sent in map(json.loads, view) if len(sent) > 1
    ]


def test_a_copy_from_a_record_runs_as_the_user_only_if_trusted(league: Path) -> None:
    words = ("rerun", league, "1", "--seat", "0", "--isolation", "none")
    assert "next to this record would run as you: " in refusal(*words)
    output(*words, "--trust")


def test_another_bot_shows_its_first_difference_or_every_one_and_a_fixed_one_the_logged_fault(
    league: Path, tmp_path: Path
) -> None:
    last = "if m['type'] == 'play': answer['card'] = m['legal'][-1]"
    other = write_bot(tmp_path / "other", good(before=last))
    words = ("rerun", league, "1", "--seat", "0", "--bot", other)
    first, every = run(*words), run(*words, "--every")
    assert first.returncode == every.returncode == 1
    assert " (log: " in first.stdout.splitlines()[-2]
    assert every.stdout.count("(log: ") > 1
    own = ("rerun", league, "1", "--seat", "b")
    done = run(*own, "--bot", write_bot(tmp_path / "fixed", good()))
    assert (done.returncode, "(log: exited: " in done.stdout) == (1, True)
    assert 'deal 3 ("deal": 2), answer' in done.stdout
    assert ": exited: " in output(*own)


def test_a_rerun_names_the_bots_whose_lines_and_stderr_it_has_without_control_characters(
    broken: Path, league: Path, tmp_path: Path
) -> None:
    wild = "chr(27) + '[2J' + chr(0x202e)"
    prints = f"print({wild}, file=sys.stderr); answer['note'] = {wild}; answer['id'] = {wild}"
    bot = write_bot(tmp_path / "wild", good(before=f"if 'id' in m: {prints}"))
    for record, seat, name in ((broken, "2", "c"), (league, "0", "a")):
        done = run_here("rerun", record, "1", "--seat", seat, "--bot", bot, "--every")
        assert f"wild is fed the lines of seat {seat} ({name})" in done.stderr
        assert "stderr of wild:" in done.stdout
        assert f"stderr of {name}:" not in done.stdout
        assert not {"\x1b", "\u202e"} & {*done.stdout}


@pytest.mark.parametrize("stopped", [False, True], ids=["goes on", "is stopped"])
def test_a_rerun_waits_for_a_debugger_before_the_request(league: Path, stopped: bool) -> None:
    more = ("--wait", "--until", "3", "--no-timeout")
    arena = start("rerun", league, "1", "--seat", "0", *more, stdin=subprocess.PIPE)
    pid = said(arena, "about to get").split()[1]
    assert Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"./bot")
    if stopped:
        arena.send_signal(signal.SIGINT)
    out, told = arena.communicate(None if stopped else "\n")
    assert (arena.returncode, "Traceback" in told) == (130 if stopped else 0, False)
    assert ("answer 3: " in out, "answer 4: " in out) == (not stopped, False)


def test_a_record_of_logs_needs_a_bot(league: Path, tmp_path: Path) -> None:
    log = record_of_logs(tmp_path / "log.db", output("export", league, "logs", "1"))
    assert "there is no copy of" in refusal("rerun", log, "--seat", "a")
    output("rerun", log, "--seat", "a", "--bot", league.parent / "a")


# --- export ---


@pytest.mark.parametrize("what", ["standings", "sets", "matches", "games", "moves", "faults"])
def test_tables_are_the_same_in_both_forms(league: Path, what: str) -> None:
    table = list(csv.DictReader(io.StringIO(output("export", league, what))))
    lines = output("export", league, what, "--format", "jsonl").splitlines()
    assert [list(row) for row in table] == [list(json.loads(line)) for line in lines] != []
    if what == "moves":
        assert len(table) == sum(each["decisions"] for each in document("replay", league))


def test_a_whole_log_comes_back_the_same(league: Path, tmp_path: Path) -> None:
    exported, record = tmp_path / "all.jsonl", tmp_path / "league.db"
    exported.write_text(output("export", league, "logs", "--private"))
    for number in (6, 0):
        assert output("pull", exported, record) == f"{record}: {number} new matches\n"
    assert output("export", record, "logs", "--private") == exported.read_text()
    for command, *more in (["replay", "4"], ["deal", "1"], ["deals"], ["deals", "--worst", "a"]):
        assert output(command, league, *more).replace(
            str(league.with_suffix(".db")), str(record)
        ) == output(command, record, *more)


def test_views_have_no_hand_that_was_not_shown(league: Path) -> None:
    text = output("export", league, "logs", "1", "--view", "seat:c")
    head, *lines = map(json.loads, text.splitlines())
    assert head["bot"] == "c"
    assert "hands" not in json.dumps([line for line in lines if "deal_end" not in str(line)])
    assert {"hello", "bid", "play", "deal_end", "bye"} <= {line["to_bot"]["type"] for line in lines}
    first, *deals = output("export", league, "logs", "1", "--view", "public").splitlines()
    assert "seeds" not in first
    events = [json.loads(deal)["events"] for deal in deals]
    assert len(events) == 4
    assert not any("seat" in first for first, *_ in events)
    assert not any("hand" in event for deal in events for event in deal)


# --- deal and deals ---


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four tables with two deals, and then a third."""
    path = write_league(tmp_path_factory.mktemp("played"), "abcd", deals=2)
    for deals in (2, 3):
        path.write_text(path.read_text().replace("deals = 2", f"deals = {deals}"))
        output("league", path, "--seed", "5")
    return path


def games(tables: Path) -> list[dict[str, Any]]:
    return [*map(json.loads, output("export", tables, "games", "--format", "jsonl").splitlines())]


@pytest.mark.parametrize(("number", "of_match"), [(1, 1), (2, 2), (3, 1)])
def test_a_deal_has_what_was_played_in_each_seating_and_names_the_replay_of_each_game(
    tables: Path, number: int, of_match: int
) -> None:
    """Deals count from one; deal 3 of the league is deal 1 of the matches played later."""
    sheet, known = document("deal", tables, str(number), "a", "c", "d"), games(tables)
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
    league: Path,
) -> None:
    lines = document("deal", league, "2")["lines"]
    given = [line for line in lines if line["forfeited"] and line["declarer"] is not None]
    assert [bool(line["fault"]) for line in given] == [True] * len(given) != []
    out = output("deal", league, "2")
    rows = {row.split(maxsplit=1)[0]: row.split() for row in out.splitlines() if row.strip()}
    for line in given:
        won = line["payments"][line["declarer"]] > 0
        assert ("won" if won else "lost") in rows[str(line["match"])]
    assert "! is at fault" in out
    private = ("no such card", "mine")
    for words in (("deal", league, "2"), ("deals", league, "--worst", "c")):
        for text in (output(*words), output(*words, "--json")):
            assert [word for word in ("illegal", *private) if word in text] == ["illegal"]


def test_a_deal_has_its_cards_a_line_for_each_seating_and_what_bots_made_of_each_hand(
    tables: Path,
) -> None:
    sheet = document("deal", tables, "1", "a", "b", "c")
    matches = [line["match"] for line in sheet["lines"]]
    for each in sheet["stakes"]:
        made = [
            [line["payments"][seat] for line in sheet["lines"] if line["bots"][seat] == each["bot"]]
            for seat in range(3)
        ]
        assert each["by_seat"] == [sum(paid) / 2 for paid in made]
        assert each["mean"] == pytest.approx(sum(map(sum, made)) / 6)
    head, *out = output("deal", tables, "1", "a", "b", "c").splitlines()
    assert head == "league: deal 1 of a, b, c"
    starts = [re.match(r"seat \d|talon|\d+(?= )", line.strip()) for line in out]
    shown = [found[0] for found in starts if found]
    assert shown == ["seat 0", "seat 1", "seat 2", "talon", *(str(each) for each in matches)]
    assert f"Replay a line: arena replay {tables.with_suffix('.db')} 1 --deal 1" in out


def test_where_several_tables_have_the_deal_their_commands_are_listed(tables: Path) -> None:
    first, *commands = output("deal", tables, "2").splitlines()
    assert (first, len(commands)) == ("Each table has its own cards:", 4)
    listed = document("deal", tables, "2", "a", "d")
    assert listed == [["a", "b", "d"], ["a", "c", "d"]]
    for lineup in listed:
        words = shlex.split(deal_command(str(tables), 1, tuple(lineup)))[1:]
        assert document(*words)["lineup"] == lineup


def test_a_deal_that_lacks_a_seating_says_so_and_is_not_compared(
    tables: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copy(tables.with_suffix(".db"), tmp_path / "copy.db"))
    with closing(sqlite3.connect(copy)) as sql, sql:
        [(number,)] = sql.execute('SELECT min(id) FROM matches WHERE lineup LIKE \'%"b","c"%\'')
        sql.execute("DELETE FROM logs WHERE match = ?", (number,))
        sql.execute("DELETE FROM matches WHERE id = ?", (number,))
    assert "5 of 6 seatings are played so far." in output("deal", copy, "1", "a", "b", "c")
    before, after = (document("deals", file, "--most", "1")["deals"] for file in (tables, copy))
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


@pytest.mark.parametrize(("option", "sign"), [("--worst", 1), ("--best", -1)])
def test_the_hands_of_a_bot_are_those_that_its_games_give(
    tables: Path, option: str, sign: int
) -> None:
    found = document("deals", tables, option, "b", "--most", "100")
    stakes: dict[tuple[tuple[str, ...], int, int], list[list[int]]] = {}
    for game in games(tables):
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


def test_a_list_in_a_terminal_says_of_how_many_and_what_to_run_next(tables: Path) -> None:
    out, found = output("deals", tables, "--worst", "a", "--most", "2"), document("deals", tables)
    assert (found["deals"], len(found["lines"])) == (12, 12)
    assert "2 of 27 hands of a, " in out
    first = document("deals", tables, "--worst", "a", "--most", "1")["lines"][0]
    command = deal_command(str(tables.with_suffix(".db")), first["deal"], tuple(first["lineup"]))
    assert f"Look at the first: {command}" in out
    assert "3 of 12 deals;" in output("deals", tables, "--most", "3")


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


def test_replays_link_back_to_the_page_of_the_league(tables: Path, tmp_path: Path) -> None:
    output("report", tables, "--replays", "all", "--out", tmp_path / "my page.html")
    texts = [each.read_text() for each in tmp_path.glob("my page.*/[0-9]*.html")]
    back = '"back":{"words":"the league","address":"../my%20page.html"}'
    assert [back in text for text in texts] == [True] * 48
