"""Where the arena runs decides how its extras are installed."""

import shlex
import sys
from pathlib import Path

import pytest

import arena
from arena.base.extras import how_to_install

PIP = f"{shlex.quote(sys.executable)} -m pip install"


def test_a_clone_adds_to_its_own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clone = Path(arena.__file__).parents[1]
    monkeypatch.setattr(sys, "prefix", str(clone / ".venv"))
    assert how_to_install("review") == f"to install: {shlex.quote(f'{clone}/scripts/add')} review"


def test_elsewhere_a_clone_is_installed_to_be_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    clone = Path(arena.__file__).parents[1]
    monkeypatch.setattr(sys, "prefix", "/elsewhere")
    assert how_to_install("review") == f"to install: {PIP} -e {shlex.quote(f'{clone}[review]')}"


@pytest.mark.parametrize(
    ("marks", "command"),
    [
        ((), f"{PIP} 'zole-arena[review]'"),
        (("pipx_metadata.json",), "pipx runpip zole-arena install 'zole-arena[review]'"),
    ],
    ids=["a wheel", "pipx"],
)
def test_elsewhere_the_package_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marks: tuple[str, ...], command: str
) -> None:
    for mark in marks:
        (tmp_path / mark).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(arena, "__file__", str(tmp_path / "lib" / "arena" / "__init__.py"))
    assert how_to_install("review") == f"to install: {command}"
