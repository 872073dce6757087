"""Packing bots into archives, and unpacking archives without trusting anything in them.

Untrusted archives are unpacked in a child with limits of memory and time (see `intake`).
"""

import gzip
import io
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Final, NamedTuple

from arena.base.errors import ArenaError, Mistake
from arena.bots.tree import DEEPEST_FOLDER, MANIFEST, MIB, Room, items

_LONGEST_LINK: Final = 4096
_LONGEST_PATH: Final = 1000


class Member(NamedTuple):
    """A file, folder (no `data`) or link (with a `target`) of an archive."""

    name: str
    data: IO[bytes] | None
    target: str | None = None
    program: bool = False


def extract(archive: Path, folder: Path, most: Room) -> Path:
    """Unpack an archive into an empty folder; return the bot's folder in it.

    The bot may lie at the top of the archive or in its only folder. Raises `ArenaError`, without
    the archive's place.
    """
    room = most.mib * MIB
    try:
        for number, member in enumerate(_members(archive)):
            if number >= most.files:
                raise ArenaError(Mistake(f"it holds more than {most.files} files"))
            room -= _put(member, folder, room)
            if room < 0:
                raise ArenaError(Mistake(f"it holds more than {most.mib} MiB"))
    except _DAMAGED as error:
        why = error.strerror if isinstance(error, OSError) else None  # the rest names our folder
        what = f"it cannot be unpacked as a zip, tar or tar.gz: {why or error}"
        raise ArenaError(Mistake(what)) from None
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir() and not (folder / MANIFEST).exists():
        return inside[0]
    return folder


_DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
)
"""The libraries' errors for a damaged archive."""


def pack(folder: Path) -> bytes:
    """A bot's folder as a tar of exactly the files that its hash covers. Raises `ArenaError`."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tarred:
        for item in items(folder):
            entry = tarfile.TarInfo(item.name)
            if item.kind == "link":
                entry.type, entry.linkname = tarfile.SYMTYPE, os.fsdecode(item.data)
                tarred.addfile(entry)
                continue
            entry.mode, entry.size = 0o755 if item.kind == "program" else 0o644, len(item.data)
            tarred.addfile(entry, io.BytesIO(item.data))
    return packed.getvalue()


def _members(archive: Path) -> Iterator[Member]:
    with archive.open("rb") as file:
        magic = file.read(2)
        file.seek(0)
        if magic.startswith(b"PK"):
            yield from _of_zip(file)
            return
        # `GzipFile` compares the checksum; `tarfile` by itself does not.
        opened = gzip.GzipFile(fileobj=file) if magic.startswith(b"\x1f\x8b") else file
        with tarfile.open(fileobj=opened, mode="r|") as tarred:
            yield from _of_tar(tarred)


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


def _of_tar(tarred: tarfile.TarFile) -> Iterator[Member]:
    for entry in tarred:
        if entry.issym():
            yield Member(entry.name, None, entry.linkname)
        elif entry.isdir():
            yield Member(entry.name, None)
        elif entry.isfile():
            yield Member(entry.name, tarred.extractfile(entry), None, bool(entry.mode & 0o100))
        else:
            raise ArenaError(Mistake(f"{entry.name} is neither a file nor a folder nor a link"))


def _put(member: Member, folder: Path, room: int) -> int:
    """Write a member; return its size in bytes, which exceeds `room` if it does not fit."""
    name = PurePosixPath(member.name.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts:
        raise ArenaError(Mistake(f"{member.name!r} leads out of the archive"))
    if len(name.parts) > DEEPEST_FOLDER or len(os.fsencode(name)) > _LONGEST_PATH:
        raise ArenaError(Mistake(f"{member.name[:60]!r}… is nested too deeply"))
    path = folder / name
    above = [parent for parent in path.parents if parent.is_relative_to(folder)]
    if any(parent.is_symlink() for parent in above) or path.is_symlink():
        raise ArenaError(Mistake(f"{member.name!r} would be written through a link"))
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
        while written <= room and (part := member.data.read(MIB)):
            written += file.write(part[: room + 1 - written])
    path.chmod(0o755 if member.program else 0o644)
    return written
