"""Reviews by real workers, which are interrupted and killed: what was finished is kept."""

import os
import re
import signal
from pathlib import Path

import pytest

from arena.sandbox.box import children
from tests.support.bots import write_league
from tests.support.command import lives, run, run_here, said, start
from tests.support.patience import until

pytestmark = pytest.mark.slow
WORLDS = ("--worlds", "60")
"""So many that a deal in its six seatings takes some seconds."""


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league of six deals in six seatings."""
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")
    league = write_league(tmp_path, deals=6)
    assert run_here("league", league).returncode == 0
    return league


def now(told: str) -> int:
    """How many deals a whole run says that it has reviewed itself."""
    found = re.search(r"36 deals reviewed, (\d+) of them now", told)
    assert found is not None, told
    return int(found[1])


def workers(arena: int) -> list[int]:
    """The processes that review, without Python's own helper."""
    named = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children(arena)}
    return [pid for pid, words in named.items() if b"arena.engine.worker" in words]


def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(league: Path) -> None:
    arena = start("review", league, *WORLDS, "--jobs", "2")
    said(arena, "6 of 36 deals reviewed")
    arena.send_signal(signal.SIGINT)
    _, told = arena.communicate()
    assert arena.returncode == 130, told
    assert "stopped; every reviewed deal is kept" in told
    assert 0 < now(run("review", league, *WORLDS).stderr) <= 30


def test_a_second_ctrl_c_ends_it_at_once(league: Path) -> None:
    arena = start("review", league, "--worlds", "5000", "--jobs", "2")
    until(lambda: len(workers(arena.pid)) == 2)
    arena.send_signal(signal.SIGINT)
    said(arena, "stopping")
    arena.send_signal(signal.SIGINT)
    _, told = arena.communicate()
    assert arena.returncode == 130, told


def test_a_killed_worker_costs_its_deal_alone(league: Path) -> None:
    arena = start("review", league, *WORLDS, "--jobs", "2")
    said(arena, "6 of 36 deals reviewed")
    os.kill(workers(arena.pid)[0], signal.SIGKILL)
    _, told = arena.communicate()
    assert arena.returncode == 0, told
    assert re.search(r"Not reviewed: deal \d of matches [0-9, ]+: its worker died", told)
    assert now(told) == 36


def test_after_kill_9_no_worker_is_left_and_nothing_kept_is_lost(league: Path) -> None:
    arena = start("review", league, *WORLDS, "--jobs", "2")
    said(arena, "6 of 36 deals reviewed")
    left = workers(arena.pid)
    assert left
    arena.kill()
    arena.wait()
    until(lambda: not any(map(lives, left)))
    arena.communicate()
    assert now(run("review", league, *WORLDS).stderr) < 36


def test_two_commands_at_once_agree(league: Path) -> None:
    both = [start("review", league, "--jobs", "1") for _ in range(2)]
    shown, told = zip(*[arena.communicate() for arena in both], strict=True)
    assert [arena.returncode for arena in both] == [0, 0]
    assert shown[0] == shown[1] == run("review", league).stdout
    assert "Exception ignored" not in "".join(told)
