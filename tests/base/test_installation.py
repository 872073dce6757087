"""Where the arena runs decides how its extras are installed."""

import re
import shlex
import sys
from pathlib import Path

import pytest

import arena
from arena.base.installation import how_to_install

PIP = f"{shlex.quote(sys.executable)} -m pip install"


def test_a_clone_adds_to_its_own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clone = Path(arena.__file__).parents[1]
    monkeypatch.setattr(sys, "prefix", str(clone / ".venv"))
    assert how_to_install("review") == f"to install: {shlex.quote(f'{clone}/scripts/add')} review"


def test_elsewhere_a_clone_is_installed_to_be_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    clone = Path(arena.__file__).parents[1]
    monkeypatch.setattr(sys, "prefix", "/elsewhere")
    assert how_to_install("review") == f"to install: {PIP} -e {shlex.quote(f'{clone}[review]')}"


def test_elsewhere_the_package_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.base.installation._ARENA", tmp_path / "lib" / "arena")
    said = f"to install, in the folder of the arena's source: {PIP} '.[review]'"
    assert how_to_install("review") == said


def test_nobody_is_told_to_ask_an_index_for_the_arena() -> None:
    """The name is not registered there: what came would be a stranger's."""
    project = Path(arena.__file__).parents[1]
    asks = re.compile(r"(install|add|run) (-\S+ )*['\"]?zole-arena\b(?! install)|uvx zole")
    folders = ("arena", "docs", "protocol", "sample_bots", "leagues", "scripts")
    texts = [project / "README.md", *(each for name in folders for each in walk(project / name))]
    assert not [each for each in texts if asks.search(each.read_text("utf-8", "replace"))]


def walk(folder: Path) -> list[Path]:
    kinds = {".md", ".py", ".html", ".ftl", ".toml", ""}
    return [
        each
        for each in folder.rglob("*")
        if each.suffix in kinds and each.is_file() and "node_modules" not in each.parts
    ]
