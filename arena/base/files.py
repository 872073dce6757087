"""Files: read with a bound, so that endless ones and pipes hold up no command; written whole."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.base.errors import ArenaError, Mistake


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a file. Raises `ArenaError` for more than `most`."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            what = "this is a folder" if path.is_dir() else "this is not a file"
            raise ArenaError(Mistake(what, str(path)))
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(number, "rb") as file:
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


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file aside and then rename it, so that no reader sees a part of it. Raises `OSError`.

    `mode` are its permissions, None for those that a new file gets.
    """
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(data)
        if mode is not None:
            draft.chmod(mode)
        draft.replace(path)
    except BaseException:  # a partial file would keep the room that was too small for it
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the system's refusal to write a file into the user's mistake."""
    try:
        yield
    except OSError as error:
        raise ArenaError(Mistake(f"cannot be written: {error.strerror}", str(path))) from None
