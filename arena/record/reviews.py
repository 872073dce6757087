"""Keeps computed reviews in a file next to a record.

Nothing in it belongs to the record: it may be removed at any time, and the reviews are computed
again. A review is kept under its `turns.content_key`, so that it serves wherever the same deal was
played in the same way, and a changed method does not find it.
"""

import os
import shlex
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import ClassVar, Final, Self

import msgspec

from arena.base.database import (
    FileKind,
    file_errors,
    open_database,
    report_damage,
    transaction,
)
from arena.base.errors import ArenaError, Mistake
from arena.record.matches import ReplayedMatch, stored_matches
from arena.record.store import Store
from arena.review.decisions import Decision
from arena.review.mistakes import is_clear, mistake_in, phase_of, role_of
from arena.review.turns import Findings, Turns, content_key, draw_name, turns
from arena.review.verdict import Verdict

SUFFIX: Final = ".reviews"

_SCHEMA: Final = (
    "CREATE TABLE reviews"
    " (key BLOB PRIMARY KEY, worlds INTEGER NOT NULL, findings BLOB NOT NULL) STRICT"
)
_FILE: Final = FileKind(
    noun="file of reviews",
    whole="a file of reviews",
    schema=_SCHEMA,
    if_other="move it away; arena review computes them again",
    if_damaged="move it away; arena review computes them again",
    if_full="what was kept before is safe",
)
_LARGEST: Final = 4 << 20
"""The most bytes that a seat's findings in a deal may have."""


class Reviews:
    """An open file of reviews. All methods raise `ArenaError` if it is another file or damaged."""

    kind: ClassVar[FileKind] = _FILE

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._sql = connection

    @classmethod
    def open(cls, path: Path, create: bool = False) -> Self:
        """Open the file. One that is missing or empty is made, or else, nothing is kept in it."""
        with file_errors(_FILE, path, "written" if create else "read"):
            if not path.exists() or not path.stat().st_size:
                made = sqlite3.connect(path if create else ":memory:", isolation_level=None)
                made.execute(_SCHEMA.replace("TABLE", "TABLE IF NOT EXISTS"))
                return cls(path, made)
            writable = create or os.access(path, os.W_OK)
            return cls(path, open_database(_FILE, path, "rw" if writable else "ro"))

    def close(self) -> None:
        """Close the file."""
        self._sql.close()

    @report_damage
    def find(self, key: bytes) -> Findings | None:
        """Return the findings under a key, or None if none are kept."""
        row = self._sql.execute("SELECT findings FROM reviews WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        return _decoder.decode(zlib.decompressobj().decompress(row[0], _LARGEST))

    @report_damage
    def worlds(self) -> tuple[int, ...]:
        """Return the numbers of worlds that reviews were made with, the greatest first."""
        rows = self._sql.execute("SELECT DISTINCT worlds FROM reviews ORDER BY worlds DESC")
        return tuple(number for (number,) in rows)

    def keep(self, worlds: int, found: Iterable[tuple[bytes, Findings]]) -> None:
        """Keep findings under their keys, all or none. Raises `MachineError` if it cannot."""
        rows = [(key, worlds, zlib.compress(_encoder.encode(each))) for key, each in found]
        with file_errors(_FILE, self.path), transaction(self._sql):
            self._sql.executemany("INSERT OR REPLACE INTO reviews VALUES (?, ?, ?)", rows)


def reviews_path(played: Path) -> Path:
    """Return the path of the reviews of a record."""
    return played.with_suffix(SUFFIX)


def deals_with_keys(match: ReplayedMatch, worlds: int) -> Iterator[tuple[tuple[Turns, bytes], ...]]:
    """Yield each deal's turns by seat, with the keys of their reviews."""
    draw = draw_name(match.bots, match.first)
    for deal in turns(match.deals):
        yield tuple((each, content_key(each, draw, worlds)) for each in deal)


def kept_of(match: ReplayedMatch, kept: Reviews) -> Iterator[tuple[Turns, Findings]]:
    """Yield the turns with kept reviews, by deal and seat, with the findings in the most worlds."""
    draw, numbers = draw_name(match.bots, match.first), kept.worlds()
    for each in chain.from_iterable(turns(match.deals if numbers else ())):
        tried = (kept.find(content_key(each, draw, number)) for number in numbers)
        findings = next(filter(None, tried), None)
        if findings is not None:
            yield each, findings


def reviews_of(match: ReplayedMatch, played: Path) -> dict[int, tuple[Verdict, ...]]:
    """Return the verdicts kept on a match of a record, by deal and in order of play.

    Deals with nothing kept are left out.
    """
    found: dict[int, list[Verdict]] = {}
    with closing(Reviews.open(reviews_path(played))) as kept:
        for each, findings in kept_of(match, kept):
            found.setdefault(each.deal, []).extend(findings.verdicts)
    return {
        deal: tuple(sorted(verdicts, key=lambda it: it.step)) for deal, verdicts in found.items()
    }


def review_rows(store: Store, number: int | None) -> Iterator[dict[str, object]]:
    """Yield a row for each decision whose review is kept. Raises `ArenaError` if there is none."""
    path, rows = reviews_path(store.path), 0
    with closing(Reviews.open(path)) as kept:
        for match in stored_matches(store, number):
            for turns, found in kept_of(match, kept):
                rows += len(found.verdicts)
                for decision, verdict in zip(turns.decisions, found.verdicts, strict=True):
                    yield _row(match, decision, verdict)
    if not rows:
        what = "nothing of this is reviewed yet"
        command = shlex.join(("arena", "review", str(store.path)))
        raise ArenaError(Mistake(what, str(path), f"{command} does it"))


def _row(match: ReplayedMatch, decision: Decision, verdict: Verdict) -> dict[str, object]:
    answers = verdict.answers
    return {
        "match": match.number,
        "deal": verdict.deal,
        "step": verdict.step,
        "seat": verdict.seat,
        "bot": match.bots[verdict.seat],
        "kind": verdict.kind,
        "phase": phase_of(verdict),
        "role": role_of(verdict),
        "contract": verdict.contract,
        "declarer": verdict.declarer,
        "trick": verdict.trick,
        "place": verdict.place,
        "given": verdict.given,
        "best": verdict.best,
        "loss": verdict.loss,
        "error": verdict.error,
        "open_loss": verdict.open_loss,
        "worlds": verdict.worlds,
        "exact": verdict.exact,
        "mistake": mistake_in(decision, verdict) if is_clear(verdict) else None,
        "answers": " ".join(each.answer for each in answers),
        "known": " ".join(f"{each.known:.4g}" for each in answers),
        "open": " ".join(f"{each.open:g}" for each in answers),
    }


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Findings)
