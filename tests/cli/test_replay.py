"""arena replay, faults, rerun and export, on a league with faults that was really played."""

import csv
import io
import json
import re
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.record.paths import record_path
from arena.record.reviews import Reviews, deals_with_keys, reviews_path
from arena.review.turns import draw_name, review
from tests.support.bots import good, write_bot, write_league
from tests.support.command import run, run_here, start
from tests.support.made_up import ByChance
from tests.support.records import find_match, record_of_logs

SLOW_NOTE = 'answer["note"] = "mine <b>"'


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league: `b` kills itself in the third deal, and `c` plays a word in the second."""
    folder = tmp_path_factory.mktemp("played")
    path = write_league(folder, deals=4)
    dies = 'print("deal", m.get("deal"), file=sys.stderr)\n    if m.get("deal") == 2'
    write_bot(folder / "b", good(before=f"{dies} and m['type'] == 'play': os.kill(os.getpid(), 9)"))
    odd = f"{SLOW_NOTE}\n    if m.get('deal') == 1 and m['type'] == 'play': answer['card'] = 'ZZ'"
    write_bot(folder / "c", good(before=odd))
    done = run_here("league", path, "--seed", "5")
    assert done.returncode == 0, done.stderr
    return path


def loaded(text: str) -> Any:
    return json.loads(text)


# --- replay ---


def test_without_a_match_all_are_listed(league: Path) -> None:
    out = run("replay", league).stdout
    assert len(out.splitlines()) == 7
    listed = loaded(run("replay", league, "--json").stdout)
    assert [each["match"] for each in listed] == [1, 2, 3, 4, 5, 6]
    paid = zip(listed[0]["bots"], listed[0]["stakes"], strict=True)
    assert ", ".join(f"{bot} {stakes:+d}" for bot, stakes in paid) in out


def test_every_stored_match_replays_to_the_stored_result(league: Path) -> None:
    for each in loaded(run("replay", league, "--json").stdout):
        found = loaded(run("replay", league, str(each["match"]), "--json").stdout)
        paid = [deal["result"]["payments"] for deal in found["deals"]]
        assert [sum(column) for column in zip(*paid, strict=True)] == each["stakes"]


def test_a_match_is_printed_whole(league: Path) -> None:
    out = run("replay", league, "1").stdout
    assert out.count("stakes:") == 4
    assert "fault: exited: " in out
    assert "fault: illegal: there is no such card" in out
    assert "note: 'mine <b>'" in out


def test_deals_are_counted_from_one(league: Path) -> None:
    out = run_here("replay", league, "1").stdout
    assert re.findall(r"match 1, deal (\d): ", out) == ["1", "2", "3", "4"]
    first = run_here("replay", league, "1", "--deal", "1").stdout
    assert out.startswith(first)
    assert first.startswith("match 1, deal 1: ")
    assert run_here("replay", league).stdout.count("1 to 4") == 6
    assert "0 is not in the range x>=1" in run("replay", league, "1", "--deal", "0").stderr


def test_tens_are_printed_as_on_cards(league: Path) -> None:
    out = run_here("replay", league, "1").stdout
    assert re.search(r"play 10[♣♠♥♦]", out)
    assert not re.search(r"\bT[CSHD♣♠♥♦]", out)


def test_a_seat_sees_no_hand_but_its_own(league: Path) -> None:
    whole = run("replay", league, "1", "--deal", "1").stdout.splitlines()
    out = run("replay", league, "1", "--deal", "1", "--seat", "1").stdout.splitlines()
    assert out[2] == whole[2]
    assert out[1].count("?") == out[3].count("?") == 8
    assert "talon ? ?" in out[4]


def test_notes_stderr_and_details_leave_the_arena_only_if_asked(league: Path) -> None:
    for words in (["replay", str(league), "1", "--json"], ["export", str(league), "logs"]):
        shy, open_ = run(*words).stdout, run(*words, "--private").stdout
        assert "mine" not in shy
        assert "SIGKILL" not in shy
        assert "deal None" not in shy
        for word in ("mine", "SIGKILL", "deal None"):
            assert word in open_


def test_a_page_has_the_reviews_that_were_kept_and_says_how_to_get_others(
    league: Path, tmp_path: Path
) -> None:
    stored = find_match(league, 2)
    path = reviews_path(record_path(league))
    draw = draw_name(stored.bots, stored.first)
    first = next(deals_with_keys(stored, 4))
    with closing(Reviews.open(path, create=True)) as kept:
        kept.keep(4, [(key, review(ByChance(), each, draw, 4)) for each, key in first])
    page = tmp_path / "page.html"
    try:
        run("replay", league, "2", "--html", page, "--review")
    finally:
        path.unlink()
    found = re.search(
        r'<script type="application/json" id="match">(.*?)</script>', page.read_text()
    )
    assert found is not None
    document = loaded(found[1])["review"]
    assert [each["verdicts"] is None for each in document["deals"]] == [False, True, True, True]
    steps = [each["step"] for each in document["deals"][0]["verdicts"]]
    assert steps == sorted({each.step for turns, _ in first for each in turns.decisions})
    assert document["command"] == f"arena review {league.with_suffix('.db').name} 2"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["{}", "99"], "there is no match 99; they are 1 to 6; arena replay"),
        (["{}", "1", "--seat", "7"], "--seat: there is no seat 7; seats are 0 (a), 1 (b)"),
        (
            ["{}", "1", "--seat", "1", "--json"],
            "--seat: a page or document would not hide anything",
        ),
        (["{}", "1", "--seat", "1", "--html", "x"], "a page or document would not hide anything"),
        (["{}", "--html", "x"], "which match?; they are 1 to 6"),
        (["{}", "1", "--review"], "--review: a review is shown on a page; add --html FILE"),
        (["{}", "1", "--deal", "9"], "--deal: the match has 4 deals"),
        (["nowhere.toml"], "nowhere.db: there is no such record"),
        (
            [str(Path(__file__))],
            "neither a league's file nor a record; these end in .toml and .db; arena pull FILE",
        ),
        (["{}", "1", "--html", "/nowhere/x.html"], "/nowhere/x.html: cannot be written"),
    ],
)
def test_a_mistake_is_told_in_a_line(league: Path, arguments: list[str], told: str) -> None:
    done = run("replay", *(word.format(league) for word in arguments))
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_log_changed_by_one_card_is_refused_with_the_place(league: Path, tmp_path: Path) -> None:
    exported = tmp_path / "match.jsonl"
    head, start, *deals = run("export", league, "logs", "1").stdout.splitlines()
    cards = re.findall(r'\[\d,"([AKQJT987][CSHD])"', deals[0])
    for number, (one, other) in enumerate(pairwise(cards[:4])):
        changed = deals[0].replace(f',"{one}"', f',"{other}"', 1)
        exported.write_text("\n".join([head, start, changed, *deals[1:]]))
        done = run("pull", exported, tmp_path / "match.db")
        assert done.returncode == 2
        assert not (tmp_path / "match.db").exists()
        assert "match 1 is not what was played: deal 1" in done.stderr, number


def test_a_stored_log_that_was_changed_is_refused(league: Path, tmp_path: Path) -> None:
    for path in league.parent.glob("league.*"):
        if path.is_file():
            shutil.copy(path, tmp_path)
    with closing(sqlite3.connect(tmp_path / "league.db", isolation_level=None)) as record:
        record.execute(
            "UPDATE logs SET log = (SELECT log FROM logs WHERE match = 2) WHERE match = 1"
        )
    record.close()
    done = run("replay", tmp_path / "league.db", "1")
    assert done.returncode == 2
    assert "match 1 is not what was played" in done.stderr
    assert run("replay", tmp_path / "league.db", "3").returncode == 0


def test_a_file_has_the_deals_that_were_asked_for(league: Path) -> None:
    one = loaded(run("replay", league, "1", "--deal", "3", "--json").stdout)
    assert [deal["deal"] for deal in one["deals"]] == [2]


# --- faults ---


def test_faults_are_listed_and_kept_with_their_last_lines(league: Path) -> None:
    listed = loaded(run("faults", league, "--json").stdout)
    assert len(listed) == 12
    bundle = next(each for each in listed if each["bot"] == "b")
    assert bundle["kind"] == "exited"
    assert "SIGKILL" in bundle["detail"]
    assert bundle["stderr"].startswith("deal None")
    last = bundle["lines"][-1]
    asked = loaded(last["to_bot"])
    assert asked["type"] == "play"
    assert asked["deal"] == bundle["deal"] == 2
    assert last["from_bot"].startswith("exited: ")


def test_deals_lost_because_a_bot_had_ended_are_told_with_its_end(league: Path) -> None:
    table = run("faults", league).stdout
    assert table.count("exited") == 6
    assert table.count("(1 more deal forfeited)") == 6
    assert "(1 more deal forfeited)" in run("faults", league, "1").stdout


def test_faults_are_counted_in_one_way_everywhere(league: Path) -> None:
    """Twelve rows of `b`: in each of six matches it ended in one deal and forfeited the next."""
    lines = loaded(run_here("standings", league, "--json").stdout)["standings"]
    assert {line["bot"]: line["faults"] for line in lines} == {
        "a": {},
        "b": {"exited": 6},
        "c": {"illegal": 6},
    }
    listed = loaded(run_here("replay", league, "--json").stdout)
    assert [each["faults"] for each in listed] == [2] * 6
    assert len(run_here("faults", league).stdout.splitlines()) == 1 + 12
    table = run_here("standings", league).stdout
    assert f"Faults: arena faults {league.with_suffix('.db')}\n" in table


def test_faults_of_a_bot_that_is_not_there_are_a_mistake(league: Path) -> None:
    done = run("faults", league, "--bot", "nobody")
    assert done.returncode == 2
    assert "no bot is called nobody here; there are a, b, c" in done.stderr


def test_no_word_of_a_bot_reaches_the_terminal_as_it_is(tmp_path: Path) -> None:
    league = write_league(tmp_path, deals=1)
    wild = "chr(27) + '[2J' + chr(0x202e)"
    dies = f"print({wild}, file=sys.stderr); answer['note'] = {wild}; answer['id'] = {wild}"
    write_bot(tmp_path / "b", good(before=f"if m['type'] == 'play': {dies}"))
    assert run_here("league", league, "--seed", "5").returncode == 0
    seat = find_match(league, 1).bots.index("b")
    for words in (
        ["faults"],
        ["faults", "1"],
        ["replay", "1"],
        ["rerun", "1", "--seat", str(seat)],
    ):
        out = run(words[0], league, *words[1:]).stdout
        assert out
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_a_fault_names_the_command_that_has_it_again(league: Path) -> None:
    bundle = loaded(run("faults", league, "1", "--bot", "b", "--json").stdout)[0]
    arena, *words = bundle["rerun"].split()
    assert arena == "arena"
    again = run(*words)
    assert again.returncode == 0, again.stderr
    assert f"answer {bundle['request']}: exited: " in again.stdout
    arena, *words = bundle["replay"].split()
    shown = run(*words).stdout
    assert "fault: exited" in shown
    deal = f'deal {bundle["deal"] + 1} ("deal": {bundle["deal"]})'
    named = f"in match 1, {deal}, ply {bundle['ply']}"
    assert named in run("faults", league, "1", "--bot", "b").stdout
    assert shown.startswith(f"match 1, deal {bundle['deal'] + 1}: ")


# --- rerun ---


def test_a_deterministic_bot_answers_as_logged(league: Path) -> None:
    done = run("rerun", league, "1", "--seat", "0")
    assert done.returncode == 0
    assert re.search(r"(\d+) of \1 answers as logged", done.stdout)


def test_a_copy_beside_a_record_runs_as_the_user_only_by_the_user_s_word(league: Path) -> None:
    words = ("rerun", league, "1", "--seat", "0", "--isolation", "none")
    done = run_here(*words)
    assert done.returncode == 2
    assert "beside this record would run as you: " in done.stderr
    assert run_here(*words, "--trust").returncode == 0


def test_every_line_is_fed_as_it_was(league: Path) -> None:
    done = run("rerun", league, "1", "--seat", "0", "--lines")
    fed = [line[2:] for line in done.stdout.splitlines() if line.startswith("→ ")]
    view = run("export", league, "logs", "1", "--view", "seat:0").stdout.splitlines()[1:]
    sent = [loaded(line) for line in view]
    answered = [line["to_bot"] for line in sent if len(line) > 1]
    assert [loaded(line) for line in fed] == answered


def test_another_bot_shows_its_first_difference(league: Path) -> None:
    other = league.parent / "other"
    write_bot(other, good(before="if m['type'] == 'play': answer['card'] = m['legal'][-1]"))
    done = run("rerun", league, "1", "--seat", "0", "--bot", other)
    assert done.returncode == 1
    assert " (log: " in done.stdout.splitlines()[-2]
    every = run("rerun", league, "1", "--seat", "0", "--bot", other, "--every")
    assert every.returncode == 1
    assert every.stdout.count("(log: ") > 1


def test_a_fault_that_a_fix_has_ended_is_not_told_as_if_it_were_there(league: Path) -> None:
    fixed = write_bot(league.parent / "fixed", good())
    seat = find_match(league, 1).bots.index("b")
    done = run("rerun", league, "1", "--seat", str(seat), "--bot", fixed)
    assert done.returncode == 1
    assert "(log: exited: " in done.stdout
    assert 'deal 3 ("deal": 2), answer' in done.stdout
    again = run("rerun", league, "1", "--seat", str(seat))
    assert again.returncode == 0
    assert ": exited: " in again.stdout


def test_it_waits_for_a_debugger_before_the_request(league: Path) -> None:
    until = ("--seat", "0", "--until", "3", "--wait", "--no-timeout")
    arena = start("rerun", league, "1", *until, stdin=subprocess.PIPE)
    assert arena.stderr is not None
    words = next(line for line in arena.stderr if "about to get" in line).split()
    command_line = Path(f"/proc/{words[1]}/cmdline").read_bytes()
    assert command_line.startswith(b"./bot")
    out, _ = arena.communicate("\n")
    assert arena.returncode == 0
    assert "answer 3: " in out
    assert "answer 4: " not in out


def test_leaving_the_wait_is_no_crash(league: Path) -> None:
    until = ("--seat", "0", "--until", "2", "--wait")
    arena = start("rerun", league, "1", *until, stdin=subprocess.PIPE)
    assert arena.stderr is not None
    next(line for line in arena.stderr if "about to get" in line)
    arena.send_signal(signal.SIGINT)
    _, told = arena.communicate()
    assert arena.returncode == 130
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["1", "--seat", "5"], "there is no seat 5"),
        (["1", "--seat", "0", "--until", "999"], "the seat was asked"),
        (["1", "--seat", "0", "--wait"], "--wait needs --until"),
    ],
)
def test_a_rerun_that_cannot_be_says_why(league: Path, arguments: list[str], told: str) -> None:
    done = run("rerun", league, *arguments)
    assert done.returncode == 2
    assert told in done.stderr


def test_a_record_of_logs_needs_a_bot(league: Path, tmp_path: Path) -> None:
    log = record_of_logs(tmp_path / "log.db", run("export", league, "logs", "1").stdout)
    done = run("rerun", log, "--seat", "0")
    assert done.returncode == 2
    assert "there is no copy of" in done.stderr
    name = find_match(league, 1).bots[0]
    assert run("rerun", log, "--seat", "0", "--bot", league.parent / name).returncode == 0


# --- export ---


@pytest.mark.parametrize("what", ["standings", "sets", "matches", "games", "moves", "faults"])
def test_tables_are_the_same_in_both_forms(league: Path, what: str) -> None:
    table = list(csv.DictReader(io.StringIO(run("export", league, what).stdout)))
    lines = run("export", league, what, "--format", "jsonl").stdout.splitlines()
    assert len(table) == len(lines) > 0
    for row, line in zip(table, lines, strict=True):
        assert list(row) == list(loaded(line))


def test_moves_are_all_decisions(league: Path) -> None:
    listed = loaded(run("replay", league, "--json").stdout)
    moves = run("export", league, "moves").stdout.splitlines()[1:]
    assert len(moves) == sum(each["decisions"] for each in listed)


def test_exported_deals_are_played_again(league: Path, tmp_path: Path) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text(run("export", league, "deals").stdout)
    bots = [league.parent / name for name in "aaa"]
    done = run("match", *bots, "--deals", deals, "--seatings", "one", "--json")
    assert done.returncode == 0, done.stderr
    games = loaded(done.stdout)["games"]
    stored = loaded(run("replay", league, "1", "--json").stdout)
    assert [game["result"]["hands"] for game in games] == [
        deal["result"]["hands"] for deal in stored["deals"]
    ]


def test_a_whole_log_comes_back_the_same(league: Path, tmp_path: Path) -> None:
    text = run("export", league, "logs", "--private").stdout
    (tmp_path / "all.jsonl").write_text(text)
    log = tmp_path / "all.db"
    assert run("pull", tmp_path / "all.jsonl", log).stdout == f"{log}: 6 new matches\n"
    assert run("pull", tmp_path / "all.jsonl", log).stdout == f"{log}: 0 new matches\n"
    assert run("export", log, "logs", "--private").stdout == text
    assert run("replay", log, "4").stdout == run("replay", league, "4").stdout


def test_a_seats_view_holds_nothing_that_it_was_not_sent(league: Path) -> None:
    text = run("export", league, "logs", "1", "--view", "seat:c").stdout
    head, *lines = [loaded(line) for line in text.splitlines()]
    assert head["bot"] == "c"
    assert "hands" not in json.dumps([line for line in lines if "deal_end" not in str(line)])
    types = {line["to_bot"]["type"] for line in lines}
    assert {"hello", "bid", "play", "deal_end", "bye"} <= types


def test_the_public_view_has_no_hand_before_the_deal_is_over(league: Path) -> None:
    head, *deals = run("export", league, "logs", "1", "--view", "public").stdout.splitlines()
    assert "seeds" not in head
    assert len(deals) == 4
    for deal in map(loaded, deals):
        assert "seat" not in deal["events"][0]
        assert all("hand" not in event for event in deal["events"])


def test_an_unknown_view_is_refused(league: Path) -> None:
    for view in ("seat:nobody", "seat:9", "whatever"):
        done = run("export", league, "logs", "--view", view)
        assert done.returncode == 2
        assert "--view" in done.stderr
