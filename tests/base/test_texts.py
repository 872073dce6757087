"""Texts: harmless wherever they are printed, in every language, and right with any number."""

import csv
import io
import json
from collections import Counter
from datetime import datetime
from functools import cache, partial
from itertools import product
from pathlib import Path

import pytest
from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal
from fluent.syntax import ast, parse
from hypothesis import given
from hypothesis import strategies as st

import arena
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
from arena.base.words import (
    count,
    deal_name,
    deal_names,
    deal_numbers,
    in_words,
    is_or_are,
    whole_number,
)
from arena.reports.fluent import plural
from arena.reports.language import ENGLISH, RANKS, SIGNS, SUITS, Language
from tests.support.hostile import HOSTILE, computes, is_harmful

any_text = st.text(st.characters())
hostile_text = st.lists(st.sampled_from([*HOSTILE, "ā", "Ж", "=", "+1", ";", '"', "♣"])).map(
    "".join
)


VARIATION_SELECTORS = ["\ufe00", "\ufe0f", "\U000e0100", "\U000e01ef"]
"""The first and the last ones of both ranges; they show nothing."""

MARKS = "\u0301" * MOST_MARKS


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        *((f"a{sign}b", f"a{ascii(sign)[1:-1]}b") for sign in [*HOSTILE, *VARIATION_SELECTORS]),
        *((text, text) for text in ("careful", "Bērziņš", "Ёж", "日本", "♣♦ ± … →", "שלום", "क्षि")),
        (f"e{MARKS}\u0301\u0301x", f"e{MARKS}\\u0301\\u0301x"),
        ("\u0301e", "\\u0301e"),
    ],
    ids=ascii,
)
def test_what_a_terminal_would_obey_or_hide_is_escaped_and_what_people_write_stays(
    text: str, cleaned: str
) -> None:
    """A letter bears a few marks and no more."""
    assert harmless(text) == cleaned


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
    cleaned = harmless_json(json.dumps({text: [text]}, ensure_ascii=False, indent=1))
    assert not is_harmful(cleaned.replace("\n", ""))
    assert json.loads(cleaned) == {text: [text]}


@given(any_text | hostile_text)
def test_no_cell_is_a_formula_whatever_separates_the_cells(text: str) -> None:
    sheet = io.StringIO()
    csv.writer(sheet).writerow([harmless_cell(text)])
    for separator in ",;":
        for cell in next(csv.reader([sheet.getvalue()], delimiter=separator), ()):
            assert not computes(cell)


FORMULAS = ["=1+1", "+x", "-x", "@x", "\uff1d1", "\uff0d1+1", " =1", "-", '"=', '" "+x']
PLAIN = [-3, 2.5, None, True, "-3", "+2.5", "1e-05", "bot", "a-b", "a=b"]


@pytest.mark.parametrize(
    ("value", "cell"),
    [*((text, f"'{text}") for text in FORMULAS), *((value, value) for value in PLAIN)],
)
def test_what_begins_as_a_formula_becomes_text_and_all_else_stays(
    value: object, cell: object
) -> None:
    found = harmless_cell(value)
    assert (found, type(found)) == (cell, type(cell))


def test_untrusted_words_become_one_line_of_harmless_signs_wherever_they_stand() -> None:
    """What a program said stands below a mistake."""
    value = {"a\x1b": ["b\u202e", 1, None, {"c": "d\n\x9b"}]}
    assert harmless_values(value) == {"a\\x1b": ["b\\u202e", 1, None, {"c": "d\n\\x9b"}]}
    mistake = Mistake("no \x1b", "a\nb", "try\u2028", ("one\x07", "two"))
    assert str(mistake) == "a\\nb: no \\x1b; try\\u2028\none\\x07\ntwo"
    assert one_line("a\x1b[31m\nb") == r"a\x1b[31m"
    assert one_line(ValueError("\u202e")) == r"\u202e"
    assert len(one_line("x" * 5000)) == 1001


