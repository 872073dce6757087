"""The runner and its workers: void matches are replayed, but not forever.

Unless worker processes matter, the lanes are fakes that answer when a test says so.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.engine.job import Job, Program
from arena.engine.runner import PATIENCE_S, TRIES, Interrupted
from arena.engine.workers import PATIENT_S, Done, Lane, Lanes
from arena.match.commands import MatchVoid, untimed
from arena.match.record import MatchRecord
from arena.sandbox.isolation import NO_ISOLATION, for_worker
from tests.support.bots import good, write_bot
from tests.support.command import command
from tests.support.heard import Heard
from tests.support.patience import until
from tests.support.scripted import made_up, plan_of


def job(tmp_path: Path, source: str) -> Job:
    folder = write_bot(tmp_path / "bot", source)
    return Job(
        untimed(plan_of()),
        (Program("bot", (sys.executable, "bot.py"), str(folder)),) * 3,
        NO_ISOLATION,
    )


def test_every_match_is_played_once_whatever_the_number_of_workers(tmp_path: Path) -> None:
    for workers in (1, 3):
        heard = Heard[int, MatchRecord]()
        heard.play([(number, job(tmp_path, good())) for number in range(5)], Lanes(workers))
        assert sorted(heard.done) == list(range(5))
        assert len({record.results.payments for record in heard.results}) == 1


def test_jobs_are_asked_for_as_workers_come_free(tmp_path: Path) -> None:
    asked: list[int] = []
    heard = Heard[int, MatchRecord]()
    ahead: list[int] = []

    def jobs() -> Iterator[tuple[int, Job]]:
        for number in range(100):
            if len(heard.done) >= 4:
                return
            asked.append(number)
            ahead.append(len(asked) - len(heard.done))
            yield number, job(tmp_path, good())

    heard.play(jobs(), Lanes(2))
    assert sorted(heard.done) == asked
    assert 4 <= len(heard.done) <= 7
    assert max(ahead) == 3, "each worker has its next match before the result of its last is told"


def test_a_match_that_always_kills_its_worker_is_given_up(tmp_path: Path) -> None:
    murder = good(before="os.kill(os.getppid(), 9)")
    heard = Heard[int, MatchRecord](may_be_void=True)
    with pytest.raises(MachineError, match=f"failed {TRIES} times: its worker died"):
        heard.play([(0, job(tmp_path, murder))], Lanes(1))
    assert heard.voids == [(0, "its worker died")] * TRIES
    assert not heard.done


INTERRUPTED = """
import os, signal, sys
if "spawn_main" in " ".join(sys.orig_argv):
    class Interrupt:
        def find_spec(self, name, path=None, target=None):
            os.kill(os.getpid(), signal.SIGINT)
    sys.meta_path.insert(0, Interrupt())
