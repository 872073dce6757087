"""Workers of a scripted scheduler: which are used, and what is believed of their answers.

Also the value of `--cluster`, which names the scheduler.
"""

import asyncio
import gzip
import random
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from arena import __version__
from arena.base.errors import ArenaError
from arena.base.resources import STANDARD
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.cluster import executor as executor_module
from arena.cluster.executor import (
    MOST_LOST,
    MOST_VOID,
    STOPPED_S,
    DaskExecutor,
    Wrong,
    _check,
    _DaskWorker,
    _Lost,
    _SeenWorker,
)
from arena.cluster.scheduler import read_address
from arena.cluster.worker import RemoteAnswer, receive
from arena.engine.builds import Copy, copy_path, install
from arena.engine.job import Job
from arena.engine.runner import WorkersFault
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.record import MatchRecord
from arena.sandbox.box import Program
from arena.sandbox.isolation import NO_ISOLATION
from arena.tasks.league_run import Roster
from tests.match.test_record import altered, played
from tests.support.bots import APART, good, write_bot
from tests.support.patience import until
from tests.support.scripted import plan_of

PLAN = plan_of(deals=3)
ONE, TWO = "tcp://one:1", "tcp://two:1"
COPY = Copy(Bot("bot", "1", "tests", ("bot",)), "abc", STANDARD)


def record(plan: MatchPlan) -> MatchRecord:
    _, found = played(plan, 1)
    seats = plan.rules.players
    return msgspec.structs.replace(found, stderr=("",) * seats, held_s=(0.25,) * seats)


GOOD = record(PLAN)
JOB = Job(PLAN, (Program("bot", ("bot",), "/"),) * PLAN.rules.players, NO_ISOLATION)


class Scripted(DaskExecutor):
    """An executor whose scheduler, workers and time are the test's."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[str] = []
        self.now, self.version = 1000.0, __version__
        monkeypatch.setattr(executor_module, "monotonic", lambda: self.now)
        self.said: dict[str, object] = {}
        self.home, roster = home, Roster(home, NO_ISOLATION)
        roster.copies["bot"] = COPY
        super().__init__("tcp://scheduler:1", roster, self.told.append)

    async def _connect(self) -> None:
        self._over = asyncio.Event()

    async def _watch(self) -> str:
        await self._over.wait()
        self._over.clear()
        return "the scheduler is gone"

    async def _call(
        self, worker: _DaskWorker, function: Callable[..., object], *given: object
    ) -> object:
        if function is eval:
            return self.version
        answer = self.said.get(worker.address)
        if answer is None:
            await asyncio.Event().wait()
        if isinstance(answer, _Lost):
            raise answer
        return answer if isinstance(answer, bytes) else msgspec.msgpack.encode(answer)

    async def _send(self, worker: _DaskWorker, copy: Copy) -> object:
        return "it arrives"

    def see(self, *addresses: str, last_seen: float = 1.0) -> None:
        seen = {each: _SeenWorker("one", 2, last_seen) for each in addresses}

        async def look() -> None:
            self._see(seen)

        self._soon(look()).result()

    def play(self, address: str, said: object = None) -> "Future[MatchRecord]":
        """Submit a match, to which a worker says something, or nothing."""
        self.said[address] = said
        return self.submit(JOB)

    def lose_scheduler(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        until(lambda: "tried again" in "".join(self.told))


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    with closing(Scripted(tmp_path, monkeypatch)) as found:
        yield found


def is_fault_of_worker(future: "Future[MatchRecord]") -> bool:
    """Whether a match is void by its worker's fault, for which no bot pays."""
    return type(future.exception()) is WorkersFault


def test_a_worker_gets_one_match_until_it_has_played_and_then_two_for_each_thread(
    scene: Scripted,
) -> None:
    assert scene.room() == 0
    scene.see(ONE)
    assert scene.room() == 1
    assert scene.play(ONE, RemoteAnswer(GOOD)).result() == GOOD
    until(lambda: scene.room() == 4)
    assert scene.known() == {ONE: "works"}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"nonsense", "cannot be read"),
        (b"\x91" * 100000, "cannot be read"),
        (b"\0" * (8 << 20), "bytes, more than "),
        (RemoteAnswer(unfit="its disk is full\x1b[31m\nand more"), r"full\x1b[31m"),
        (RemoteAnswer(altered(GOOD, decisions=1)), "decisions"),
        ({"record": 7}, "cannot be read"),
    ],
)
def test_a_worker_that_answers_wrongly_is_excluded_and_named(
    scene: Scripted, said: object, why: str
) -> None:
    scene.see(ONE, TWO)
    assert is_fault_of_worker(scene.play(ONE, said))
    assert why in scene.known()[ONE]
    assert scene.told[-1].endswith("restart it to use it again; others play its matches")
    assert scene.play(TWO, RemoteAnswer(GOOD)).result() == GOOD


