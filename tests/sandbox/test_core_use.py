"""What is withheld from a bot, from invented figures, and what a real core does."""

import os
import random
import subprocess
import sys
import time

import pytest

from arena.sandbox.box import usage
from arena.sandbox.core_use import CoreUse, look_at, lowered, withheld
from tests.support.patience import until

SLOT = 0.001


class Invented:
    """A core on which the tasks of a bot, others, or nobody run for a slot each, at random."""

    def __init__(self, seed: int, tasks: int, others: int) -> None:
        chance = random.Random(seed)
        awake = [chance.random() < 0.5 for _ in range(tasks)]
        self.wall = self.ran = self.others = self.truth = 0.0
        self.waits = [0.0] * tasks
        for _ in range(chance.randrange(1, 400)):
            awake = [chance.random() < 0.1 or (it and chance.random() > 0.05) for it in awake]
            ready = [number for number, it in enumerate(awake) if it]
            runs = chance.choice([*ready, *[None] * others]) if ready or others else None
            if runs is None and ready and not others:
                runs = chance.choice(ready)
            self.wall += SLOT
            for number in ready:
                if number != runs:
                    self.waits[number] += SLOT
            if runs is not None:
                self.ran += SLOT
            elif others:
                self.others += SLOT
                self.truth += SLOT if ready else 0.0

    def found(self, known: float = 1.0, steady: bool = True) -> float:
        """What is found withheld where that share of what others ran is known."""
        return withheld(self.wall, self.ran, self.waits, known * self.others, steady)


@pytest.mark.parametrize("seed", range(40))
def test_a_bot_is_never_charged_with_what_other_bots_took_from_it(seed: int) -> None:
    core = Invented(seed, tasks=1 + seed % 5, others=seed % 4)
    for steady in (True, False):
        assert core.found(steady=steady) >= core.truth - 1e-9


@pytest.mark.parametrize("seed", range(40))
def test_a_bot_of_one_task_is_given_its_wait_exactly_whoever_took_it(seed: int) -> None:
    core = Invented(seed, tasks=1, others=seed % 4)
    for known in (0.0, 0.5, 1.0):
        assert core.found(known) == pytest.approx(core.truth)


@pytest.mark.parametrize("seed", range(40))
def test_a_bot_is_always_charged_with_what_it_computes(seed: int) -> None:
    core = Invented(seed, tasks=1 + seed % 5, others=seed % 4)
    assert core.wall - core.found() >= core.ran - 1e-9


@pytest.mark.parametrize("seed", range(40))
def test_a_bot_alone_gains_no_more_sleep_than_it_has_computed(seed: int) -> None:
    """Its tasks wait for each other alone, however many there are."""
    core = Invented(seed, tasks=1 + seed % 5, others=0)
    assert core.found() <= core.ran + 1e-9
    assert core.found(steady=False) == 0.0


def test_a_bot_that_sleeps_or_computes_in_many_tasks_is_given_nothing() -> None:
    assert withheld(2.0, 0.0, [0.0], 1.9, steady=True) == 0.0
    assert withheld(2.0, 2.0, [1.96] * 50, 0.0, steady=True) == 0.0


def test_tasks_that_no_look_has_found_do_not_pass_for_others() -> None:
    """A task that waits for children of its own that come and go between looks."""
    assert withheld(2.0, 0.2, [1.8], 0.1, steady=False) == 0.1


@pytest.mark.parametrize("tasks", [1, 2, 3, 8, 60])
def test_lowered_tasks_weigh_no_more_than_one_together(tasks: int) -> None:
    assert tasks * 1.25 ** -lowered(tasks) <= 1.0 + 1e-9
    assert lowered(tasks) <= lowered(1000) == 19


def test_nobody_is_lowered_for_one_task_beside_an_ordinary_one() -> None:
    assert lowered(0) == lowered(1) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_programs_that_share_their_core_are_seen_to_wait() -> None:
    core = {min(os.sched_getaffinity(0))}
    command = [sys.executable, "-S", "-c", "while True: pass"]
    programs = [subprocess.Popen(command, start_new_session=True) for _ in range(2)]
    try:
        uses = [CoreUse() for _ in programs]
        for each in programs:
            os.sched_setaffinity(each.pid, core)

        def look() -> bool:
            for each, use in zip(programs, uses, strict=True):
                use.look(usage([each.pid]).pids, time.monotonic(), "asked")
            for use in uses:
                use.count(sum(it.ran for it in uses) - use.ran)
            return uses[0].withheld > 0.02 and uses[1].withheld > 0.02

        until(look, 0.01)
        assert uses[0].ready() == 1
        uses[0].lower([programs[0].pid], 5)
        assert os.getpriority(os.PRIO_PROCESS, programs[0].pid) == min(os.nice(0) + 5, 19)
    finally:
        for each in programs:
            each.kill()
            each.wait()


def test_of_processes_that_are_gone_nothing_is_claimed() -> None:
    ours, theirs = os.pipe()
    try:
        assert look_at([], theirs) is None
        assert look_at([2**22 + 1], theirs) is None
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_process_that_runs_is_computing() -> None:
    ours, theirs = os.pipe()
    try:
        assert look_at([os.getpid()], theirs) == "computing"
    finally:
        os.close(ours)
        os.close(theirs)
