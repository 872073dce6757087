"""Leagues and tournaments as people play them: begun, killed, resumed, extended, verified."""

import csv
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arena.sandbox.box import children
from tests.support.bots import (
    good,
    open_gate,
    write_bot,
    write_gated_league,
    write_league,
    write_quick_bot,
)
from tests.support.command import (
    PROJECT,
    command,
    document,
    heed_interrupts,
    output,
    refusal,
    run,
    run_here,
    said,
    start,
)
from tests.support.patience import until
from tests.support.records import timeless_matches


def standings(league: Path) -> str:
    return output("standings", league, "--json")


def settle(folder: Path) -> None:
    """Wait until no process runs below a folder."""

    def lives(process: Path) -> bool:
        with suppress(OSError):
            below = (process / "cwd").readlink().is_relative_to(folder)
            return below and (process / "cmdline").read_bytes() != b""
        return False

    until(lambda: not any(map(lives, Path("/proc").glob("[0-9]*"))))


def test_a_league_is_played_and_ranked(tmp_path: Path) -> None:
    league = write_league(tmp_path, "abcd", deals=3, sandbox="")
    done = run("league", league, "--seed", "7")
    assert done.returncode == 0, done.stderr
    assert "12 of 12 sets, complete, practice deals" in done.stdout
    assert "Practice seed: 7" in done.stdout
    assert "decisions a second" in done.stderr
    table = document("standings", league)["standings"]
    ranks = [line["rank"] for line in table]
    assert ranks == sorted(ranks)
    assert sorted((line["bot"], line["sets"], line["games"]) for line in table) == [
        (bot, 9, 54) for bot in "abcd"
    ]
    assert sum(line["stakes_per_deal"] for line in table) == pytest.approx(0, abs=1e-5)
    settle(tmp_path)


def test_a_secret_seed_is_committed_to_at_the_start_and_shown_when_all_is_played(
    tmp_path: Path,
) -> None:
    league = write_league(tmp_path)
    begun = run("league", league, "--begin", "--json")
    table = json.loads(begun.stdout)
    told = tuple(table[key] for key in ("complete", "sets_played", "seed", "practice"))
    assert told == (False, 0, None, False)
    [line] = [each for each in begun.stderr.splitlines() if "SHA-256" in each]
    assert table["commitment"] in line
    shown = output("league", league)
    over = document("standings", league)
    assert (over["complete"], over["commitment"]) == (True, table["commitment"])
    assert over["seed"] in shown


@pytest.mark.parametrize(
    ("names", "deals", "more"),
    [
        ("abcd", 4, "seatings = 3\n"),
        ("abcdefg", 2, 'format = "tournament"\nrounds = 3\n'),
    ],
    ids=["league", "tournament"],
)
def test_killed_at_any_moment_it_resumes_to_the_same_standings(
    tmp_path: Path, names: str, deals: int, more: str
) -> None:
    whole, broken = (write_league(tmp_path / it, names, deals, more) for it in ("whole", "broken"))
    output("league", whole, "--seed", "11")
    for kills in range(40):
        arena = start("league", broken, "--seed", "11", "--jobs", "1")
        with suppress(AssertionError):  # it is over
            said(arena, "deals, ", 2 + kills % 3)
            os.killpg(arena.pid, signal.SIGKILL)
        _, told = arena.communicate()
        assert "leaked" not in told
        settle(tmp_path / "broken")
        if arena.returncode == 0:
            break
    assert 0 < kills < 39
    output("league", broken, "--seed", "11")
    assert standings(broken) == standings(whole)
    output("verify", broken)


