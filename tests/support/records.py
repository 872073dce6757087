"""Reads one thing of a record or an exported log, and closes the file again."""

from contextlib import closing
from pathlib import Path

from arena.record.exported import open_matches
from arena.record.matches import StoredMatch


def find_match(path: Path, number: int | None) -> StoredMatch:
    """The match with this number, or the only one there is. Raises `ArenaError`."""
    with closing(open_matches(path)) as matches:
        return matches.find(number)
