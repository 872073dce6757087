"""A new bot of every language is built and plays, and a starter works as it stands."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.manifest import read_bot
from arena.bots.templates import KITS, SAMPLES, missing_programs
from arena.cli.new import LANGUAGES
from arena.engine.builds import prepare
from arena.match.wire import Limits
from arena.sandbox.isolation import choose_isolation
from arena.tasks import check
from arena.tasks.check_match import play_script
from arena.tasks.check_scenes import STRONG, WEAK, Scene, by_chance, script_of
from arena.zole.rules import preset
from tests.support.checks import be_patient
from tests.support.command import PROJECT, run
from tests.support.needs import need

UNTIMED = Limits(None, None, 65536)
WITHOUT_OFFERS = ("python", "java")
"""Kits that do not ask for offers in their ready."""


def created(tmp_path: Path, language: str) -> Path:
    folder = tmp_path / f"my {language}"
    done = run("new", folder, "--lang", language)
    assert done.returncode == 0, done.stderr
    return folder


def begun(tmp_path: Path, language: str) -> Path:
    """A new bot in a language that this machine has."""
    need(*missing_programs(language))
    return created(tmp_path, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_has_a_name_and_a_short_page(tmp_path: Path, language: str) -> None:
    folder = created(tmp_path, language)
    bot = read_bot(folder)
    assert (bot.name, bot.author) == (f"my {language}", "me")
    readme = (folder / "README.md").read_text()
    assert "`arena check .`" in readme
    assert not re.search(r"`arena match [^`]*\.\./", readme), "nothing else need lie beside it"
    assert len(readme.splitlines()) <= 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_is_built_and_answers_every_request_at_once(
    tmp_path: Path, language: str
) -> None:
    apart = choose_isolation()
    program = prepare(read_bot(begun(tmp_path, language)), apart)
    asked: set[str] = set()
    scenes = (Scene(STRONG, "offer", "offer"), Scene(WEAK))
    for script in (
        by_chance(preset("lzsf"), UNTIMED, 6),
        script_of(preset(), UNTIMED, scenes, most=2),
    ):
        asked |= {kind for kind, *_ in play_script(program, script, apart).answers}
    for kind in ("blind", "bid", "talon", "discard", "play"):
        assert kind in asked, asked
    assert ("offer" in asked) == (language not in WITHOUT_OFFERS), asked


@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=() if each == "python" else pytest.mark.slow) for each in LANGUAGES],
)
def test_a_new_bot_passes_its_check_at_once(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_patient(monkeypatch)
    monkeypatch.setattr(check, "LONG", 2)
    checked = run("check", begun(tmp_path, language))
    assert checked.returncode == 0, checked.stdout
    assert "remark" not in checked.stdout


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("mine", "this exists already; take another name"),
        ("x" * 41, "the name has 41 characters; a name has 1 to 40 characters: a letter"),
    ],
)
def test_a_name_that_is_taken_or_too_long_is_refused(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "mine").mkdir()
    done = run("new", tmp_path / name)
    assert done.returncode == 2
    assert why in done.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["mine"]


def test_every_kit_is_listed_with_the_way_to_get_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "python      ready" in run("new", "--list").stdout
    monkeypatch.setenv("PATH", str(tmp_path))
    listed = run("new", "--list").stdout.splitlines()
    assert [line.split()[0] for line in listed] == [*LANGUAGES] == [*KITS]
    for language, line in zip(LANGUAGES, listed, strict=True):
        way = KITS[language].get
        assert line.endswith(way)
        assert run("new", tmp_path / language, "--lang", language).stderr.endswith(f": {way}\n")


@pytest.mark.parametrize(
    ("part", "begins"),
    [("guide", "# Protocol 1"), ("schema", "{"), ("deals", "# How deals come from a seed")],
)
def test_the_protocol_can_be_read_without_the_project(part: str, begins: str) -> None:
    assert run("protocol", part).stdout.startswith(begins)


def next_commands(said: str) -> list[list[str]]:
    return [shlex.split(line, comments=True)[1:] for line in said.splitlines()[1:]]


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
