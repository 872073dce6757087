"""Templates for new bots in many languages: copies of the sample bots, under a new name."""

import re
import shutil
from pathlib import Path
from typing import Final

import msgspec

import arena
from arena.base.errors import ArenaError, Mistake
from arena.bots.names import NAME_RULE, mistake_in_name
from arena.bots.tree import MANIFEST, SKIPPED


class Kit(msgspec.Struct, frozen=True):
    """A language: the sample bot to start from, the programs it needs, and how to get these."""

    bot: str
    tools: tuple[str, ...]
    get: str


KITS: Final = {
    "python": Kit("bold", ("python3",), "apt install python3, or python.org"),
    "javascript": Kit("javascript", ("node",), "apt install nodejs, or nodejs.org"),
    "java": Kit("java", ("java", "javac"), "apt install default-jdk-headless, or adoptium.net"),
    "rust": Kit("rust", ("rustc",), "apt install rustc, or rustup.rs"),
    "cpp": Kit("cpp", ("g++",), "apt install g++, on a Mac xcode-select --install"),
    "c": Kit("c", ("cc",), "apt install gcc, on a Mac xcode-select --install"),
    "go": Kit("go", ("go",), "apt install golang-go, or go.dev/dl"),
    "perl": Kit("perl", ("perl",), "apt install perl, or perl.org"),
    "shell": Kit("shell", ("sh",), "any Linux and Mac has it; on Windows use WSL"),
}


def missing_programs(language: str) -> list[str]:
    """The programs that a language needs but this machine lacks."""
    return [tool for tool in KITS[language].tools if shutil.which(tool) is None]


def how_to_get(language: str) -> str:
    """How to get the programs of a language: Debian's package, or their makers' site."""
    return KITS[language].get


def how_to_get_program(name: str) -> str:
    """How to get a compiler or interpreter; empty for a program of no language here."""
    return next((f"get it: {kit.get}" for kit in KITS.values() if name in kit.tools), "")


def begin_bot(folder: Path, language: str) -> None:
    """Make a bot's folder, named after the bot. Raises `ArenaError`."""
    name = folder.name
    if wrong := mistake_in_name(name):
        raise ArenaError(Mistake(wrong, "", NAME_RULE))
    if folder.exists():
        raise ArenaError(Mistake("this exists already", str(folder), "take another name"))
    kit = KITS[language]
    try:
        shutil.copytree(
            shipped("sample_bots") / kit.bot, folder, ignore=shutil.ignore_patterns(*SKIPPED)
        )
    except OSError as error:
        raise ArenaError(Mistake(f"cannot be written: {error.strerror}", str(folder))) from None
    manifest = folder / MANIFEST
    text = manifest.read_text(encoding="utf-8")
    own = msgspec.json.encode(name).decode()
    text = re.sub(r"(?m)^name = .*$", lambda _: f"name = {own}", text)
    text = re.sub(r"(?m)^author = .*$", 'author = "me"', text)
    manifest.write_text(text, encoding="utf-8")


def shipped(name: str) -> Path:
    """A folder that ships with the package: inside it, or beside it in a checkout."""
    package = Path(arena.__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name
