"""The terminal's words all come from the catalogues, and what is typed means one thing."""

import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import get_args

import pytest
from fluent.syntax import ast, parse, serialize
from fluent.syntax.visitor import Transformer

from arena.match.commands import FAULT_WORDS
from arena.match.wire import DiscardReply, FaultKind, Refused, Reply, Request, ToBot, encode
from arena.people.advice import NoAdvice
from arena.people.suggestion import Suggestion
from arena.people.terminal_choices import answer_keys, is_answer, plainly
from arena.people.terminal_lines import Teller
from arena.reports import language as catalogues
from arena.reports.language import ENGLISH, Language, Saying, languages_with
from tests.people.test_terminal_lines import EXCHANGES

WORDS = catalogues._WORDS
WIRE = sorted((*get_args(FaultKind), *FAULT_WORDS.values()), key=len, reverse=True)
"""What stays in English within a sentence."""


class Marked(Transformer):
    """Marks all words of a catalogue."""

    def visit_TextElement(self, node: ast.TextElement) -> ast.TextElement:  # noqa: N802
        node.value = re.sub(r"^(\s*)(.*?\S)(\s*)$", r"\1⟦\2⟧\3", node.value, flags=re.DOTALL)
        return node


@pytest.fixture(scope="module")
def marked_words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """English whose words are marked: `⟦You pass.⟧`."""
    folder = tmp_path_factory.mktemp("marked")
    (folder / ENGLISH).mkdir()
    for path in (WORDS / ENGLISH).glob("*.ftl"):
        catalogue = parse(path.read_text(encoding="utf-8"))
        Marked().visit(catalogue)
        (folder / ENGLISH / path.name).write_text(serialize(catalogue), encoding="utf-8")
    return folder


@pytest.fixture
def marked(marked_words: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(catalogues, "_WORDS", marked_words)
    forget()
    yield
    forget()


def forget() -> None:
    """Read the catalogues anew."""
    catalogues._bundle.cache_clear()
    catalogues._load.cache_clear()
    catalogues._entries.cache_clear()


def all_said(name: str, language: Language) -> Iterator[str]:
    """Whatever a match makes the terminal say, where all is asked that can be."""
    lines = Teller(language)
    for what in EXCHANGES[name]():
        if isinstance(what, ToBot):
            yield from lines.hear(encode(what))
        if lines.asked is not None and isinstance(what, Request):
            for text in ("?", "nothing", "q", "no"):
                yield from lines.enter(text)[0]
            yield lines.hinted(NoAdvice(""))
        if isinstance(what, Reply):
            reasons = (Saying("why-worth", {"best": 1.25, "next": -0.5}), Saying("why-same"))
            yield lines.hinted(Suggestion(what, reasons))
        if isinstance(what, DiscardReply):
            lines.enter(".".join(what.cards))


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("short_cards", [True, False])
@pytest.mark.parametrize("name", EXCHANGES)
def test_every_word_is_of_a_catalogue(name: str, short_cards: bool) -> None:
    details = [what.detail for what in EXCHANGES[name]() if isinstance(what, Refused)]
    said = list(all_said(name, Language(ENGLISH, short_cards)))
    assert len(said) > 10
    for line in said:
        rest = re.sub("⟦[^⟦⟧]*⟧", "", re.sub(r"⟦([a-z])⟦", "⟦", line))  # the first of some keys
        for words in (*details, *WIRE):
            rest = rest.replace(words, "")
        assert re.fullmatch(r"[-+0-9 ,.♣♠♥♦]*| 1 min 0 s ", rest), line


@pytest.mark.parametrize("tag", languages_with("terminal"))
@pytest.mark.parametrize("asked", ["pass ordinary solo small_solo blind", "take give", "yes no"])
def test_a_key_means_the_same_in_english_or_nothing_else_that_is_asked(
    asked: str, tag: str
) -> None:
    language, english = Language(tag), Language(ENGLISH)
    for one, other in permutations(asked.split(), 2):
        words = [each.say("answer-word", word=one) for each in (language, english)]
        for key in (*words, *answer_keys(language, one), *answer_keys(english, one)):
            assert is_answer(language, key, one)
            assert not is_answer(language, key, other), (key, one, other)
    keys = [key for one in asked.split() for key in answer_keys(language, one)]
    meant = {"q", "h", "?", *(plainly(language.say(each)) for each in ("leave", "hint"))}
    assert not {*map(plainly, keys)} & meant


@pytest.mark.parametrize(
    ("variables", "tag"),
    [
        ({"LANG": "lv_LV.UTF-8"}, "lv"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "lv_LV"}, "lv"),
        ({"LC_ALL": "de_DE@euro", "LC_MESSAGES": "lv_LV", "LANG": "lv_LV"}, "de"),
        ({"LC_ALL": "", "LANG": "lv"}, "lv"),
        ({"LC_ALL": "C.UTF-8", "LANG": "lv_LV.UTF-8"}, "c"),
        ({}, ENGLISH),
    ],
)
def test_the_environment_says_the_language_as_posix_has_it(
    variables: dict[str, str], tag: str
) -> None:
    assert catalogues.of_environment(variables) == tag