def test_a_worker_of_another_version_is_excluded(scene: Scripted) -> None:
    scene.version = "0.0.0"
    scene.see(ONE)
    assert is_fault_of_worker(scene.play(ONE))
    assert scene.known() == {ONE: f"it has arena 0.0.0, this is {__version__}"}


def test_a_worker_without_a_sign_of_life_is_excluded(scene: Scripted) -> None:
    scene.see(ONE)
    future = scene.play(ONE)
    for later_s in (0, STOPPED_S - 1):
        scene.now += later_s
        scene.see(ONE, last_seen=2.0)
        assert not future.done()
    scene.now += 2
    scene.see(ONE, last_seen=2.0)
    assert is_fault_of_worker(future)
    assert "it has stopped: no sign of life" in scene.known()[ONE]
    scene.see(TWO)
    assert scene.known() == {TWO: "works"}


def test_a_match_may_take_as_long_as_the_clocks_of_its_bots(
    scene: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor_module, "limit_s", lambda limits, deals: 0.01)
    scene.see(ONE)
    assert is_fault_of_worker(scene.play(ONE))
    assert scene.known() == {ONE: "it has not played in the time that the bots have"}


def test_void_matches_count_only_where_others_were_played(scene: Scripted) -> None:
    scene.see(ONE)
    assert is_fault_of_worker(scene.play(ONE, RemoteAnswer(void="late")))
    assert scene.play(ONE, RemoteAnswer(GOOD)).result() == GOOD
    for _ in range(MOST_VOID):
        void = scene.play(ONE, RemoteAnswer(void="late\x1b[2J")).exception()
        assert (type(void), str(void)) == (MatchVoid, r"late\x1b[2J")
    assert "3 matches in a row were void" in scene.known()[ONE]


def test_a_match_of_a_lost_worker_counts_as_void_only_where_others_were_played(
    scene: Scripted,
) -> None:
    scene.see(ONE)
    scene.play(ONE, RemoteAnswer(GOOD)).result()
    future = scene.play(ONE)
    scene.see(TWO)
    assert type(future.exception()) is MatchVoid
    assert is_fault_of_worker(scene.play(TWO, _Lost()))


def test_a_machine_whose_workers_die_at_once_is_not_used_forever(scene: Scripted) -> None:
    for number in range(MOST_LOST):
        scene.see(f"{ONE}{number}")
        future = scene.submit(JOB)
        scene.see()
        assert is_fault_of_worker(future)
    scene.see(f"{ONE}9")
    assert "workers there were lost before they played" in scene.known()[f"{ONE}9"]


