"""Each word of the glossary stands once and is used in the file that is named beside it."""

import re
from itertools import pairwise

import pytest

from tests.support.source import ROOT

WORDS = re.findall(
    r"^\| ([\w ]+) \| .+ \| `([\w/.]+)` \|$",
    (ROOT.parent / "docs/glossary.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(("word", "place"), WORDS, ids=[word for word, _ in WORDS])
def test_a_word_is_used_where_the_glossary_says(word: str, place: str) -> None:
    text = (ROOT / place).read_text(encoding="utf-8")
    assert re.search(rf"\b{word}(s|e?d|es)?\b", text, re.IGNORECASE)


def test_words_stand_once_and_in_order() -> None:
    assert len(WORDS) > 40
    assert all(one < other for (one, _), (other, _) in pairwise(WORDS))
