"""Files: read with a bound, so that endless ones hold up no command; written or made as a whole."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import Protocol

from arena.base.errors import ArenaError, Mistake
from arena.base.marks import MARK_PREFIX, mark, owner_is_dead


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a file. Raises `ArenaError` for more than `most`."""
    try:
        if path.exists() and not path.is_file():
            what = "this is a folder" if path.is_dir() else "this is not a file"
            raise ArenaError(Mistake(what, str(path)))
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise ArenaError(Mistake("there is no such file", str(path))) from None
    except OSError as error:
        raise ArenaError(Mistake(f"cannot be read: {error.strerror}", str(path))) from None
    if len(data) > most:
        size = f"{most >> 20} MiB" if most >= 1 << 20 else f"{most >> 10} KiB"
        raise ArenaError(Mistake(f"this is larger than {size}", str(path)))
    return data


def read_text(path: Path, most: int) -> str:
    """The text of a file. Raises `ArenaError` for more than `most` bytes."""
    try:
        return read_file(path, most).decode()
    except UnicodeDecodeError:
        raise ArenaError(Mistake("this is not valid UTF-8", str(path))) from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the system's refusal to write a file into the user's mistake."""
    try:
        yield
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise ArenaError(Mistake(what, str(path))) from None


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file aside and then rename it, so that no reader sees a part of it. Raises `OSError`.

    `mode` are its permissions, None for those that a new file gets.
    """
    draft = path.with_name(f".{path.name}.part")
    draft.write_bytes(data)
    if mode is not None:
        draft.chmod(mode)
    draft.replace(path)


@contextmanager
def atomic_target(path: Path) -> Iterator[Path]:
    """The path of a draft next to a path, for a file or a folder that is still to be made.

    Anything with the draft's name is removed at the end, and drafts of killed processes before
    that.
    """
    sweep_drafts(path)
    draft = path.with_name(f"{mark()}{get_ident()}-{path.name}")
    try:
        yield draft
    finally:
        for each in path.parent.glob(f"{MARK_PREFIX}*"):
            if each.name.startswith(draft.name):  # SQLite's own files among them
                _remove(each)


def sweep_drafts(path: Path) -> None:
    """Remove the drafts that killed processes have left next to a path."""
    for each in path.parent.glob(f"{MARK_PREFIX}*"):
        if path.name in each.name and owner_is_dead(each.name):
            _remove(each)


def _remove(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)  # folders alone: it leaves files and links
    with suppress(OSError):
        path.unlink()


class Closable(Protocol):
    """A file, a connection, or an object that holds one."""

    def close(self) -> None:
        """Close it."""


@contextmanager
def closed_on_error(opened: Closable) -> Iterator[None]:
    """Close an object just opened if the block raises; otherwise it stays open."""
    try:
        yield
    except BaseException:
        opened.close()
        raise


def caches() -> Path:
    """The folder for what the arena keeps for this user in no league; it may not exist yet."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    own = "/var/cache" if is_root else Path.home() / ".cache"  # root's home is closed
    return Path(os.environ.get("XDG_CACHE_HOME") or own, "zole-arena")


def allow_descriptors(wanted: int) -> None:
    """Raise the soft limit of open files to the wanted number, as far as the hard one allows."""
    if sys.platform == "win32":
        return
    import resource  # not on Windows

    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(wanted, most)), most))