def test_with_no_worker_left_this_machine_plays_until_one_comes(
    scene: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: Future[MatchRecord] = Future()
    done.set_result(GOOD)
    here = SimpleNamespace(room=lambda: 7, submit=lambda job: done, close=lambda: None)
    monkeypatch.setattr(executor_module, "Players", lambda count: here)
    scene.see(ONE)
    assert scene.room() == 1
    scene.lose_scheduler()
    assert scene.room() == 0
    assert is_fault_of_worker(scene.submit(JOB))
    scene.now += executor_module.ALONE_S
    assert scene.room() == 7
    assert scene.submit(JOB).result() == GOOD
    assert "this machine plays until one comes" in scene.told[-1]
    scene.see(TWO)
    assert scene.room() == 1


def replaced(**changes: Any) -> MatchRecord:
    return msgspec.structs.replace(GOOD, **changes)


def log_with(old: bytes, new: bytes) -> MatchRecord:
    lines = gzip.decompress(GOOD.log)
    assert old in lines
    return replaced(log=gzip.compress(lines.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (altered(GOOD, payments=((9, -9, 0),) * 3), "deal 1: paid"),
        (altered(GOOD, decisions=1), "decisions"),
        (altered(GOOD, disqualified=(1,)), "disqualified seats"),
        (record(plan_of(deals=2)), "not the deal|deals were played"),
        (replaced(isolation="landlock"), "not played at the level none"),
        (replaced(stderr=()), "other stderr"),
        (replaced(stderr=("e" * 99999,) * 3), "other stderr"),
        *(
            (replaced(held_s=used), "no seconds of")
            for used in ((1.0,), (1.0, -1.0, 0.0), (1.0, 0.0, float("nan")), (1.0, 1e99, 0.0))
        ),
        (replaced(log=GOOD.log + b"more"), "something after it"),
        (replaced(log=GOOD.log[:-9]), "the log cannot be read"),
        (replaced(log=b"\xff" * 100), "incorrect header"),
        (replaced(log=gzip.compress(b" " * (16 << 20))), "its log is longer than"),
        (log_with(b",1000]", b",-1000]"), ">= 0"),
        (log_with(b",1000]", b",1" + b"0" * 400 + b"]"), "int"),
    ],
)
def test_a_record_that_was_not_played_is_refused(found: MatchRecord, why: str) -> None:
    with pytest.raises(Wrong, match=why):
        _check(found, JOB)


def test_a_spoilt_log_is_refused_or_taken_and_brings_nothing_down() -> None:
    dice, lines = random.Random(5), gzip.decompress(GOOD.log)
    for _ in range(150):
        log = bytearray(lines)
        log[dice.randrange(len(log))] = dice.choice(b'0123456789"[]{},.AKQJ')
        with suppress(Wrong):
            _check(replaced(log=gzip.compress(bytes(log), 1)), JOB)


# --- a bot on its way from the copies of a league to the caches of another machine ---


BUILD = 'build = ["sh", "-c", "echo $(cat made 2>/dev/null) made >> made"]\n'


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "there"))
    return tmp_path / "there" / "zole-arena" / "bots"


def entered(scene: Scripted, folder: Path) -> Copy:
    copy = Copy(read_bot(folder), content_hash(folder), STANDARD)
    install(copy, scene.home, APART)
    return copy


@pytest.mark.parametrize(("more", "made"), [(BUILD, ["made\n"]), ("", [])])
def test_a_bot_is_packed_as_it_entered_and_built_where_it_plays(
    tmp_path: Path, scene: Scripted, there: Path, more: str, made: list[str]
) -> None:
    folder = write_bot(tmp_path / "bot", good(), more=more)
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "link").symlink_to("bot.py")
    copy = entered(scene, folder)
    shutil.rmtree(folder)
    assert receive(copy, scene._packed(copy), APART).name == copy.bot.name
    arrived = copy_path(there, copy.digest)
    assert [each.read_text() for each in arrived.glob("made")] == made
    (arrived / "made").unlink(missing_ok=True)
    assert content_hash(arrived) == copy.digest


def test_another_bot_than_the_one_asked_for_is_refused(
    tmp_path: Path, scene: Scripted, there: Path
) -> None:
    copy = entered(scene, write_bot(tmp_path / "bot", good()))
    other = entered(scene, write_bot(tmp_path / "other", good(before="os.getpid()")))
    with pytest.raises(ArenaError, match="what arrived is not the bot bot"):
        receive(copy, scene._packed(other), APART)
    assert not list(there.glob("*.built"))


def test_a_bot_of_which_only_the_build_is_left_is_not_sent(tmp_path: Path, scene: Scripted) -> None:
    copy = entered(scene, write_bot(tmp_path / "bot", good(), more=BUILD))
    (scene.home / f"{copy.digest[:16]}.tar").unlink()
    with pytest.raises(ArenaError, match="before its build are gone"):
        scene._packed(copy)


def test_a_cluster_is_a_scheduler_or_a_number_of_workers_here_and_nothing_else() -> None:
    named = {"local:12": 12, "tls://there:8786": "tls://there:8786"}
    assert {text: read_address(text) for text in named} == named
    for text in ("local:²", "local:٣", "local:0", "local:-1", "local:" + "9" * 5000):
        with pytest.raises(ArenaError, match=" is not a cluster; "):
            read_address(text)
