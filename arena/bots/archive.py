"""Packs bots into archives, and unpacks archives without trusting anything in them."""

import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Final, cast

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import MANIFEST, content

_MIB: Final = 1 << 20
_LONGEST_LINK: Final = 4096
_LONGEST_PATH: Final = 1000
_DEEPEST: Final = 50


class Room(msgspec.Struct, frozen=True):
    """How much an archive may hold; `headers_mib` is the extra room for a tar's headers."""

    mib: int
    files: int
    headers_mib: int = 16


SUBMISSION: Final = Room(64, 2000)
"""What a submission may hold before it is built."""


class Member(msgspec.Struct, frozen=True):
    """A file, folder (no `data`) or link (with a `target`) of an archive."""

    name: str
    data: IO[bytes] | None
    target: str | None = None
    program: bool = False


def unpack(archive: Path, folder: Path, most: Room = SUBMISSION) -> Path:
    """Unpack an archive into an empty folder; return the bot's folder in it. Raises `ArenaError`.

    The bot may lie at the top of the archive or in its only folder.
    """
    room = most.mib * _MIB
    try:
        for number, member in enumerate(_members(archive, most)):
            if number >= most.files:
                raise _refused(archive, f"it holds more than {most.files} files")
            room -= _put(archive, member, folder, room)
            if room < 0:
                raise _refused(archive, f"it holds more than {most.mib} MiB")
    except _DAMAGED as error:
        raise _refused(archive, f"it cannot be unpacked as a zip or tar: {error}") from None
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir() and not (folder / MANIFEST).exists():
        return inside[0]
    return folder


_DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
)
"""What the libraries raise for a damaged archive."""


class _Bounded(io.RawIOBase):
    """A stream that raises ValueError once more is read than it may hold."""

    def __init__(self, stream: IO[bytes], room: int) -> None:
        self._stream = stream
        self._room = room

    def read(self, size: int = -1) -> bytes:
        self._room -= size if size >= 0 else self._room + 1
        if self._room < 0:
            raise ValueError("it is too large")
        return self._stream.read(size)


def pack(folder: Path) -> bytes:
    """A bot's folder as a tar of exactly the files that its hash covers."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tarred:
        for path in content(folder):
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
            if path.is_symlink():
                entry.type, entry.linkname = tarfile.SYMTYPE, os.readlink(path)
                tarred.addfile(entry)
                continue
            entry.mode = 0o755 if os.access(path, os.X_OK) else 0o644
            entry.size = path.stat().st_size
            with path.open("rb") as file:
                tarred.addfile(entry, file)
    return packed.getvalue()


def survey(folder: Path, most: Room = SUBMISSION) -> None:
    """Check that a folder can be submitted. Raises `ArenaError` with all that is wrong with it."""
    mistakes: list[Mistake] = []
    size = 0
    files = content(folder)
    for path in files:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            target = Path(os.path.realpath(path))
            if not target.is_relative_to(folder.resolve()) or path.readlink().is_absolute():
                mistakes.append(Mistake(f"this link leads out of the bot: {target}", str(path)))
        else:
            size += path.lstat().st_size
    if size > most.mib * _MIB:
        what = f"it holds {size / _MIB:.0f} MiB, the most is {most.mib}"
        mistakes.append(Mistake(what, str(folder), "leave out what the build makes"))
    if len(files) > most.files:
        what = f"it holds {len(files)} files, the most is {most.files}"
        mistakes.append(Mistake(what, str(folder), "leave out what the build makes"))
    if mistakes:
        raise ArenaError(*mistakes)


def _members(archive: Path, most: Room) -> Iterator[Member]:
    with archive.open("rb") as file:
        magic = file.read(6)
        file.seek(0)
        if magic.startswith(b"PK"):
            yield from _of_zip(file)
            return
        opened = next((how for begin, how in _PACKED.items() if magic.startswith(begin)), None)
        plain = opened(file) if opened else file
        bounded = _Bounded(plain, (most.mib + most.headers_mib) * _MIB)
        with tarfile.open(fileobj=bounded, mode="r|") as tarred:
            yield from _of_tar(archive, tarred)


_PACKED: Final[dict[bytes, Callable[[BinaryIO], IO[bytes]]]] = {
    b"\x1f\x8b": lambda file: cast(IO[bytes], gzip.GzipFile(fileobj=file)),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}


def _of_zip(file: BinaryIO) -> Iterator[Member]:
    with zipfile.ZipFile(file) as zipped:
        for info in zipped.infolist():
            mode = info.external_attr >> 16
            if info.is_dir():
                yield Member(info.filename, None)
                continue
            with zipped.open(info) as data:
                if stat.S_ISLNK(mode):
                    yield Member(info.filename, None, os.fsdecode(data.read(_LONGEST_LINK)))
                else:
                    yield Member(info.filename, data, None, bool(mode & 0o100))


def _of_tar(archive: Path, tarred: tarfile.TarFile) -> Iterator[Member]:
    for entry in tarred:
        if entry.issym():
            yield Member(entry.name, None, entry.linkname)
        elif entry.isdir():
            yield Member(entry.name, None)
        elif entry.isfile():
            yield Member(entry.name, tarred.extractfile(entry), None, bool(entry.mode & 0o100))
        else:
            what = f"{entry.name} is neither a file nor a folder nor a link"
            raise _refused(archive, what)


def _put(archive: Path, member: Member, folder: Path, room: int) -> int:
    """Write a member; return its size in bytes, which exceeds `room` if it does not fit."""
    name = PurePosixPath(member.name.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts:
        raise _refused(archive, f"{member.name!r} leads out of the archive")
    if len(name.parts) > _DEEPEST or len(os.fsencode(name)) > _LONGEST_PATH:
        raise _refused(archive, f"{member.name[:60]!r}… lies too deep")
    path = folder / name
    above = [parent for parent in path.parents if parent.is_relative_to(folder)]
    if any(parent.is_symlink() for parent in above) or path.is_symlink():
        raise _refused(archive, f"{member.name!r} would be written through a link")
    if member.target is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(member.target)
        return 0
    if member.data is None:
        path.mkdir(parents=True, exist_ok=True)
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("wb") as file:
        while written <= room and (part := member.data.read(_MIB)):
            written += file.write(part[: room + 1 - written])
    path.chmod(0o755 if member.program else 0o644)
    return written


def _refused(archive: Path, what: str) -> ArenaError:
    return ArenaError(Mistake(what, str(archive)))
