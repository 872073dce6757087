"""Who is late and what is charged: no real clock, so every time is exact."""

import pytest

from arena.engine.questions import LONGEST, NEVER, OpenQuestions
from arena.match.commands import Failed
from tests.support.questions import question

BEGAN, LOOKED = 10.0, 10.25


def asked(*numbers: int, clock_s: float | None = 1.0, length: int = 100) -> OpenQuestions:
    """Questions with lines of so many bytes, the first at the beginning of the input."""
    questions = OpenQuestions()
    for place, number in enumerate(numbers):
        questions.put(number, question(number, clock_s), (place + 1) * length)
    return questions


def test_a_clock_starts_at_the_look_that_finds_the_question_written_and_unanswered() -> None:
    questions = asked(1)
    assert questions.earliest() == NEVER
    assert questions.set_deadlines(100, BEGAN, LOOKED) == questions.earliest() == LOOKED + 1


def test_a_clock_once_started_is_not_set_again() -> None:
    questions = asked(1)
    questions.set_deadlines(100, BEGAN, LOOKED)
    assert questions.set_deadlines(100, BEGAN + 1, LOOKED + 1) == NEVER
    questions.put(2, question(2), 200)
    assert questions.set_deadlines(200, BEGAN + 0.5, LOOKED + 0.5) == LOOKED + 1.5
    assert questions.earliest() == LOOKED + 1


def test_a_clock_stands_still_until_its_question_is_written() -> None:
    questions = asked(1, 2)
    assert questions.set_deadlines(150, BEGAN, 11.0) == 12.0
    assert questions.set_deadlines(199, BEGAN, 15.0) == 16.0
    assert questions.open[1].late == 12.0
    assert questions.open[2].late == 16.0
    assert questions.set_deadlines(200, BEGAN, 20.0) == 21.0
    assert questions.set_deadlines(200, BEGAN, 25.0) == NEVER


def test_a_clock_runs_on_while_the_bot_does_not_read() -> None:
    """Or a bot that stops reading for good could never be late."""
    questions = asked(1)
    assert questions.set_deadlines(99, BEGAN, 11.0) == 12.0
    assert questions.set_deadlines(99, BEGAN, 11.5) == NEVER
    assert questions.earliest() == 12.0


def test_nothing_is_late_without_a_clock() -> None:
    questions = asked(1, clock_s=None)
    assert questions.set_deadlines(100, BEGAN, LOOKED) == NEVER
    assert questions.expire(1e9) == []


def test_a_question_is_late_from_its_deadline_on_and_charged_its_clock() -> None:
    questions = asked(1)
    questions.set_deadlines(100, BEGAN, 11.0)
    assert questions.expire(11.999) == []
    assert questions.expire(12.0) == [(1, Failed("timeout", "no answer within 1 s", 1_000_000))]
    assert questions.expire(12.0) == []


def test_only_what_is_late_expires() -> None:
    questions = asked(1)
    questions.set_deadlines(100, BEGAN, 11.0)
    questions.put(2, question(2, 5.0), 200)
    questions.set_deadlines(200, BEGAN, 11.0)
    assert [key for key, _ in questions.expire(12.0)] == [1]
    assert questions.overdue == {1}
    assert questions.earliest() == 16.0


def test_what_is_overdue_is_wanted_again_when_it_is_asked_again() -> None:
    questions = asked(1)
    questions.set_deadlines(100, BEGAN, LOOKED)
    questions.expire(NEVER)
    questions.put(1, question(1), 200)
    assert questions.overdue == set()


@pytest.mark.parametrize(
    ("clock_s", "now", "us"),
    [(1.0, 10.5, 500_000), (1.0, 11.0, 1_000_000), (1.0, 99.0, 1_000_000), (None, 12.0, 2_000_000)],
)
def test_an_answer_in_time_is_charged_what_it_took_and_its_clock_at_most(
    clock_s: float | None, now: float, us: int
) -> None:
    """It was there in time, so only the arena can have looked late."""
    new = asked(1, clock_s=clock_s).open[1]
    assert new.charge(10.0, now) == us
    questions = asked(1, clock_s=clock_s)
    questions.set_deadlines(100, 10.0, 10.1)
    assert questions.open[1].charge(55.0, now) == us, "a later look counts from the first"


def test_time_may_begin_at_nought() -> None:
    questions = asked(1)
    questions.set_deadlines(100, 0.0, 0.0)
    assert questions.open[1].charge(0.5, 0.75) == 750_000


def test_what_fails_together_is_charged_one_by_one() -> None:
    questions = asked(1, clock_s=None)
    questions.set_deadlines(100, 10.0, 10.0)
    questions.put(2, question(2, None), 200)
    assert questions.fail(Failed("exited", "exit code 1"), 11.0, 12.0) == [
        (1, Failed("exited", "exit code 1", 2_000_000)),
        (2, Failed("exited", "exit code 1", 1_000_000)),
    ]
    assert questions.open == {}


def test_what_others_took_of_the_core_is_given_in_addition_and_not_charged() -> None:
    questions = asked(1)
    questions.set_deadlines(100, 10.0, 10.0)
    questions.withheld = 3.0
    assert questions.expire(13.9) == []
    assert questions.earliest() == 14.0
    extra = questions.extra_of(questions.open[1])
    assert questions.open[1].charge(10.0, 13.5, extra) == 500_000
    assert questions.expire(14.0) == [
        (1, Failed("timeout", "no answer within 1 s", 1_000_000, 3_000_000))
    ]


def test_only_what_was_withheld_since_a_question_was_put_counts_for_it() -> None:
    questions = OpenQuestions()
    questions.withheld = 5.0
    questions.put(1, question(1, 1.0), 100)
    questions.set_deadlines(100, BEGAN, 11.0)
    assert questions.earliest() == 12.0
    questions.withheld = 5.01
    assert questions.earliest() == 12.0, "less than a look can tell"


def test_no_question_stays_open_longer_than_some_times_its_clock() -> None:
    questions = asked(1, clock_s=2.0)
    questions.set_deadlines(100, BEGAN, 11.0)
    questions.withheld = 1e6
    assert questions.earliest() == 11.0 + LONGEST * 2.0
