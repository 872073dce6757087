"""A bot's folder read below directory descriptors, so that no link in it is ever followed.

A folder that its author swaps for a link meanwhile is refused or left out, and the files hashed are
the files read.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple, NoReturn

from arena.base.errors import ArenaError, Mistake

MANIFEST: Final = "bot.toml"
"""The file in a bot's folder with its name and how it runs."""

SKIPPED: Final = (".git", "__pycache__")
"""What version control and Python's caches leave, which is not part of a bot."""

POSITIONS: Final = "positions.jsonl"
"""The file in a bot's folder with the positions that it is tested with."""

CHECKED: Final = "check.db"
"""The record in a bot's folder of the games of its last check."""

_AUTHORS: Final = (POSITIONS, *(CHECKED + end for end in ("", "-wal", "-shm", "-journal")))
"""What an author's commands keep next to the manifest: it is not part of the bot either."""

MIB: Final = 1 << 20
DEEPEST_FOLDER: Final = 50
"""The most folders that may be nested."""

_READING: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Room(NamedTuple):
    """The most that is taken of a bot, and the seconds that its unpacking may compute."""

    mib: int
    files: int
    seconds: int = 15


UNBOUNDED: Final = Room(1 << 40, 1 << 40)

Kind = Literal["file", "program", "link"]


class Item(NamedTuple):
    """A file or link of a bot; `name` has slashes, the data of a link is its target."""

    name: str
    kind: Kind
    data: bytes


class Content(NamedTuple):
    """The SHA-256 of a folder's names, contents and executable bits, and its links that lead out.

    Each of the links comes with its target.
    """

    digest: str
    links_out: tuple[tuple[str, str], ...]


def content(
    folder: str | os.PathLike[str],
    copy_to: str | os.PathLike[str] | None = None,
    most: Room = UNBOUNDED,
) -> Content:
    """Read a bot's folder, and copy it into an empty one if there is one to copy to.

    Raises `ArenaError`, also if it exceeds `most`.
    """
    digest = hashlib.sha256()
    links: list[tuple[str, str]] = []
    for name, kind, data in items(folder, most):
        number, encoded = len(data), os.fsencode(name)
        digest.update(b"%s %d %s %d\n" % (kind.encode(), len(encoded), encoded, number))
        digest.update(data)
        if kind == "link" and _leads_out(name, os.fsdecode(data)):
            links.append((name, os.fsdecode(data)))
        if copy_to is not None:
            path = os.path.join(copy_to, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if kind == "link":
                os.symlink(os.fsdecode(data), path)
                continue
            with open(path, "xb") as file:
                file.write(data)
            os.chmod(path, 0o755 if kind == "program" else 0o644)
    return Content(digest.hexdigest(), tuple(links))


def make_readable(folder: Path) -> None:
    """Let everybody read and only us write, whatever modes the author set, and drop special modes.

    Files that are programs by content become executable; a linker under Landlock cannot do that.
    """
    folder.chmod(0o755)
    for root, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(root, name)
            mode = path.lstat().st_mode
            if stat.S_ISDIR(mode):
                path.chmod(0o755)
            elif stat.S_ISREG(mode):
                with path.open("rb") as file:
                    program = mode & stat.S_IXUSR or file.read(4) == b"\x7fELF"
                path.chmod(0o755 if program else 0o644)


def items(folder: str | os.PathLike[str], most: Room = UNBOUNDED) -> Iterator[Item]:
    """The files and links of a bot's folder in a fixed order. Raises `ArenaError`.

    In each folder they come by name, then the folders in it.
    """
    top, where, number, room = os.path.join(folder, "."), "", 0, most.mib * MIB
    try:
        for path, folders, files, opened in os.fwalk(top, onerror=_raise):
            where = prefix = path[len(top) + 1 :]
            if prefix.count("/") >= DEEPEST_FOLDER:
                what = f"folders are nested more than {DEEPEST_FOLDER} deep"
                raise ArenaError(Mistake(what, os.path.join(folder, prefix)))
            skipped = SKIPPED if prefix else (*SKIPPED, *_AUTHORS)
            names, folders[:] = sorted({*folders, *files}.difference(skipped)), []
            for name in names:
                where = os.path.join(prefix, name)
                found = os.stat(name, dir_fd=opened, follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode):
                    folders.append(name)
                    continue
                number, room = number + 1, room - found.st_size
                if number > most.files or room < 0:
                    large = f"{most.mib} MiB" if room < 0 else f"{most.files} files"
                    what, remedy = f"it holds more than {large}", "leave out what the build makes"
                    raise ArenaError(Mistake(what, os.fspath(folder), remedy))
                read = _read(name, opened, found.st_mode)
                if read is None:
                    what = "this is neither a file nor a folder nor a link"
                    raise ArenaError(Mistake(what, os.path.join(folder, where)))
                yield Item(where, *read)
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise ArenaError(Mistake(what, os.path.join(folder, where))) from None


def _read(name: str, folder: int, mode: int) -> tuple[Kind, bytes] | None:
    """The kind and data of a file or link in an open folder; None if it is something else."""
    if stat.S_ISLNK(mode):
        return "link", os.fsencode(os.readlink(name, dir_fd=folder))
    if stat.S_ISREG(mode):
        with os.fdopen(os.open(name, _READING, dir_fd=folder), "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_ISREG(mode):  # its author may change it meanwhile
                return "program" if mode & stat.S_IXUSR else "file", file.read()
    return None


def _raise(error: OSError) -> NoReturn:
    raise error


def _leads_out(name: str, target: str) -> bool:
    """Whether a link leads out of its bot, or may, through others.

    No link is followed: a target may go up only at its beginning, and no further than to the top.
    So whatever other links are on its way, it stays inside, as each of them does.
    """
    parts = [part for part in target.split("/") if part not in ("", ".")]
    ups = next((at for at, part in enumerate(parts) if part != ".."), len(parts))
    return target.startswith("/") or ups > name.count("/") or ".." in parts[ups:]
