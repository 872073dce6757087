"""What is withheld from a bot, on an invented core and on a real one, and who is lowered for it."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from arena.engine import core
from arena.engine.core import CoreUse, lowered, make_room
from arena.sandbox.box import usage
from tests.support.patience import until

SLOT_S = 0.001
LOOK = 20


class Invented:
    """A core on which the tasks of a bot, others, or nobody run for a slot each, at random.

    The kernel's figures are as it gives them: a wait counts once it has ended.
    """

    def __init__(self, seed: int, tasks: int, others: int) -> None:
        self.chance = random.Random(seed)
        self.others = others
        self.awake = [self.chance.random() < 0.5 for _ in range(tasks)]
        self.figures = [[0, 0, 0] for _ in range(tasks)]
        self.waiting = [0] * tasks
        self.ran_s = self.truth_s = 0.0
        self.watch: Any = SimpleNamespace(pids=[1], cpu_s=0.0)

    def run(self, slots: int) -> None:
        chance = self.chance
        for _ in range(slots):
            self.awake = [
                chance.random() < 0.1 or (it and chance.random() > 0.05) for it in self.awake
            ]
            ready = [number for number, it in enumerate(self.awake) if it]
            runs = chance.choice([*ready, *[None] * self.others]) if ready or self.others else None
            for number in ready:
                if number != runs:
                    self.waiting[number] += 1
            if runs is not None:
                ran, waited, turns = self.figures[runs]
                waited += self.waiting[runs] * 1_000_000
                self.figures[runs] = [ran + 1_000_000, waited, turns + 1]
                self.waiting[runs] = 0
                self.ran_s += SLOT_S
            elif ready:
                self.truth_s += SLOT_S
        self.watch.cpu_s = self.ran_s

    def looked_at(self, monkeypatch: pytest.MonkeyPatch, looks: int = 100) -> CoreUse:
        """The bot's share after some looks at an open question."""
        monkeypatch.setattr(
            core, "_figures", lambda _: {str(task): each for task, each in enumerate(self.figures)}
        )
        monkeypatch.setattr(core, "task_state", lambda task: "SR"[self.awake[int(task)]])
        share = CoreUse(self.watch)
        share.look(1, 0.0)
        share.look(1, 0.0)
        for number in range(looks):
            self.run(LOOK)
            share.look(1, (number + 1) * LOOK * SLOT_S)
        return share


@pytest.mark.parametrize("seed", range(40))
def test_a_bot_is_given_nearly_all_that_others_took_and_charged_what_it_computes(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    invented = Invented(seed, tasks=1 + seed % 5, others=seed % 4)
    share = invented.looked_at(monkeypatch)
    assert share.withheld >= 0.8 * invented.truth_s
    assert 100 * LOOK * SLOT_S - share.withheld >= invented.ran_s - 1e-9


@pytest.mark.parametrize("seed", range(40))
def test_a_bot_alone_gains_no_more_sleep_than_it_has_computed(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Its tasks wait for each other alone, however many there are."""
    invented = Invented(seed, tasks=1 + seed % 5, others=0)
    assert invented.looked_at(monkeypatch).withheld <= invented.ran_s + 1e-9


class Scripted:
    """A bot with one task, whose figures and state are given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.watch: Any = SimpleNamespace(pids=[1], cpu_s=0.0)
        self.tasks: dict[str, list[int]] = {"1": [0, 0, 0]}
        self.state = "R"
        self.reads = 0
        monkeypatch.setattr(core, "_figures", self.read)
        monkeypatch.setattr(core, "task_state", lambda task: self.state)
        watch: Any = self.watch
        self.share = CoreUse(watch)

    def read(self, pids: Sequence[int]) -> dict[str, list[int]]:
        self.reads += 1
        return {task: list(figures) for task, figures in self.tasks.items()}


def test_nothing_is_read_while_each_look_finds_another_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bot = Scripted(monkeypatch)
    for number in range(9):
        bot.share.look(number, number * 0.02)
        bot.share.look(None, number * 0.02)
    assert bot.reads == 0


@pytest.mark.parametrize(
    ("state", "computed"),
    [
        pytest.param("S", 0.0, id="a bot that sleeps"),
        # its one task is ready all the time; only the watch's sum tells that its children computed
        pytest.param("R", 0.02, id="a bot that waits for children that come and go between looks"),
    ],
)
def test_a_bot_that_waits_for_nobody_else_is_given_nothing(
    monkeypatch: pytest.MonkeyPatch, state: str, computed: float
) -> None:
    bot = Scripted(monkeypatch)
    bot.state = state
    for number in range(100):
        bot.watch.cpu_s = number * computed
        bot.share.look(1, number * 0.02)
    assert bot.share.withheld == pytest.approx(0.0)


def test_a_task_that_stays_ready_without_running_has_waited_until_a_new_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bot = Scripted(monkeypatch)
    for number in range(102):
        bot.share.look(1, number * 0.02)
    assert bot.share.withheld == pytest.approx(2.0)
    assert bot.share.starves
    bot.share.look(2, 60.0)
    assert bot.share.withheld == pytest.approx(2.0)
    assert not bot.share.starves


def test_lowered_tasks_weigh_no_more_than_one_together() -> None:
    for tasks in (1, 2, 3, 8, 60):
        assert tasks * 1.25 ** -lowered(tasks) <= 1.0 + 1e-9
        assert lowered(tasks) <= lowered(1000) == 19
    assert lowered(0) == lowered(1) == 0, "one task beside an ordinary one"


@pytest.fixture
def at_one_core(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Starts processes that spin in some tasks on one core, as `CoreUse`s with their watches."""
    core_number = {min(os.sched_getaffinity(0))}
    started: list[subprocess.Popen[bytes]] = []

    def start(tasks: int) -> CoreUse:
        code = (
            f"import os\n[os.fork() or exec('while True: pass') for _ in range({tasks - 1})]\n"
            "while True: pass"
        )
        each = subprocess.Popen(
            [sys.executable, "-S", "-c", code],
            start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, core_number),
        )
        started.append(each)
        until(lambda: len(usage([each.pid]).pids) == tasks, 0.01)
        watch: Any = SimpleNamespace(pids=usage([each.pid]).pids, cpu_s=0.0)
        return CoreUse(watch)

    yield start
    for each in started:
        os.killpg(each.pid, 9)
        each.wait()


def priorities(share: CoreUse) -> set[int]:
    return {os.getpriority(os.PRIO_PROCESS, pid) for pid in share._watch.pids}


def test_programs_that_share_their_core_are_seen_to_wait(
    at_one_core: Callable[[int], CoreUse],
) -> None:
    shares = [at_one_core(1) for _ in range(2)]

    def look() -> bool:
        for share in shares:
            share.look("asked", time.monotonic())
        return all(share.withheld > 0.02 for share in shares)

    until(look, 0.01)


def test_only_a_bot_of_many_tasks_is_lowered_for_one_that_starves(
    at_one_core: Callable[[int], CoreUse], monkeypatch: pytest.MonkeyPatch
) -> None:
    starved, many, one = at_one_core(1), at_one_core(6), at_one_core(1)
    before = priorities(one)
    make_room([starved, many, one])
    assert priorities(many) == before, "nobody starves yet"
    monkeypatch.setattr(CoreUse, "starves", property(lambda self: self is starved))

    def is_lowered() -> bool:
        make_room([starved, many, one])
        return min(priorities(many)) > min(before)

    until(is_lowered, 0.01)
    assert priorities(starved) == priorities(one) == before
