"""`arena review`: what is computed is kept, found again and shown, whatever stops it."""

import csv
import json
import os
import re
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from arena.record.reviews import Reviews
from arena.record.store import Store
from arena.sandbox.box import children
from arena.tasks.review import ReviewRequest, missing
from arena.zole.deal import Seat
from arena.zole.scoring import Pools
from arena.zole.state import State
from tests.support.bots import write_league
from tests.support.command import document, lives, output, refusal, run, run_here, said, start
from tests.support.made_up import ByChance
from tests.support.patience import until
from tests.support.records import find_match, record_of_logs


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    league = write_league(tmp_path_factory.mktemp("review"), deals=2)
    output("league", league, "--seed", "7")
    return league


@pytest.fixture
def league(_played: Path) -> Path:
    """A league of 12 deals in 6 seatings, of which nothing is reviewed."""
    _played.with_suffix(".reviews").unlink(missing_ok=True)
    return _played


@pytest.fixture
def other(_played: Path, tmp_path: Path) -> Path:
    """A copy of the record alone."""
    return Path(shutil.copy(_played.with_suffix(".db"), tmp_path))


@pytest.fixture
def solved() -> Iterator[list[int]]:
    """Have a solver that solves nothing; counts the matches' deals it was made for."""
    made: list[int] = []

    def solver() -> ByChance:
        made.append(1)
        return ByChance()

    with patch("arena.tasks.review.solver_here", solver):
        yield made


def test_a_league_is_reviewed_once_and_shown_again_and_its_record_left_as_it_was(
    league: Path, solved: list[int]
) -> None:
    before = league.with_suffix(".db").read_bytes()
    first = run_here("review", league, "--worlds", "8")
    assert first.returncode == 0, first.stderr
    assert "12 deals reviewed, 12 of them now; kept in" in first.stderr
    assert all(f"\n{bot} " in first.stdout for bot in "abc")
    computed = len(solved)
    again = run_here("review", league, "--worlds", "8")
    assert (again.stdout, len(solved)) == (first.stdout, computed)
    assert "12 deals reviewed, 0 of them now" in again.stderr
    assert league.with_suffix(".db").read_bytes() == before
    with closing(Reviews.open(league.with_suffix(".reviews"))) as kept:
        assert kept.worlds() == (8,)


def test_one_match_one_bot_and_json(league: Path, solved: list[int]) -> None:
    found = document("review", league, "2", "--bot", "b", "--worlds", "9", "--worst", "3")
    [own] = found["bots"]
    assert (own["bot"], own["per_deal"]["of"], found["worlds"]) == ("b", 2, 9)
    assert {(each["match"], each["bot"]) for each in found["worst"]} == {(2, "b")}


def test_a_record_of_logs_is_reviewed_as_its_league(
    league: Path, solved: list[int], tmp_path: Path
) -> None:
    log = record_of_logs(tmp_path / "one.db", output("export", league, "logs", "1"))
    of_log = document("review", log, "--worlds", "8")
    assert of_log["bots"] == document("review", league, "1", "--worlds", "8")["bots"]
    assert log.with_suffix(".reviews").exists()


def test_moments_lead_to_the_replay_and_to_the_bot(league: Path, solved: list[int]) -> None:
    words = ("review", league, "--worlds", "8", "--worst", "1")
    shown = output(*words, "--open")
    assert "with open hands" in shown
    commands = dict(re.findall(r"arena (replay|rerun) (.*)", shown))
    output("replay", *commands["replay"].split())
    [worst] = document(*words)["worst"]
    answered = document("rerun", *commands["rerun"].split())["answers"][-1]
    asked = (answered["line"]["type"], answered["line"]["deal"])
    assert asked == (worst["verdict"]["kind"], worst["verdict"]["deal"])
    assert worst["verdict"]["given"] in answered["then"]["reply"].values()


def test_what_was_reviewed_is_exported_and_nothing_else(other: Path, solved: list[int]) -> None:
    assert f"nothing of this is reviewed yet; arena review {other} does it" in refusal(
        "export", other, "reviews"
    )
    shown = document("review", other, "1", "--worlds", "8")
    decided = sum(each["all"]["loss"]["of"] for each in shown["bots"])
    lines = [*csv.DictReader(output("export", other, "reviews").splitlines())]
    apart = [
        (line["match"], {key: it for key, it in line.items() if key not in ("match", "bot")})
        for line in lines
    ]
    told = [line for match, line in apart if match == "1"]
    assert len(told) == decided
    assert all(line in told for _, line in apart)  # played alike in another seating
    objects = output("export", other, "reviews", "1", "--format", "jsonl").splitlines()
    assert len(objects) == decided
    for row in map(json.loads, objects):
        assert list(row) == list(lines[0])
        answers, known = row["answers"].split(), row["known"].split()
        assert len(answers) == len(known) == len(row["open"].split())
        assert {row["given"], row["best"]} <= {*answers}


