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
from arena.base.run_events import Completed, Interrupted, Stopping, Void
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
    """What ended and was void in a run, in order; a test fails where nothing may be void.

    `ended` is called with the key of each match after it is noted.
    """

    def __init__(
        self, *, may_be_void: bool = False, ended: Callable[[int], None] = lambda _: None
    ) -> None:
        self.done: list[int] = []
        self.results: list[MatchRecord] = []
        self.voids: list[tuple[int, str]] = []
        self.stopping: list[float] = []
        self._may_be_void = may_be_void
        self._ended = ended

    def play(
        self,
        jobs: Iterable[tuple[int, Job] | None],
        executor: Executor[Job, MatchRecord],
        **more: object,
    ) -> None:
        """Play all matches. Raises as `run` does, and `MachineError` for a match given up."""
        with closing(executor):
            for event in run(jobs, executor, **more):  # type: ignore[arg-type]
                match event:
                    case Completed(key, result):
                        self.done.append(key)
                        self.results.append(result)
                        self._ended(key)
                    case Void(key, why):
                        self.voids.append((key, why))
                        assert self._may_be_void, why
                    case Stopping(patience_s):
                        self.stopping.append(patience_s)
                list(results_of([event]))


def job(tmp_path: Path, source: str) -> Job:
    folder = write_bot(tmp_path / "bot", source)
    return Job(
        untimed(plan_of()),
        (Program("bot", (sys.executable, "bot.py"), str(folder)),) * 3,
        NO_ISOLATION,
    )


@pytest.fixture
def honest(tmp_path: Path) -> Job:
    """A match of bots that start and answer in no time."""
    program = Program("bot", ("./bot",), str(write_quick_bot(tmp_path / "honest")))
    return Job(untimed(plan_of()), (program,) * 3, NO_ISOLATION)


def test_every_match_is_played_once_whatever_the_number_of_workers(honest: Job) -> None:
    for workers in (1, 3):
        heard = Heard()
        heard.play([(number, honest) for number in range(5)], Players(workers))
        assert sorted(heard.done) == list(range(5))
        assert len({record.results.payments for record in heard.results}) == 1


def test_jobs_are_asked_for_as_workers_come_free(honest: Job) -> None:
    asked: list[int] = []
    heard = Heard()
    ahead: list[int] = []

    def jobs() -> Iterator[tuple[int, Job]]:
        for number in range(100):
            if len(heard.done) >= 4:
                return
            asked.append(number)
            ahead.append(len(asked) - len(heard.done))
            yield number, honest

    heard.play(jobs(), Players(2))
    assert sorted(heard.done) == asked
    assert 4 <= len(heard.done) <= 7
    assert max(ahead) in (3, 4), "each worker has its next match before its last is told"


def test_a_match_that_always_kills_its_worker_is_given_up(tmp_path: Path) -> None:
    murder = good(before="os.kill(os.getppid(), 9)")
    heard = Heard(may_be_void=True)
    with pytest.raises(MachineError, match=f"failed {TRIES} times: its worker died"):
        heard.play([(0, job(tmp_path, murder))], Players(1))
    assert heard.voids == [(0, "its worker died")] * TRIES
    assert not heard.done


INTERRUPTED = """
import os, signal, sys
if "arena.engine.worker" in " ".join(sys.orig_argv):
    class Interrupt:
        def find_spec(self, name, path=None, target=None):
            os.killpg(os.getpgid(os.getppid()), signal.SIGINT)
            sys.meta_path.remove(self)
    sys.meta_path.insert(0, Interrupt())
"""
"""Has Ctrl-C come, which all of a terminal's foreground gets, while a worker is being started."""


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
def worker(honest: Job) -> Iterator[Worker[Job, MatchRecord]]:
    """A worker that has played a match."""
    with closing(Worker[Job, MatchRecord](None, 0, play_job)) as worker:
        worker.call(honest)
        yield worker


def test_a_worker_that_died_while_idle_is_replaced(
    honest: Job, worker: Worker[Job, MatchRecord]
) -> None:
    before = worker.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    os.waitid(os.P_PID, before, os.WEXITED | os.WNOWAIT)
    assert worker.call(honest).results.faults == ()
    assert worker.pid != before


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
    heard = Heard(may_be_void=True)
    heard.play([(0, job(tmp_path, stops))], Players(1))
    assert heard.voids == [(0, "its worker died")]
    assert [*heard.done] == [0]


def test_a_worker_that_was_stopped_ends_when_it_is_closed(worker: Worker[Job, MatchRecord]) -> None:
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


def test_a_worker_ends_with_the_thread_that_started_it(honest: Job) -> None:
    with ThreadPoolExecutor(1) as thread:
        worker = Worker[Job, MatchRecord](None, 0, play_job)
        thread.submit(worker.call, honest).result()
        pid = worker.pid
    assert pid is not None
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    worker.close()


def test_signals_are_ours_again_afterwards(honest: Job) -> None:
    before = signal.getsignal(signal.SIGINT)
    Heard().play([(0, honest)], Players(1))
    assert signal.getsignal(signal.SIGINT) is before


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


