"""What bots may be called, and which names are too like one another."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.harmless import harmless, harmless_cell
from arena.bots.names import (
    LONGEST_NAME,
    free_name,
    look_alike,
    mistake_in_name,
    mistakes_in,
    same_person,
)
from tests.support.hostile import HOSTILE, NAMES

GOOD = (
    *("careful", "a", "7", "C++", "bot 2", "v1.2_b-3", "Bērziņš", "Ёж", "Σοφός", "Հայ", "მელა"),
    *("日本ボット", "李小龍", "한국", "x" * LONGEST_NAME),
)
WRONG = {
    "": "is empty",
    "x" * 41: "has 41 characters",
    "careful\n": "a blank other than a space",
    "care\tful": "a blank other than a space",
    " careful": "a blank too many",
    "careful ": "a blank too many",
    "care  ful": "a blank too many",
    "-rf": "begins with a sign",
    ".": "begins with a sign",
    "=1+1": "has = in it",
    "a/b": "has / in it",
    "a\\b": "has \\ in it",
    "a;b": "has ; in it",
    "a$b": "has $ in it",
    "\u0441areful": "\u0441 is Cyrillic and a is Latin",
    "c\u03bfpy": "is Greek",
    "\uff43areful": "in it",
    "e\u0301t\u00e9": "\\u0301",
    "\u05e9\u05dc\u05d5\u05dd": "in it",
    "\u0661": "in it",
    "\U0001d41a": "in it",
    "😀": "in it",
}
ALIKE = (
    *(("careful", "Careful"), ("careful", "CAREFUL"), ("careful", "\uff43areful")),
    *(("coco", "\u0441\u043e\u0441\u043e"), ("\u0432\u043e\u0442", "BOT"), ("bot1", "botl")),
    *(("Ivan", "lvan"), ("o0", "OO"), ("corn", "com"), ("\u30ed", "\u53e3"), ("i", "\u0131")),
    *(("evil", "ev\u200bil"), ("a b", "a\u00a0b"), ("stra\u00dfe", "STRASSE")),
)
APART = (("ai", "al"), ("a", "b"), ("bot.2", "bot.3"), ("a-b", "a_b"), ("kaza", "kāzā"), ("n", "h"))


@pytest.mark.parametrize("name", GOOD)
def test_names_of_one_script_are_good(name: str) -> None:
    assert mistake_in_name(name) == ""


@pytest.mark.parametrize("name", WRONG, ids=ascii)
def test_a_name_is_refused_by_what_is_wrong_with_it(name: str) -> None:
    assert WRONG[name] in harmless(mistake_in_name(name))


@pytest.mark.parametrize("name", [*NAMES, *(f"a{sign}b" for sign in HOSTILE)], ids=ascii)
def test_no_hostile_name_is_let_in(name: str) -> None:
    assert mistake_in_name(name)


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=ascii)
def test_names_that_people_take_for_each_other_are_alike(one: str, other: str) -> None:
    assert look_alike(one, ["x", other]) == other
    assert look_alike(other, [one]) == one


@pytest.mark.parametrize(("one", "other"), APART)
def test_other_names_are_not_alike(one: str, other: str) -> None:
    assert look_alike(one, [other]) is None


def test_of_names_that_were_entered_long_ago_only_equal_ones_are_alike() -> None:
    entered = {"careful", "Careful"}
    assert look_alike("careful", ["Careful"], entered) is None
    assert look_alike("careful", ["careful"], entered) == "careful"
    assert look_alike("CAREFUL", ["careful"], entered) == "careful"


def test_a_taken_name_gets_the_first_free_number() -> None:
    assert free_name("a", []) == "a"
    assert free_name("a", ["A", "a.2"]) == "a.3"


def test_authors_whose_names_look_alike_are_one() -> None:
    assert same_person("Jānis") == same_person("JĀNIS") == same_person("J\u0430\u0304nis")
    assert same_person("Jānis") != same_person("Janis")


@pytest.mark.parametrize(
    ("manifest", "keys"),
    [
        ({"name": "a", "version": "1.0-rc+2", "author": "Jānis Bērziņš (RTU), שלום"}, []),
        ({"name": "a", "version": "", "author": ""}, []),
        ({"name": "a\n", "version": "1" * 41, "author": "a" * 81}, ["name", "version", "author"]),
        ({"version": "1\n", "author": "a\u202eb"}, ["version", "author"]),
        ({"version": " 1", "author": "a  b"}, ["version", "author"]),
        ({"name": 7, "version": None}, []),
    ],
)
def test_versions_and_authors_are_bounded_plain_words(
    manifest: dict[str, object], keys: list[str]
) -> None:
    assert [key for key, *_ in mistakes_in(manifest)] == keys


@given(st.text(max_size=50))
def test_a_name_that_is_let_in_is_fit_for_terminals_sheets_and_files(name: str) -> None:
    if not mistake_in_name(name):
        assert harmless(name) == name == unicodedata.normalize("NFKC", name)
        assert harmless_cell(name) == name
        assert "/" not in name
        assert name.strip() == name
        assert look_alike(name, [name.upper(), name.casefold()]) is not None