"""
"""Has a worker that is being started interrupted at each import."""


def test_a_worker_is_started_though_ctrl_c_comes_at_each_import(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED)
    bots = [write_bot(tmp_path / name, good()) for name in "abc"]
    done = subprocess.run(
        command("match", *bots, "--deals", "1", "--seatings", "one", "--isolation", "none"),
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{Path.cwd()}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0


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
    monkeypatch.setattr("arena.engine.workers.limit_s", lambda plans: 0.5)
    heard = Heard[int, MatchRecord](may_be_void=True)
    heard.play([(0, job(tmp_path, stops))], Lanes(1))
    assert heard.voids == [(0, "its worker died")]
    assert [*heard.done] == [0]


def test_a_worker_that_was_stopped_ends_with_its_lane(tmp_path: Path) -> None:
    lane = Lane(None, 0)
    os.kill(lane.pid(), signal.SIGSTOP)
    lane.close()


def test_a_bot_that_sleeps_holds_up_nobody(tmp_path: Path) -> None:
    """The match on the only lane waits for a file, which is there once the other one is over."""
    over = tmp_path / "over"
    sleeps = good(before=f"while not os.path.exists({str(over)!r}): time.sleep(0.1)")
    heard = Heard[int, MatchRecord](ended=lambda _: over.touch())
    jobs = [(0, job(tmp_path / "late", sleeps)), (1, job(tmp_path / "quick", good()))]
    heard.play(jobs, Lanes(1))
    assert heard.done == [1, 0]


def test_a_lane_whose_match_has_a_short_clock_shares_no_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.engine.workers.LANE_LOOK_S", 0.0)
    with ExitStack() as stack:
        lanes = []
        for number, clock_s in enumerate((PATIENT_S, PATIENT_S - 1)):
            asleep = good(before="open('asleep', 'w').close(); time.sleep(1000)")
            sleeper = job(tmp_path / str(number), asleep)
            limits = msgspec.structs.replace(sleeper.plan.limits, move_s=clock_s)
            plan = msgspec.structs.replace(sleeper.plan, limits=limits)
            lane = stack.enter_context(closing(Lane(None, number)))
            lane.submit([msgspec.structs.replace(sleeper, plan=plan)])
            until((tmp_path / str(number) / "bot" / "asleep").exists)
            lanes.append(lane)
        patient, hurried = lanes

        def waits() -> bool:
            for lane in lanes:
                lane.look()
            return patient.waits

        until(waits)
        for _ in range(10):
            waits()
            assert not hurried.waits


def test_signals_are_ours_again_afterwards(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    Heard[int, MatchRecord]().play([(0, job(tmp_path, good()))], Lanes(1))
    assert signal.getsignal(signal.SIGINT) is before


class InnerLane:
    """A lane without a process; `play` says what comes of a batch, None if nothing ever does."""

    room = 2

    def __init__(self, play: Callable[[Sequence[Job]], Done[MatchRecord] | None]) -> None:
        self._play = play
        self.batches: list[Sequence[Job]] = []

    def submit(self, jobs: Sequence[Job]) -> Future[Done[MatchRecord]]:
        self.batches.append(jobs)
        future: Future[Done[MatchRecord]] = Future()
        result = self._play(jobs)
        if result is not None:
            future.set_result(result)
        return future

    def restart(self) -> bool:
        return True


class InnerCrew:
    """One such lane."""

    def __init__(self, play: Callable[[Sequence[Job]], Done[MatchRecord] | None]) -> None:
        self.lane = InnerLane(play)
        self.opened = self.closed = False

    def spare(self) -> int:
        return 0 if self.opened else 1

    def open(self, wanted: int) -> Sequence[InnerLane]:
        self.opened |= wanted > 0
        return [self.lane] * wanted

    def close(self) -> None:
        self.closed = True


RECORD = made_up([(0, 0, 0)])
JOB = Job(plan_of(), (), NO_ISOLATION)


def interrupt(jobs: Sequence[Job]) -> None:
    """What a lane does that is interrupted and then never ends."""
    signal.raise_signal(signal.SIGINT)


def jobs_of(count: int) -> list[tuple[int, Job]]:
    return [(number, msgspec.structs.replace(JOB)) for number in range(count)]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_after_a_signal_no_match_starts_and_those_under_way_are_stored(
    number: signal.Signals, code: int
) -> None:
    crew = InnerCrew(lambda jobs: [RECORD] * len(jobs))

    def ended(key: int) -> None:
        if key == 1:  # the lane is at two matches
            signal.raise_signal(number)

    heard = Heard[int, MatchRecord](ended=ended)
    with pytest.raises(Interrupted) as stopped:
        heard.play(jobs_of(10), crew)
    assert stopped.value.code == code
    assert heard.done == list(range(sum(map(len, crew.lane.batches))))
    assert len(heard.done) < 10
    assert heard.stopping == [PATIENCE_S]
    assert crew.closed


def test_after_a_signal_a_match_that_does_not_end_is_given_ten_seconds() -> None:
    """The clock is the test's; the runner looks at it five times a second."""
    seconds = iter(range(100))
    asked: list[int] = []

    def clock() -> float:
        asked.append(next(seconds))
        return asked[-1]

    crew, heard = InnerCrew(interrupt), Heard[int, MatchRecord]()
    with pytest.raises(Interrupted):
        heard.play(jobs_of(1), crew, clock=clock)
    assert not heard.done
    assert asked[-1] == asked[0] + PATIENCE_S
    assert crew.closed


def test_what_is_stored_nowhere_is_not_waited_for_after_a_signal() -> None:
    crew, heard = InnerCrew(interrupt), Heard[int, MatchRecord]()
    with pytest.raises(Interrupted):
        heard.play(jobs_of(1), crew, clock=lambda: 0.0, patience_s=0)
    assert heard.stopping == [0]
    assert not heard.done
    assert crew.closed


