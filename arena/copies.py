"""Copies of bots that are played, each known by its content, and how they are built."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Final

import trio

from arena.bots import Bot, content, content_hash
from arena.errors import ArenaError, Mistake
from arena.process import Excerpt, Process, Program, running
from arena.resources import BUILDING, STANDARD, Resources, excesses, over
from arena.sandbox.box import NoBox, disk_use
from arena.sandbox.isolation import Isolation
from arena.sandbox.runtimes import SYSTEM, reachable

BUILD_S: Final = 600.0
"""How long a build may take."""

BUILT_MIB: Final = 1024
"""The most that a bot's folder may hold once it is built."""

_LOGGED: Final = 65536
_KEPT_S: Final = 7 * 24 * 3600.0
_MIB: Final = 1 << 20


def install(
    bot: Bot, digest: str, home: Path, isolation: Isolation, allowed: Resources = STANDARD
) -> Program:
    """The program of a bot's copy, made and built where there is none yet. Raises `ArenaError`.

    What is played are copies, known by what is in them, so that nothing changes under way. A copy
    without its mark was cut short and is made anew. The build's output is kept beside the copy.
    """
    folder = home / digest[:16]
    done = home / f"{digest[:16]}.built"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        _copy(Path(bot.folder), folder)
        if bot.build is not None:
            log = home / f"{digest[:16]}.log"
            _build(bot, bot.build, folder, isolation, log)
        done.touch()
    problem = _unstartable(bot, folder, isolation)
    if problem:
        raise ArenaError(Mistake(f"the bot {bot.name} cannot play: {problem}", bot.folder))
    return Program(bot.name, bot.run, str(folder.resolve()), over(allowed, bot.limits))


def prepare(bot: Bot, isolation: Isolation) -> Program:
    """The program of a bot that plays outside a league. Raises `ArenaError`.

    The copies are kept among the user's caches for a week after their last use.
    """
    problems = excesses(STANDARD, bot.limits)
    if problems:
        what = f"the bot {bot.name} asks for too much: "
        raise ArenaError(*(Mistake(what + problem, bot.folder) for problem in problems))
    home = _cache()
    home.mkdir(parents=True, exist_ok=True)
    digest = content_hash(Path(bot.folder))
    program = install(bot, digest, home, isolation)
    (home / f"{digest[:16]}.built").touch()
    for old in home.glob("*.built"):
        if old.stat().st_mtime < time() - _KEPT_S:
            remove(home, old.stem)
    return program


def remove(home: Path, name: str) -> None:
    """Take away a copy and what lies beside it."""
    for suffix in (".built", ".log"):
        (home / f"{name}{suffix}").unlink(missing_ok=True)
    shutil.rmtree(home / name, ignore_errors=True)


def _cache() -> Path:
    """Where copies of bots are that play outside a league."""
    own = "/var/cache" if os.geteuid() == 0 else Path.home() / ".cache"  # root's home is closed
    return Path(os.environ.get("XDG_CACHE_HOME") or own, "zole-arena", "bots")


def _copy(source: Path, target: Path) -> None:
    """Copy a bot's files, readable by the user that bots run as."""
    target.mkdir(parents=True)
    for path in content(source):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy, follow_symlinks=False)
    _readable(target)


def _build(
    bot: Bot, command: tuple[str, ...], folder: Path, isolation: Isolation, log: Path
) -> None:
    """Run a bot's build command in its copy. Raises `ArenaError` with the end of its output."""
    program = Program(bot.name, command, str(folder.resolve()), BUILDING, writable=True)
    if isolation.uid is not None:
        _give(folder, isolation.uid)
    try:
        why, said = trio.run(_run, program, isolation)
    except (NoBox, OSError) as error:
        why, said = str(error), ""
    finally:
        if isolation.uid is not None:
            _give(folder, os.geteuid())
    log.write_text(said, encoding="utf-8")
    _readable(folder)
    if why:
        what = f"the bot {bot.name} cannot be built: {why}"
        raise ArenaError(Mistake(f"{what}: {said[-2000:].strip()}" if said else what, bot.folder))


async def _run(program: Program, isolation: Isolation) -> tuple[str | None, str]:
    """Run a build to its end; returns what went wrong, and the two ends of what it printed."""
    async with running(program, isolation, line_bytes=0) as process, trio.open_nursery() as nursery:
        process.stderr = Excerpt(_LOGGED)
        process.end_input()
        nursery.start_soon(process.drain_stdout)
        nursery.start_soon(_weigh, process, Path(program.folder))
        code = await process.ends(trio.current_time() + BUILD_S)
        nursery.cancel_scope.cancel()
    if process.crossed is not None:
        why: str | None = process.crossed
    elif code is None:
        why = f"not done after {BUILD_S:g} s"
    else:
        why = f"exit code {code}" if code else None
    return why, process.stderr.text()


async def _weigh(process: Process, folder: Path) -> None:
    """End a build whose folder grows too large."""
    while True:
        size = disk_use(str(folder))[0]
        if size > BUILT_MIB * _MIB:
            process.cross(f"folder: {size / _MIB:.4g}, the limit is {BUILT_MIB} MiB")
        await trio.sleep(0.5)


def _unstartable(bot: Bot, folder: Path, isolation: Isolation) -> str | None:
    """Why a bot's program cannot be started at all, as far as one sees from outside."""
    name = bot.run[0]
    if isolation.level == "landlock" and isolation.uid is not None and not reachable(str(folder)):
        return f"{folder} cannot be entered by others, and bots do not run as root"
    if "/" not in name:
        path = None if isolation.level == "none" else os.pathsep.join(isolation.runtimes.path)
        found = shutil.which(name, path=path) is not None
    elif not name.startswith("/"):
        found = (folder / name).exists()
    else:
        shown = (*SYSTEM, *isolation.runtimes.folders)
        found = os.path.exists(name)
        inside = any(name.startswith(f"{top}/") for top in shown)
        if found and not inside and isolation.level != "none":
            return f"{name} is not shown to bots; the organiser's [sandbox] read_only can name it"
    return None if found else f"its program {name} is not there"


def _give(folder: Path, uid: int) -> None:
    for path in (folder, *_all(folder)):
        os.chown(path, uid, uid, follow_symlinks=False)


def _readable(folder: Path) -> None:
    """Let everybody read and nobody write, whatever the author's habits, and drop special modes."""
    for path in (folder, *_all(folder)):
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and mode & stat.S_IXUSR):
            path.chmod(0o755)
        elif stat.S_ISREG(mode):
            path.chmod(0o644)
        elif not stat.S_ISLNK(mode):
            path.unlink()  # a pipe or socket that a build has made


def _all(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        yield from (Path(root, name) for name in (*folders, *files))
