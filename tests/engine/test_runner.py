"""The runner and its workers: void matches are replayed, but not forever.

Unless worker processes matter, the executor is a fake that answers when a test says so.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from itertools import count
from multiprocessing import Pipe
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.base.run_events import (
    Completed,
    Interrupted,
    Playing,
    RunEvent,
    Stopping,
    Void,
    Waiting,
)
from arena.engine.job import Job
from arena.engine.runner import PATIENCE_S, TRIES, Executor, results_of, run
from arena.engine.workers import Players, Worker, begin_process, play_job
from arena.match.commands import MatchVoid, untimed
from arena.match.record import MatchRecord
from arena.sandbox.box import Program
from arena.sandbox.isolation import NO_ISOLATION, for_worker
from tests.support import patience
from tests.support.bots import good, write_bot, write_quick_bot
from tests.support.command import command
from tests.support.scripted import made_up, plan_of


class Heard:
    """What was heard of a run, in order; `ended` is called with the key of each match that is."""

    def __init__(self, ended: Callable[[int], None] = lambda _: None) -> None:
        self.events: list[RunEvent[int, MatchRecord]] = []
        self._ended = ended

    @property
    def done(self) -> list[int]:
        return [event.key for event in self.events if isinstance(event, Completed)]

    def play(
        self,
        jobs: Iterable[tuple[int, Job] | None],
        executor: Executor[Job, MatchRecord],
        **more: object,
    ) -> None:
        """Play all matches. Raises as `run` does, and `MachineError` for a match given up."""
        handler = signal.getsignal(signal.SIGINT)
        with closing(executor):
            for event in run(jobs, executor, **more):  # type: ignore[arg-type]
                self.events.append(event)
                for key, _ in results_of([event]):
                    self._ended(key)
        assert signal.getsignal(signal.SIGINT) is handler


# --- worker processes ---


def job(folder: Path, source: str) -> Job:
    program = Program("bot", (sys.executable, "bot.py"), str(write_bot(folder / "bot", source)))
    return Job(untimed(plan_of()), (program,) * 3, NO_ISOLATION)


@pytest.fixture
def honest(tmp_path: Path) -> Job:
    program = Program("bot", ("./bot",), str(write_quick_bot(tmp_path / "honest")))
    return Job(untimed(plan_of()), (program,) * 3, NO_ISOLATION)


def test_each_match_is_played_once_and_asked_for_as_a_worker_comes_free(honest: Job) -> None:
    asked: list[int] = []
    heard = Heard()
    ahead: list[int] = []

    def jobs() -> Iterator[tuple[int, Job]]:
        while len(heard.done) < 4:
            asked.append(len(asked))
            ahead.append(len(asked) - len(heard.done))
            yield asked[-1], honest

    heard.play(jobs(), Players(2))
    results = [event.result for event in heard.events if isinstance(event, Completed)]
    assert len({record.results.payments for record in results}) == 1
    assert sorted(heard.done) == asked
    assert len(heard.events) == 1 + len(asked), "the beginning, and nothing is void"
    assert 4 <= len(heard.done) <= 7
    assert max(ahead) in (3, 4), "each worker has its next match before its last is told"


def test_a_match_that_always_kills_its_worker_is_given_up(tmp_path: Path) -> None:
    heard, died = Heard(), "its worker died"
    with pytest.raises(MachineError, match=f"failed {TRIES} times: {died}"):
        heard.play([(0, job(tmp_path, good(before="os.kill(os.getppid(), 9)")))], Players(1))
    voids = [Void(0, died, failed=number == TRIES) for number in range(1, TRIES + 1)]
    assert heard.events == [Playing(), *voids]


def test_a_worker_that_stops_is_killed_once_it_is_late_and_its_match_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops = good(
        before="""
            if not os.path.exists("../stopped"):
                open("../stopped", "w").close()
                os.kill(os.getppid(), 19)
        """
    )
    stopped = tmp_path / "stopped"
    monkeypatch.setattr("arena.engine.workers.monotonic", lambda: float(stopped.exists()))
    monkeypatch.setattr("arena.engine.workers.limit_s", lambda limits, deals: 0.5)
    heard = Heard()
    heard.play([(0, job(tmp_path, stops))], Players(1))
    assert heard.events[:-1] == [Playing(), Void(0, "its worker died")]
    assert heard.done == [0]


# Has Ctrl-C come, which all of a terminal's foreground gets, while a worker is being started.
INTERRUPTED = """
import os, signal, sys
if "arena.engine.worker" in " ".join(sys.orig_argv):
    class Interrupt:
        def find_spec(self, name, path=None, target=None):
            os.killpg(os.getpgid(os.getppid()), signal.SIGINT)
            sys.meta_path.remove(self)
    sys.meta_path.insert(0, Interrupt())