def test_a_stream_lets_line_ends_and_tabs_pass_alone() -> None:
    below = io.StringIO()
    stream = HarmlessStream(below)
    assert stream.write("a\tb\r\x1b[31m\n") == 10
    stream.writelines(["c\u202e\n"])
    print("d\x9b", file=stream)
    assert below.getvalue() == "a\tb\\r\\x1b[31m\nc\\u202e\nd\\x9b\n"
    assert not stream.isatty()


def test_one_is_alone_and_all_else_are_many() -> None:
    counted = [(0, "deal"), (1, "deal"), (2, "more deal"), (1, "match"), (8, "match")]
    said = [f"{count(number, noun)} {is_or_are(number)}" for number, noun in counted]
    assert said == ["0 deals are", "1 deal is", "2 more deals are", "1 match is", "8 matches are"]
    assert (deal_numbers(2, 1), deal_numbers(2, 5)) == ("3", "3 to 7")
    named = [deal_name(0), deal_names(2, 1), deal_names(2, 5), in_words("small_solo")]
    assert named == ["deal 1", "deal 3", "deals 3 to 7", "small solo"]


NO_NUMBERS = ["²", "٣", "", "-1", "+1", " 1", "1\n", "1_0", "9" * 19]


@pytest.mark.parametrize(
    ("text", "number"),
    [*((text, None) for text in NO_NUMBERS), ("0", 0), ("007", 7), ("9" * 18, 10**18 - 1)],
)
def test_digits_alone_are_a_whole_number(text: str, number: int | None) -> None:
    assert whole_number(text) == number


WORDS = Path(arena.__file__).parent / "words"
FILES = sorted(path.relative_to(WORDS).as_posix() for path in WORDS.glob("*/*.ftl"))
CARDS = [rank + suit for suit, rank in product(SUITS, RANKS)]
OF = {
    tag: [file for file in FILES if file.startswith(f"{tag}/")]
    for tag in sorted({file.partition("/")[0] for file in FILES})
}
"""The catalogues of each language."""


Nodes = list[ast.BaseNode]


def within(value: object) -> Nodes:
    """A node and all nodes in it."""
    if isinstance(value, list):
        return [node for each in value for node in within(each)]
    inner = within([*vars(value).values()]) if isinstance(value, ast.BaseNode) else []
    return [value, *inner] if isinstance(value, ast.BaseNode) else []


@cache
def entries(file: str) -> list[ast.EntryType]:
    return parse((WORDS / file).read_text(encoding="utf-8")).body


def messages(files: list[str]) -> dict[str, Nodes]:
    """The messages of catalogues, each with all nodes in it."""
    every = (entry for file in files for entry in entries(file))
    return {it.id.name: within(it) for it in every if isinstance(it, ast.Message)}


@cache
def whole(language: str) -> dict[str, Nodes]:
    """The messages of all catalogues of a language, with English for those that it lacks."""
    return messages(OF[ENGLISH]) | messages(OF[language])


def values(language: str, name: str) -> set[str]:
    """The values of a message and of those that it mentions; a card's case is the language's."""
    nodes = whole(language)[name]
    mentioned = (it.id.name for it in nodes if isinstance(it, ast.MessageReference))
    own = {it.id.name for it in nodes if isinstance(it, ast.VariableReference)}
    return own.union(*(values(language, each) for each in mentioned)) - {"case"}


@pytest.mark.parametrize("file", FILES)
def test_a_catalogue_can_be_read_and_has_the_messages_and_values_of_the_english_one(
    file: str,
) -> None:
    language, _, name = file.partition("/")
    assert [each.content for each in entries(file) if isinstance(each, ast.Junk)] == []
    found, english = (
        {message: values(tag, message) for message in messages([f"{tag}/{name}"])}
        for tag in (language, ENGLISH)
    )
    assert found == english


