"""Which question a line answers: by its id, else the oldest; late answers are ignored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.questions import OpenQuestions, outcome_of
from arena.match.commands import Failed, Outcome, Said
from arena.match.unreadable import BYTES_SHOWN
from arena.match.wire import PlayReply
from tests.support.questions import question

READY = b'{"type":"ready","protocol":1}'


def asked(*numbers: int) -> OpenQuestions:
    questions = OpenQuestions()
    for number in numbers:
        questions.put(10 * number, question(number), 1)
    return questions


def heard(questions: OpenQuestions, line: bytes) -> tuple[int, Outcome] | None:
    return outcome_of(questions, line, 0.0, 0.5)


def play(number: int) -> bytes:
    return b'{"type":"play","id":%d,"card":"7C"}' % number


def test_an_answer_closes_the_question_of_its_id() -> None:
    questions = asked(1, 2, 3)
    assert heard(questions, play(2)) == (20, Said(PlayReply(id=2, card="7C"), 500_000, play(2)))
    assert list(questions.open) == [1, 3]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b"thinking", 10),
        (b"", 10),
        (READY, 10),
        (b'{"type":"bid","id":2,"bid":"pass"}', 20),
        (b'{"type":"play","id":2}', 20),
        (b'{"type":"play","id":2,"card":7}', 20),
        (b'{"id":3}', 30),
        (b'{"type":"play","id":9,"card":"7C"}', 10),
        (b'{"type":"play","id":9}', 10),
    ],
)
def test_a_malformed_line_is_blamed_on_the_question_of_its_id_else_on_the_oldest(
    line: bytes, key: int
) -> None:
    questions = asked(1, 2, 3)
    outcome = heard(questions, line)
    assert outcome is not None
    assert outcome[0] == key
    assert isinstance(outcome[1], Failed)
    assert (outcome[1].kind, outcome[1].us) == ("malformed", 500_000)
    assert len(questions.open) == 2


def test_the_answer_that_follows_a_stray_line_is_passed_over_once() -> None:
    questions = asked(1, 2)
    heard(questions, b"thinking")
    assert heard(questions, play(1)) is None
    again = heard(questions, play(1))
    assert again is not None
    assert again[0] == 20
    assert isinstance(again[1], Failed)


def test_the_answer_to_what_was_asked_again_is_heard() -> None:
    questions = asked(1)
    heard(questions, b"thinking")
    questions.put(11, question(1), 2)
    assert heard(questions, play(1)) == (11, Said(PlayReply(id=1, card="7C"), 500_000, play(1)))


def test_a_detail_shows_the_beginning_of_the_line() -> None:
    _, failed = heard(asked(1), b"x" * BYTES_SHOWN) or (0, None)
    assert isinstance(failed, Failed)
    assert failed.detail.endswith(f"'{'x' * BYTES_SHOWN}'")
    _, failed = heard(asked(1), b"\xff" + b"x" * BYTES_SHOWN) or (0, None)
    assert isinstance(failed, Failed)
    assert failed.detail.endswith(f"'\\xff{'x' * (BYTES_SHOWN - 1)}'…")


@given(st.binary())
def test_any_bytes_fail_one_question_and_leave_the_others(line: bytes) -> None:
    questions = asked(1, 2)
    outcome = heard(questions, line)
    assert outcome is not None
    assert isinstance(outcome[1], Failed)
    assert list(questions.open) == [2]
