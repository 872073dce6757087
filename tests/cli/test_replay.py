"""arena replay, faults, rerun and export, on a league with faults that was really played."""

import csv
import io
import json
import re
import shutil
import signal
import sqlite3
import subprocess
from collections import Counter
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from arena.record.paths import record_path
from arena.record.reviews import Reviews, deals_with_keys, reviews_path
from arena.record.store import Store
from arena.review.turns import draw_name, review
from tests.support.bots import good, write_bot, write_league
from tests.support.command import document, output, refusal, run, run_here, start
from tests.support.made_up import ByChance
from tests.support.records import find_match, record_of_logs

NOTE = 'answer["note"] = "mine <b>"'


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league: `b` kills itself in the third deal, and `c` plays a word in the second."""
    folder = tmp_path_factory.mktemp("played")
    path = write_league(folder, deals=4)
    dies = 'print("deal", m.get("deal"), file=sys.stderr)\n    if m.get("deal") == 2'
    write_bot(folder / "b", good(before=f"{dies} and m['type'] == 'play': os.kill(os.getpid(), 9)"))
    odd = f"{NOTE}\n    if m.get('deal') == 1 and m['type'] == 'play': answer['card'] = 'ZZ'"
    write_bot(folder / "c", good(before=odd))
    done = run_here("league", path, "--seed", "5")
    assert done.returncode == 0, done.stderr
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
        ("replay LEAGUE 99", "there is no match 99; they are 1 to 6; arena replay"),
        ("replay LEAGUE 1 --seat 7", "--seat: there is no seat 7; seats are 0 (a), 1 (b), 2 (c)"),
        ("replay LEAGUE 1 --seat nobody", "--seat: there is no seat nobody; seats are 0 (a)"),
        ("replay LEAGUE 1 --seat 1 --json", "--seat: a page or document would not hide anything"),
        ("replay LEAGUE 1 --seat 1 --html x", "a page or document would not hide anything"),
        ("replay LEAGUE --html x", "which match?; they are 1 to 6"),
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
    ],
)
def test_a_mistake_is_reported(league: Path, words: str, why: str) -> None:
    message = refusal(*(str(league) if word == "LEAGUE" else word for word in words.split()))
    *before, last = message.splitlines()
    assert why in last
    assert before in ([], ["a is fed the lines of seat 0 (a)"])


# --- replay ---


def test_without_a_match_all_are_listed_with_what_their_deals_paid(league: Path) -> None:
    out = output("replay", league)
    assert out.count("1 to 4") == 6
    listed = document("replay", league)
    assert [each["match"] for each in listed] == [1, 2, 3, 4, 5, 6]
    paid = zip(listed[0]["bots"], listed[0]["stakes"], strict=True)
    assert ", ".join(f"{bot} {stakes:+d}" for bot, stakes in paid) in out
    for each in listed:
        deals = document("replay", league, str(each["match"]))["deals"]
        columns = zip(*(deal["result"]["payments"] for deal in deals), strict=True)
        assert [sum(column) for column in columns] == each["stakes"]


def test_a_match_is_printed_with_its_faults_and_notes(league: Path) -> None:
    out = output("replay", league, "1")
    assert out.count("stakes:") == 4
    for part in (
        "fault: exited: ",
        "fault: illegal: there is no such card",
        "note: 'mine <b>'",
    ):
        assert part in out
    assert re.search(r"play 10[♣♠♥♦]", out)
    assert not re.search(r"\bT[CSHD♣♠♥♦]", out)


def test_people_count_deals_from_one_and_documents_from_zero(league: Path) -> None:
    out = output("replay", league, "1")
    assert re.findall(r"match 1, deal (\d): ", out) == ["1", "2", "3", "4"]
    first = output("replay", league, "1", "--deal", "1")
    assert out.startswith(first)
    assert first.startswith("match 1, deal 1: ")
    assert "0 is not in the range x>=1" in refusal("replay", league, "1", "--deal", "0")
    third = document("replay", league, "1", "--deal", "3")
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
    public, private = output(*command), output(*command, "--private")
    for word in ("mine", "SIGKILL", "deal None"):  # a note, a detail, stderr
        assert word not in public
        assert word in private


def test_a_page_has_the_stored_reviews_and_says_how_to_get_others(
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
    shown = json.loads(found[1])["review"]
    assert [each["verdicts"] is None for each in shown["deals"]] == [False, True, True, True]
    steps = [each["step"] for each in shown["deals"][0]["verdicts"]]
    assert steps == sorted({each.step for turns, _ in first for each in turns.decisions})
    assert shown["command"] == f"arena review {league.with_suffix('.db').name} 2"


def test_a_log_changed_by_one_card_is_refused_with_the_place(league: Path, tmp_path: Path) -> None:
    exported = tmp_path / "match.jsonl"
    head, start, *deals = output("export", league, "logs", "1").splitlines()
    cards = re.findall(r'\[\d,"([AKQJT987][CSHD])"', deals[0])
    for one, other in pairwise(cards[:4]):
        changed = deals[0].replace(f',"{one}"', f',"{other}"', 1)
        exported.write_text("\n".join([head, start, changed, *deals[1:]]))
        message = refusal("pull", exported, tmp_path / "match.db")
        assert "match 1 is not what was played: deal 1" in message
        assert not (tmp_path / "match.db").exists()


def test_a_stored_log_that_was_changed_is_refused(league: Path, tmp_path: Path) -> None:
    record = tmp_path / "league.db"
    shutil.copy(record_path(league), record)
    with closing(sqlite3.connect(record)) as sql, sql:
        sql.execute("UPDATE logs SET log = (SELECT log FROM logs WHERE match = 2) WHERE match = 1")
    assert "match 1 is not what was played" in refusal("replay", record, "1")
    output("replay", record, "3")


# --- faults ---


def test_faults_are_listed_and_kept_with_their_last_lines(league: Path) -> None:
    listed = document("faults", league)
    assert len(listed) == 12
    bundle = next(each for each in listed if each["bot"] == "b")
    assert bundle["kind"] == "exited"
    assert "SIGKILL" in bundle["detail"]
    assert bundle["stderr"].startswith("deal None")
    last = bundle["lines"][-1]
    asked = json.loads(last["to_bot"])
    assert (asked["type"], asked["deal"], bundle["deal"]) == ("play", 2, 2)
    assert last["from_bot"].startswith("exited: ")


def test_faults_are_counted_in_one_way_everywhere(league: Path) -> None:
    """In each of six matches `b` exited in one deal and forfeited the next."""
    lines = document("standings", league)["standings"]
    assert {line["bot"]: line["faults"] for line in lines} == {
        "a": {},
        "b": {"exited": 6},
        "c": {"illegal": 6},
    }
    assert [each["faults"] for each in document("replay", league)] == [2] * 6
    table = output("faults", league)
    assert len(table.splitlines()) == 1 + 12
    assert table.count("exited") == table.count("(1 more deal forfeited)") == 6
    assert "(1 more deal forfeited)" in output("faults", league, "1")
    assert f"Faults: arena faults {record_path(league)}\n" in output("standings", league)


def test_a_record_counts_a_bot_that_was_never_ready_once_a_match(broken: Path) -> None:
    with closing(Store.open(broken)) as store:
        counted: dict[str, Counter[str]] = {}
        for _, spec, played in store.matches():
            for entry, _ in played.results.counted_faults():
                bot = spec.seats[entry.fault.seat]
                counted.setdefault(bot, Counter())[entry.fault.kind] += 1
        assert store.faults() == counted
    assert counted["b"] == {"malformed": 1}


def test_the_first_faults_of_a_match_are_shown_in_full(broken: Path) -> None:
    out, listed = output("faults", broken, "1"), document("faults", broken, "1")
    [one] = [each for each in listed if each["bot"] == "b"]
    assert (one["unready"], one["forfeited"]) == (True, 3), "then c is disqualified"
    assert out.count("b: malformed in match 1") == 1
    assert "(3 more deals forfeited)" in out
    assert out.count("malformed in match 1") == min(5, len(listed))


def test_a_bot_that_was_never_ready_is_shown_its_hello_alone(broken: Path) -> None:
    out = output("faults", broken, "1", "--bot", "b")
    [sent] = [line for line in out.splitlines() if line.startswith("  → ")]
    assert '"type":"hello"' in sent
    assert "it was never ready, so it was asked nothing" in out
    assert "--until" not in out


def test_a_fault_names_the_commands_that_replay_and_repeat_it(league: Path) -> None:
    [bundle, *_] = document("faults", league, "1", "--bot", "b")
    again = output(*bundle["rerun"].removeprefix("arena ").split())
    assert f"answer {bundle['request']}: exited: " in again
    shown = output(*bundle["replay"].removeprefix("arena ").split())
    assert shown.startswith(f"match 1, deal {bundle['deal'] + 1}: ")
    assert "fault: exited" in shown
    deal = f'deal {bundle["deal"] + 1} ("deal": {bundle["deal"]})'
    named = f"in match 1, {deal}, ply {bundle['ply']}"
    assert named in output("faults", league, "1", "--bot", "b")


# --- rerun ---


def test_a_deterministic_bot_gets_the_same_lines_and_answers_as_logged(league: Path) -> None:
    out = output("rerun", league, "1", "--seat", "a", "--lines")
    assert re.search(r"(\d+) of \1 answers as logged", out)
    fed = [line[2:] for line in out.splitlines() if line.startswith("→ ")]
    _, *view = output("export", league, "logs", "1", "--view", "seat:0").splitlines()
    answered = [sent["to_bot"] for sent in map(json.loads, view) if len(sent) > 1]
    assert [json.loads(line) for line in fed] == answered


def test_a_copy_from_a_record_runs_as_the_user_only_if_trusted(league: Path) -> None:
    words = ("rerun", league, "1", "--seat", "0", "--isolation", "none")
    assert "beside this record would run as you: " in refusal(*words)
    output(*words, "--trust")


def test_another_bot_shows_its_first_difference_or_every_one(league: Path) -> None:
    last = "if m['type'] == 'play': answer['card'] = m['legal'][-1]"
    other = write_bot(league.parent / "other", good(before=last))
    words = ("rerun", league, "1", "--seat", "0", "--bot", other)
    first, every = run(*words), run(*words, "--every")
    assert first.returncode == every.returncode == 1
    assert " (log: " in first.stdout.splitlines()[-2]
    assert every.stdout.count("(log: ") > 1


def test_a_rerun_names_the_bots_whose_lines_and_stderr_it_has(broken: Path, tmp_path: Path) -> None:
    mine = write_bot(tmp_path / "mine", good(before="raise KeyError('lgeal')"))
    done = run_here("rerun", broken, "1", "--seat", "2", "--bot", mine)
    assert "mine is fed the lines of seat 2 (c)" in done.stderr
    assert "stderr of mine:" in done.stdout
    assert "stderr of c:" not in done.stdout


def test_a_rerun_of_a_fixed_bot_shows_the_fault_as_logged(league: Path) -> None:
    fixed = write_bot(league.parent / "fixed", good())
    words = ("rerun", league, "1", "--seat", "b")
    done = run(*words, "--bot", fixed)
    assert done.returncode == 1
    assert "(log: exited: " in done.stdout
    assert 'deal 3 ("deal": 2), answer' in done.stdout
    assert ": exited: " in output(*words)


def test_a_rerun_prints_no_control_characters_of_a_bot(league: Path, tmp_path: Path) -> None:
    wild = "chr(27) + '[2J' + chr(0x202e)"
    prints = f"print({wild}, file=sys.stderr); answer['note'] = {wild}; answer['id'] = {wild}"
    bot = write_bot(tmp_path / "wild", good(before=f"if m['type'] == 'play': {prints}"))
    out = run("rerun", league, "1", "--seat", "a", "--bot", bot, "--every").stdout
    assert "stderr of wild:" in out
    assert not {"\x1b", "\u202e"} & {*out}


def wait_for_debugger(league: Path, *more: str) -> tuple["subprocess.Popen[str]", str]:
    arena = start("rerun", league, "1", "--seat", "0", "--wait", *more, stdin=subprocess.PIPE)
    assert arena.stderr is not None
    return arena, next(line for line in arena.stderr if "about to get" in line)


def test_a_rerun_waits_for_a_debugger_before_the_request(league: Path) -> None:
    arena, message = wait_for_debugger(league, "--until", "3", "--no-timeout")
    command_line = Path(f"/proc/{message.split()[1]}/cmdline").read_bytes()
    assert command_line.startswith(b"./bot")
    out, _ = arena.communicate("\n")
    assert arena.returncode == 0
    assert "answer 3: " in out
    assert "answer 4: " not in out


def test_ctrl_c_while_a_rerun_waits_is_no_crash(league: Path) -> None:
    arena, _ = wait_for_debugger(league, "--until", "2")
    arena.send_signal(signal.SIGINT)
    _, errors = arena.communicate()
    assert arena.returncode == 130
    assert "Traceback" not in errors


def test_a_record_of_logs_needs_a_bot(league: Path, tmp_path: Path) -> None:
    log = record_of_logs(tmp_path / "log.db", output("export", league, "logs", "1"))
    assert "there is no copy of" in refusal("rerun", log, "--seat", "a")
    output("rerun", log, "--seat", "a", "--bot", league.parent / "a")


# --- export ---


@pytest.mark.parametrize("what", ["standings", "sets", "matches", "games", "moves", "faults"])
def test_tables_are_the_same_in_both_forms(league: Path, what: str) -> None:
    table = list(csv.DictReader(io.StringIO(output("export", league, what))))
    lines = output("export", league, what, "--format", "jsonl").splitlines()
    assert len(table) == len(lines) > 0
    for row, line in zip(table, lines, strict=True):
        assert list(row) == list(json.loads(line))


def test_moves_are_all_decisions(league: Path) -> None:
    _, *moves = output("export", league, "moves").splitlines()
    assert len(moves) == sum(each["decisions"] for each in document("replay", league))


def test_exported_deals_are_played_again(league: Path, tmp_path: Path) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text(output("export", league, "deals"))
    bot = league.parent / "a"
    games = document("match", bot, bot, bot, "--deals", deals, "--seatings", "one")["games"]
    stored = document("replay", league, "1")["deals"]
    hands = [[deal["result"]["hands"] for deal in each] for each in (games, stored)]
    assert hands[0] == hands[1]


def test_a_whole_log_comes_back_the_same(league: Path, tmp_path: Path) -> None:
    exported, record = tmp_path / "all.jsonl", tmp_path / "all.db"
    exported.write_text(output("export", league, "logs", "--private"))
    assert output("pull", exported, record) == f"{record}: 6 new matches\n"
    assert output("pull", exported, record) == f"{record}: 0 new matches\n"
    assert output("export", record, "logs", "--private") == exported.read_text()
    assert output("replay", record, "4") == output("replay", league, "4")


def test_the_view_of_a_seat_has_nothing_that_it_was_not_sent(league: Path) -> None:
    text = output("export", league, "logs", "1", "--view", "seat:c")
    head, *lines = map(json.loads, text.splitlines())
    assert head["bot"] == "c"
    assert "hands" not in json.dumps([line for line in lines if "deal_end" not in str(line)])
    types = {line["to_bot"]["type"] for line in lines}
    assert {"hello", "bid", "play", "deal_end", "bye"} <= types


def test_the_public_view_has_no_hand_before_the_deal_is_over(league: Path) -> None:
    head, *deals = output("export", league, "logs", "1", "--view", "public").splitlines()
    assert "seeds" not in head
    assert len(deals) == 4
    for deal in map(json.loads, deals):
        assert "seat" not in deal["events"][0]
        assert all("hand" not in event for event in deal["events"])
