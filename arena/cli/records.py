"""The record that a command reads, apart from `options.py`, for commands that read none."""

from contextlib import closing
from pathlib import Path
from typing import TypeVar

import click

from arena.base.files import Closable
from arena.record.paths import record_path
from arena.record.store import Store

Opened = TypeVar("Opened", bound=Closable)


def until_end(opened: Opened) -> Opened:
    """Have an opened object closed when the command ends, however it ends; return it."""
    return click.get_current_context().with_resource(closing(opened))


def open_record(path: Path) -> Store:
    """Open the record of a league for as long as the command runs. Raises `ArenaError`."""
    return until_end(Store.open(record_path(path)))