def interrupt(job: Job) -> None:
    """What becomes of a match that is interrupted and then never ends."""
    signal.raise_signal(signal.SIGINT)


def interrupted(
    jobs: Iterable[tuple[int, Job] | None],
    executor: InnerExecutor,
    heard: Heard | None = None,
    code: int = 130,
    **more: object,
) -> Heard:
    """What was heard of a run that a signal ended."""
    heard = heard or Heard()
    with pytest.raises(Interrupted) as stopped:
        heard.play(jobs, executor, **more)
    assert stopped.value.code == code
    assert executor.closed
    return heard


def jobs_of(count: int) -> list[tuple[int, Job]]:
    return [(number, msgspec.structs.replace(JOB)) for number in range(count)]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_after_a_signal_no_match_starts_and_those_under_way_are_stored(
    number: signal.Signals, code: int
) -> None:
    def ended(key: int) -> None:
        if key == 1:
            signal.raise_signal(number)

    executor = InnerExecutor(lambda job: RECORD)
    heard = interrupted(jobs_of(10), executor, Heard(ended=ended), code)
    assert heard.done == list(range(len(executor.futures)))
    assert len(heard.done) < 10
    assert heard.stopping == [PATIENCE_S]


def test_after_a_signal_a_match_that_does_not_end_is_given_ten_seconds() -> None:
    """The clock is the test's; the runner looks at it five times a second."""
    seconds = count()
    executor = InnerExecutor(interrupt)
    heard = interrupted(jobs_of(1), executor, clock=lambda: float(next(seconds)))
    assert not heard.done
    assert next(seconds) == PATIENCE_S + 1


def test_after_a_signal_a_match_that_nobody_stores_is_not_waited_for() -> None:
    executor = InnerExecutor(interrupt)
    heard = interrupted(jobs_of(1), executor, clock=lambda: 0.0, patience_s=0)
    assert (heard.stopping, heard.done) == ([0], [])


def test_a_second_signal_does_not_wait() -> None:
    def interrupt_twice(job: Job) -> None:
        for _ in range(2):
            interrupt(job)

    interrupted(jobs_of(1), InnerExecutor(interrupt_twice), clock=lambda: 0.0)


def test_how_often_a_match_failed_is_forgotten_once_it_is_played() -> None:
    """The same job may come again, as in a comparison that plays on."""
    calls = iter(range(100))
    heard = Heard(may_be_void=True)

    def play(job: Job) -> MatchRecord | MatchVoid:
        return RECORD if next(calls) % TRIES == TRIES - 1 else MatchVoid("why")

    executor = InnerExecutor(play, 1)

    def jobs() -> Iterator[tuple[int, Job] | None]:
        for key in range(3):
            yield key, JOB
            while key not in heard.done:
                yield None

    heard.play(jobs(), executor)
    assert heard.done == [0, 1, 2]


def test_a_worker_goes_on_before_its_match_is_stored() -> None:
    executor = InnerExecutor(lambda job: RECORD, 1)
    begun: list[int] = []
    heard = Heard(ended=lambda _: begun.append(len(executor.futures)))
    heard.play(jobs_of(3), executor)
    assert begun == [2, 3, 3]


def test_jobs_that_come_later_are_waited_for() -> None:
    """Whether a match is under way or none is; the end of the jobs ends the run."""
    heard = Heard()
    asked: list[int | None] = []

    def jobs() -> Iterator[tuple[int, Job] | None]:
        for key in (None, 0, None, None, 1, None):
            asked.append(key)
            yield None if key is None else (key, JOB)

    executor = InnerExecutor(lambda job: RECORD)
    heard.play(jobs(), executor)
    assert heard.done == [0, 1]
    assert asked == [None, 0, None, None, 1, None]
    assert executor.closed


def test_a_signal_ends_a_run_that_has_nothing_to_do() -> None:
    def jobs() -> Iterator[tuple[int, Job] | None]:
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            yield None

    executor = InnerExecutor(lambda _: None)
    interrupted(jobs(), executor)
    assert not executor.futures


def test_a_match_that_was_played_is_stored_though_the_next_cannot_start() -> None:
    def play(job: Job) -> MatchRecord:
        if len(executor.futures) == 2:
            raise MachineError()
        return RECORD

    executor = InnerExecutor(play, 1)
    heard = Heard()
    with pytest.raises(MachineError):
        heard.play(jobs_of(2), executor)
    assert heard.done == [0]
    assert executor.closed


def test_bots_of_different_workers_share_no_user() -> None:
    """The kernel counts processes by user; a fork bomb must not stop another worker's bots."""
    root = msgspec.structs.replace(NO_ISOLATION, uid=58000)
    uids = [for_worker(root, number).uid for number in range(100)]
    used = {uid + seat for uid in uids if uid is not None for seat in range(5)}
    assert len(used) == 500
    assert used <= set(range(58000, 59000))
    assert for_worker(NO_ISOLATION, 3).uid is None
