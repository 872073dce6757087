"""Archives of bots, unpacked with nothing in them believed."""

import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final

import msgspec

from arena.bots import MANIFEST, content
from arena.errors import ArenaError, Mistake

MOST_MIB: Final = 64
MOST_FILES: Final = 2000
"""What a submission may hold before it is built."""

_MIB: Final = 1 << 20


class Member(msgspec.Struct, frozen=True):
    """A file, folder (no `data`) or link (with a `target`) of an archive."""

    name: str
    data: IO[bytes] | None
    target: str | None = None
    program: bool = False


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive into an empty folder; returns the bot's folder in it. Raises `ArenaError`.

    The bot may lie at the top of the archive or in its only folder.
    """
    room = MOST_MIB * _MIB
    try:
        for number, member in enumerate(_members(archive)):
            if number >= MOST_FILES:
                raise _refused(archive, f"it holds more than {MOST_FILES} files")
            room -= _put(archive, member, folder, room)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, RuntimeError) as error:
        raise _refused(archive, f"it cannot be unpacked: {error}") from None
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir() and not (folder / MANIFEST).exists():
        return inside[0]
    return folder


def survey(folder: Path) -> None:
    """See that a folder can be handed in. Raises `ArenaError` with all that speaks against it."""
    mistakes: list[Mistake] = []
    size = 0
    files = content(folder)
    for path in files:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            target = path.resolve()
            if not target.is_relative_to(folder.resolve()) or path.readlink().is_absolute():
                mistakes.append(Mistake(f"this link leads out of the bot: {target}", str(path)))
        elif stat.S_ISREG(mode):
            size += path.lstat().st_size
        else:
            mistakes.append(Mistake("this is neither a file nor a folder", str(path)))
    if size > MOST_MIB * _MIB:
        what = f"it holds {size / _MIB:.0f} MiB, the most is {MOST_MIB}"
        mistakes.append(Mistake(what, str(folder), "leave out what the build makes"))
    if len(files) > MOST_FILES:
        what = f"it holds {len(files)} files, the most is {MOST_FILES}"
        mistakes.append(Mistake(what, str(folder), "leave out what the build makes"))
    if mistakes:
        raise ArenaError(*mistakes[:20])


def _members(archive: Path) -> Iterator[Member]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped:
            for info in zipped.infolist():
                mode = info.external_attr >> 16
                if stat.S_ISLNK(mode):
                    yield Member(info.filename, None, zipped.read(info).decode(errors="replace"))
                elif info.is_dir():
                    yield Member(info.filename, None)
                else:
                    with zipped.open(info) as data:
                        yield Member(info.filename, data, None, bool(mode & 0o100))
    elif tarfile.is_tarfile(archive):
        with tarfile.open(archive) as tarred:
            for entry in tarred:
                if entry.issym():
                    yield Member(entry.name, None, entry.linkname)
                elif entry.isdir():
                    yield Member(entry.name, None)
                elif entry.isfile():
                    yield Member(
                        entry.name, tarred.extractfile(entry), None, bool(entry.mode & 0o100)
                    )
                else:
                    what = f"{entry.name} is neither a file nor a folder nor a link"
                    raise _refused(archive, what)
    else:
        raise _refused(archive, "it is no folder, zip or tar")


def _put(archive: Path, member: Member, folder: Path, room: int) -> int:
    """Write a member; returns its size in bytes."""
    name = PurePosixPath(member.name.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts:
        raise _refused(archive, f"{member.name!r} leads out of it")
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
    with path.open("wb") as file:
        data = member.data.read(room + 1)
        if len(data) > room:
            raise _refused(archive, f"it holds more than {MOST_MIB} MiB")
        file.write(data)
    path.chmod(0o755 if member.program else 0o644)
    return len(data)


def _refused(archive: Path, what: str) -> ArenaError:
    return ArenaError(Mistake(what, str(archive)))
