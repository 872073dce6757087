"""Reads the record of a league: one SQLite file that holds everything."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from arena.base.database import reading, report_damage
from arena.base.errors import ArenaError, Mistake
from arena.league.config import OpenConfig
from arena.league.fold import LedgerFold
from arena.league.ledger import Closed, Line, Sealed, read_line
from arena.league.outcomes import StoredOutcome
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.record import ENDING, NOT_READY, DealFault, MatchRecord
from arena.record.facts import Maker, check_facts, read_makers, read_seeds, read_terms
from arena.record.file import open_file
from arena.record.rows import (
    MATCH,
    OUTCOME,
    OUTLINE,
    PLAYED,
    VoidMatch,
    decode_fault,
    decode_key,
    decode_line,
    decode_match,
    decode_names,
    decode_outcome,
    decode_outline,
    decode_played,
    decode_void,
    encode_json,
)
from arena.record.submissions import Submission, decode_submission
from arena.record.tables import RECORD
from arena.stats.figures import Lineup
from arena.stats.sets import Block, Played, complete_blocks

Values = Sequence[object] | Mapping[str, object]
"""The values of a query's parameters."""

_ENDS: Final = f"""(kind IN {ENDING} OR instr(fault, '"detail":"{NOT_READY}'))"""
"""Whether a bot plays no more after a row's fault: `ends_program` as SQL."""

_COUNTED: Final = f"count(DISTINCT CASE WHEN {_ENDS} THEN bot ELSE rowid END)"
"""The number of a match's faults without the deals forfeited after them: `counted_faults`."""

_FAULTS: Final = f"(SELECT {_COUNTED} FROM faults WHERE match = id)"


IN_MEMORY: Final = Path(":memory:")
"""The path of a record that is in no file."""


