"""A new bot of every language is built and plays, and a starter works as it stands."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
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
from tests.support.bots import good, write_bot
from tests.support.checks import be_patient
from tests.support.command import PROJECT, output, refusal, run
from tests.support.needs import need

WITHOUT_OFFERS = ("python", "java", "learned", "llm")
"""Kits that do not ask for offers in their ready."""


def test_a_sample_bot_that_is_not_there_is_the_one_that_ships(tmp_path: Path) -> None:
    named = tmp_path / "sample_bots" / "careful"
    assert read_bot(named).folder == str(Path(PROJECT, "sample_bots", "careful"))
    write_bot(named, good())
    assert read_bot(named).folder == str(named)
    for other in (tmp_path / "careful", named.with_name("nobody")):
        with pytest.raises(ArenaError, match="there is no such folder"):
            read_bot(other)


def created(tmp_path: Path, language: str) -> Path:
    output("new", tmp_path / f"my {language}", "--lang", language)
    return tmp_path / f"my {language}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_has_a_name_and_a_short_page(tmp_path: Path, language: str) -> None:
    folder = created(tmp_path, language)
    bot, readme = read_bot(folder), (folder / "README.md").read_text()
    assert (bot.name, bot.author) == (f"my {language}", "me")
    assert "`arena check .`" in readme
    assert not re.search(r"`arena match [^`]*\.\./", readme), "nothing else need lie beside it"
    assert len(readme.splitlines()) <= 20


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(each, marks=pytest.mark.slow) if each == "kotlin" else each
        for each in LANGUAGES
    ],
)  # whose compiler takes as long as all others'
def test_a_new_bot_is_built_and_answers_every_request_at_once(
    tmp_path: Path, language: str
) -> None:
    need(*missing_programs(language))
    apart, untimed = choose_isolation(), Limits(None, None, 65536)
    program = prepare(read_bot(created(tmp_path, language)), apart)
    scenes = (Scene(STRONG, "offer", "offer"), Scene(WEAK))
    scripts = (
        by_chance(preset("lzsf"), untimed, 6),
        script_of(preset(), untimed, scenes, most=2),
    )
    asked = {each.kind for it in scripts for each in play_script(program, it, apart).answers}
    never = language in ("llm", "learned")  # without a model it passes; the other prefers solos
    declares = set() if never else {"talon", "discard"}
    assert asked >= {"blind", "bid", "play"} | declares
    assert ("offer" in asked) == (language not in WITHOUT_OFFERS), asked


@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=() if each == "python" else pytest.mark.slow) for each in LANGUAGES],
)
def test_a_new_bot_passes_its_check_at_once(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(*missing_programs(language))
    be_patient(monkeypatch)
    monkeypatch.setattr(check, "LONG", 2)
    assert "remark" not in output("check", created(tmp_path, language))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("mine", "this exists already; take another name"),
        ("x" * 41, "the name has 41 characters; a name has 1 to 40 characters: a letter"),
    ],
)
def test_a_name_that_is_taken_or_too_long_is_refused(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "mine").mkdir()
    assert why in refusal("new", tmp_path / name)
    assert [path.name for path in tmp_path.rglob("*")] == ["mine"]


def test_every_kit_is_listed_with_the_way_to_get_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "python      ready" in output("new", "--list")
    monkeypatch.setenv("PATH", str(tmp_path))
    listed = {line.split()[0]: line for line in output("new", "--list").splitlines()}
    assert [*listed] == [*LANGUAGES] == [*KITS]
    for language, line in listed.items():
        assert line.endswith(KITS[language].get)
        missing = run("new", tmp_path / language, "--lang", language).stderr
        assert missing.endswith(f": {KITS[language].get}\n")


@pytest.mark.parametrize(
    ("part", "begins"),
    [("guide", "# Protocol 1"), ("schema", "{"), ("deals", "# How deals come from a seed")],
)
def test_the_protocol_can_be_read_without_the_project(part: str, begins: str) -> None:
    assert output("protocol", part).startswith(begins)


def test_a_starter_fills_the_current_folder_by_default(tmp_path: Path) -> None:
    output("init", cwd=tmp_path)
    assert {*os.listdir(tmp_path)} == {"league.toml", "mine", *SAMPLES}


@pytest.mark.parametrize("name", ["league.toml", "mine", "careful"])
def test_a_starter_overwrites_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / name).symlink_to("elsewhere")
    why = f"{tmp_path / name}: this exists already; choose an empty folder\n"
    assert refusal("init", tmp_path) == why
    assert os.listdir(tmp_path) == [name]


def test_a_starter_in_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run("init", tmp_path / "file")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["pure Python", "compiled"])
def test_the_wheel_is_all_that_a_beginner_needs(form: str, tmp_path: Path) -> None:
    """Built, installed into a fresh environment and used from an empty folder."""
    compiled = form == "compiled"
    need(*(("cc",) if compiled else ()))
    kept = {key: it for key, it in os.environ.items() if key == "PATH" or key.startswith("PIP_")}
    asked = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"} if compiled else {}

    def call(*words: str | Path, cwd: Path = tmp_path) -> str:
        done = subprocess.run(
            [*map(str, words)], cwd=cwd, env={**kept, **asked, "HOME": str(tmp_path)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    programs = tmp_path / "venv" / "bin"
    call(sys.executable, "-m", "venv", tmp_path / "venv")
    call(programs / "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, PROJECT)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl") == (not compiled)
    call(programs / "pip", "install", "-q", wheel)
    assert call(programs / "arena", "--version").splitlines()[1] == form
    (tmp_path / "empty").mkdir()
    for line in call(programs / "arena", "init", cwd=tmp_path / "empty").splitlines()[1:]:
        words = shlex.split(line, comments=True)[1:]
        call(programs / "arena", *words, cwd=tmp_path / "empty")
