"""The record of a league: one SQLite file that holds everything, each match in one transaction."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.marks import forsaken, mark
from arena.bots.manifest import Bot
from arena.league.schedule import MatchSpec
from arena.match.record import Course, DealFault, MatchRecord, Results
from arena.stats.blocks import Lineup, Played
from arena.zole.state import GAMES

FORMAT = "3"

_TABLES = """
CREATE TABLE league (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    lineup TEXT NOT NULL,
    seating INTEGER NOT NULL,
    first INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    seats TEXT NOT NULL,
    payments BLOB NOT NULL,
    courses BLOB NOT NULL,
    disqualified TEXT NOT NULL,
    decisions INTEGER NOT NULL,
    isolation TEXT NOT NULL,
    UNIQUE (lineup, seating, first)
) STRICT;
CREATE TABLE logs (
    match INTEGER PRIMARY KEY REFERENCES matches,
    log BLOB NOT NULL,
    stderr TEXT NOT NULL
) STRICT;
CREATE TABLE faults (
    match INTEGER NOT NULL REFERENCES matches,
    bot TEXT NOT NULL,
    kind TEXT NOT NULL,
    fault TEXT NOT NULL
) STRICT;
CREATE INDEX faults_of_a_match ON faults (match);
CREATE TABLE submissions (
    name TEXT PRIMARY KEY,
    submission TEXT NOT NULL
) STRICT;
CREATE TABLE voids (
    lineup TEXT NOT NULL,
    seating INTEGER NOT NULL,
    first INTEGER NOT NULL,
    detail TEXT NOT NULL
) STRICT;
"""

_OURS = "SELECT 1 FROM sqlite_master WHERE name = 'league'"

Spoilt = tuple[Lineup, int, int, str]
"""A match that came to nothing by the arena's own fault: lineup, seating, first deal, why."""


class Submission(msgspec.Struct, frozen=True):
    """A bot that was handed in, under the name it plays by.

    `manifest` is what it was checked with, whatever its build has made of the file; `digest` is the
    content's, `at` the time in UTC. A submission plays until it is replaced by a newer one of the
    same bot, or withdrawn.
    """

    name: str
    manifest: Bot
    digest: str
    at: str
    state: Literal["playing", "replaced", "withdrawn"]