@pytest.mark.parametrize("language", OF)
def test_no_message_is_defined_twice(language: str) -> None:
    own = [entry for file in OF[language] for entry in entries(file)]
    counts = Counter(entry.id.name for entry in own if isinstance(entry, ast.Message))
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("language", OF)
def test_what_is_counted_has_all_plural_forms_of_the_language(language: str) -> None:
    form = Locale.parse(language).plural_form
    needed = {form(number) for number in range(1000)} | {"other"}
    for name, nodes in messages(OF[language]).items():
        for select in (it for it in nodes if isinstance(it, ast.SelectExpression)):
            variants = (each.key for each in select.variants)
            keys = {key.name for key in variants if isinstance(key, ast.Identifier)}
            if keys & {"zero", "one", "two", "few", "many"}:
                assert needed <= keys <= {*form.tags, "other"}, name


@pytest.mark.parametrize("tag", OF)
def test_plurals_numbers_and_dates_are_those_of_cldr(tag: str) -> None:
    locale = Locale.parse("en_GB" if tag == ENGLISH else tag)
    language = Language(tag)
    numbers = [*range(300), 1000, 10**6, 2 * 10**6, 0.5, 1.1, 1.5, 2.1, 5.12, 7.31, 10.5, 2.11]
    assert list(map(partial(plural, tag), numbers)) == list(map(locale.plural_form, numbers))
    for number in (0, 7, 1234, 1234567, -56789, 3.8, -0.125, 1234.5):
        assert language.number(number) == format_decimal(number, locale=locale)
    for month in range(1, 13):
        day = datetime(2026, month, 5, 9, 7)
        assert language.date(day) == format_date(day, "long", locale=locale)
        assert language.day_and_time(day) == f"{format_skeleton('MMMd', day, locale=locale)}, 09:07"
    for names in ([], ["a"], ["a", "b"], ["a", "b", "c"]):
        assert language.listed(names) == format_list(names, locale=locale)
    assert language.name.lower() == str(Locale.parse(tag).get_display_name()).lower()


LATVIAN = Language("lv")


def test_latvian_counts() -> None:
    points = (0, "acis"), (1, "acs"), (2, "acis"), (10, "acis"), (11, "acis"), (21, "acs")
    counted = [*(("points", *each) for each in points), ("points", 120, "acis")]
    counted += [("tricks", 1, "stiķis"), ("tricks", 2, "stiķi"), ("tricks", 8, "stiķi")]
    for message, number, words in counted:
        assert LATVIAN.say(message, count=number) == f"{number} {words}"


NAMES = {
    "nominative": "dūzis kungs dāma kalps desmitnieks devītnieks astotnieks septītnieks",
    "accusative": "dūzi kungu dāmu kalpu desmitnieku devītnieku astotnieku septītnieku",
}
LATVIAN_CARDS = {
    f"{case} {rank}{suit}": f"{of} {name}"
    for case, names in NAMES.items()
    for suit, of in {"C": "kreiča", "S": "pīķa", "H": "ercena", "D": "kārava"}.items()
    for rank, name in zip(RANKS, names.split(), strict=True)
}


def test_latvian_declines_cards_in_every_case_that_sentences_use() -> None:
    asked = {text: text.split() for text in LATVIAN_CARDS}
    assert {text: LATVIAN.card(card, case) for text, (case, card) in asked.items()} == LATVIAN_CARDS
    nodes = [
        it for each in whole("lv").values() for it in each if isinstance(it, ast.NamedArgument)
    ]
    assert {it.value.value for it in nodes if it.name.name == "case"} | {"nominative"} == {*NAMES}
    played = {"who": "other", "name": "1. vieta", "card": "QC"}
    assert LATVIAN.say("plays-card", **played) == "1. vieta izspēlē kreiča dāmu."


def test_a_very_long_value_is_cut_off() -> None:
    said = LATVIAN.say("practice-seed", seed="9" * 5000)
    assert (said.count("9"), said.count("…")) == (2000, 1)


@pytest.mark.parametrize("language", ["en", "lv"])
def test_short_cards_are_alike_in_every_sentence(language: str) -> None:
    short = Language(language, short_cards=True)
    for card in CARDS:
        sign = ("10" if card[0] == "T" else card[0]) + SIGNS[card[1]]
        assert short.card(card) == sign
        assert f" {sign}." in short.say("plays-card", who="you", name="", card=card)
