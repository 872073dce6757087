"""Reviews that were computed, kept beside a record in a file of their own, by what they are of.

Nothing in it is the record's: it may be removed at any time and is computed again. A review is
found by `turns.content_key`, so that it serves wherever the same deal was played in the same way,
and that a changed method finds nothing.
"""

import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Self

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.match.logged import LoggedMatch
from arena.record.guard import Allowance, open_guarded
from arena.record.matches import StoredMatch
from arena.review.turns import Findings, Turns, content_key, draw_name, turns
from arena.review.verdict import WORLDS, Verdict

SUFFIX: Final = ".reviews"

_SCHEMA: Final = "CREATE TABLE reviews (key BLOB PRIMARY KEY, findings BLOB NOT NULL) STRICT"
_LARGEST: Final = 4 << 20
"""The most bytes of a seat's findings in a deal."""

_DAMAGE: Final = (sqlite3.DatabaseError, msgspec.MsgspecError, zlib.error, ValueError, TypeError)
_WRONG_FILE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_INTERRUPT)


class Reviews:
    """An open file of reviews. Every method raises `ArenaError` where it is none or damaged."""

    def __init__(self, path: Path, connection: sqlite3.Connection, allowance: Allowance) -> None:
        self.path = path
        self._sql = connection
        self._allowance = allowance

    @classmethod
    def open(cls, path: Path, writing: bool = False) -> Self | None:
        """Open the file, or make it if it is to be written; None where there is none to read."""
        with _told(path):
            if not path.exists() or not path.stat().st_size:
                if not writing:
                    return None
                with closing(sqlite3.connect(path, isolation_level=None)) as sql:
                    sql.execute(_SCHEMA.replace("TABLE", "TABLE IF NOT EXISTS"))
            allowance = Allowance(path)
            mode = "rw" if writing or os.access(path, os.W_OK) else "ro"
            return cls(path, open_guarded(path, mode, allowance, _SCHEMA), allowance)

    def close(self) -> None:
        """Close the file."""
        self._sql.close()

    def find(self, key: bytes) -> Findings | None:
        """The findings of this key, if they were kept."""
        with _told(self.path):
            self._allowance.renew()
            row = self._sql.execute("SELECT findings FROM reviews WHERE key = ?", (key,)).fetchone()
            return None if row is None else _decode(row[0])

    def keep(self, found: Iterable[tuple[bytes, Findings]]) -> None:
        """Keep findings by their keys, all or none. Raises `MachineError` if it is impossible."""
        rows = [(key, zlib.compress(_encoder.encode(each))) for key, each in found]
        with _told(self.path), self._sql:
            self._allowance.renew()
            self._sql.execute("BEGIN IMMEDIATE")
            self._sql.executemany("INSERT OR REPLACE INTO reviews VALUES (?, ?)", rows)


def reviews_path(played: Path) -> Path:
    """Where the reviews of a record or of an exported log are kept."""
    return played.with_suffix(SUFFIX)


def deals_with_keys(
    match: StoredMatch, worlds: int = WORLDS
) -> Iterator[tuple[tuple[Turns, bytes], ...]]:
    """Each deal's turns by seat, with the keys of their reviews."""
    draw = draw_name(match.bots, match.first)
    for deal in turns(LoggedMatch(match.plan, match.record.log)):
        yield tuple((each, content_key(each, draw, worlds)) for each in deal)


def reviews_of(
    match: StoredMatch, played: Path, worlds: int = WORLDS
) -> dict[int, tuple[Verdict, ...]]:
    """The verdicts kept on a match of a record or log, by deal and in order of play.

    Deals with nothing kept are left out. `worlds` are those that it was reviewed with.
    """
    kept = Reviews.open(reviews_path(played))
    if kept is None:
        return {}
    with closing(kept):
        found: dict[int, tuple[Verdict, ...]] = {}
        for deal in deals_with_keys(match, worlds):
            verdicts = [
                verdict
                for each, key in deal
                if (findings := kept.find(key)) is not None
                for verdict in findings.verdicts
            ]
            if verdicts:
                found[deal[0][0].deal] = tuple(sorted(verdicts, key=lambda each: each.step))
        return found


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Findings)


def _decode(value: object) -> Findings:
    """Findings as stored. Raises what `_DAMAGE` names."""
    if type(value) is not bytes:
        raise ValueError("it holds what no arena has written")
    unpacked = zlib.decompressobj().decompress(value, _LARGEST)
    return _decoder.decode(unpacked)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what reading or writing the file raises into one line for the user."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _WRONG_FILE:
            raise _damaged(path, error) from None
        what = f"reviews cannot be kept here: {error}"
        raise MachineError(Mistake(what, str(path), "what was kept before is safe")) from None
    except OSError as error:
        what = f"reviews cannot be kept here: {error.strerror}"
        raise MachineError(Mistake(what, str(path))) from None
    except _DAMAGE as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> ArenaError:
    what = f"this file of reviews is damaged or not one: {error}"
    return ArenaError(Mistake(what, str(path), "move it away; arena review computes them again"))
