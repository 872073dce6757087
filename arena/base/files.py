"""Files of others, read with a bound: neither endless ones nor pipes hold a command up."""

import os
import stat
from pathlib import Path

from arena.base.errors import ArenaError, Mistake


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a file that has at most so many. Raises `ArenaError`."""
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
    """The text of a file that has at most so many bytes. Raises `ArenaError`."""
    try:
        return read_file(path, most).decode()
    except UnicodeDecodeError:
        raise ArenaError(Mistake("this is not valid UTF-8", str(path))) from None
