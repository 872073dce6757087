"""What is withheld from a bot, on an invented core and on a real one, and who is lowered for it."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from arena.engine import core
from arena.sandbox.box import usage
from tests.support.patience import until

SLOT_S = 0.001
LOOK = 20
LOOKS = 100


class Bot:
    """A bot whose tasks' figures and states are given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tasks: int = 1, state: str = "R") -> None:
        self.states = tasks * [state]
        self.figures = [[0, 0, 0] for _ in range(tasks)]
        self.reads = 0
        watch: Any = SimpleNamespace(pids=[1], cpu_s=0.0)
        self.watch, self.share = watch, core.CoreUse(watch)
        monkeypatch.setattr(core, "_figures", self.read)
        monkeypatch.setattr(core, "task_state", lambda task: self.states[int(task)])

    def read(self, pids: Sequence[int]) -> dict[str, list[int]]:
        self.reads += 1
        return {str(task): list(figures) for task, figures in enumerate(self.figures)}

    def run(self, chance: random.Random, others: int) -> float:
        """Have its tasks, others, or nobody run for a slot each, at random, and look at its share.

        The kernel's figures are as it gives them: a wait counts once it has ended. Returns how long
        others ran while it was ready.
        """
        taken_s = 0.0
        waits = [0 for _ in self.states]
        self.share.look(1, 0.0)
        for slot in range(LOOKS * LOOK):
            if slot % LOOK == 0:
                self.share.look(1, slot * SLOT_S)
            for task, state in enumerate(self.states):
                wakes, stays = chance.random() < 0.1, chance.random() > 0.05
                self.states[task] = "R" if wakes or (state == "R" and stays) else "S"
            ready = [task for task, state in enumerate(self.states) if state == "R"]
            runs = chance.choice([*ready, *[None] * others]) if ready or others else None
            for task in ready:
                waits[task] += task != runs
            if runs is not None:
                ran, waited, turns = self.figures[runs]
                self.figures[runs] = [ran + 1_000_000, waited + waits[runs] * 1_000_000, turns + 1]
                waits[runs] = 0
                self.watch.cpu_s += SLOT_S
            elif ready:
                taken_s += SLOT_S
        self.share.look(1, LOOKS * LOOK * SLOT_S)
        return taken_s


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_a_bot_is_given_nearly_all_that_others_took_and_charged_what_it_computes(
    monkeypatch: pytest.MonkeyPatch, seed: int, alone: bool
) -> None:
    """Alone it gains no more sleep than it has computed: its tasks wait for each other alone."""
    bot = Bot(monkeypatch, tasks=1 + seed % 5)
    taken_s = bot.run(random.Random(seed), others=0 if alone else seed % 4)
    assert bot.share.withheld >= 0.8 * taken_s
    assert LOOKS * LOOK * SLOT_S - bot.share.withheld >= bot.watch.cpu_s - 1e-9
    if alone:
        assert bot.share.withheld <= bot.watch.cpu_s + 1e-9


def test_nothing_is_read_while_each_look_finds_another_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bot = Bot(monkeypatch)
    for number in range(9):
        bot.share.look(number, number * 0.02)
        bot.share.look(None, number * 0.02)
    assert bot.reads == 0


@pytest.mark.parametrize(
    ("state", "computed_s", "withheld_s"),
    [
        pytest.param("S", 0.0, 0.0, id="a bot that sleeps"),
        # its one task is ready all the time; only the watch's sum tells that its children computed
        pytest.param("R", 0.02, 0.0, id="one that waits for children that come and go meanwhile"),
        pytest.param("R", 0.0, 2.0, id="one that stays ready and does not run"),
    ],
)
def test_a_bot_that_waits_for_others_alone_starves_until_a_new_question(
    monkeypatch: pytest.MonkeyPatch, state: str, computed_s: float, withheld_s: float
) -> None:
    bot = Bot(monkeypatch, state=state)
    for number in range(102):
        bot.watch.cpu_s = number * computed_s
        bot.share.look(1, number * 0.02)
    assert bot.share.withheld == pytest.approx(withheld_s)
    assert bot.share.starves == (withheld_s > 0)
    bot.share.look(2, 60.0)
    assert bot.share.withheld == pytest.approx(withheld_s)
    assert not bot.share.starves


def test_lowered_tasks_weigh_no_more_than_one_together() -> None:
    for tasks in (1, 2, 3, 8, 60):
        assert tasks * 1.25 ** -core.lowered(tasks) <= 1.0 + 1e-9
        assert core.lowered(tasks) <= core.lowered(1000) == 19
    assert core.lowered(0) == core.lowered(1) == 0, "one task beside an ordinary one"


@pytest.fixture
def at_one_core() -> Iterator[Callable[[int], core.CoreUse]]:
    """Starts processes that spin in some tasks on one core, as `CoreUse`s with their watches."""
    core_number = {min(os.sched_getaffinity(0))}
    with ExitStack() as started:

        def start(tasks: int) -> core.CoreUse:
            code = (
                f"import os\n[os.fork() or exec('while True: pass') for _ in range({tasks - 1})]\n"
                "while True: pass"
            )
            each = subprocess.Popen(
                [sys.executable, "-S", "-c", code],
                start_new_session=True,
                preexec_fn=lambda: os.sched_setaffinity(0, core_number),
            )
            started.enter_context(each)
            started.callback(os.killpg, each.pid, 9)
            until(lambda: len(usage([each.pid]).pids) == tasks, 0.01)
            watch: Any = SimpleNamespace(pids=usage([each.pid]).pids, cpu_s=0.0)
            return core.CoreUse(watch)

        yield start


def priorities(share: core.CoreUse) -> set[int]:
    return {os.getpriority(os.PRIO_PROCESS, pid) for pid in share._watch.pids}


def test_programs_that_share_their_core_are_seen_to_wait(
    at_one_core: Callable[[int], core.CoreUse],
) -> None:
    shares = [at_one_core(1) for _ in range(2)]

    def look() -> bool:
        for share in shares:
            share.look("asked", time.monotonic())
        return all(share.withheld > 0.02 for share in shares)

    until(look, 0.01)


def test_only_a_bot_of_many_tasks_is_lowered_for_one_that_starves(
    at_one_core: Callable[[int], core.CoreUse], monkeypatch: pytest.MonkeyPatch
) -> None:
    starved, many, one = at_one_core(1), at_one_core(6), at_one_core(1)
    before = priorities(one)
    core.make_room([starved, many, one])
    assert priorities(many) == before, "nobody starves yet"
    monkeypatch.setattr(core.CoreUse, "starves", property(lambda self: self is starved))

    def is_lowered() -> bool:
        core.make_room([starved, many, one])
        return min(priorities(many)) > min(before)

    until(is_lowered, 0.01)
    assert priorities(starved) == priorities(one) == before