def words_of(pid: int) -> str:
    """What a process was called with, which tells workers and bots; nothing once it ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def test_a_killed_worker_takes_its_bots_along_and_its_match_is_played_again(tmp_path: Path) -> None:
    whole, hurt = (write_gated_league(tmp_path / name, deals=2) for name in ("whole", "hurt"))
    open_gate(whole)
    output("league", whole, "--seed", "3")
    arena, killed = start("league", hurt, "--seed", "3", "--jobs", "1"), set[int]()

    def playing() -> int | None:
        for pid in {*children(arena.pid)} - killed:
            bots = ["bot.py" in words_of(each) for each in children(pid)]
            if any(bots) and "arena.engine.worker" in words_of(pid):
                return pid
        return None

    for _ in range(2):
        worker = until(playing)
        os.kill(worker, signal.SIGKILL)
        killed.add(worker)
    open_gate(hurt)
    _, told = arena.communicate()
    assert arena.returncode == 0, told
    assert told.count("its worker died") == len(killed) == 2
    assert standings(hurt) == standings(whole)
    settle(tmp_path / "hurt")


def test_a_killed_bot_is_blamed_and_nobody_else(tmp_path: Path) -> None:
    league = write_league(tmp_path, deals=5)
    write_bot(tmp_path / "b", good(before="if m.get('deal') == 2: os.kill(os.getpid(), 9)"))
    done = run("league", league)
    assert done.returncode == 0, done.stderr
    faults = {line["bot"]: line["faults"] for line in document("standings", league)["standings"]}
    assert faults == {"a": {}, "b": {"exited": 6}, "c": {}}
    fault = r"b: exited in match (\d), deal 3: .* \(2 more deals forfeited\)"
    assert sorted(re.findall(fault, done.stderr)) == list("123456")
    assert done.stderr.count("b: exited") == 6


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_league_says_how_to_go_on(tmp_path: Path, number: int, code: int) -> None:
    league = write_gated_league(tmp_path, "abcd")
    arena = start("league", league)
    said(arena, "decisions a second")
    arena.send_signal(number)
    assert "stopping … matches under way have 7 s" in said(arena, "stopping")
    open_gate(league)
    _, told = arena.communicate()
    assert arena.returncode == code
    assert "every finished match is stored. Run the same command to continue" in told
    assert "Traceback" not in told
    assert document("standings", league)["seed"] is None, "it is secret still"
    settle(tmp_path)
    output("verify", league)


PATIENT = """
from arena.__main__ import main
from arena.engine.runner import run
run.__defaults__ = (float("inf"), *run.__defaults__[1:])
main()
"""


def test_a_second_signal_stops_at_once(tmp_path: Path) -> None:
    """The first would wait for the matches under way, which never end, and for ever."""
    league = write_gated_league(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", PATIENT, "league", league],
        stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=heed_interrupts,
        cwd=PROJECT,
    ) as arena:  # fmt: skip
        said(arena, "the first matches")
        for number in (signal.SIGINT, signal.SIGTERM):  # two of one kind may come as one
            arena.send_signal(number)
        arena.communicate()
    assert arena.returncode == 130
    settle(tmp_path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ('seed = 8\ndeals = 2\nbots = ["a", "b", "c"]', "seed is 8, was secret"),
        ('deals = 1\nbots = ["a", "b", "c"]', "deals is 1, was 2"),
        (
            'deals = 2\nbots = ["a", "b", "c"]\n[rules.table]\nstake = 3',
            "rules.table.stake is 3, was 2",
        ),
        ("", "the bot b has changed; a new version needs a new name"),
    ],
)
def test_a_changed_league_or_bot_is_refused_in_clear_words(
    played_league: Path, change: str, told: str
) -> None:
    before = standings(played_league)
    changed = played_league if change else played_league.parent / "b" / "more.txt"
    changed.write_text(change)
    message = refusal("league", played_league)
    assert told in message
    assert f"undo that, or move {played_league.with_suffix('.db')} away" in message
    assert standings(played_league) == before


def test_more_deals_and_more_bots_extend_a_league(played_league: Path) -> None:
    write_quick_bot(played_league.parent / "d")
    text = played_league.read_text()
    played_league.write_text(text.replace("deals = 2", "deals = 3").replace('"c"]', '"c", "d"]'))
    assert "league: continuing, 60 deals, record " in run_here("league", played_league).stderr
    table = document("standings", played_league)
    assert (table["sets"], table["sets_played"], table["complete"]) == (12, 12, True)
    output("verify", played_league)


def test_a_bot_is_built_in_its_copy_and_a_build_that_fails_is_told(tmp_path: Path) -> None:
    build = 'build = ["sh", "-c", "mv real.py bot.py 2>&- || { echo no such header; exit 4; }"]\n'
    league, other = (write_league(tmp_path / name) for name in ("league", "other"))
    for each in (league, other):
        write_bot(each.with_name("b"), "", more=build)
    source = league.parent / "b" / "real.py"
    source.write_text(good())
    output("league", league.name, cwd=league.parent)
    assert source.exists()
    assert document("standings", league)["standings"][0]["faults"] == {}
    assert "the bot b cannot be built: exit code 4: no such header" in refusal("league", other)


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    whole = write_league(tmp_path / "whole", "abcd", deals=10)
    output("league", whole, "--seed", "2")
    league = write_league(tmp_path / "full", "abcd", deals=10)

    full = subprocess.run(
        ["prlimit", "--fsize=60000:", *command("league", league, "--seed", "2", "--jobs", "1")],
        capture_output=True, text=True, check=False, cwd=PROJECT,
    )  # fmt: skip
    assert full.returncode == 3, full.stderr
    assert "the record cannot be written" in full.stderr
    assert "Traceback" not in full.stderr
    output("verify", league)
    output("league", league)
    assert standings(league) == standings(whole)


@pytest.mark.parametrize(
    ("column", "flaw"), [("payments", "deal 1: paid"), ("courses", "deal 1: went as")]
)
def test_a_result_that_was_tampered_with_is_found(
    played_league: Path, column: str, flaw: str
) -> None:
    with closing(sqlite3.connect(played_league.with_suffix(".db"))) as sql, sql:
        number, stored = sql.execute(f"SELECT id, {column} FROM matches").fetchone()
        changed = bytes([(stored[0] + 1) % 3]) + stored[1:]
        sql.execute(f"UPDATE matches SET {column} = ? WHERE id = ?", (changed, number))
    done = run("verify", played_league)
    assert (done.returncode, "5 of 6 matches replay" in done.stdout) == (1, True)
    assert flaw in done.stdout


def test_logs_name_no_time_of_day(tmp_path: Path) -> None:
    """Two runs of deterministic bots differ in microseconds only."""
    leagues = [write_league(tmp_path / name) for name in ("one", "two")]
    for league in leagues:
        output("league", league, "--seed", "1")
    one, two = (timeless_matches(league.with_suffix(".db")) for league in leagues)
    assert one == two


POOLS = """session = 4
[rules]
all_pass = "pool"
pools.enabled = true
"""


@pytest.mark.parametrize(
    ("names", "deals", "more", "sets", "games"),
    [
        ("abc", 12, POOLS, 3, 72),  # a set is a session
        ("abcd", 2, "[rules]\nplayers = 4\n", 2, 48),
        ("abcde", 2, "seatings = 10\n[rules]\nplayers = 5\n", 2, 20),
    ],
)
def test_leagues_with_pools_and_of_larger_tables_are_played(
    tmp_path: Path, names: str, deals: int, more: str, sets: int, games: int
) -> None:
    league = write_league(tmp_path, names, deals, more)
    output("league", league, "--seed", "4")
    table = document("standings", league)
    assert (table["sets"], table["sets_played"]) == (sets, sets)
    assert [line["games"] for line in table["standings"]] == [games] * len(names)
    output("verify", league)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("session = 5\n", "sessions are for pools; leave session out"),
        (
            POOLS.replace("session = 4", "session = 5"),
            "12 deals are not a whole number of sessions of 5; make deals a multiple of 5",
        ),
        (
            POOLS.replace("session = 4", "seatings = 4"),
            "4 seatings do not seat every bot everywhere equally often; take a mult",
        ),
        ('format = "tournament"\nseatings = 3\n', "seatings is for closed leagues"),
        ('format = "tournament"\nwidth = 0.5\n', "width is for closed leagues"),
        ('format = "tournament"\nsession = 2\n', "a round is a session"),
        ('format = "tournament"\npoints = [2, 4, 6, 0]\n', "the most first"),
        ('format = "tournament"\npoints = [3, 2, 1]\n', "first to the fourth"),
        (
            'format = "tournament"\nrules = { players = 4 }\n',
            "begin with rules for tables of three",
        ),
        ('format = "tournament"\npublish = "season"\n', "publish is for open leagues"),
        ("rounds = 3\n", "rounds is for tournament leagues"),
    ],
)
def test_settings_that_do_not_fit_each_other_are_refused(
    tmp_path: Path, more: str, told: str
) -> None:
    assert told in refusal("league", write_league(tmp_path, deals=12, more=more))


# --- tournaments ---


def tournament(folder: Path, names: str = "abcdefg") -> Path:
    return write_league(folder, names, 2, 'format = "tournament"\nrounds = 3\nseed = 7\n')


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
    assert re.findall(r"<tr><td[^>]*>(\d)</td><th.*?</th><td[^>]*>(.*?)</td>", table) == [
        (str(line["rank"]), f"{line['points']:g}") for line in ranking
    ]
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
    assert Counter([bool(row[rows[0].index("bot_3")]) for row in rows[1:]]) == {True: 3, False: 3}
    assert len({line.count(",") for line in output("export", whole, "games").splitlines()}) == 1


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
