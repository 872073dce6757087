"""What a new user begins with: a bot in one of many languages, or a league with a bot in it."""

import re
import shutil
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import writing
from arena.base.installation import shipped
from arena.bots.names import NAME_RULE, mistake_in_name
from arena.bots.tree import CHECKED, MANIFEST, POSITIONS, SKIPPED


class Kit(msgspec.Struct, frozen=True):
    """A language: the sample bot to start from, the programs it needs, and how to get these.

    They come by Debian's package, or from their makers' site. `examples` are further files, which
    lie beside the bot.
    """

    bot: str
    tools: tuple[str, ...]
    get: str
    examples: tuple[str, ...] = ()


KITS: Final = {
    "python": Kit("bold", ("python3",), "apt install python3, or python.org"),
    "javascript": Kit("javascript", ("node",), "apt install nodejs, or nodejs.org"),
    "java": Kit("java", ("java", "javac"), "apt install default-jdk-headless, or adoptium.net"),
    "kotlin": Kit("kotlin", ("kotlinc", "java"), "apt install kotlin, or kotlinlang.org"),
    "rust": Kit("rust", ("rustc",), "apt install rustc, or rustup.rs"),
    "cpp": Kit("cpp", ("g++",), "apt install g++, on a Mac xcode-select --install"),
    "c": Kit("c", ("cc",), "apt install gcc, on a Mac xcode-select --install"),
    "csharp": Kit("csharp", ("mcs", "mono"), "apt install mono-mcs, or mono-project.com"),
    "go": Kit("go", ("go",), "apt install golang-go, or go.dev/dl"),
    "perl": Kit("perl", ("perl",), "apt install perl, or perl.org"),
    "ruby": Kit("ruby", ("ruby",), "apt install ruby, or ruby-lang.org"),
    "lua": Kit("lua", ("lua5.4",), "apt install lua5.4, or lua.org"),
    "learned": Kit("learned", ("python3",), "apt install python3", ("train.py", "thumbs.py")),
    "llm": Kit("llm", ("python3",), "apt install python3, or python.org"),
    "shell": Kit("shell", ("sh",), "any Linux and Mac has it; on Windows use WSL"),
}


STARTER_LEAGUE: Final = "league.toml"
STARTER_BOT: Final = "mine"
SAMPLES: Final = ("careful", "lazy", "random")

_LEAGUE: Final = """\
# Play it, or continue it: arena league {league}
# More bots and more deals may be added at any time, and the same command continues. A bot that has
# played stays as it was: enter a new version under a new name, or move league.db away.
name = "First"
deals = 60                   # for each table of three; each is played in all six seatings
rules = "pagat"              # `arena rules` lists others
bots = [                     # folders, relative to this file
    "mine",
    "careful",
    "lazy",
    "random",
]
"""


def missing_programs(language: str) -> list[str]:
    """The programs that a language needs but this machine lacks."""
    return [tool for tool in KITS[language].tools if shutil.which(tool) is None]


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
    with writing(folder):
        _copy_sample(KITS[language].bot, folder)
        for example in KITS[language].examples:
            shutil.copy(shipped("examples") / example, folder)
        manifest = folder / MANIFEST
        text = manifest.read_text(encoding="utf-8")
        own = msgspec.json.encode(name).decode()
        text = re.sub(r"(?m)^name = .*$", lambda _: f"name = {own}", text)
        text = re.sub(r"(?m)^author = .*$", 'author = "me"', text)
        manifest.write_text(text, encoding="utf-8")


def write_starter(folder: Path) -> None:
    """Fill a folder, made if missing. Raises `ArenaError`, and overwrites nothing."""
    there = [folder / name for name in (STARTER_LEAGUE, STARTER_BOT, *SAMPLES)]
    exist = [path for path in there if path.exists() or path.is_symlink()]
    if exist:
        remedy = "choose an empty folder"
        raise ArenaError(*(Mistake("this exists already", str(path), remedy) for path in exist))
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in SAMPLES:
            _copy_sample(name, folder / name)
        begin_bot(folder / STARTER_BOT, "python")
        league = folder / STARTER_LEAGUE
        league.write_text(_LEAGUE.format(league=STARTER_LEAGUE), encoding="utf-8")


def _copy_sample(name: str, folder: Path) -> None:
    skipped = shutil.ignore_patterns(*SKIPPED, f"{CHECKED}*", POSITIONS)
    shutil.copytree(shipped("sample_bots") / name, folder, ignore=skipped)