"""


def test_ctrl_c_while_a_worker_is_started_ends_the_run_in_good_order(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED)
    bots = [write_bot(tmp_path / name, good()) for name in "abc"]
    done = subprocess.run(
        command("match", *bots, "--deals", "1", "--seatings", "one", "--isolation", "none"),
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{Path.cwd()}"},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 130


@pytest.fixture
def worker() -> Iterator[Worker[Job, MatchRecord]]:
    with closing(Worker[Job, MatchRecord](None, 0, play_job)) as worker:
        yield worker


def ended(worker: Worker[Job, MatchRecord]) -> int:
    assert worker.pid is not None
    os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
    return worker.pid


def test_a_worker_ends_with_the_thread_that_started_it_and_one_that_died_is_replaced(
    honest: Job, worker: Worker[Job, MatchRecord]
) -> None:
    with ThreadPoolExecutor(1) as thread:
        thread.submit(worker.call, honest).result()
    before = ended(worker)
    for _ in range(2):
        assert worker.call(honest).results.faults == ()
        assert worker.pid not in (None, before)
        before = worker.pid or 0
        os.kill(before, signal.SIGKILL)
        assert ended(worker) == before


def test_a_worker_that_was_stopped_ends_when_it_is_closed(
    honest: Job, worker: Worker[Job, MatchRecord]
) -> None:
    worker.call(honest)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGSTOP)


def test_a_worker_whose_answer_nobody_reads_leaves_without_a_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """So it finds the connection when the arena is killed: it is reset, not at its end."""
    ours, theirs = Pipe()
    with begin_process(theirs, None, str(tmp_path)) as worker:
        theirs.close()
        ours.send_bytes(b"key")
        ours.send((max, 1, 2))
        assert ours.poll(patience.PATIENCE_S)
        ours.close()
        worker.wait(patience.PATIENCE_S)
    assert capfd.readouterr().err == ""


# --- the runner ---


class InnerExecutor:
    """An executor without processes; `play` says what comes of a match, None if nothing ever."""

    def __init__(
        self, play: Callable[[Job], MatchRecord | MatchVoid | None], workers: int = 2
    ) -> None:
        self._play = play
        self._workers = workers
        self.futures: list[Future[MatchRecord]] = []
        self.closed = False

    def room(self) -> int:
        return self._workers - sum(not future.done() for future in self.futures)

    def submit(self, job: Job) -> Future[MatchRecord]:
        future: Future[MatchRecord] = Future()
        self.futures.append(future)
        result = self._play(job)
        if isinstance(result, MatchVoid):
            future.set_exception(result)
        elif result is not None:
            future.set_result(result)
        return future

    def close(self) -> None:
        self.closed = True


RECORD = made_up([(0, 0, 0)])
JOB = Job(plan_of(), (), NO_ISOLATION)
JOBS = [(number, JOB) for number in range(10)]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_after_a_signal_no_match_starts_and_those_under_way_are_stored(
    number: signal.Signals, code: int
) -> None:
    executor = InnerExecutor(lambda job: RECORD)
    heard = Heard(lambda key: signal.raise_signal(number) if key == 1 else None)
    with pytest.raises(Interrupted) as stopped:
        heard.play(JOBS, executor)
    assert (stopped.value.code, executor.closed) == (code, True)
    assert heard.done == [*range(len(executor.futures))]
    assert len(heard.done) < 10
    assert heard.events.count(Stopping(PATIENCE_S)) == 1


@pytest.mark.parametrize(
    ("signals", "more", "told", "waited_s"),
    [
        pytest.param(1, {}, PATIENCE_S, PATIENCE_S, id="it is given some seconds"),
        pytest.param(1, {"patience_s": 0}, 0, 1, id="nobody stores it"),
        pytest.param(2, {}, PATIENCE_S, 0, id="there is a second signal"),
    ],
)
def test_after_a_signal_a_match_that_does_not_end_is_waited_for_unless(
    signals: int, more: dict[str, int], told: float, waited_s: int
) -> None:
    """The clock is the test's; the runner looks at it five times a second."""

    def play(job: Job) -> None:
        for _ in range(signals):
            signal.raise_signal(signal.SIGINT)

    heard, seconds, executor = Heard(), count(), InnerExecutor(play)
    with pytest.raises(Interrupted, check=lambda error: error.code == 130):
        heard.play(JOBS[:1], executor, clock=lambda: float(next(seconds)), **more)
    assert heard.events == [Playing(), Stopping(told)]
    assert next(seconds) == waited_s + 2
    assert executor.closed


