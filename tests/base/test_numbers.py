"""A whole number is ASCII digits, as many as a computer counts with."""

import pytest

from arena.base.numbers import whole_number


@pytest.mark.parametrize("text", ["²", "٣", "", "-1", "+1", " 1", "1\n", "1_0", "9" * 19])
def test_other_text_is_not_a_whole_number(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.parametrize("text", ["0", "007", "9" * 18])
def test_digits_are_a_whole_number(text: str) -> None:
    assert whole_number(text) == int(text)
