"""Pages about the code name files that exist; the contracts of imports are in pyproject.toml."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "CONTRIBUTING.md",
    *(ROOT / f"docs/{name}.md" for name in ("architecture", "glossary", "record")),
    *ROOT.glob("docs/decisions/*.md"),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_names_files_that_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+(?:/|\.py|\.toml|\.md|\.html|\.c))`", text)
    assert [
        each for each in named if not ((ROOT / "arena" / each).exists() or (ROOT / each).exists())
    ] == []