def test_what_does_not_exist_is_told(league: Path) -> None:
    assert "there is no match 99" in refusal("review", league, "99")
    assert "no bot is called x" in refusal("review", league, "--bot", "x")


def test_a_deal_that_cannot_be_reviewed_is_told_and_costs_no_other(other: Path) -> None:
    second = find_match(other, 1).plan.deals[1]

    class Broken(ByChance):
        def value(self, state: State, seat: Seat, pools: Pools, above: int | None = None) -> int:
            assert state.deal.dealer != second.dealer, "the second deal"
            return super().value(state, seat, pools, above)

    with patch("arena.tasks.review.solver_here", Broken):
        done = run_here("review", other, "--worlds", "8", "--json")
    assert done.returncode == 3
    assert "Given up: deal 2 of matches 1, 2, 3, 4, 5, 6\n" in done.stderr
    assert "6 deals could not be reviewed; see the lines above" in done.stderr
    why = r"Not reviewed: deal 2 of matches [1-6, ]+: AssertionError in test_review.py:\d+: "
    assert re.search(why, done.stderr)
    assert json.loads(done.stdout)["bots"][0]["per_deal"]["of"] == 6


def test_a_league_may_be_played_on_while_it_is_reviewed(other: Path, solved: list[int]) -> None:
    """Between two deals nothing of the record is held, so that its write-ahead log may shrink."""
    with (
        closing(Store.open(other)) as store,
        closing(Reviews.open(other.with_suffix(".reviews"), create=True)) as kept,
        closing(sqlite3.connect(other)) as sql,
    ):
        to_review = missing(store, ReviewRequest(None, None, 8), kept)
        assert [len(next(to_review).matches) for _ in range(2)] == [6, 6]
        sql.execute("INSERT INTO submissions VALUES ('late', '{}')")
        sql.commit()
        busy, *_ = sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert not busy


# So many that a deal in its six seatings takes some seconds.
WORLDS = ("--worlds", "60")


@pytest.fixture
def long_league(tmp_path: Path) -> Path:
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")
    league = write_league(tmp_path, deals=6)
    assert run_here("league", league).returncode == 0
    return league


def now(told: str) -> int:
    """How many of the 36 deals a command says it has just reviewed."""
    [found] = re.findall(r"36 deals reviewed, (\d+) of them now", told)
    return int(found)


def workers(arena: int) -> list[int]:
    """The processes that review, without Python's own helper."""
    named = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children(arena)}
    return [pid for pid, words in named.items() if b"arena.engine.worker" in words]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_stopped_or_killed_it_keeps_what_is_finished_leaves_no_worker_and_goes_on(
    long_league: Path, number: int, code: int
) -> None:
    arena = start("review", long_league, *WORLDS, "--jobs", "2")
    said(arena, "6 of 36 deals reviewed")
    left = workers(arena.pid)
    arena.send_signal(number)
    _, told = arena.communicate()
    assert (arena.returncode, len(left)) == (code, 2), told
    assert ("stopped; every reviewed deal is kept" in told) is (number == signal.SIGINT)
    until(lambda: not any(map(lives, left)))
    assert 0 < now(run("review", long_league, *WORLDS).stderr) <= 30


@pytest.mark.slow
def test_a_killed_worker_costs_its_deal_alone(long_league: Path) -> None:
    arena = start("review", long_league, *WORLDS, "--jobs", "2")
    said(arena, "6 of 36 deals reviewed")
    os.kill(workers(arena.pid)[0], signal.SIGKILL)
    _, told = arena.communicate()
    assert arena.returncode == 0, told
    assert re.search(r"Not reviewed: deal \d of matches [0-9, ]+: its worker died", told)
    assert now(told) == 36


@pytest.mark.slow
def test_two_commands_at_once_agree(long_league: Path) -> None:
    both = [start("review", long_league, "--jobs", "1") for _ in range(2)]
    shown, told = zip(*[arena.communicate() for arena in both], strict=True)
    assert [arena.returncode for arena in both] == [0, 0]
    assert shown[0] == shown[1] == run("review", long_league).stdout
    assert "Exception ignored" not in "".join(told)
