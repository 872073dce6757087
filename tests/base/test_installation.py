"""Where the arena runs decides how its extras are installed."""

import re
import shlex
import sys
from pathlib import Path

import pytest

import arena
from arena.base.installation import how_to_install

CLONE = Path(arena.__file__).parents[1]
ADD, PIP = shlex.quote(f"{CLONE}/scripts/add"), f"{shlex.quote(sys.executable)} -m pip install"


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        (CLONE / ".venv", f"to install: {ADD} review"),
        ("/elsewhere", f"to install: {PIP} -e {shlex.quote(f'{CLONE}[review]')}"),
    ],
)
def test_a_clone_adds_to_its_own_environment_and_is_installed_editable_elsewhere(
    monkeypatch: pytest.MonkeyPatch, environment: Path | str, said: str
) -> None:
    monkeypatch.setattr(sys, "prefix", str(environment))
    assert how_to_install("review") == said


def test_elsewhere_the_package_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.base.installation._ARENA", tmp_path / "lib" / "arena")
    said = f"to install, in the folder of the arena's source: {PIP} '.[review]'"
    assert how_to_install("review") == said


def test_no_text_says_to_install_the_arena_from_an_index() -> None:
    """The name is not registered there: a stranger's package would be installed."""
    asks = re.compile(r"(install|add|run) (-\S+ )*['\"]?zole-arena\b(?! install)|uvx zole")
    kinds = {".md", ".py", ".html", ".ftl", ".toml", ""}
    folders = ("arena", "docs", "protocol", "sample_bots", "leagues", "scripts")
    paths = [CLONE / "README.md", *(each for name in folders for each in (CLONE / name).rglob("*"))]
    texts = [
        path
        for path in paths
        if path.suffix in kinds and path.is_file() and "node_modules" not in path.parts
    ]
    assert len(texts) > 100
    assert not [path for path in texts if asks.search(path.read_text("utf-8", "replace"))]
