"""A bot's folder read below directory descriptors, so that no link in it is ever followed.

Names are looked up one by one in folders that are held open: a folder that its author swaps for a
link meanwhile is refused, and the files hashed are the files read. Only the standard library is
needed, for the child that takes in submissions starts without anything else.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from typing import IO, BinaryIO, Final, NamedTuple

MANIFEST: Final = "bot.toml"
"""The file in a bot's folder with its name and how it runs."""

SKIPPED: Final = (".git", "__pycache__")
"""Folders of version control and of Python's caches, which are not part of a bot."""

MIB: Final = 1 << 20
DEEPEST_FOLDER: Final = 50
"""The most folders that may be nested."""

_SPECIAL: Final = "this is neither a file nor a folder nor a link"
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BELOW: Final = os.open in os.supports_dir_fd
"""Whether this system opens files below a descriptor; Windows, where no bots play, does not."""


class NotTaken(Exception):
    """The mistake in a bot's files, and its place below the folder ("" for all of it)."""

    def __init__(self, what: str, place: str = "") -> None:
        super().__init__(what, place)
        self.what = what
        self.place = place


class Room(NamedTuple):
    """The most that is taken of a bot, and the seconds that its unpacking may compute.

    `headers_mib` is the extra room for a tar's headers.
    """

    mib: int
    files: int
    headers_mib: int = 16
    seconds: int = 15


class Item(NamedTuple):
    """A file of a bot, open for reading, or a link with its `target`; `name` has slashes."""

    name: str
    file: BinaryIO | None
    target: str = ""
    program: bool = False


def items(folder: str | os.PathLike[str], files: int | None = None) -> Iterator[Item]:
    """The files and links of a bot's folder in a fixed order. Raises `NotTaken`.

    Each file is open until the next is asked for. `files` is the most there may be.
    """
    top = _opened(os.fspath(folder), _FOLDER, None, "") if _BELOW else None
    try:
        for number, item in enumerate(_below(top, os.fspath(folder), "", 0)):
            if files is not None and number >= files:
                raise NotTaken(f"it holds more than {files} files")
            yield item
    finally:
        if top is not None:
            os.close(top)


def copy(
    source: str | os.PathLike[str], target: str | os.PathLike[str], most: Room | None = None
) -> str:
    """Copy a bot's files into an empty folder; return the hash of the copied files.

    Raises `NotTaken`, also if they exceed `most`.
    """
    taken = Digest()
    room = None if most is None else most.mib * MIB
    for item in items(source, None if most is None else most.files):
        path = os.path.join(target, item.name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = taken.add(item, room)
        if room is not None and most is not None:
            room -= len(data)
            if room < 0:
                raise NotTaken(f"it holds more than {most.mib} MiB")
        if item.file is None:
            os.symlink(item.target, path)
            continue
        with open(path, "xb") as file:
            file.write(data)
        os.chmod(path, 0o755 if item.program else 0o644)
    return taken.hexdigest()


def folder_hash(folder: str | os.PathLike[str]) -> str:
    """The SHA-256 of a folder's names, contents and executable bits. Raises `NotTaken`."""
    taken = Digest()
    for item in items(folder):
        taken.add(item)
    return taken.hexdigest()


def links_out(folder: str | os.PathLike[str]) -> Iterator[tuple[str, str]]:
    """The links of a bot's folder that lead out of it, with their targets. Raises `NotTaken`.

    No link is followed: a target may go up only at its beginning, and no further than to the top.
    So whatever other links are on its way, it stays inside, as each of them does.
    """
    for item in items(folder):
        parts = [part for part in item.target.split("/") if part not in ("", ".")]
        ups = next((at for at, part in enumerate(parts) if part != ".."), len(parts))
        if item.target.startswith("/") or ups > item.name.count("/") or ".." in parts[ups:]:
            yield item.name, item.target


class Digest:
    """The hash of a bot's files, computed from one after the other."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self.hexdigest = self._digest.hexdigest

    def add(self, item: Item, room: int | None = None) -> bytes:
        """Add a file or link; return its bytes, at most one more than `room`. Raises `NotTaken`."""
        kind, data = b"link", os.fsencode(item.target)
        if item.file is not None:
            kind = b"program" if item.program else b"file"
            data = _read(item.file, item.name, room)
        name = os.fsencode(item.name)
        self._digest.update(b"%s %d %s %d\n" % (kind, len(name), name, len(data)))
        self._digest.update(data)
        return data


def _below(folder: int | None, path: str, prefix: str, depth: int) -> Iterator[Item]:
    """The content of an open folder: its files and links by name, then its folders by name."""
    if depth > DEEPEST_FOLDER:
        raise NotTaken(f"folders are nested more than {DEEPEST_FOLDER} deep", prefix)
    folders: list[str] = []
    for name in sorted(_names(folder, path, prefix)):
        where, at = f"{prefix}{name}", name if folder is not None else os.path.join(path, name)
        try:
            mode = os.stat(at, dir_fd=folder, follow_symlinks=False).st_mode
            target = os.readlink(at, dir_fd=folder) if stat.S_ISLNK(mode) else ""
        except OSError as error:
            raise _unreadable(error, where) from None
        if stat.S_ISDIR(mode):
            folders += [name] if name not in SKIPPED else []
        elif stat.S_ISLNK(mode):
            if name not in SKIPPED:
                yield Item(where, None, target)
        elif stat.S_ISREG(mode):
            with os.fdopen(_opened(at, os.O_RDONLY, folder, where), "rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                if not stat.S_ISREG(mode):
                    raise NotTaken(_SPECIAL, where)
                yield Item(where, file, program=bool(mode & stat.S_IXUSR))
        else:
            raise NotTaken(_SPECIAL, where)
    for name in folders:
        if folder is None:
            yield from _below(None, os.path.join(path, name), f"{prefix}{name}/", depth + 1)
            continue
        inner = _opened(name, _FOLDER, folder, f"{prefix}{name}")
        try:
            yield from _below(inner, name, f"{prefix}{name}/", depth + 1)
        finally:
            os.close(inner)


def _names(folder: int | None, path: str, prefix: str) -> list[str]:
    try:
        return os.listdir(path if folder is None else folder)
    except OSError as error:
        raise _unreadable(error, prefix) from None


def _opened(name: str, flags: int, folder: int | None, where: str) -> int:
    """Open a name in a folder; no link is followed below the bot's own folder."""
    try:
        return os.open(name, flags | (_NO_LINK if where else 0), dir_fd=folder)
    except OSError as error:
        raise _unreadable(error, where) from None


def _read(file: IO[bytes], where: str, room: int | None) -> bytes:
    try:
        return file.read() if room is None else file.read(room + 1)
    except OSError as error:
        raise _unreadable(error, where) from None


def _unreadable(error: OSError, where: str) -> NotTaken:
    return NotTaken(f"cannot be read: {error.strerror}", where)
