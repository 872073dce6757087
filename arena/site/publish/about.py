"""Reads the page of the organiser's own, which may be written anew at any time."""

from contextlib import suppress
from pathlib import Path
from typing import Final

from arena.base.errors import ArenaError
from arena.base.files import read_text

_MOST_BYTES: Final = 1 << 18


def about_text(path: Path | None) -> str:
    """Return the page, which is Markdown; "" if there is none, or none that can be read."""
    if path is not None:
        with suppress(ArenaError):
            return read_text(path, _MOST_BYTES)
    return ""


def changed_at(path: Path | None) -> int | None:
    """Return a value that changes whenever the page does."""
    if path is not None:
        with suppress(OSError):
            return path.stat().st_mtime_ns
    return None
