"""What may be compiled is, where it should be, and holds nothing that compilation would change."""

import os
import tomllib
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.base.installation import form
from tests.support.command import run

FORM = os.environ.get("ZOLE_ARENA_FORM", "pure Python")
"""What `scripts/test-compiled` says it tests."""


PROJECT = Path(__file__).parents[1]
DOCUMENT: dict[str, Any] = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = DOCUMENT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
MODULES = [path.removesuffix(".py").replace("/", ".") for path in HOOK["modules"]]


def structs(module: str) -> list[str]:
    return [
        name
        for name, it in vars(import_module(module)).items()
        if isinstance(it, type) and issubclass(it, msgspec.Struct) and it.__module__ == module
    ]


@pytest.mark.parametrize("module", MODULES)
def test_what_is_compiled_is_loaded_and_defines_no_struct(module: str) -> None:
    """mypyc drops `frozen`, `array_like`, `tag` and the like without a word."""
    assert structs("arena.match.wire"), "a struct would be noticed"
    assert not structs(module)
    file = import_module(module).__file__ or ""
    assert file.endswith(tuple(EXTENSION_SUFFIXES)) == (FORM == "compiled")


def test_the_version_says_which_form_this_is() -> None:
    """The version still ends the first line, for whoever reads it there."""
    first, second = run("--version").stdout.splitlines()
    assert first.startswith("arena, version ")
    assert second == form() == FORM


def test_wheels_are_compiled_if_one_asks_by_the_mypy_that_checks_the_types() -> None:
    asked, project = {*HOOK["dependencies"]}, DOCUMENT["project"]
    dev = {*DOCUMENT["dependency-groups"]["dev"]}
    assert HOOK["enable-by-default"] is False
    assert asked <= dev | {*project["dependencies"]}
    assert [it for it in asked & dev if it.startswith("mypy==")]