def test_a_second_signal_does_not_wait() -> None:
    def interrupt_twice(jobs: Sequence[Job]) -> None:
        for _ in range(2):
            interrupt(jobs)

    crew, heard = InnerCrew(interrupt_twice), Heard[int, MatchRecord]()
    with pytest.raises(Interrupted):
        heard.play(jobs_of(1), crew, clock=lambda: 0.0)
    assert crew.closed


def test_a_match_that_came_to_nothing_goes_by_itself() -> None:
    heard = Heard[int, MatchRecord](may_be_void=True)

    def play(jobs: Sequence[Job]) -> Done[MatchRecord]:
        together = len(crew.lane.batches) == 2
        return [MatchVoid("why") if together else RECORD] * len(jobs)

    crew = InnerCrew(play)
    heard.play(jobs_of(5), crew)
    assert heard.voids == [(1, "why"), (2, "why")]
    assert [len(batch) for batch in crew.lane.batches] == [1, 2, 2, 1, 1]


def test_how_often_a_match_failed_is_forgotten_once_it_is_played() -> None:
    """The same job may come again, as in a comparison that plays on."""
    calls = iter(range(100))
    heard = Heard[int, MatchRecord](may_be_void=True)

    def play(jobs: Sequence[Job]) -> Done[MatchRecord]:
        return [RECORD if next(calls) % TRIES == TRIES - 1 else MatchVoid("why") for _ in jobs]

    crew = InnerCrew(play)
    crew.lane.room = 1

    def jobs() -> Iterator[tuple[int, Job] | None]:
        for key in range(3):
            yield key, JOB
            while key not in heard.done:
                yield None

    heard.play(jobs(), crew)
    assert heard.done == [0, 1, 2]


def test_a_worker_goes_on_before_its_match_is_stored() -> None:
    crew = InnerCrew(lambda jobs: [RECORD] * len(jobs))
    crew.lane.room = 1
    begun: list[int] = []
    heard = Heard[int, MatchRecord](ended=lambda _: begun.append(len(crew.lane.batches)))
    heard.play(jobs_of(3), crew)
    assert begun == [2, 3, 3]


def test_jobs_that_come_later_are_waited_for() -> None:
    """Whether a match is under way or none is; the end of the jobs ends the run."""
    heard = Heard[int, MatchRecord]()
    asked: list[int | None] = []

    def jobs() -> Iterator[tuple[int, Job] | None]:
        for key in (None, 0, None, None, 1, None):
            asked.append(key)
            yield None if key is None else (key, JOB)

    crew = InnerCrew(lambda jobs: [RECORD] * len(jobs))
    heard.play(jobs(), crew)
    assert heard.done == [0, 1]
    assert asked == [None, 0, None, None, 1, None]
    assert crew.closed


def test_what_is_under_way_is_stored_while_there_is_nothing_more_to_begin() -> None:
    heard = Heard[int, MatchRecord]()

    def jobs() -> Iterator[tuple[int, Job] | None]:
        yield 0, JOB
        while not heard.done:
            yield None

    crew = InnerCrew(lambda jobs: [RECORD] * len(jobs))
    heard.play(jobs(), crew)
    assert heard.done == [0]


def test_a_signal_ends_a_run_that_has_nothing_to_do() -> None:
    def jobs() -> Iterator[tuple[int, Job] | None]:
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            yield None

    crew, heard = InnerCrew(lambda _: None), Heard[int, MatchRecord]()
    with pytest.raises(Interrupted):
        heard.play(jobs(), crew)
    assert not crew.lane.batches


def test_a_match_that_was_played_is_stored_though_the_next_cannot_start() -> None:
    def play(jobs: Sequence[Job]) -> Done[MatchRecord]:
        if len(crew.lane.batches) == 2:
            raise MachineError()
        return [RECORD] * len(jobs)

    crew = InnerCrew(play)
    crew.lane.room = 1
    heard = Heard[int, MatchRecord]()
    with pytest.raises(MachineError):
        heard.play(jobs_of(2), crew)
    assert heard.done == [0]
    assert crew.closed


def test_bots_of_different_workers_share_no_user() -> None:
    """The kernel counts processes by user; a fork bomb must not stop another worker's bots."""
    root = msgspec.structs.replace(NO_ISOLATION, uid=58000)
    uids = [for_worker(root, number).uid for number in range(100)]
    used = {uid + seat for uid in uids if uid is not None for seat in range(5)}
    assert len(used) == 500
    assert used <= set(range(58000, 59000))
    assert for_worker(NO_ISOLATION, 3).uid is None
