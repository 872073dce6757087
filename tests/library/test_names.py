"""The public names are those that docs/python.md explains, typed, and loaded only when used."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import arena

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/python.md").read_text(encoding="utf-8")


def test_the_page_explains_every_public_name_and_no_other() -> None:
    rows = PAGE[PAGE.index("## All names") :].splitlines()[4:]
    said = [name for row in rows for name in re.findall(r"`(\w+)`", row) if hasattr(arena, name)]
    first = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert set(said) == set(arena.__all__)
    assert set(first) == set(arena.__all__)


def test_every_public_name_is_there_and_no_other() -> None:
    for name in arena.__all__:
        assert getattr(arena, name) is not None
    assert {*arena.__all__} <= {*dir(arena)}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = arena.nothing  # type: ignore[attr-defined]  # that is the claim


def test_who_checks_types_is_told_of_the_same_names_from_the_same_modules() -> None:
    stub = (ROOT / "arena/__init__.pyi").read_text(encoding="utf-8")
    told = re.findall(r"^from (\S+) import (\w+) as \2$", stub, re.MULTILINE)
    assert sorted(name for _, name in told) == arena.__all__
    for module, name in told:
        assert getattr(arena, name) is getattr(import_module(module), name)


def test_importing_the_arena_loads_nothing_else_of_it() -> None:
    code = "import sys, arena; print([each for each in sys.modules if each.startswith('arena.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "arena/py.typed").exists()
