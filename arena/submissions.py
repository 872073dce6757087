"""Copies of bots that leagues play, each known by its content, and how they are built."""

import shutil
import subprocess
from pathlib import Path

import msgspec

from arena.bots import Bot, content
from arena.errors import ArenaError, Mistake
from arena.league import unstartable
from arena.process import Program

BUILD_S = 600.0
"""How long a build may take."""


def install(bot: Bot, digest: str, home: Path) -> Program:
    """The program of a bot's copy, made and built where there is none yet.

    A league plays copies, known by what is in them, so that nothing changes under its feet. A copy
    without its mark was cut short and is made anew.
    """
    folder = home / digest[:16]
    mark = home / f"{digest[:16]}.built"
    if not mark.exists():
        shutil.rmtree(folder, ignore_errors=True)
        _copy(Path(bot.folder), folder)
        build(bot, folder)
        mark.touch()
    return Program(bot.name, bot.run, str(folder.resolve()))


def build(bot: Bot, folder: Path) -> None:
    """Run a bot's build command in a folder. Raises `ArenaError` with the end of its output."""
    if bot.build is None:
        return
    try:
        done = subprocess.run(
            bot.build,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BUILD_S,
            check=False,
        )
        said = done.stdout.decode(errors="replace")[-2000:].strip()
        why: str | None = f"exit code {done.returncode}: {said}"
        if done.returncode == 0:
            why = unstartable(msgspec.structs.replace(bot, folder=str(folder)))
    except OSError as error:
        why = str(error)
    except subprocess.TimeoutExpired:
        why = f"not done after {BUILD_S:g} s"
    if why:
        raise ArenaError(Mistake(f"the bot {bot.name} cannot be built: {why}", bot.folder))


def _copy(source: Path, target: Path) -> None:
    target.mkdir(parents=True)
    for path in content(source):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy, follow_symlinks=False)
