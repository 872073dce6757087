"""What bots may be called, and which names are equal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.harmless import harmless, harmless_cell
from arena.bots.names import (
    LONGEST_NAME,
    equal_name,
    free_name,
    mistake_in_name,
    mistake_in_words,
    name_key,
)
from tests.support.hostile import HOSTILE, NAMES

GOOD = (
    *("careful", "a", "7", "C++", "bot 2", "v1.2_b-3", "Bērziņš", "Ёж", "Σοφός", "Հայ", "მელა"),
    *("日本ボット", "李小龍", "한국", "שלום", "कवि", "mixedЁж", "x" * LONGEST_NAME),
)
WRONG = {
    "": "has 0 characters",
    "x" * 41: "has 41 characters",
    "careful\n": "has \\n in it",
    "care\tful": "has \\t in it",
    " careful": "a space too many",
    "careful ": "a space too many",
    "care  ful": "a space too many",
    "-rf": "begins with a sign",
    ".": "begins with a sign",
    "=1+1": "has = in it",
    "a/b": "has / in it",
    "a\\b": "has \\ in it",
    "a;b": "has ; in it",
    "a$b": "has $ in it",
    "e\u0301t\u00e9": "composed form",
    "ev\u200bil": "in it",
    "a\u3164b": "invisible characters",
    "😀": "in it",
}
EQUAL = (("careful", "Careful"), ("stra\u00dfe", "STRASSE"), ("kāzā", "KA\u0304ZA\u0304"))
DIFFERENT = (("ai", "al"), ("a", "b"), ("bot.2", "bot.3"), ("a-b", "a_b"), ("kaza", "kāzā"))


@pytest.mark.parametrize("name", GOOD)
def test_names_of_any_script_are_good(name: str) -> None:
    assert mistake_in_name(name) == ""


@pytest.mark.parametrize("name", WRONG, ids=ascii)
def test_a_name_is_refused_by_what_is_wrong_with_it(name: str) -> None:
    assert WRONG[name] in harmless(mistake_in_name(name))


@pytest.mark.parametrize("name", [*NAMES, *(f"a{sign}b" for sign in HOSTILE)], ids=ascii)
def test_no_hostile_name_is_let_in(name: str) -> None:
    assert mistake_in_name(name)


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=ascii)
def test_names_that_differ_in_case_or_composition_are_equal(one: str, other: str) -> None:
    assert equal_name(one, ["x", other]) == other
    assert equal_name(other, [one]) == one


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_names_are_different(one: str, other: str) -> None:
    assert equal_name(one, [other]) is None


def test_a_taken_name_gets_the_first_free_number() -> None:
    assert free_name("a", []) == "a"
    assert free_name("a", ["A", "a.2"]) == "a.3"


def test_authors_with_equal_names_are_one() -> None:
    assert name_key("Jānis") == name_key("JĀNIS") == name_key("Ja\u0304nis")
    assert name_key("Jānis") != name_key("Janis")


@pytest.mark.parametrize("text", ["", "1.0-rc+2", "Jānis Bērziņš (RTU), שלום"])
def test_plain_words_make_a_version_and_an_author(text: str) -> None:
    assert mistake_in_words(text) == ""


@pytest.mark.parametrize("text", ["1\n", "a\u202eb", " 1", "a  b"])
def test_other_words_are_refused(text: str) -> None:
    assert "is not plain words" in mistake_in_words(text)


@given(st.text(max_size=50))
def test_a_name_that_is_let_in_is_fit_for_terminals_sheets_and_files(name: str) -> None:
    if not mistake_in_name(name):
        assert harmless(name) == name == unicodedata.normalize("NFC", name)
        assert harmless_cell(name) == name
        assert "/" not in name
        assert name.strip() == name
        assert equal_name(name, [name.upper(), name.casefold()]) is not None
