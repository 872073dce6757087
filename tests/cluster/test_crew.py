"""The crew of a cluster with a scripted scheduler: who is refused, when, and at whose cost."""

from collections.abc import Mapping
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from pathlib import Path
from typing import cast

import msgspec
import pytest

from arena import __version__
from arena.base.errors import MachineError
from arena.base.resources import STANDARD
from arena.bots.manifest import Bot
from arena.cluster import crew as crew_module
from arena.cluster import lane as lane_module
from arena.cluster.answers import Wrong, encode_answer
from arena.cluster.crew import Cluster
from arena.cluster.link import SILENT_S, ClientLink, PendingAnswer
from arena.cluster.matches import MatchWork, RemoteJob
from arena.cluster.messages import SeenWorker
from arena.cluster.orders import Readiness
from arena.cluster.trust import MOST_LOST, MOST_VOID, Trust
from arena.engine.builds import Copy, beside
from arena.engine.job import Job
from arena.engine.runner import AnyLane, WorkersFault
from arena.engine.workers import limit_s
from arena.match.commands import MatchVoid, untimed
from arena.match.record import MatchRecord
from arena.sandbox.isolation import NO_ISOLATION
from arena.tasks.league_run import Roster
from tests.cluster.test_answers import GOOD, PLAN, job

COPIES = {"bot": Copy(Bot("bot", "1", "tests", ("bot",)), "abc", STANDARD)}
ONE, TWO = "tcp://one:1", "tcp://two:2"


class InnerLink:
    """A scheduler without processes: tests say who is there and what they answer."""

    def __init__(self) -> None:
        self.name = "tcp://there"
        self.cores: list[int | None] = []
        self.workers: Mapping[str, SeenWorker] | None = None
        self.silent: dict[str, float] = {}
        self.calls: list[tuple[str, str, PendingAnswer]] = []

    def check(self) -> None:
        """The scheduler answers."""

    def close(self) -> None:
        """There is nothing to end."""

    def silent_s(self, worker: str) -> float:
        return self.silent.get(worker, 0.0)

    def call(self, worker: str, task: str, said: bytes, bots: bytes | None = None) -> PendingAnswer:
        reply = PendingAnswer(len(self.calls))
        self.calls.append((worker, task, reply))
        return reply

    def drop(self, reply: PendingAnswer) -> None:
        reply.settle(BrokenExecutor())