class Listed(msgspec.Struct, frozen=True):
    """A stored match in a line: its number, who sat where, which deals, what came of it.

    `deals` are those played from `first` on, `stakes` their sum by seat, `disqualified` seats.
    """

    match: int
    bots: tuple[str, ...]
    first: int
    deals: int
    stakes: tuple[int, ...]
    faults: int
    disqualified: tuple[int, ...]
    decisions: int
    isolation: str


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
    def create(
        cls,
        path: Path,
        facts: dict[str, str],
        matches: Iterable[tuple[MatchSpec, MatchRecord]] = (),
        spoilt: Iterable[Spoilt] = (),
        entries: Sequence[Submission] = (),
    ) -> "Store":
        """A new record that begins with some facts and matches. Raises `ArenaError`.

        It has its name only once it is whole; whatever cuts its making short leaves no record.
        """
        if not path.parent.is_dir():
            raise ArenaError(Mistake("there is no such folder", str(path.parent)))
        for old in path.parent.glob("zole-*"):
            if path.name in old.name and forsaken(old.name):
                old.unlink(missing_ok=True)
        unborn = path.with_name(f"{mark()}{path.name}")
        try:
            with _sqlite(path), closing(sqlite3.connect(unborn, isolation_level=None)) as sql:
                store = cls(path, sql)
                sql.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
                with store._transaction():
                    for statement in _TABLES.split(";"):
                        sql.execute(statement)
                    store._enter({"format": FORMAT, **facts}, matches, spoilt, entries)
            if path.exists():
                raise ArenaError(Mistake("this has come into being meanwhile", str(path)))
            unborn.rename(path)
        finally:
            for suffix in ("", "-wal", "-shm"):
                with suppress(OSError):  # nothing was made where nothing can be
                    Path(f"{unborn}{suffix}").unlink()
        return cls.open(path, writing=True)

    @classmethod
    def open(cls, path: Path, writing: bool = False) -> "Store":
        """An existing record. Raises `ArenaError` where there is none or it is none of ours."""
        if not path.exists():
            league = path.with_suffix(".toml")
            if not league.exists():
                what = f"there is no such record, nor a league {league.name} beside it"
                raise ArenaError(Mistake(what, str(path)))
            what = "there is no record of this league yet"
            raise ArenaError(Mistake(what, str(path), "arena league plays it"))
        with _sqlite(path, "written" if writing else "read"):
            mode = "rw" if writing else "ro"
            if not writing and not os.access(path.parent, os.W_OK) and not _ahead(path).exists():
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

    def facts(self) -> dict[str, str]:
        """What was written down about the league itself."""
        return dict(self._sql.execute("SELECT key, value FROM league"))

    def set_facts(self, facts: dict[str, str]) -> None:
        """Write facts down, replacing those of the same name."""
        with _sqlite(self.path), self._transaction():
            self._set(facts)

    def add(self, spec: MatchSpec, record: MatchRecord) -> None:
        """Store a match: result, log, faults and stderr, all or nothing."""
        with _sqlite(self.path), self._transaction():
            self._add(spec, record)

    def take_over(
        self,
        facts: dict[str, str],
        matches: Iterable[tuple[MatchSpec, MatchRecord]],
        spoilt: Iterable[Spoilt],
        entries: Sequence[Submission],
    ) -> None:
        """Store what other records hold, all or nothing; entries of a name that is here go over."""
        with _sqlite(self.path), self._transaction():
            self._enter(facts, matches, spoilt, entries)

    def check(self) -> None:
        """Read the whole file. Raises `ArenaError` where SQLite finds it damaged."""
        with _sqlite(self.path, "read"):
            (found,) = self._sql.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise ArenaError(Mistake(f"this record is damaged: {found}", str(self.path)))

    def add_void(self, spec: MatchSpec, detail: str) -> None:
        """Note that a match came to nothing by the arena's own fault."""
        with _sqlite(self.path), self._transaction():
            row = _row((spec.lineup, spec.seating, spec.first, detail))
            self._sql.execute("INSERT INTO voids VALUES (?, ?, ?, ?)", row)

    def submissions(self) -> list[Submission]:
        """Every bot that was handed in, in the order in which they were."""
        rows = self._sql.execute("SELECT submission FROM submissions ORDER BY rowid")
        return [msgspec.json.decode(text, type=Submission) for (text,) in rows]

    def submit(self, entry: Submission) -> str:
        """Enter a bot; an older one of the same bot is replaced. Returns the name."""
        with _sqlite(self.path), self._transaction():
            for old in self.submissions():
                if old.manifest.name == entry.manifest.name and old.state == "playing":
                    self._restate(msgspec.structs.replace(old, state="replaced"))
            self._sql.execute("INSERT INTO submissions VALUES (?, ?)", (entry.name, _json(entry)))
        return entry.name

    def withdraw(self, name: str) -> None:
        """Take the submission of a name out of the field."""
        with _sqlite(self.path), self._transaction():
            for entry in self.submissions():
                if entry.name == name:
                    self._restate(msgspec.structs.replace(entry, state="withdrawn"))

    def _restate(self, entry: Submission) -> None:
        self._sql.execute(
            "UPDATE submissions SET submission = ? WHERE name = ?", (_json(entry), entry.name)
        )

    def stored(self) -> dict[tuple[Lineup, int, int], int]:
        """Which seed every stored match has, by lineup, seating and first deal."""
        rows = self._sql.execute("SELECT lineup, seating, first, seed FROM matches")
        return {(_lineup(lineup), seating, first): seed for lineup, seating, first, seed in rows}

    def played(self, lineup: Lineup | None = None, first: int | None = None) -> Iterator[Played]:
        """What standings need of every match, or of those of one run of deals, in a fixed order."""
        rows = self._sql.execute(
            "SELECT lineup, seating, first, deals, payments, courses, disqualified, seats"
            " FROM matches WHERE ?1 IS NULL OR (lineup = ?1 AND first = ?2)"
            " ORDER BY lineup, first, seating",
            (lineup and _json(lineup), first),
        )
        for bots, seating, begin, deals, payments, courses, out, seats in rows:
            table = np.frombuffer(payments, "<i2").reshape(-1, len(_lineup(seats)))
            of_deals = np.frombuffer(courses, "i1").reshape(-1, 3)
            seats_out = msgspec.json.decode(out, type=tuple[int, ...])
            yield Played(_lineup(bots), seating, begin, deals, table, of_deals, seats_out)

    def spoilt(self) -> list[Spoilt]:
        """Matches that came to nothing, in the order in which they did, also those played since."""
        return self._spoilt("ORDER BY rowid")

    def voids(self) -> list[Spoilt]:
        """Lineup, seating, first deal and reason of matches that the arena still owes."""
        return self._spoilt(
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

    def decisions(self) -> int:
        """How many decisions all stored matches took."""
        return int(self._sql.execute("SELECT total(decisions) FROM matches").fetchone()[0])

    def isolation(self) -> dict[str, int]:
        """How many stored matches were played at each level of isolation."""
        rows = self._sql.execute(
            "SELECT isolation, count(*) FROM matches GROUP BY isolation ORDER BY isolation"
        )
        return dict(rows.fetchall())

    def matches(self, number: int | None = None) -> Iterator[tuple[int, MatchSpec, MatchRecord]]:
        """Every stored match in full with its number, or only that of a number, in a fixed order.

        Numbers are given in the order in which matches are stored.
        """
        rows = self._sql.execute(
            "SELECT id, lineup, seating, seats, first, deals, seed, payments, courses,"
            " disqualified, decisions, log, stderr, isolation FROM matches JOIN logs ON match = id"
            " WHERE ?1 IS NULL OR id = ?1 ORDER BY lineup, first, seating",
            (number,),
        )
        for row in rows:
            found, lineup, seating, seats, first, deals, seed, *rest = row
            spec = MatchSpec(_lineup(lineup), seating, _lineup(seats), first, deals, seed)
            payments, courses, out, decisions, log, stderr, isolation = rest
            faults = self._sql.execute(
                "SELECT fault FROM faults WHERE match = ? ORDER BY rowid", (found,)
            )
            record = MatchRecord(
                results=Results(
                    payments=_payments(payments, len(spec.seats)),
                    courses=tuple(
                        map(_course_from, np.frombuffer(courses, "i1").reshape(-1, 3).tolist())
                    ),
                    faults=tuple(msgspec.json.decode(text, type=DealFault) for (text,) in faults),
                    disqualified=msgspec.json.decode(out, type=tuple[int, ...]),
                    decisions=decisions,
                ),
                log=log,
                stderr=msgspec.json.decode(stderr, type=tuple[str, ...]),
                isolation=isolation,
            )
            yield found, spec, record

    def listed(self) -> Iterator[Listed]:
        """What there is to know of every stored match without its log, by number."""
        rows = self._sql.execute(
            "SELECT id, seats, first, payments, disqualified, decisions, isolation,"
            " (SELECT count(*) FROM faults WHERE match = id) FROM matches ORDER BY id"
        )
        for number, seats, first, payments, out, decisions, isolation, faults in rows:
            bots = _lineup(seats)
            paid = _payments(payments, len(bots))
            stakes = tuple(map(sum, zip(*paid, strict=True))) or (0,) * len(bots)
            away = msgspec.json.decode(out, type=tuple[int, ...])
            yield Listed(number, bots, first, len(paid), stakes, faults, away, decisions, isolation)

    def logs(self) -> Iterator[tuple[Lineup, bytes]]:
        """The bots by seat and the log of every match."""
        rows = self._sql.execute("SELECT seats, log FROM matches JOIN logs ON match = id")
        for seats, log in rows:
            yield _lineup(seats), log

    def faulty(self, most: int) -> Iterator[tuple[int, str, DealFault]]:
        """Faults by match, at most so many: the match's number, the bot, the fault."""
        rows = self._sql.execute(
            "SELECT match, bot, fault FROM faults ORDER BY match, rowid LIMIT ?", (most,)
        )
        for match, bot, fault in rows:
            yield match, bot, msgspec.json.decode(fault, type=DealFault)

    def _spoilt(self, which: str) -> list[Spoilt]:
        rows = self._sql.execute(f"SELECT lineup, seating, first, detail FROM voids {which}")
        return [
            (_lineup(lineup), seating, first, detail) for lineup, seating, first, detail in rows
        ]

    def _add(self, spec: MatchSpec, record: MatchRecord) -> None:
        payments = np.array(record.results.payments, "<i2").tobytes()
        courses = np.array([_course(course) for course in record.results.courses], "i1").tobytes()
        cursor = self._sql.execute(
            "INSERT INTO matches (lineup, seating, first, deals, seed, seats, payments,"
            " courses, disqualified, decisions, isolation)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                _json(spec.lineup),
                spec.seating,
                spec.first,
                spec.deals,
                spec.seed,
                _json(spec.seats),
                payments,
                courses,
                _json(record.results.disqualified),
                record.results.decisions,
                record.isolation,
            ),
        )
        match = cursor.lastrowid
        self._sql.execute(
            "INSERT INTO logs VALUES (?, ?, ?)", (match, record.log, _json(record.stderr))
        )
        self._sql.executemany(
            "INSERT INTO faults VALUES (?, ?, ?, ?)",
            [
                (match, spec.seats[entry.fault.seat], entry.fault.kind, _json(entry))
                for entry in record.results.faults
            ],
        )

    def _enter(
        self,
        facts: dict[str, str],
        matches: Iterable[tuple[MatchSpec, MatchRecord]],
        spoilt: Iterable[Spoilt],
        entries: Iterable[Submission],
    ) -> None:
        self._set(facts)
        for spec, record in matches:
            self._add(spec, record)
        self._sql.executemany("INSERT INTO voids VALUES (?, ?, ?, ?)", map(_row, spoilt))
        self._sql.executemany(
            "INSERT INTO submissions VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET submission = excluded.submission",
            [(entry.name, _json(entry)) for entry in entries],
        )

    def _set(self, facts: dict[str, str]) -> None:
        self._sql.executemany("INSERT OR REPLACE INTO league VALUES (?, ?)", list(facts.items()))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._sql.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._sql.in_transaction:  # where the disk is full, SQLite has rolled back itself
                self._sql.execute("ROLLBACK")
            raise
        self._sql.execute("COMMIT")


