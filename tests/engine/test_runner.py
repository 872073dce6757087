"""The pool of workers: matches that come to nothing are played again, but not for ever."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.engine.program import Program
from arena.engine.runner import TRIES, play_all
from arena.engine.worker import Job
from arena.engine.workers import Lane, Lanes
from arena.match.record import MatchRecord
from arena.sandbox.isolation import NONE, for_worker
from tests.support.bots import good, write_bot
from tests.support.scripted import plan_of


def job(tmp_path: Path, source: str) -> Job:
    folder = write_bot(tmp_path / "bot", source)
    return Job(plan_of(), (Program("bot", (sys.executable, "bot.py"), str(folder)),) * 3, NONE)


def test_every_match_is_played_once_whatever_the_number_of_workers(tmp_path: Path) -> None:
    for workers in (1, 3):
        done: dict[int, MatchRecord] = {}
        jobs = [(number, job(tmp_path, good())) for number in range(5)]
        play_all(
            jobs, Lanes(workers), lambda _: None, done.__setitem__, lambda _, why: pytest.fail(why)
        )
        assert sorted(done) == list(range(5))
        assert len({record.results.payments for record in done.values()}) == 1


def test_jobs_are_asked_for_as_workers_come_free(tmp_path: Path) -> None:
    asked: list[int] = []
    done: list[int] = []
    ahead: list[int] = []

    def jobs() -> Iterator[tuple[int, Job]]:
        for number in range(100):
            if len(done) >= 4:
                return
            asked.append(number)
            ahead.append(len(asked) - len(done))
            yield number, job(tmp_path, good())

    def finished(number: int, _: MatchRecord) -> None:
        done.append(number)

    play_all(jobs(), Lanes(2), lambda _: None, finished, lambda _, why: pytest.fail(why))
    assert sorted(done) == asked
    assert 4 <= len(done) <= 5
    assert max(ahead) == 2


def test_a_match_that_always_kills_its_worker_is_given_up(tmp_path: Path) -> None:
    murder = good(before="os.kill(os.getppid(), signal.SIGKILL)")
    told: list[str] = []
    with pytest.raises(MachineError, match=f"came to nothing {TRIES} times: its worker died"):
        play_all(
            [(0, job(tmp_path, murder))],
            Lanes(1),
            lambda _: None,
            lambda _, record: pytest.fail("it cannot finish"),
            lambda _, why: told.append(why),
        )
    assert told == ["its worker died"] * TRIES


def test_a_worker_that_died_while_idle_is_replaced(tmp_path: Path) -> None:
    """Once the pool has seen the death; before, the match fails and is played again."""
    lane = Lane(None, 0)
    try:
        os.kill(lane.pid(), signal.SIGKILL)
        for _ in range(50):
            with contextlib.suppress(BrokenProcessPool):
                (played,) = lane.submit([job(tmp_path, good())]).result()
                assert isinstance(played, MatchRecord)
                assert played.results.faults == ()
                return
        pytest.fail("it is not replaced")
    finally:
        lane.close()


def test_signals_are_ours_again_afterwards(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    play_all(
        [(0, job(tmp_path, good()))],
        Lanes(1),
        lambda _: None,
        lambda _, record: None,
        lambda _, why: pytest.fail(why),
    )
    assert signal.getsignal(signal.SIGINT) is before


def test_bots_of_different_workers_share_no_user() -> None:
    """The kernel counts processes by user; a fork bomb must not stop another worker's bots."""
    root = msgspec.structs.replace(NONE, uid=58000)
    uids = [for_worker(root, number).uid for number in range(100)]
    used = {uid + seat for uid in uids if uid is not None for seat in range(5)}
    assert len(used) == 500
    assert used <= set(range(58000, 59000))
    assert for_worker(NONE, 3).uid is None
