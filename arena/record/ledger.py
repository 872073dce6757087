"""Reads the ledger of an open league from its record, and what a draw may know of its matches."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from arena.base.damage import tell_damage
from arena.base.database import Allowance
from arena.base.errors import ArenaError, Mistake
from arena.league.ledger import Closed, Entry, Line, Ordered, Sealed, read_line
from arena.league.outcomes import Outcome
from arena.league.plans import Orders
from arena.record.file import RecordFile
from arena.record.rows import OUTCOME, decode_line, decode_outcome
from arena.stats.figures import Lineup


class RecordLedger(RecordFile):
    """A record whose ledger can be read; one of another league has none."""

    def __init__(self, path: Path, connection: sqlite3.Connection, allowance: Allowance) -> None:
        super().__init__(path, connection, allowance)
        self._orders: dict[tuple[Lineup, int], Ordered] = {}
        self._lines_read = 0

    @tell_damage
    def ledger(self, after: int = 0) -> list[Line]:
        """The lines of an open league's ledger behind the line of a number, as they are stored."""
        rows = self._rows(
            "SELECT number, text, hash FROM ledger WHERE number > ? ORDER BY number", (after,)
        )
        return list(map(decode_line, rows))

    @tell_damage
    def last_line(self) -> Line | None:
        """The last line of the ledger; None before the first."""
        row = self._sql.execute(
            "SELECT number, text, hash FROM ledger ORDER BY number DESC LIMIT 1"
        ).fetchone()
        return None if row is None else decode_line(row)

    @tell_damage
    def closed(self) -> int | None:
        """The number of an open league's season, once nobody may enter it any more."""
        rows = self._rows("""SELECT text FROM ledger WHERE text LIKE '%"type":"closed"%'""")
        entries = (read_line(text).entry for (text,) in rows)
        return next((each.season for each in entries if isinstance(each, Closed)), None)

    def refuse_closed(self) -> None:
        """Raise `ArenaError` if bots may neither enter nor leave any more."""
        season = self.closed()
        if season is not None:
            what = f"season {season} is closed: its bots neither come nor go any more"
            remedy = "arena season next begins another, to which bots can be submitted"
            raise ArenaError(Mistake(what, str(self.path), remedy))

    @tell_damage
    def sealed(self) -> int | None:
        """The number of an open league's season, once it is over and nothing follows."""
        last = self.last_line()
        entry = None if last is None else read_line(last.text).entry
        return entry.season if isinstance(entry, Sealed) else None

    @tell_damage
    def orders(self) -> Orders:
        """Every order of an open league by lineup and first deal, in the order of the ledger.

        Lines once read are not read again.
        """
        for line in self.ledger(self._lines_read):
            entry = read_line(line.text).entry
            if isinstance(entry, Ordered):
                self._orders[entry.lineup, entry.first] = entry
            self._lines_read = line.number
        return self._orders

    @tell_damage
    def entries(self) -> list[Entry]:
        """What the lines of an open league's ledger say."""
        return [read_line(line.text).entry for line in self.ledger()]

    @tell_damage
    def outcomes(self, after: int = 0) -> Iterator[Outcome]:
        """What a draw may know of the matches stored behind the match of a number, by number."""
        ended: dict[int, list[tuple[str, int]]] = {}
        query = (
            "SELECT match, bot, count(*) FROM faults WHERE match > ?"
            " AND kind IN ('exited', 'unready') GROUP BY match, bot"
        )
        for match, bot, deals in self._rows(query, (after,)):
            ended.setdefault(match, []).append((bot, deals))
        query = f"SELECT {OUTCOME} FROM matches WHERE id > ? ORDER BY id"
        for row in self._rows(query, (after,)):
            yield decode_outcome(row, ended.get(row[0], ()))
