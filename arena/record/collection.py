"""Reads all records of a folder for the history of ratings."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.toml import closest
from arena.bots.manifest import content_hash
from arena.bots.templates import shipped
from arena.bots.tree import MANIFEST
from arena.record.store import Store
from arena.stats.history import PastRecord

ANCHOR: Final = "sampler"
"""The sample bot that anchors ratings over leagues unless another is named."""

_SHORTEST: Final = 8


class Unread(msgspec.Struct, frozen=True):
    """A file named like a record that could not be read, and why."""

    record: str
    why: str


def collect(folder: Path) -> tuple[list[PastRecord], list[Unread]]:
    """Return the records directly in a folder, oldest first by file time, and those that failed.

    Raises `ArenaError` if it has none that can be read.
    """
    if not folder.is_dir():
        raise ArenaError(Mistake("there is no such folder", str(folder)))
    files = sorted(folder.glob("*.db"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    past: list[PastRecord] = []
    unread: list[Unread] = []
    for path in files:
        try:
            past.append(_read(path))
        except ArenaError as error:
            unread.append(Unread(path.name, error.mistakes[0].what))
    if not past:
        what = "there are no records of leagues in this folder"
        told = "; ".join(f"{each.record}: {each.why}" for each in unread)
        raise ArenaError(Mistake(what, str(folder), told))
    return past, unread


def find_anchor(past: Sequence[PastRecord], wanted: str | None) -> str:
    """Return the content hash of the anchor: the sample bot, or one given by folder, name or hash.

    A name means the last bot that had it. Raises `ArenaError` if the records have no such bot.
    """
    if wanted is None:
        return content_hash(shipped("sample_bots") / ANCHOR)
    names = {name: content for each in past for name, content in each.bots.items()}
    contents = set(names.values()) | {it for each in past for it in each.bots.values()}
    if wanted in names:
        return names[wanted]
    begins = [content for content in contents if content.startswith(wanted)]
    if len(wanted) >= _SHORTEST and len(begins) == 1:
        return begins[0]
    if (Path(wanted) / MANIFEST).exists() and content_hash(Path(wanted)) in contents:
        return content_hash(Path(wanted))
    raise ArenaError(
        Mistake(f"no bot of these records is {wanted}", "--anchor", closest(wanted, sorted(names)))
    )


def _read(path: Path) -> PastRecord:
    store = Store.open(path)
    try:
        terms, seeds, blocks = store.terms(), store.seeds(), store.blocks()
        if terms.people:
            raise ArenaError(Mistake("people played in it, and nobody is rated by that", str(path)))
        stored = store.stored()
        with store.reading():  # a damaged index may list other matches than its table
            of_blocks = tuple(seeds[stored[block.lineup, 0, block.first]] for block in blocks)
        session = terms.session or 1
        return PastRecord(path.name, terms.rules, terms.bots, tuple(blocks), of_blocks, session)
    finally:
        store.close()
