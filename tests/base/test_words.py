"""Sentences agree with the numbers in them."""

import pytest

from arena.base.words import are, count, deal_name, deal_names, deal_numbers, in_words, whole_number


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        *((0, "deal", "0 deals"), (1, "deal", "1 deal"), (2, "more deal", "2 more deals")),
        *((1, "match", "1 match"), (8, "match", "8 matches")),
    ],
)
def test_one_is_alone_and_all_else_are_many(number: int, noun: str, said: str) -> None:
    assert count(number, noun) == said
    assert are(number) == ("is" if number == 1 else "are")


def test_a_run_of_one_has_no_end() -> None:
    assert (deal_numbers(2, 1), deal_numbers(2, 5)) == ("3", "3 to 7")
    assert (deal_names(2, 1), deal_names(2, 5)) == ("deal 3", "deals 3 to 7")
    assert deal_name(0) == "deal 1"


def test_contracts_are_named_as_people_say_them() -> None:
    assert [in_words(each) for each in ("small_solo", "thrown_in", "solo")] == [
        "small solo",
        "thrown in",
        "solo",
    ]


@pytest.mark.parametrize("text", ["²", "٣", "", "-1", "+1", " 1", "1\n", "1_0", "9" * 19])
def test_other_text_is_not_a_whole_number(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.parametrize("text", ["0", "007", "9" * 18])
def test_digits_are_a_whole_number(text: str) -> None:
    assert whole_number(text) == int(text)
