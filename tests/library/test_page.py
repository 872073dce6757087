"""The examples of docs/python.md print what stands below them."""

import contextlib
import io
from pathlib import Path
from typing import Any

import pytest

from tests.test_documents import ROOT, Block, blocks

PAGE = "docs/python.md"


def plays_bots(block: Block) -> bool:
    return '"sample_bots/' in block.text or "Record(" in block.text


def run(examples: list[Block]) -> None:
    """Run examples one after another, as one program; compare what each prints."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    printed = ""
    for block in examples:
        if block.language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(block.text, f"{PAGE}:{block.line}", "exec"), scope)
            printed = out.getvalue()
        else:
            assert printed == block.text, f"{PAGE}:{block.line}"


def test_every_example_without_bots_prints_what_the_page_says() -> None:
    found = list(blocks(PAGE))
    programs = [block for block in found if block.language == "python"]
    assert len(programs) > sum(map(plays_bots, programs)) == 3
    alone, skipping = list[Block](), False
    for block in found:
        skipping = plays_bots(block) if block.language == "python" else skipping
        alone += [] if skipping else [block]
    run(alone)


@pytest.mark.slow
def test_every_example_runs_as_one_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    monkeypatch.chdir(tmp_path)
    run(list(blocks(PAGE)))