class Scene:
    """A cluster on a scripted scheduler, its time, and what it told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
        self.link = InnerLink()
        self.told: list[str] = []
        self.refused: dict[str, str] = {}
        self._now = 1000.0
        for module in (crew_module, lane_module):
            monkeypatch.setattr(module, "monotonic", lambda: self._now)
        roster = Roster(home, NO_ISOLATION)
        roster.copies |= COPIES
        beside(home, COPIES["bot"].digest, ".tar").touch()
        self.crew = Cluster(
            cast(ClientLink, self.link), MatchWork(roster), self.told.append, self.refused
        )

    def after(self, seconds: float) -> int:
        self._now += seconds
        return self.crew.spare()

    def there(self, *addresses: str, host: str = "") -> None:
        self.link.workers = {each: SeenWorker(host or each, 1, 0.0) for each in addresses}

    def answer(self, task: str, value: bytes | BaseException) -> None:
        """WorkerAnswer all open calls of a kind."""
        for _, its, reply in self.link.calls:
            if its == task and not reply.done():
                reply.settle(value)

    def lanes(self, *addresses: str, host: str = "") -> list[AnyLane[Job, MatchRecord]]:
        """Have workers come, and be ready."""
        self.there(*addresses, host=host)
        self.after(2)
        self.answer("version", __version__.encode())
        self.after(0)
        self.answer("make_ready", msgspec.msgpack.encode(Readiness()))
        return list(self.crew.open(self.after(0)))


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Scene:
    return Scene(monkeypatch, tmp_path)


def good() -> bytes:
    return encode_answer([RemoteJob(PLAN, (COPIES["bot"],) * 3)], [GOOD])


def test_a_match_that_is_by_the_rules_is_taken(scene: Scene) -> None:
    (lane,) = scene.lanes(ONE)
    future = lane.submit([job(PLAN)])
    scene.answer("work", good())
    assert future.result(0) == [GOOD]
    assert lane.restart()


@pytest.mark.parametrize("said", [b"nonsense", Wrong("it fails to answer: no")])
def test_a_worker_that_answers_wrongly_gets_no_more(scene: Scene, said: bytes | Wrong) -> None:
    first, second = scene.lanes(ONE, TWO)
    future = first.submit([job(PLAN)])
    scene.link.calls[-1][2].settle(said)
    with pytest.raises(WorkersFault):
        future.result(0)
    assert not first.restart()
    with pytest.raises(WorkersFault):
        first.submit([job(PLAN)]).result(0)
    assert second.restart()
    assert list(scene.refused) == [ONE]
    scene.after(0)
    assert "other workers play its matches; start it anew" in scene.told[-1]


def test_a_worker_without_a_sign_of_life_is_replaced(scene: Scene) -> None:
    (lane,) = scene.lanes(ONE)
    future = lane.submit([job(PLAN)])
    scene.after(SILENT_S - 5)
    assert not future.done()
    scene.link.silent[ONE] = SILENT_S + 1
    with pytest.raises(MachineError, match="it has stopped: no sign of life"):
        scene.after(5)
    with pytest.raises(WorkersFault):
        future.result(0)


def test_a_task_may_take_as_long_as_the_clocks_of_its_bots(scene: Scene) -> None:
    first, _ = scene.lanes(ONE, TWO)
    future = first.submit([job(PLAN)])
    scene.after(limit_s([PLAN]) - 1)
    assert not future.done()
    scene.after(3)
    with pytest.raises(WorkersFault):
        future.result(0)
    assert scene.refused == {ONE: "it has not played in the time that the bots have"}
    assert limit_s([untimed(PLAN)]) == float("inf")


def test_a_worker_that_is_busy_is_named_and_used_later(scene: Scene) -> None:
    scene.there(ONE)
    scene.after(2)
    scene.after(crew_module.ANSWER_S - 5)
    scene.after(7)
    assert scene.told == [f"worker {ONE} has not answered yet; it plays once it does"]
    assert len(scene.lanes(ONE)) == 1


def test_a_run_that_no_worker_answers_ends(scene: Scene) -> None:
    scene.there(ONE)
    scene.after(2)
    scene.after(crew_module.ANSWER_S - 5)
    scene.after(7)
    with pytest.raises(MachineError, match="no worker answers for 60 s"):
        scene.after(crew_module.WORKERS_ARRIVE_S + 2)


@pytest.mark.parametrize(
    ("missing", "why"), [(("0" * 64,), "a bot that does not play"), (("abc",), "which was sent")]
)
def test_a_worker_that_asks_for_bots_forever_is_turned_away(
    scene: Scene, missing: tuple[str, ...], why: str
) -> None:
    scene.there(ONE)
    scene.after(2)
    scene.answer("version", __version__.encode())
    scene.after(0)
    with suppress(MachineError):
        for _ in range(3):
            scene.answer("make_ready", msgspec.msgpack.encode(Readiness(missing)))
            scene.after(0)
    assert why in scene.refused[ONE]


def test_void_matches_count_only_where_others_were_played(scene: Scene) -> None:
    (lane,) = scene.lanes(ONE)
    trust = Trust(scene.refused)
    assert trust.judge(ONE, [GOOD]) == [GOOD]
    late: list[MatchRecord | MatchVoid] = [MatchVoid("late")]
    (void,) = trust.judge(ONE, late)
    assert type(void) is MatchVoid
    (void,) = trust.judge(TWO, late)
    assert type(void) is WorkersFault
    trust.judge(ONE, late * (MOST_VOID - 1))
    assert not lane.restart()
    assert scene.refused == {ONE: f"{MOST_VOID} matches in a row were void: late"}


def test_a_machine_whose_workers_die_at_once_is_not_used_forever(scene: Scene) -> None:
    for number in range(MOST_LOST):
        (lane,) = scene.lanes(f"tcp://one:{number}", host="one")
        future = lane.submit([job(PLAN)])
        scene.there()
        scene.after(2)
        with pytest.raises(WorkersFault):
            future.result(0)
    with pytest.raises(MachineError, match="workers there were lost before they played"):
        scene.lanes("tcp://one:9", host="one")


def test_a_worker_that_describes_itself_oddly_is_not_used(scene: Scene) -> None:
    (lane,) = scene.lanes(TWO)
    odd = SeenWorker("", 1, 0.0, odd="its description of itself is odd")
    scene.link.workers = {**(scene.link.workers or {}), ONE: odd}
    scene.after(2)
    assert list(scene.refused) == [ONE]
    assert lane.restart()
