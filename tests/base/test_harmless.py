"""No sign that a terminal obeys, turns or hides, and no formula, gets through; all else does."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.errors import Mistake
from arena.base.harmless import (
    MOST_MARKS,
    HarmlessStream,
    harmless,
    harmless_cell,
    harmless_json,
    harmless_lines,
    harmless_signs,
    harmless_values,
    one_line,
)
from tests.support.hostile import HOSTILE, computes, is_harmful

any_text = st.text(st.characters())
hostile_text = st.lists(st.sampled_from([*HOSTILE, "ā", "Ж", "=", "+1", ";", '"', "♣"])).map(
    "".join
)


VARIATION_SELECTORS = ["\ufe00", "\ufe0f", "\U000e0100", "\U000e01ef"]
"""The first and the last ones of both ranges; they show nothing."""


@pytest.mark.parametrize("sign", [*HOSTILE, *VARIATION_SELECTORS], ids=ascii)
def test_a_sign_that_a_terminal_would_obey_or_hide_is_escaped(sign: str) -> None:
    assert harmless(f"a{sign}b") == f"a{ascii(sign)[1:-1]}b"


@pytest.mark.parametrize("text", ["careful", "Bērziņš", "Ёж", "日本", "♣♦ ± … →", "שלום", "क्षि"])
def test_what_people_write_stays(text: str) -> None:
    assert harmless(text) == text


def test_a_letter_bears_a_few_marks_and_no_more() -> None:
    marks = "\u0301" * (MOST_MARKS + 2)
    assert harmless(f"e{marks}x") == f"e{marks[:-2]}\\u0301\\u0301x"
    assert harmless("\u0301e") == "\\u0301e"


@given(any_text | hostile_text)
def test_nothing_harmful_is_left_and_cleaning_again_changes_nothing(text: str) -> None:
    cleaned = harmless(text)
    assert not is_harmful(cleaned)
    assert harmless(cleaned) == cleaned
    assert "".join(harmless_signs(text)) == cleaned
    assert harmless_lines(text).count("\n") == text.count("\n")
    assert not is_harmful(harmless_lines(text).replace("\n", "").replace("\t", ""))


@given(st.text() | hostile_text)
def test_a_document_says_the_same_and_is_harmless(text: str) -> None:
    document = json.dumps({text: [text]}, ensure_ascii=False, indent=1)
    cleaned = harmless_json(document)
    assert not is_harmful(cleaned.replace("\n", ""))
    assert json.loads(cleaned) == {text: [text]}


@given(any_text | hostile_text)
def test_no_cell_is_a_formula_whatever_separates_the_cells(text: str) -> None:
    sheet = io.StringIO()
    csv.writer(sheet).writerow([harmless_cell(text)])
    for separator in ",;":
        for cell in next(csv.reader([sheet.getvalue()], delimiter=separator), ()):
            assert not computes(cell)


@pytest.mark.parametrize(
    "text", ["=1+1", "+x", "-x", "@x", "\uff1d1", "\uff0d1+1", " =1", "-", '"=', '" "+x']
)
def test_what_begins_as_a_formula_becomes_text(text: str) -> None:
    assert harmless_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", [-3, 2.5, None, True, "-3", "+2.5", "1e-05", "bot", "a-b", "a=b"])
def test_numbers_and_plain_words_stay_as_they_are(value: object) -> None:
    assert harmless_cell(value) is value or harmless_cell(value) == value


def test_the_values_of_a_page_are_cleaned_wherever_they_stand() -> None:
    value = {"a\x1b": ["b\u202e", 1, None, {"c": "d\n\x9b"}]}
    assert harmless_values(value) == {"a\\x1b": ["b\\u202e", 1, None, {"c": "d\n\\x9b"}]}


def test_a_mistake_is_one_line_and_its_program_s_words_stand_below() -> None:
    mistake = Mistake("no \x1b", "a\nb", "try\u2028", ("one\x07", "two"))
    assert str(mistake) == "a\\nb: no \\x1b; try\\u2028\none\\x07\ntwo"


def test_a_stream_lets_line_ends_and_tabs_pass_alone() -> None:
    below = io.StringIO()
    stream = HarmlessStream(below)
    assert stream.write("a\tb\r\x1b[31m\n") == 10
    stream.writelines(["c\u202e\n"])
    print("d\x9b", file=stream)
    assert below.getvalue() == "a\tb\\r\\x1b[31m\nc\\u202e\nd\\x9b\n"
    assert not stream.isatty()


def test_untrusted_words_become_one_line_of_harmless_signs() -> None:
    said = [one_line(words) for words in ("a\x1b[31m\nb", ValueError("\u202e"), "x" * 5000)]
    assert said[:2] == [r"a\x1b[31m", r"\u202e"]
    assert len(said[2]) == 1001
