"""Drafts: files and folders made under a marked name, which get their own name once whole."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident

from arena.base.marks import MARK_PREFIX, forsaken, mark


@contextmanager
def made_aside(path: Path) -> Iterator[Path]:
    """The path of a draft beside another, for a file or a folder that is still to be made.

    Anything with the draft's name is removed at the end, and drafts of killed processes before
    that.
    """
    sweep_drafts(path)
    draft = path.with_name(f"{mark()}{get_ident()}-{path.name}")
    try:
        yield draft
    finally:
        for each in _marked(path):
            if each.name.startswith(draft.name):  # SQLite's own files among them
                _remove(each)


def sweep_drafts(path: Path) -> None:
    """Remove the drafts that killed processes have left beside a path."""
    for each in _marked(path):
        if path.name in each.name and forsaken(each.name):
            _remove(each)


def _marked(path: Path) -> list[Path]:
    return list(path.parent.glob(f"{MARK_PREFIX}*"))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):
        path.unlink()
