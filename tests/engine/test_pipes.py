"""A bot's pipes: data in transit, its limits, and what closing either end means."""

import os
from collections.abc import Iterator
from contextlib import suppress

import pytest

from arena.engine.pipes import Excess, Flooded, OutputEnded, Pipes


class Ends:
    """Pipes of a bot, and the other ends of them."""

    def __init__(self) -> None:
        self.input, stdin = os.pipe()
        stdout, self.output = os.pipe()
        self.pipes = Pipes(stdin, stdout, 1000, 1)

    def say(self, output: bytes) -> None:
        os.write(self.output, output)


@pytest.fixture
def ends() -> Iterator[Ends]:
    ends = Ends()
    yield ends
    for fd in (ends.input, ends.output, ends.pipes.stdin, ends.pipes.stdout):
        with suppress(OSError):
            os.close(fd)


def test_nothing_there_is_no_line_and_no_wait(ends: Ends) -> None:
    assert ends.pipes.take() == []


def test_lines_are_taken_as_they_are_wanted_and_counted(ends: Ends) -> None:
    ends.say(b"a\nb\nc\nd")
    assert ends.pipes.take() == [b"a"]
    assert ends.pipes.take(5) == [b"b", b"c"]
    assert ends.pipes.take(5) == []
    ends.say(b"d\n")
    assert ends.pipes.take() == [b"dd"]
    assert ends.pipes.answers == 4
    assert ends.pipes.received == 9


@pytest.mark.parametrize(
    ("said", "only"),
    [
        (b"a\n", b"a"),
        (b"\n", b""),
        (b"x" * 1000 + b"\n", b"x" * 1000),
        (b"", None),
        (b"a", None),
        (b"a\nb", None),
        (b"a\nb\n", None),
        (b"x" * 1001 + b"\n", None),
    ],
)
def test_a_line_by_itself_is_taken_and_anything_else_is_left_to_be_taken(
    ends: Ends, said: bytes, only: bytes | None
) -> None:
    ends.say(said)
    assert ends.pipes.take_only() == only
    assert ends.pipes.answers == (only is not None)
    assert ends.pipes.received == len(said)
    if only is not None:
        ends.pipes.give_back(only)
    elif len(said) > 1000:
        with pytest.raises(Flooded, match="1000 bytes"):
            ends.pipes.take()
        return
    assert ends.pipes.take_only() is None  # since something was there before
    assert ends.pipes.take(5) == said.split(b"\n")[:-1]
    assert ends.pipes.half_line == said.split(b"\n")[-1]


def test_a_closed_output_is_no_line_and_told_when_lines_are_taken(ends: Ends) -> None:
    os.close(ends.output)
    assert ends.pipes.take_only() is None
    with pytest.raises(OutputEnded, match="closed its output"):
        ends.pipes.take()


def test_good_lines_before_a_flood_are_answers(ends: Ends) -> None:
    ends.say(b"a\n" + b"x" * 1001)
    assert ends.pipes.take() == [b"a"]
    with pytest.raises(Flooded, match="1000 bytes"):
        ends.pipes.take()


def test_what_was_said_before_the_output_was_closed_is_heard(ends: Ends) -> None:
    ends.say(b"a\nb")
    os.close(ends.output)
    assert ends.pipes.take() == [b"a"]
    with pytest.raises(OutputEnded, match="closed its output"):
        ends.pipes.take()


def test_a_bot_without_input_may_still_have_answered(ends: Ends) -> None:
    ends.say(b"a\n")
    os.close(ends.input)
    ends.pipes.unwritten += b"question\n"
    ends.pipes.send()
    assert ends.pipes.unwritten == b""
    assert ends.pipes.take() == [b"a"]
    with pytest.raises(OutputEnded, match="closed its input"):
        ends.pipes.take()


def test_what_a_full_pipe_does_not_take_goes_later(ends: Ends) -> None:
    ends.pipes.unwritten += b"x" * 300_000
    for _ in range(2):  # the second time it takes nothing
        ends.pipes.send()
        assert 0 < ends.pipes.sent == 300_000 - len(ends.pipes.unwritten) < 300_000
    read = 0
    while read < 300_000:
        read += len(os.read(ends.input, 65536))
        ends.pipes.send()
    assert ends.pipes.sent == 300_000
    assert not ends.pipes.unwritten


def test_as_much_output_as_is_allowed_is_no_excess_and_one_byte_more_is(ends: Ends) -> None:
    line = b"x" * 511 + b"\n"
    for _ in range(2048):
        ends.say(line)
        assert ends.pipes.take() == [line[:-1]]
    ends.say(b"\n")
    for _ in range(2):
        assert ends.pipes.take_only() is None
        with pytest.raises(
            Excess, match="output: 1048577 bytes, the limit is 1048576 bytes a match"
        ):
            ends.pipes.take()
