"""Texts: harmless wherever they are printed, in every language, and right with any number."""

import csv
import io
import json
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from babel import Locale
from fluent.syntax import ast, parse
from fluent.syntax.visitor import Visitor
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
from arena.reports.language import ENGLISH, RANKS, SIGNS, SUITS, Language
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


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        *((0, "deal", "0 deals"), (1, "deal", "1 deal"), (2, "more deal", "2 more deals")),
        *((1, "match", "1 match"), (8, "match", "8 matches")),
    ],
)
def test_one_is_alone_and_all_else_are_many(number: int, noun: str, said: str) -> None:
    assert count(number, noun) == said
    assert is_or_are(number) == ("is" if number == 1 else "are")


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


WORDS = Path(arena.__file__).parent / "words"
FILES = sorted(path.relative_to(WORDS).as_posix() for path in WORDS.glob("*/*.ftl"))
PLURALS = {"zero", "one", "two", "few", "many"}
CARDS = [rank + suit for suit, rank in product(SUITS, RANKS)]


class Parts(Visitor):
    """What a message is made of: values, other messages, and the keys of its selects."""

    def __init__(self, message: ast.Message) -> None:
        self.values: set[str] = set()
        self.messages: set[str] = set()
        self.selects: list[set[str]] = []
        self.cases: set[str] = set()
        self.visit(message)

    def visit_VariableReference(self, node: ast.VariableReference) -> None:  # noqa: N802
        self.values.add(node.id.name)

    def visit_MessageReference(self, node: ast.MessageReference) -> None:  # noqa: N802
        self.messages.add(node.id.name)

    def visit_NamedArgument(self, node: ast.NamedArgument) -> None:  # noqa: N802
        if node.name.name == "case":
            self.cases.add(node.value.value)

    def visit_SelectExpression(self, node: ast.SelectExpression) -> None:  # noqa: N802
        keys = (each.key for each in node.variants)
        self.selects.append({key.name for key in keys if isinstance(key, ast.Identifier)})
        self.generic_visit(node)


@cache
def entries(file: str) -> list[ast.EntryType]:
    return parse((WORDS / file).read_text(encoding="utf-8")).body


@cache
def messages(file: str) -> dict[str, Parts]:
    """The messages of a catalogue."""
    found = {entry.id.name: entry for entry in entries(file) if isinstance(entry, ast.Message)}
    return {name: Parts(entry) for name, entry in found.items()}


def language_of(file: str) -> str:
    return file.split("/")[0]


@cache
def whole(language: str) -> dict[str, Parts]:
    """The messages of all catalogues of a language, with English for those that it lacks."""
    files = [each for tag in (ENGLISH, language) for each in FILES if language_of(each) == tag]
    return {name: parts for file in files for name, parts in messages(file).items()}


def values(language: str, name: str) -> set[str]:
    """The values of a message and of those that it mentions; a card's case is the language's."""
    parts = whole(language)[name]
    mentioned = (values(language, each) for each in parts.messages)
    return parts.values.union(*mentioned) - {"case"}


@pytest.mark.parametrize("file", FILES)
def test_a_catalogue_can_be_read_and_has_the_messages_and_values_of_the_english_one(
    file: str,
) -> None:
    assert [each.content for each in entries(file) if isinstance(each, ast.Junk)] == []
    english = messages(f"{ENGLISH}/{file.split('/')[1]}")
    assert messages(file).keys() == english.keys()
    for name in english:
        assert values(language_of(file), name) == values(ENGLISH, name), name


@pytest.mark.parametrize("language", sorted(set(map(language_of, FILES))))
def test_no_message_is_defined_twice(language: str) -> None:
    own = [entry for file in FILES if language_of(file) == language for entry in entries(file)]
    counts = Counter(entry.id.name for entry in own if isinstance(entry, ast.Message))
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("file", FILES)
def test_what_is_counted_has_all_plural_forms_of_the_language(file: str) -> None:
    form = Locale.parse(language_of(file)).plural_form
    needed = {form(number) for number in range(1000)} | {"other"}
    for name, parts in messages(file).items():
        for keys in parts.selects:
            if keys & PLURALS:
                assert needed <= keys <= {*form.tags, "other"}, name


LATVIAN = Language("lv")


@pytest.mark.parametrize(
    ("message", "count", "words"),
    [
        ("points", 0, "0 acis"),
        ("points", 1, "1 acs"),
        ("points", 2, "2 acis"),
        ("points", 10, "10 acis"),
        ("points", 11, "11 acis"),
        ("points", 21, "21 acs"),
        ("points", 120, "120 acis"),
        ("tricks", 1, "1 stiķis"),
        ("tricks", 2, "2 stiķi"),
        ("tricks", 8, "8 stiķi"),
    ],
)
def test_latvian_counts(message: str, count: int, words: str) -> None:
    assert LATVIAN.say(message, count=count) == words


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
    used = set().union(*(parts.cases for parts in whole("lv").values()))
    assert used | {"nominative"} == {*NAMES}
    played = {"who": "other", "name": "1. vieta", "card": "QC"}
    assert LATVIAN.say("plays-card", **played) == "1. vieta izspēlē kreiča dāmu."


def test_a_very_long_value_is_cut_off() -> None:
    said = LATVIAN.say("practice-seed", seed="9" * 5000)
    assert said.count("9") == 2000
    assert "…" in said


@pytest.mark.parametrize("language", ["en", "lv"])
def test_short_cards_are_alike_in_every_sentence(language: str) -> None:
    short = Language(language, short_cards=True)
    for card in CARDS:
        sign = ("10" if card[0] == "T" else card[0]) + SIGNS[card[1]]
        assert short.card(card) == sign
        assert f" {sign}." in short.say("plays-card", who="you", name="", card=card)
