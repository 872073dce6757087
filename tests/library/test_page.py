"""docs/python.md: its examples print what stands below them, and it explains every public name."""

import contextlib
import io
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import arena
from tests.test_documents import ROOT, Block, blocks

PAGE = "docs/python.md"


def plays_bots(block: Block) -> bool:
    return '"sample_bots/' in block.text or "Record(" in block.text


def run(examples: list[Block]) -> None:
    """Run examples one after another, as one program; compare what each prints."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    for block in examples:
        if block.language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(block.text, f"{PAGE}:{block.line}", "exec"), scope)
        else:
            assert printed.getvalue() == block.text, f"{PAGE}:{block.line}"


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


def test_the_page_explains_every_public_name_and_no_other() -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    rows = page[page.index("## All names") :].splitlines()[4:]
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    mentioned = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert explained == set(arena.__all__)
    assert {name for name in mentioned if hasattr(arena, name)} == explained


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    assert {*arena.__all__} <= {*dir(arena)}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = arena.nothing  # type: ignore[attr-defined]  # that is the claim


def test_the_package_is_typed_with_the_same_names_from_the_same_modules() -> None:
    assert (ROOT / "arena/py.typed").exists()
    stub = (ROOT / "arena/__init__.pyi").read_text(encoding="utf-8")
    found = sorted((name, it) for it, name in re.findall(r"from (\S+) import (\w+) as \2\n", stub))
    assert [name for name, _ in found] == arena.__all__
    for name, module in found:
        assert getattr(arena, name) is getattr(import_module(module), name)


def test_importing_the_arena_loads_nothing_else_of_it() -> None:
    code = "import sys, arena; print([each for each in sys.modules if each.startswith('arena.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
