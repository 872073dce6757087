"""Templates for new bots in many languages: copies of the sample bots, under a new name."""

import re
import shutil
from pathlib import Path
from typing import Final

import msgspec

import arena
from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import MANIFEST, SKIPPED, Name


class Kit(msgspec.Struct, frozen=True):
    """A language: the sample bot to start from, and the programs that it needs."""

    bot: str
    tools: tuple[str, ...]


KITS: Final = {
    "python": Kit("careful", ("python3",)),
    "javascript": Kit("javascript", ("node",)),
    "java": Kit("java", ("java", "javac")),
    "rust": Kit("rust", ("rustc",)),
    "cpp": Kit("cpp", ("g++",)),
    "c": Kit("c", ("cc",)),
    "go": Kit("go", ("go",)),
    "perl": Kit("perl", ("perl",)),
    "shell": Kit("shell", ("sh",)),
}


def missing(language: str) -> list[str]:
    """The programs that a language needs but this machine lacks."""
    return [tool for tool in KITS[language].tools if shutil.which(tool) is None]


def begin(folder: Path, language: str) -> None:
    """Make a bot's folder, named after the bot. Raises `ArenaError`."""
    name = folder.name
    try:
        msgspec.convert(name, Name)
    except msgspec.ValidationError:
        what = f"{name!r} cannot be a bot's name"
        raise ArenaError(Mistake(what, "", "a name has 1 to 40 characters, no slashes")) from None
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
