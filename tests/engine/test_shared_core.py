"""Whose time is withheld by whom, from invented figures: no processes, no real clock."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.engine import seats
from arena.engine.questions import OpenQuestions
from arena.engine.seats import BotSeat, SharedCore
from tests.support.questions import question

LOOK_S = 0.02


class Use:
    """A program whose figures are given: what it runs from look to look and has ready."""

    def __init__(self, ran: float, ready: int, starved: bool = False) -> None:
        self.ran, self.starved, self.nice, self.withheld = ran, starved, 0, 0.0
        self.others: list[float] = []
        self.looks = self.forgotten = 0
        self._ready = ready

    def look(self, pids: Sequence[int], now: float, turn: object, cpu_s: float | None) -> None:
        self.looks += 1

    def count(self, others: float) -> None:
        self.others.append(others)
        self.withheld += others

    def forget(self) -> None:
        self.forgotten += 1

    def ready(self) -> int:
        return self._ready

    def lower(self, pids: Sequence[int], nice: int) -> None:
        self.nice = nice


def seat(use: Use, *asked: int) -> BotSeat:
    questions = OpenQuestions()
    for number in asked:
        questions.put(number, question(number), 100)
    process = SimpleNamespace(
        watch=SimpleNamespace(pids=[]), box=SimpleNamespace(cpu_s=lambda: None)
    )
    made: Any = SimpleNamespace(use=use, questions=questions, process=process)
    made.asked = next(iter(questions.open), None)
    return cast(BotSeat, made)


@pytest.fixture(autouse=True)
def idle_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "process_time", lambda: 0.0)


def test_nothing_is_read_while_each_look_finds_another_question() -> None:
    use = Use(0.0, 1)
    one = seat(use, 1)
    core = SharedCore([one])
    for number in range(9):
        cast(Any, one).asked = number
        core.look(number * LOOK_S)
    assert use.looks == 0


def test_a_question_found_at_two_looks_is_followed_and_a_while_longer() -> None:
    use = Use(0.0, 1)
    one = seat(use, 1)
    core = SharedCore([one])
    core.look(0.0)
    core.look(LOOK_S)
    cast(Any, one).asked = None
    core.look(1.0)
    assert (use.looks, use.forgotten) == (2, 1)
    core.look(60.0)
    assert use.looks == 2


def test_each_bot_counts_what_the_others_ran() -> None:
    uses = [Use(0.005, 1), Use(0.010, 1), Use(0.001, 0)]
    seats = [seat(uses[0], 1), seat(uses[1]), seat(uses[2])]
    core = SharedCore(seats)
    core.look(0.0)
    core.look(LOOK_S)
    assert [use.others for use in uses] == [
        [pytest.approx(0.011)],
        [pytest.approx(0.006)],
        [pytest.approx(0.015)],
    ]
    assert seats[0].questions.withheld == pytest.approx(0.011)


def test_who_starves_another_in_many_tasks_is_lowered_and_nobody_else() -> None:
    uses = [Use(0.0, 1, starved=True), Use(0.019, 60), Use(0.001, 2)]
    core = SharedCore([seat(uses[0], 1), seat(uses[1]), seat(uses[2])])
    core.look(0.0)
    core.look(LOOK_S)
    assert [use.nice for use in uses] == [0, 19, 0]


def test_nobody_is_lowered_as_long_as_nobody_starves() -> None:
    uses = [Use(0.01, 1), Use(0.01, 60)]
    core = SharedCore([seat(uses[0], 1), seat(uses[1])])
    core.look(0.0)
    core.look(LOOK_S)
    assert [use.nice for use in uses] == [0, 0]


def test_a_lowered_bot_that_starves_does_not_lower_one_task_beside_it() -> None:
    """Or a bot would lower itself, and then all others with it."""
    uses = [Use(0.0, 60, starved=True), Use(0.02, 1), Use(0.0, 0)]
    uses[0].nice = 19
    core = SharedCore([seat(uses[0], 1), seat(uses[1]), seat(uses[2])])
    core.look(0.0)
    core.look(LOOK_S)
    assert [use.nice for use in uses] == [19, 0, 0]
