"""The copies of bots that play, identified by content, and their builds."""

import fcntl
import logging
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Final

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.files import caches
from arena.base.resources import STANDARD, Resources, excesses, over
from arena.bots.manifest import Bot, content_hash
from arena.bots.tree import content, make_readable
from arena.sandbox.box import Program
from arena.sandbox.folders import SYSTEM, reachable, remove_folder
from arena.sandbox.isolation import Isolation

_log: Final = logging.getLogger(__name__)

BUILD_S: Final = 600.0  # the longest that a build may take, in seconds

_KEPT_S: Final = 7 * 24 * 3600.0


class Copy(msgspec.Struct, frozen=True):
    """A bot, the hash of its content, and the resources that its league allows it.

    `network` and `environment` are as for `Program`.
    """

    bot: Bot
    digest: str
    allowed: Resources = STANDARD
    network: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()


def install(copy: Copy, home: Path, isolation: Isolation, build_s: float = BUILD_S) -> Program:
    """The program of a bot's copy, which is made and built first if missing. Raises `ArenaError`.

    Bots play from copies identified by content, so that nothing changes during a league. A copy
    without its mark is incomplete and is built again. The archived files before the build and the
    build's output are kept next to the copy.
    """
    with _locked(home):
        return _install(copy, home, isolation, build_s)


def prepare(bot: Bot, isolation: Isolation) -> Program:
    """The program of a bot that plays outside a league. Raises `ArenaError`.

    Its copy is kept in the user's caches.
    """
    problems = excesses(STANDARD, bot.limits)
    if problems:
        raise ArenaError(
            *(Mistake(f"the bot {bot.name} asks for too much: {it}", bot.folder) for it in problems)
        )
    return keep(Copy(bot, content_hash(Path(bot.folder))), isolation)


def keep(copy: Copy, isolation: Isolation) -> Program:
    """The program of a bot whose copy is kept in the user's caches. Raises `ArenaError`.

    Whenever a copy is added, those unused for a week are removed. Another arena may be doing the
    same, so one lock covers choosing a copy and removing others.
    """
    home = cache()
    done = copy_path(home, copy.digest, ".built")
    with _locked(home):
        if not done.exists():
            for old in home.glob("*.built"):
                if old.stat().st_mtime < time() - _KEPT_S:
                    _remove(home, old.stem)
        program = _install(copy, home, isolation)
        done.touch()
        return program


def make_home(home: Path) -> None:
    """Make a folder of copies where it is missing; whatever the umask, bots' users may enter it."""
    for folder in (home.parent, home):
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o755)


def take_copies(source: Path, home: Path, digests: Iterable[str]) -> None:
    """Take over the built copies with these hashes from another league's folder of copies."""
    with _locked(home):
        for name in (digest[:16] for digest in digests):
            if not (home / f"{name}.built").exists():
                _remove(home, name)
                shutil.copytree(source / name, home / name, symlinks=True)
                for file in sorted(source.glob(f"{name}.*"), reverse=True):  # the mark last
                    shutil.copy2(file, home / file.name)


def remove(home: Path, name: str) -> None:
    """Remove a copy and the files next to it, if any."""
    if home.exists():
        with _locked(home):
            _remove(home, name)


def copy_path(home: Path, digest: str, suffix: str = "") -> Path:
    """The path of the copy with this hash, or of the file next to it with this suffix."""
    return home / f"{digest[:16]}{suffix}"


def cache() -> Path:
    """The folder of copies of bots that play outside a league, or in another machine's league."""
    return caches() / "bots"


@contextmanager
def _locked(home: Path) -> Iterator[None]:
    try:
        make_home(home)
        file = (home / ".lock").open("wb")
    except OSError as error:
        what = f"copies of bots cannot be kept here: {error.strerror or error}"
        remedy = "set XDG_CACHE_HOME to a folder that you may write to" if home == cache() else ""
        raise MachineError(Mistake(what, str(home), remedy)) from None
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _install(copy: Copy, home: Path, isolation: Isolation, build_s: float = BUILD_S) -> Program:
    bot, folder = copy.bot, copy_path(home, copy.digest)
    done = copy_path(home, copy.digest, ".built")
    if not done.exists():
        _log.debug("copying %s from %s to %s", bot.name, bot.folder, folder)
        remove_folder(folder)
        _copy(copy, folder)
        if bot.build is not None:
            from arena.engine.build import build  # few bots have one

            _log.debug("building %s by %s", bot.name, " ".join(bot.build))
            build(bot, folder, isolation, copy_path(home, copy.digest, ".log"), build_s)
            make_readable(folder)
        done.touch()
    problem = _unstartable(bot.run[0], folder, isolation)
    if problem:
        from arena.bots.templates import how_to_get_program  # rarely needed

        what = f"the bot {bot.name} cannot play: {problem}"
        remedy = how_to_get_program(bot.run[0]) if problem.endswith(_MISSING) else ""
        raise ArenaError(Mistake(what, bot.folder, remedy))
    allowed, at = over(copy.allowed, bot.limits), str(folder.resolve())
    return Program(bot.name, bot.run, at, allowed, copy.network, copy.environment)


def _remove(home: Path, name: str) -> None:
    for suffix in (".built", ".log", ".tar"):
        (home / f"{name}{suffix}").unlink(missing_ok=True)
    remove_folder(home / name)


# Copy a bot's files, readable by the user that bots run as. Raises `ArenaError`.
def _copy(copy: Copy, target: Path) -> None:
    target.mkdir(parents=True)
    source = Path(copy.bot.folder)
    if content(source, target).digest != copy.digest:
        raise ArenaError(
            Mistake(
                f"the files of the bot {copy.bot.name} changed while they were copied",
                str(source),
                "run the same command again",
            )
        )
    make_readable(target)


_MISSING: Final = "does not exist"


# The reason why a bot's program cannot be started, as far as is known without trying. It does not
# reveal whether a file exists that bots cannot see.
def _unstartable(name: str, folder: Path, isolation: Isolation) -> str | None:
    if isolation.level == "landlock" and isolation.uid is not None and not reachable(str(folder)):
        what = "or a folder above it is closed to others, and bots do not run as root"
        return f"{folder.absolute()} {what}: move it, as to /srv, or play as another user"
    if "/" not in name:
        path = None if isolation.level == "none" else os.pathsep.join(isolation.runtimes.path)
        if shutil.which(name, path=path) is None and (folder / name).is_file():
            python = f" or python3 {name}" if name.endswith(".py") else ""
            return (
                f"its program {name} is not on the PATH but in its folder: write ./{name}{python}"
            )
        return None if shutil.which(name, path=path) else f"its program {name} {_MISSING}"
    if name.startswith("/"):
        shown = (*SYSTEM, *isolation.runtimes.folders)
        seen = isolation.level == "none" or any(name.startswith(f"{top}/") for top in shown)
        if seen and os.path.exists(name):
            return None
        more = "" if seen else ", or in a folder that the organiser names in [sandbox] read_only"
        return f"its program {name} is not among what bots see{more}"
    if not (folder / name).exists():
        return f"its program {name} {_MISSING}"
    if (folder / name).is_file():
        with (folder / name).open("rb") as file:
            first = file.readline(256)
        if first.startswith(b"#!") and first.endswith(b"\r\n"):
            return f"the first line of {name} ends as on Windows: save it with LF, not CRLF"
    return None
