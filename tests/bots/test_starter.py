"""A starter is written anywhere, and its next commands work as they stand."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.templates import SAMPLES
from tests.support.command import PROJECT, run, run_here
from tests.support.needs import need


def next_commands(said: str) -> list[list[str]]:
    return [shlex.split(line, comments=True)[1:] for line in said.splitlines()[1:]]


@pytest.mark.slow
def test_the_next_commands_of_a_starter_work_as_they_stand(tmp_path: Path) -> None:
    done = run("init", "my zole", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    league, replay, check = next_commands(done.stdout)
    file = tmp_path / "my zole" / "league.toml"
    quick = file.read_text().replace("deals = 60 ", "seatings = 3\ndeals = 1 ")
    file.write_text(f'{quick}\n[sandbox]\nlevel = "none"\n')
    played = run_here(*league, cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    assert "First: 4 of 4 sets, complete" in played.stdout
    assert played.stdout.count("none") == 5  # faults, and isolation
    assert run(*replay, cwd=tmp_path).returncode == 0
    assert check == ["check", "my zole/mine"]


def test_a_starter_fills_the_current_folder_by_default(tmp_path: Path) -> None:
    assert run("init", cwd=tmp_path).returncode == 0
    assert {*os.listdir(tmp_path)} == {"league.toml", "mine", *SAMPLES}


@pytest.mark.parametrize("name", ["league.toml", "mine", "careful"])
def test_a_starter_overwrites_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / name).symlink_to("elsewhere")
    done = run("init", tmp_path)
    why = f"{tmp_path / name}: this exists already; choose an empty folder\n"
    assert (done.returncode, done.stderr) == (2, why)
    assert os.listdir(tmp_path) == [name]


def test_a_starter_in_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run("init", tmp_path / "file")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("form", ["pure Python", "compiled"])
def test_the_wheel_is_all_that_a_beginner_needs(form: str, tmp_path: Path) -> None:
    """Built, installed into a fresh environment and used from an empty folder."""
    if form == "compiled":
        need("cc")
    asked = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"} if form == "compiled" else {}

    def call(*words: str | Path, cwd: Path = tmp_path) -> str:
        plain = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **asked}
        keys = {key: it for key, it in os.environ.items() if key.startswith("PIP_")}
        done = subprocess.run(
            [*map(str, words)], cwd=cwd, env={**plain, **keys}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    call(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, PROJECT)
    call(sys.executable, "-m", "venv", tmp_path / "venv")
    programs = tmp_path / "venv" / "bin"
    call(programs / "pip", "install", "-q", *tmp_path.glob("*.whl"))
    assert call(programs / "arena", "--version").splitlines()[1] == form
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl") == (form != "compiled")
    (tmp_path / "empty").mkdir()
    said = call(programs / "arena", "init", cwd=tmp_path / "empty")
    for words in next_commands(said):
        call(programs / "arena", *words, cwd=tmp_path / "empty")