def test_a_run_says_every_ten_seconds_that_nothing_has_ended() -> None:
    """Each look at the clock is a second."""
    seconds, executor = count(), InnerExecutor(lambda job: None)
    heard = Heard()

    def clock() -> float:
        now = next(seconds)
        if now == 25:
            executor.futures[0].set_result(RECORD)
        elif now == 40:
            executor.futures[1].set_result(RECORD)
        return float(now)

    heard.play(JOBS[:2], executor, clock=clock)
    waits = [event.idle_s for event in heard.events if isinstance(event, Waiting)]
    assert heard.done == [0, 1]
    assert len(waits) == 3
    assert waits[0] == pytest.approx(10, abs=2)
    assert waits[1] == pytest.approx(21, abs=3), "since the last end, not since the last word"
    assert waits[2] == pytest.approx(10, abs=2)


def test_a_signal_ends_a_run_that_has_nothing_to_do() -> None:
    def jobs() -> Iterator[None]:
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            yield None

    heard = Heard()
    with pytest.raises(Interrupted, check=lambda error: error.code == 130):
        heard.play(jobs(), InnerExecutor(lambda _: None))
    assert heard.events == []


def test_how_often_a_match_failed_is_forgotten_once_it_is_played() -> None:
    """The same job may come again, as in a comparison that plays on."""
    calls = count(1)
    heard = Heard()

    def jobs() -> Iterator[tuple[int, Job] | None]:
        for key in range(3):
            yield key, JOB
            while key not in heard.done:
                yield None

    executor = InnerExecutor(lambda _: MatchVoid("why") if next(calls) % TRIES else RECORD, 1)
    heard.play(jobs(), executor)
    voids = [Void(key, "why") for key in range(3) for _ in range(TRIES - 1)]
    assert [event for event in heard.events if isinstance(event, Void)] == voids
    assert heard.done == [0, 1, 2]


def test_jobs_that_come_later_are_waited_for() -> None:
    """Whether a match is under way or none is; the end of the jobs ends the run."""
    heard, executor = Heard(), InnerExecutor(lambda job: RECORD)
    jobs = iter([None, JOBS[0], None, None, JOBS[1], None])
    heard.play(jobs, executor)
    assert heard.done == [0, 1]
    assert [*jobs] == []
    assert executor.closed


def test_a_match_that_was_played_is_stored_though_the_next_cannot_start() -> None:
    def play(job: Job) -> MatchRecord:
        if len(executor.futures) == 2:
            raise MachineError()
        return RECORD

    heard, executor = Heard(), InnerExecutor(play, 1)
    with pytest.raises(MachineError):
        heard.play(JOBS[:2], executor)
    assert heard.events == [Playing(), Completed(0, RECORD)]
    assert executor.closed


def test_bots_of_different_workers_share_no_user() -> None:
    """The kernel counts processes by user; a fork bomb must not stop another worker's bots."""
    root = msgspec.structs.replace(NO_ISOLATION, uid=58000)
    uids = [for_worker(root, number).uid for number in range(100)]
    used = {uid + seat for uid in uids if uid is not None for seat in range(5)}
    assert len(used) == 500
    assert used <= set(range(58000, 59000))
    assert for_worker(NO_ISOLATION, 3).uid is None
