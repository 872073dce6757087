"""Open leagues as people play them: bots come and go in other terminals, seasons end and begin."""

import json
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import MachineError
from arena.cli.league import play_league
from arena.engine.job import Job
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord
from arena.tasks.opening import open_league
from tests.engine.test_runner import InnerExecutor
from tests.support.bots import good, write_bot, write_league
from tests.support.command import PROJECT, document, output, refusal, run, said, start
from tests.support.patience import until
from tests.support.scripted import made_up
from tests.tasks.test_open_league import ladder, rewrite
from tests.tasks.test_open_league import write_bot as write_entry


def lines_of(league: Path) -> dict[str, dict[str, object]]:
    return {line["bot"]: line for line in document("standings", league)["standings"]}


def test_an_open_league_of_sample_bots_by_one_author_plays_at_once_without_house_bots(
    tmp_path: Path,
) -> None:
    league, names = tmp_path / "mine.toml", ("careful", "bold", "random")
    samples = [f"{PROJECT}/sample_bots/{name}" for name in names]
    league.write_text(f'format = "open"\nbots = {json.dumps(samples)}\n')
    assert run("league", league, "--seed", "7", "--orders", "1").returncode == 0
    assert {bot: line["sets"] for bot, line in lines_of(league).items()} == dict.fromkeys(names, 10)


@pytest.mark.slow
def test_bots_come_and_go_while_it_is_played(tmp_path: Path) -> None:
    league = ladder(tmp_path, "ab", "width = 0.01\n")
    mine, third = write_entry(tmp_path / "mine"), write_entry(tmp_path / "c", 2)
    arena = start("league", league, "--jobs", "1")
    said(arena, "a house bot", 3)
    assert f"arena league {league} lets it in" in output("submit", mine, "--league", league)
    assert "mine joins, by mine and son" in said(arena, "mine joins")
    (mine / "more").touch()
    output("submit", mine, "--league", league)
    said(arena, "mine leaves: replaced")
    said(arena, "mine.2 joins")
    output("submit", third, "--league", league)
    said(arena, "c joins")
    output("withdraw", "c", "--league", league)
    said(arena, "c leaves: withdrawn")
    states = {entry["name"]: entry["state"] for entry in document("submissions", league)}
    assert states == {"mine": "replaced", "mine.2": "playing", "c": "withdrawn"}
    arena.kill()
    arena.communicate()
    done = run("league", league, "--orders", "1")
    assert done.returncode == 0, done.stderr
    assert {bot for bot, line in lines_of(league).items() if line["left"]} == {"mine", "c"}
    output("verify", league)


@pytest.mark.slow
def test_a_cluster_is_sent_the_bots_that_come(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    league = ladder(tmp_path, "abc", "width = 0.01\n")
    arena = start("league", league, "--cluster", "local:2")
    said(arena, "orders played")
    output("submit", write_entry(tmp_path / "d", 1), "--league", league)
    said(arena, "d joins")
    until(lambda: lines_of(league)["d"]["sets"])
    arena.send_signal(signal.SIGINT)
    arena.communicate()
    output("verify", league)


def test_who_is_illegal_in_every_deal_is_benched_and_nobody_profits(tmp_path: Path) -> None:
    league = ladder(tmp_path, "abd")
    source = good().replace('m["legal"][BID(m) % len(m["legal"])]', '"hello"')
    rewrite(write_bot(tmp_path / "c", source) / "bot.toml", '"tests"', '"another"')
    rewrite(league, '"]\n', '", "c"]\n')
    done = run("league", league, "--orders", "8", "--seed", "3")
    assert done.returncode == 0, done.stderr
    why = "3 of its last 3 orders are void by it"
    assert f"c is benched: {why}" in done.stderr
    assert "c (benched)" in done.stdout
    assert f"c of the league's file is benched: {why}" in run("submissions", league).stdout
    assert lines_of(league)["c"]["sets"] == 0
    output("verify", league)


def test_a_match_that_the_arena_spoils_is_played_again_but_not_for_ever(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoilt = MatchVoid("the machine was full")
    played = iter([spoilt])

    def play(job: Job) -> MatchRecord | MatchVoid:
        return next(played, made_up([(0, 0, 0)] * 10))

    with open_league(ladder(tmp_path), 7, "none", orders=2) as opened:
        play_league(opened, lambda *_: InnerExecutor(play), True, True)
    told = capsys.readouterr()
    assert "Void, to be played again: " in told.err
    table = json.loads(told.out)
    assert (table["open"]["orders"], table["open"]["under_way"]) == (2, 0)
    assert (table["sets_played"], table["sets_void"], table["owed"]) == (20, 0, [])
    why = "a match failed 5 times: the machine was full; all finished matches are stored"
    failed = pytest.raises(MachineError, match=why)
    with open_league(ladder(tmp_path / "full"), 7, "none", orders=2) as opened, failed:
        play_league(opened, lambda *_: InnerExecutor(lambda _: spoilt), True, True)


def test_what_open_leagues_lack_is_told(tmp_path: Path) -> None:
    league, fixed = ladder(tmp_path, more="final = 3\n"), write_league(tmp_path / "fixed")
    assert '--orders is for open leagues; format = "open" makes it one' in refusal(
        "league", fixed, "--orders", "3"
    )
    done = run("league", league, "--begin", "--seed", "1")
    assert (done.returncode, "c joins, by c and son" in done.stderr) == (0, True)
    assert "a is not benched; nobody is" in refusal("resume", "a", "--league", league)
    assert "have played for a final table" in refusal("season", "close", league)
    assert "only open leagues have seasons" in refusal("season", "close", fixed)


# --- seasons ---


def dump(record: Path) -> list[str]:
    with closing(sqlite3.connect(record)) as sql:
        return list(sql.iterdump())


@pytest.mark.slow
def test_a_season_ends_with_a_final_and_another_begins(tmp_path: Path) -> None:
    league = ladder(tmp_path, "abcd", "final = 3\nfinal_deals = 15\n")
    record, kept = league.with_suffix(".db"), league.with_name("ladder.season-1.db")
    assert run("league", league, "--orders", "3").returncode == 0
    done = run("season", "close", league)
    assert done.returncode == 0, done.stderr
    assert "season 1 is over; its record is sealed" in done.stderr
    assert "Final of season 1: 15 of 15 sets" in done.stdout
    output("verify", record)
    output("report", record, "--replays", "none")
    assert "Final of season 1: 15 of 15 sets" in league.with_suffix(".html").read_text()
    before, content = record.read_bytes(), dump(record)
    assert "season 1" in refusal("league", league)
    assert "season 1" in refusal("season", "close", league)
    assert "season 1" in refusal("submit", write_entry(tmp_path / "late"), "--league", league)
    assert record.read_bytes() == before
    refusal("season", "next", league)  # it says neither who nor all
    assert output("season", "next", league, "--all") == "season 2 begins with no submitted bot\n"
    assert dump(kept) == content
    assert run("league", league, "--orders", "1").returncode == 0
    for path in (kept, record):
        output("verify", path)
