"""Every language's catalogues say what the English ones say, and count as the language does."""

from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from babel import Locale
from fluent.syntax import ast, parse
from fluent.syntax.visitor import Visitor

import arena
from arena.reports.language import ENGLISH, RANKS, SIGNS, SUITS, Language

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