class Store:
    """A record open for reading."""

    kind: ClassVar = RECORD

    def __init__(self, path: Path, sql: sqlite3.Connection) -> None:
        self.path = path
        self.sql = sql
        self._fold: LedgerFold | None = None

    @classmethod
    def open(cls, path: Path, reading: bool = True, own: bool = False) -> Self:
        """Open an existing record. Raises `ArenaError` if it is missing or not a record.

        A record that was neither created nor opened here before is checked first, unless it is our
        `own`.
        """
        return cls(path, open_file(path, reading, own))

    def close(self) -> None:
        """Close the file; SQLite merges the write-ahead log into it if nobody else has it open."""
        self.sql.close()

    def row(self, query: str, values: Values = ()) -> Any:
        """Return the first row of a query, or None."""
        return self.sql.execute(query, values).fetchone()

    def rows(self, query: str, values: Values = ()) -> Iterator[Any]:
        """Yield the rows of a query."""
        yield from self.sql.execute(query, values)

    def reading(self) -> AbstractContextManager[None]:
        """Return a context that tells values without sense as damage to the record."""
        return reading(RECORD, self.path)

    @report_damage
    def hold(self) -> None:
        """Read the record from now on as it stands, whatever else is stored meanwhile."""
        self.row("BEGIN")
        self.row("SELECT 1 FROM league")  # takes SQLite's snapshot

    @report_damage
    def version(self) -> int:
        """Return a number that changes once another process has written to the record."""
        return int(self.row("PRAGMA data_version")[0])

    @report_damage
    def check(self) -> None:
        """Check the whole file. Raises `ArenaError` if SQLite finds it damaged."""
        (found,) = self.row("PRAGMA quick_check(1)")
        if found != "ok":
            raise ValueError(found)

    @report_damage
    def facts(self) -> dict[str, str]:
        """Return the facts stored about the league itself."""
        facts: dict[str, str] = dict(self.rows("SELECT key, value FROM league"))
        check_facts(facts)
        return facts

    @report_damage
    def terms(self) -> Terms:
        """Return the terms that the league began with, as extended so far."""
        return read_terms(self.facts())

    def open_config(self) -> OpenConfig:
        """Return the settings of an open league. Raises `ArenaError` for any other."""
        config = self.terms().config
        if not isinstance(config, OpenConfig):
            raise ArenaError(Mistake("only open leagues have seasons", str(self.path)))
        return config

    @report_damage
    def seeds(self) -> tuple[str, ...]:
        """Return the seeds of the league; new deals use the last. An open one has one an order.

        Raises `ArenaError` for a record of logs, which has none.
        """
        facts = self.facts()
        seeds = read_seeds(facts)
        if not seeds:
            what = "this record has logs, without the seed of their league"
            remedy = "replay, faults, deal, deals, review, rerun, verify and export read it"
            raise ArenaError(Mistake(what, str(self.path), remedy))
        if isinstance(read_terms(facts).config, OpenConfig):
            return self.fold().seeds(seeds[0])
        return seeds

    @report_damage
    def makers(self) -> dict[str, Maker]:
        """Return the known versions and authors of bots, by the name that each plays under."""
        entered = {
            entry.name: Maker(entry.manifest.version, entry.manifest.author)
            for entry in self.submissions()
        }
        return read_makers(self.facts()) | entered

    @report_damage
    def submissions(self) -> list[Submission]:
        """Return every submission, in the order of submission."""
        rows = self.rows("SELECT submission FROM submissions ORDER BY rowid")
        return [decode_submission(text) for (text,) in rows]

    @report_damage
    def ledger(self, after: int = 0) -> list[Line]:
        """Return the lines of an open league's ledger after the line number `after`, as stored."""
        rows = self.rows(
            "SELECT number, text, hash FROM ledger WHERE number > ? ORDER BY number", (after,)
        )
        return list(map(decode_line, rows))

    @report_damage
    def last_line(self) -> Line | None:
        """Return the last line of the ledger; None before the first."""
        row = self.row("SELECT number, text, hash FROM ledger ORDER BY number DESC LIMIT 1")
        return None if row is None else decode_line(row)

    @report_damage
    def closed(self) -> int | None:
        """Return an open league's season once nobody may enter it any more, else None."""
        rows = self.rows("""SELECT text FROM ledger WHERE text LIKE '%"type":"closed"%'""")
        entries = (read_line(text).entry for (text,) in rows)
        return next((each.season for each in entries if isinstance(each, Closed)), None)

    @report_damage
    def sealed(self) -> int | None:
        """Return an open league's season once it is over and nothing follows, else None."""
        last = self.last_line()
        entry = None if last is None else read_line(last.text).entry
        return entry.season if isinstance(entry, Sealed) else None

    @report_damage
    def fold(self) -> LedgerFold:
        """Return the fold of an open league's ledger. Only lines not read before are read."""
        if self._fold is None:
            self._fold = LedgerFold(self.terms().config.rules.players)
        for line in self.ledger(self._fold.read):
            self._fold.apply(line, read_line(line.text))
        return self._fold

    @report_damage
    def outcomes(self, after: int = 0) -> Iterator[StoredOutcome]:
        """Yield what a draw may know of the matches numbered above `after`, by number."""
        ended: dict[int, list[tuple[str, int]]] = {}
        query = (
            "SELECT match, bot, count(*) FROM faults WHERE match > ?"
            " AND kind IN ('exited', 'unready') GROUP BY match, bot"
        )
        for match, bot, deals in self.rows(query, (after,)):
            ended.setdefault(match, []).append((bot, deals))
        query = f"SELECT {OUTCOME} FROM matches WHERE id > ? ORDER BY id"
        for row in self.rows(query, (after,)):
            yield decode_outcome(row, ended.get(row[0], ()))

    @report_damage
    def stored(self) -> dict[tuple[Lineup, int, int], int]:
        """Return the number of every stored match's seed, by lineup, seating and first deal."""
        seeds = range(len(self.seeds()))
        found: dict[tuple[Lineup, int, int], int] = {}
        for seed, *key in self.rows("SELECT seed, lineup, seating, first FROM matches"):
            found[decode_key(tuple(key))] = seed
            if seed not in seeds:
                raise ValueError(f"there is no seed {seed}")
        return found

    @report_damage
    def played(self, lineup: Lineup | None = None, first: int | None = None) -> Iterator[Played]:
        """Yield every match as standings need it, or one run of deals, in a fixed order."""
        rows = self.rows(
            f"SELECT {PLAYED} FROM matches WHERE :lineup IS NULL"
            " OR (lineup = :lineup AND first = :first) ORDER BY lineup, first, seating",
            {"lineup": lineup and encode_json(lineup), "first": first},
        )
        yield from map(decode_played, rows)

    @report_damage
    def blocks(
        self, terms: Terms | None = None, lineup: Lineup | None = None, first: int | None = None
    ) -> list[Block]:
        """Return the complete runs of deals, void ones too, or only a lineup's run from `first`.

        Bots are numbered in order of name, by the `terms`: the record's, or those it is to go on
        with.
        """
        terms = terms or self.terms()
        played = self.played(lineup, first)
        return complete_blocks(played, sorted(terms.bots), terms.config.seats_of, terms.session)

    @report_damage
    def voids(self) -> list[VoidMatch]:
        """Return void matches in the order they were noted, including those played since."""
        return self._voids("ORDER BY rowid")

    @report_damage
    def owed(self) -> list[VoidMatch]:
        """Return the void matches not played since."""
        return self._voids(
            "WHERE NOT EXISTS (SELECT 1 FROM"
            " matches WHERE matches.lineup = voids.lineup AND matches.seating = voids.seating"
            " AND matches.first = voids.first) ORDER BY lineup, first, seating"
        )

    @report_damage
    def faults(self, after: int = 0, last: int | None = None) -> dict[str, dict[str, int]]:
        """Return each bot's number of faults by kind, in matches after one up to the last.

        Deals that a bot forfeits because it has ended are no further faults.
        """
        count: dict[str, dict[str, int]] = {}
        rows = self.rows(
            f"SELECT bot, kind, count(DISTINCT CASE WHEN {_ENDS} THEN -match ELSE rowid END)"
            " FROM faults WHERE match > :after AND (:last IS NULL OR match <= :last)"
            " GROUP BY bot, kind",
            {"after": after, "last": last},
        )
        for bot, kind, number in rows:
            count.setdefault(bot, {})[kind] = number
        return count

    @report_damage
    def forfeits(self) -> dict[str, dict[str, tuple[int, int]]]:
        """Return by bot and kind in how many matches it ended, and the deals forfeited by that."""
        found: dict[str, dict[str, tuple[int, int]]] = {}
        rows = self.rows(
            "SELECT bot, kind, count(DISTINCT match),"
            " count(DISTINCT match || ' ' || json_extract(fault, '$.deal'))"
            f" FROM faults WHERE {_ENDS} GROUP BY bot, kind ORDER BY bot, kind"
        )
        for bot, kind, matches, deals in rows:
            found.setdefault(bot, {})[kind] = matches, deals - matches
        return found

    @report_damage
    def number_of(self, spec: MatchSpec) -> int:
        """Return the number of a stored match."""
        key = encode_json(spec.lineup), spec.seating, spec.first
        query = "SELECT id FROM matches WHERE lineup = ? AND seating = ? AND first = ?"
        return int(self.row(query, key)[0])

    @report_damage
    def faulty(self, most: int) -> Iterator[tuple[int, str, DealFault]]:
        """Yield the `most` first faults of each bot and kind: match number, bot, fault."""
        rows = self.rows(
            "SELECT match, bot, fault FROM (SELECT *, rowid AS row, row_number() OVER"
            " (PARTITION BY bot, kind ORDER BY match, rowid) AS place FROM faults)"
            " WHERE place <= ? ORDER BY bot, kind, match, row",
            (most,),
        )
        for match, bot, fault in rows:
            yield match, bot, decode_fault(fault)

    @report_damage
    def decisions(self) -> int:
        """Return the number of decisions in all stored matches."""
        return int(self.row("SELECT total(decisions) FROM matches")[0])

    @report_damage
    def isolation(self) -> dict[str, int]:
        """Return the number of stored matches at each level of isolation."""
        rows = self.rows(
            "SELECT isolation, count(*) FROM matches GROUP BY isolation ORDER BY isolation"
        )
        return dict(rows)

    @report_damage
    def numbers(self) -> range:
        """Return the range from the lowest to the highest number of a stored match."""
        query = "SELECT (SELECT min(id) FROM matches), (SELECT max(id) FROM matches)"
        lowest, highest = self.row(query)
        return range(0) if lowest is None else range(lowest, highest + 1)

    @report_damage
    def outlines(self, after: int = 0, last: int | None = None) -> Iterator[MatchOutline]:
        """Yield the stored matches after one up to the last, by number, without their logs."""
        rows = self.rows(
            f"SELECT {OUTLINE}, {_FAULTS} FROM matches"
            " WHERE id > :after AND (:last IS NULL OR id <= :last) ORDER BY id",
            {"after": after, "last": last},
        )
        yield from map(decode_outline, rows)

    @report_damage
    def numbers_of(self, lineup: Lineup, first: int) -> list[int]:
        """Return the numbers of a lineup's matches from deal `first`, in order of seating."""
        rows = self.rows(
            "SELECT id FROM matches WHERE lineup = ? AND first = ? ORDER BY seating",
            (encode_json(lineup), first),
        )
        return [number for (number,) in rows]

    @report_damage
    def matches_with(self, deal: int) -> dict[Lineup, list[int]]:
        """Return by lineup the numbers of the matches with a deal, in order of seating."""
        rows = self.rows(
            "SELECT lineup, id FROM matches WHERE ? BETWEEN first AND first + deals - 1"
            " ORDER BY lineup, seating",
            (deal,),
        )
        found: dict[Lineup, list[int]] = {}
        for lineup, number in rows:
            found.setdefault(decode_names(lineup), []).append(number)
        return found

    @report_damage
    def matches(
        self, number: int | None = None, faulty: bool = False
    ) -> Iterator[tuple[int, MatchSpec, MatchRecord]]:
        """Yield every stored match in full with its number, or only one, in a fixed order.

        Matches are numbered as they are stored. With `faulty` come only those in which a bot
        faulted, by number.
        """
        which = "WHERE id = ?" if number is not None else "WHERE ? IS NULL"
        order = "ORDER BY lineup, first, seating"
        if faulty:
            which, order = f"{which} AND id IN (SELECT match FROM faults)", "ORDER BY id"
        rows = self.rows(
            f"SELECT id, {MATCH}, log, stderr FROM matches JOIN logs ON match = id {which} {order}",
            (number,),
        )
        for found, *row in rows:
            yield found, *decode_match(tuple(row), self._faults_of(found))

    @report_damage
    def logs(self) -> Iterator[tuple[Lineup, bytes]]:
        """Yield the bots by seat and the log of every match."""
        rows = self.rows("SELECT seats, log FROM matches JOIN logs ON match = id")
        for seats, log in rows:
            yield decode_names(seats), log

    def _faults_of(self, match: int) -> tuple[DealFault, ...]:
        rows = self.rows("SELECT fault FROM faults WHERE match = ? ORDER BY rowid", (match,))
        return tuple(decode_fault(text) for (text,) in rows)

    def _voids(self, which: str) -> list[VoidMatch]:
        rows = self.rows(f"SELECT lineup, seating, first, detail FROM voids {which}")
        return list(map(decode_void, rows))