@contextmanager
def _sqlite(path: Path, done: str = "written") -> Iterator[None]:
    """SQLite's complaints as ours: a file that is no record, or a disk that is full."""
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
        raise ArenaError(Mistake(f"this is no record of a league: {error}", str(path))) from None


def _ahead(path: Path) -> Path:
    """What SQLite has written ahead of a record."""
    return path.with_name(f"{path.name}-wal")


def _row(spoilt: Spoilt) -> tuple[str, int, int, str]:
    lineup, seating, first, detail = spoilt
    return _json(lineup), seating, first, detail


def _course(course: Course) -> tuple[int, int, int]:
    """A course as three numbers, as `Played` explains them."""
    declarer = -1 if course.declarer is None else course.declarer
    contract = -1 if course.contract is None else GAMES.index(course.contract)
    return course.dealer, declarer, contract


def _course_from(numbers: list[int]) -> Course:
    dealer, declarer, contract = numbers
    return Course(
        dealer,
        GAMES[contract] if 0 <= contract < len(GAMES) else None,
        None if declarer < 0 else declarer,
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _payments(blob: bytes, players: int) -> tuple[tuple[int, ...], ...]:
    """Stakes by deal and seat."""
    table = np.frombuffer(blob, "<i2").reshape(-1, players).tolist()
    return tuple(tuple(paid) for paid in table)


def _lineup(text: str) -> Lineup:
    return msgspec.json.decode(text, type=Lineup)
