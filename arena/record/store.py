"""The record of a league as it is read: one SQLite file that holds everything."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.record import DealFault, MatchRecord
from arena.record.facts import read_seeds, read_terms
from arena.record.rows import (
    FORMAT,
    MATCH,
    OUTLINE,
    PLAYED,
    MatchOutline,
    VoidMatch,
    decode_fault,
    decode_key,
    decode_match,
    decode_names,
    decode_outline,
    decode_played,
    decode_void,
    encode_json,
)
from arena.record.submissions import Submission
from arena.stats.blocks import Block, Lineup, Played, complete_blocks

_OURS: Final = "SELECT 1 FROM sqlite_master WHERE name = 'league'"

_FAULTS: Final = "(SELECT count(*) FROM faults WHERE match = id)"


def record_path(league: Path) -> Path:
    """The record of a league that is named by its TOML or by the record itself."""
    return league if league.suffix == ".db" else league.with_suffix(".db")


def league_path(named: Path) -> Path:
    """The TOML of a league that is named by it or by its record."""
    return named.with_suffix(".toml") if named.suffix == ".db" else named


class Store:
    """An open record."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._sql = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """An existing record. Raises `ArenaError` where there is none or it is not one of ours."""
        return cls._open(path, "ro", "read")

    @classmethod
    def _open(cls, path: Path, mode: str, done: str) -> Self:
        if not path.exists():
            league = path.with_suffix(".toml")
            if not league.exists():
                what = f"there is no such record, nor a league {league.name} beside it"
                raise ArenaError(Mistake(what, str(path)))
            what = "there is no record of this league yet"
            raise ArenaError(Mistake(what, str(path), "arena league plays it"))
        with tell_errors(path, done):
            if mode == "ro" and not os.access(path.parent, os.W_OK) and not _ahead(path).exists():
                mode += "&immutable=1"  # SQLite would share memory with writers, in a file
            uri = f"{path.resolve().as_uri()}?mode={mode}"
            store = cls(path, sqlite3.connect(uri, uri=True, isolation_level=None))
            store._sql.execute("PRAGMA synchronous=FULL")
            if not store._sql.execute(_OURS).fetchone():
                raise sqlite3.DatabaseError("it has no tables of ours")
            known = store.facts().get("format")
        if known != FORMAT:
            what = f"the record has format {known}, this arena reads format {FORMAT}"
            raise ArenaError(Mistake(what, str(path)))
        return store

    def close(self) -> None:
        """Close the file; the write-ahead log is merged into it where nobody else reads."""
        self._sql.close()

    def check(self) -> None:
        """Read the whole file. Raises `ArenaError` where SQLite finds it damaged."""
        with tell_errors(self.path, "read"):
            (found,) = self._sql.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise ArenaError(Mistake(f"this record is damaged: {found}", str(self.path)))

    def facts(self) -> dict[str, str]:
        """What was written down about the league itself."""
        return dict(self._sql.execute("SELECT key, value FROM league"))

    def terms(self) -> Terms:
        """What the league was begun with, as far as it has got."""
        return read_terms(self.facts())

    def seeds(self) -> tuple[str, ...]:
        """The seeds of the league, the one for new deals last."""
        return read_seeds(self.facts())

    def submissions(self) -> list[Submission]:
        """Every bot that was handed in, in the order in which they were."""
        rows = self._sql.execute("SELECT submission FROM submissions ORDER BY rowid")
        return [msgspec.json.decode(text, type=Submission) for (text,) in rows]

    def stored(self) -> dict[tuple[Lineup, int, int], int]:
        """Which seed every stored match has, by lineup, seating and first deal."""
        rows = self._sql.execute("SELECT seed, lineup, seating, first FROM matches")
        return {decode_key(key): seed for seed, *key in rows}

    def played(self, lineup: Lineup | None = None, first: int | None = None) -> Iterator[Played]:
        """What standings need of every match, or of those of one run of deals, in a fixed order."""
        rows = self._sql.execute(
            f"SELECT {PLAYED} FROM matches WHERE ?1 IS NULL OR (lineup = ?1 AND first = ?2)"
            " ORDER BY lineup, first, seating",
            (lineup and encode_json(lineup), first),
        )
        yield from map(decode_played, rows)

    def blocks(
        self, terms: Terms | None = None, lineup: Lineup | None = None, first: int | None = None
    ) -> list[Block]:
        """The runs of deals that are complete, void ones too, or the one of a lineup from a deal.

        Their bots are numbered in the order of their names, by the terms of the record or by those
        with which it is to go on.
        """
        terms = terms or self.terms()
        played = self.played(lineup, first)
        return complete_blocks(played, sorted(terms.bots), terms.seats_of, terms.session or 1)

    def voids(self) -> list[VoidMatch]:
        """Matches that came to nothing, in the order in which they did, also those played since."""
        return self._voids("ORDER BY rowid")

    def owed(self) -> list[VoidMatch]:
        """Matches that came to nothing and were not played since."""
        return self._voids(
            "WHERE NOT EXISTS (SELECT 1 FROM"
            " matches WHERE matches.lineup = voids.lineup AND matches.seating = voids.seating"
            " AND matches.first = voids.first) ORDER BY lineup, first, seating"
        )

    def faults(self) -> dict[str, dict[str, int]]:
        """How many faults of each kind each bot has."""
        count: dict[str, dict[str, int]] = {}
        rows = self._sql.execute("SELECT bot, kind, count(*) FROM faults GROUP BY bot, kind")
        for bot, kind, number in rows:
            count.setdefault(bot, {})[kind] = number
        return count

    def faulty(self, most: int) -> Iterator[tuple[int, str, DealFault]]:
        """Faults by match, at most so many: the match's number, the bot, the fault."""
        rows = self._sql.execute(
            "SELECT match, bot, fault FROM faults ORDER BY match, rowid LIMIT ?", (most,)
        )
        for match, bot, fault in rows:
            yield match, bot, decode_fault(fault)

    def decisions(self) -> int:
        """How many decisions all stored matches took."""
        return int(self._sql.execute("SELECT total(decisions) FROM matches").fetchone()[0])

    def isolation(self) -> dict[str, int]:
        """How many stored matches were played at each level of isolation."""
        rows = self._sql.execute(
            "SELECT isolation, count(*) FROM matches GROUP BY isolation ORDER BY isolation"
        )
        return dict(rows.fetchall())

    def numbers(self) -> range:
        """The numbers that stored matches have, from the lowest to the highest."""
        query = "SELECT (SELECT min(id) FROM matches), (SELECT max(id) FROM matches)"
        lowest, highest = self._sql.execute(query).fetchone()
        return range(0) if lowest is None else range(lowest, highest + 1)

    def outlines(self) -> Iterator[MatchOutline]:
        """What there is to know of every stored match without its log, by number."""
        rows = self._sql.execute(f"SELECT {OUTLINE}, {_FAULTS} FROM matches ORDER BY id")
        yield from map(decode_outline, rows)

    def matches(
        self, number: int | None = None, faulty: bool = False
    ) -> Iterator[tuple[int, MatchSpec, MatchRecord]]:
        """Every stored match in full with its number, or only that of a number, in a fixed order.

        Numbers are given in the order in which matches are stored. With `faulty` only those in
        which a bot has faulted, by number.
        """
        which = "WHERE id = ?1" if number is not None else "WHERE ?1 IS NULL"
        order = "ORDER BY lineup, first, seating"
        if faulty:
            which, order = f"{which} AND id IN (SELECT match FROM faults)", "ORDER BY id"
        rows = self._sql.execute(
            f"SELECT id, {MATCH}, log, stderr FROM matches JOIN logs ON match = id {which} {order}",
            (number,),
        )
        for found, *row in rows:
            yield found, *decode_match(row, self._faults_of(found))

    def logs(self) -> Iterator[tuple[Lineup, bytes]]:
        """The bots by seat and the log of every match."""
        rows = self._sql.execute("SELECT seats, log FROM matches JOIN logs ON match = id")
        for seats, log in rows:
            yield decode_names(seats), log

    def _faults_of(self, match: int) -> tuple[DealFault, ...]:
        rows = self._sql.execute(
            "SELECT fault FROM faults WHERE match = ? ORDER BY rowid", (match,)
        )
        return tuple(decode_fault(text) for (text,) in rows)

    def _voids(self, which: str) -> list[VoidMatch]:
        rows = self._sql.execute(f"SELECT lineup, seating, first, detail FROM voids {which}")
        return list(map(decode_void, rows))


@contextmanager
def tell_errors(path: Path, done: str = "written") -> Iterator[None]:
    """Tell SQLite's errors as ours: a file that is not a record, or a disk that is full."""
    try:
        yield
    except sqlite3.OperationalError as error:
        remedy = ""
        if done == "written":
            remedy = "what was stored before is safe; make room and run the same command again"
        raise MachineError(
            Mistake(f"the record cannot be {done}: {error}", str(path), remedy)
        ) from None
    except sqlite3.DatabaseError as error:
        raise ArenaError(
            Mistake(f"this is not the record of a league: {error}", str(path))
        ) from None


def _ahead(path: Path) -> Path:
    """What SQLite has written ahead of a record."""
    return path.with_name(f"{path.name}-wal")
