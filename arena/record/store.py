"""The record of a league: one SQLite file that holds everything."""

import logging
import os
import shlex
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import msgspec

from arena.base.database import (
    FileKind,
    check_foreign,
    file_errors,
    note_known,
    open_database,
    reading,
    report_damage,
    transaction,
)
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.files import atomic_target, closed_on_error, sweep_drafts
from arena.bots.manifest import Bot
from arena.league.config import OpenConfig, TournamentConfig
from arena.league.ledger import Entry, Line, Sealed, lines_after, read_line
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.record import DealFault, MatchRecord, ends_program
from arena.record.rows import (
    COLUMNS,
    FORMAT,
    RECORD,
    SCHEMA,
    Facts,
    MatchRow,
    VoidMatch,
    decode_faults,
    decode_match,
    decode_names,
    encode_json,
    encode_match,
)
from arena.record.submissions import (
    Submission,
    ask_to_resume,
    enter_bot,
    withdraw_bot,
)
from arena.stats.figures import Lineup
from arena.stats.sets import Block, complete_blocks

if TYPE_CHECKING:
    from arena.league.fold import LedgerFold
    from arena.league.outcomes import StoredOutcome

_log: Final = logging.getLogger(__name__)

IN_MEMORY: Final = Path(":memory:")
"""The path of a record that is in no file."""

Values = Sequence[object] | Mapping[str, object]
"""The values of a query's parameters."""


class Store:
    """An open record. Each match or entry is stored in one transaction."""

    kind: ClassVar[FileKind] = RECORD

    def __init__(self, path: Path, sql: sqlite3.Connection) -> None:
        self.path = path
        self.sql = sql
        self._fold: LedgerFold | None = None

    # --- opening ---

    @classmethod
    def create(
        cls,
        path: Path | None,
        facts: Facts,
        entries: Sequence[Submission] = (),
        ledger: Sequence[Entry] = (),
    ) -> Self:
        """Create a record with submissions and a ledger, open for writing. Raises `ArenaError`.

        A file is written aside and named when it is whole: an interruption leaves nothing. Without
        a `path` the record is in memory.
        """
        if path is None:
            store = cls(IN_MEMORY, sqlite3.connect(":memory:", isolation_level=None))
            store._begin(facts, entries, ledger)
            return store
        if not path.parent.is_dir():
            raise ArenaError(Mistake("there is no such folder", str(path.parent)))
        with atomic_target(path) as draft:
            # Errors name the path that the record is to have.
            with (
                file_errors(RECORD, path),
                closing(cls(path, sqlite3.connect(draft, isolation_level=None))) as store,
            ):
                store.sql.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
                store._begin(facts, entries, ledger)
            _name(draft, path)
        note_known(path)
        return cls.write(path, own=True)

    @classmethod
    def open(cls, path: Path, own: bool = False) -> Self:
        """Open a record for reading. Raises `ArenaError` if it is missing or not a record.

        A record that was neither created nor opened here before is checked first, unless it is our
        `own`.
        """
        mode = "rw"  # a reader that may not write could not remove its -wal and -shm
        if not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists():
            mode = "ro&immutable=1"  # SQLite would share memory with writers through a file
        store = cls._open(path, mode, "read", own)
        store.sql.execute("PRAGMA query_only=ON")
        return store

    @classmethod
    def write(cls, path: Path, own: bool = False) -> Self:
        """Open a record for writing, too. Raises `ArenaError` as `open` does.

        The record of a season that is over raises `ArenaError`, too.
        """
        sweep_drafts(path)
        store = cls._open(path, "rw", "written", own)
        with closed_on_error(store):
            season = store.sealed()
            if season is not None:
                what = f"season {season} is over and its record is sealed"
                command = shlex.join(("arena", "season", "next", str(path)))
                raise ArenaError(Mistake(what, str(path), f"begin the next one with {command}"))
        return store

    @classmethod
    def _open(cls, path: Path, mode: str, done: str, own: bool) -> Self:
        if not path.exists():
            league = path.with_suffix(".toml")
            if not league.exists():
                what = f"there is no such record, nor a league {league.name} next to it"
                raise ArenaError(Mistake(what, str(path)))
            what = "there is no record of this league yet"
            raise ArenaError(Mistake(what, str(path), "arena league plays it"))
        with file_errors(RECORD, path, done):
            sql = open_database(RECORD, path, mode)
            with closed_on_error(sql):
                if not own:
                    with reading(RECORD, path):
                        check_foreign(path)
                sql.execute("PRAGMA synchronous=FULL")
        _log.debug("opened %s to be %s", path, done)
        return cls(path, sql)

    def close(self) -> None:
        """Close the file; SQLite merges the write-ahead log into it if nobody else has it open."""
        self.sql.close()

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep others from playing the league. Raises `ArenaError` if somebody plays it.

        The lock is a file next to the record, named after its identity and not after its path: a
        record that is renamed, or copied within its folder, keeps its identity.
        """
        if self.path == IN_MEMORY:
            yield
            return
        path = self.path.resolve().parent / f".{self.facts().identity}.lock"
        try:
            file = _take(path)
        except BlockingIOError:
            what = f"this is being played by {_holder(path)} right now"
            raise ArenaError(Mistake(what, str(self.path), "wait for it, or stop it")) from None
        except OSError as error:
            what = f"the record cannot be written: {error.strerror}"
            raise MachineError(Mistake(what, str(self.path))) from None
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            os.close(file)

    def row(self, query: str, values: Values = ()) -> Any:
        """Return the first row of a query, or None."""
        return self.sql.execute(query, values).fetchone()

    def rows(self, query: str, values: Values = ()) -> Iterator[Any]:
        """Yield the rows of a query."""
        for row in self.sql.execute(query, values):  # noqa: UP028 (it would close a closed cursor)
            yield row

    def reading(self) -> AbstractContextManager[None]:
        """Return a context that reports invalid values as damage to the record."""
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

    # --- the league ---

    @report_damage
    def facts(self) -> Facts:
        """Return what is stored about the league as a whole."""
        (text,) = self.row("SELECT value FROM league WHERE key = 'facts'")
        return msgspec.json.decode(text, type=Facts)

    def terms(self) -> Terms:
        """Return the terms that the league began with, as extended so far."""
        return self.facts().terms

    def open_config(self) -> OpenConfig:
        """Return the settings of an open league. Raises `ArenaError` for any other."""
        config = self.terms().config
        if not isinstance(config, OpenConfig):
            raise ArenaError(Mistake("only open leagues have seasons and a ledger", str(self.path)))
        return config

    def seeds(self) -> tuple[str, ...]:
        """Return the seeds of the league; new deals use the last. An open one has one an order.

        Raises `ArenaError` for a record of logs, which has none.
        """
        facts = self.facts()
        if not facts.seeds:
            what = "this record has logs, without the seed of their league"
            remedy = "replay, faults, deal, deals, review, rerun, verify and export read it"
            raise ArenaError(Mistake(what, str(self.path), remedy))
        if isinstance(facts.terms.config, OpenConfig):
            return self.fold().seeds(facts.seeds[0])
        return facts.seeds

    def set_facts(self, **changes: object) -> None:
        """Store facts that have changed."""
        with self._transaction():
            self._set(changes)

    @report_damage
    def submissions(self) -> list[Submission]:
        """Return every submission, in the order of submission."""
        rows = self.rows("SELECT submission FROM submissions ORDER BY rowid")
        return [msgspec.json.decode(text, type=Submission) for (text,) in rows]

    def submit(
        self,
        bot: Bot,
        digest: str,
        at: str,
        others: Collection[str],
        any_author: bool = False,
        late: bool = False,
    ) -> str:
        """Enter a bot under a name that neither the record nor `others` has; return the name.

        It replaces an older version of the same bot; one that comes `late` waits for the next
        season. Raises `ArenaError` if the very same bot is playing, or, unless `any_author` is set,
        if the name is another author's.
        """
        with self._transaction():
            self.refuse_closed(late)
            before = self.submissions()
            changed = enter_bot(before, bot, digest, at, others, any_author, late)
            self._set_entries(changed)
        return changed[-1].name

    def withdraw(self, name: str) -> None:
        """Take a bot out of the field. Raises `ArenaError` if it is not there."""
        with self._transaction():
            self.refuse_closed()
            self._set_entries([withdraw_bot(self.submissions(), name, str(self.path))])

    def resume(self, name: str) -> None:
        """Ask for a benched bot to play again, once. Raises `ArenaError` if it may not."""
        with self._transaction():
            self.refuse_closed()
            before = self.facts().resumed
            asked = ask_to_resume(self.fold(), before, name, str(self.path))
            self._set({"resumed": asked})

    def refuse_closed(self, late: bool = False) -> None:
        """Raise `ArenaError` if bots may neither enter nor leave any more.

        Bots that come `late` may wait for the next season until this one is over.
        """
        if isinstance(self.terms().config, TournamentConfig) and self.numbers():
            what = "the tournament has begun: its bots neither come nor go any more"
            raise ArenaError(Mistake(what, str(self.path)))
        season = self.sealed() if late else self.fold().season
        if season is not None:
            how = "over" if late else "closed"
            what = f"season {season} is {how}: its bots neither come nor go any more"
            remedy = "bots can be submitted again once the organiser has begun the next season"
            raise ArenaError(
                Mistake(what, str(self.path), remedy, organiser="arena season next begins it")
            )

    # --- the ledger of an open league ---

    @report_damage
    def ledger(self, after: int = 0) -> list[Line]:
        """Return the lines of an open league's ledger after the line number `after`, as stored."""
        query = "SELECT number, text, hash FROM ledger WHERE number > ? ORDER BY number"
        return [Line(*row) for row in self.rows(query, (after,))]

    @report_damage
    def fold(self) -> "LedgerFold":
        """Return the fold of an open league's ledger. Only lines not read before are read."""
        from arena.league.fold import LedgerFold  # no other league has a ledger

        if self._fold is None:
            self._fold = LedgerFold(self.terms().config.rules.players)
        for line in self.ledger(self._fold.read):
            self._fold.apply(line)
        return self._fold

    @report_damage
    def sealed(self) -> int | None:
        """Return an open league's season once it is over and nothing follows, else None."""
        last = self._last_line()
        entry = None if last is None else read_line(last.text).entry
        return entry.season if isinstance(entry, Sealed) else None

    def append(self, entries: Iterable[Entry], **facts: object) -> list[Line]:
        """Append entries to the ledger and store facts, all or nothing; return the new lines."""
        with self._transaction():
            self._set(facts)
            return self._append(entries)

    # --- matches ---

    def add(self, spec: MatchSpec, record: MatchRecord, number: int | None = None) -> None:
        """Store a match with its log, faults and stderr; all or nothing.

        Without a `number` it gets the next one.
        """
        row = (number, _now(), *encode_match(spec, record))
        places = ", ".join("?" for _ in row)
        with self._transaction():
            match = self.sql.execute(
                f"INSERT INTO matches (id, at, {COLUMNS}) VALUES ({places})", row
            ).lastrowid
            stderr = encode_json(record.stderr)
            self.sql.execute("INSERT INTO logs VALUES (?, ?, ?)", (match, record.log, stderr))

    def add_void(self, spec: MatchSpec, why: str) -> None:
        """Note that a match is void by the arena's own fault."""
        row = encode_json(spec.lineup), spec.seating, spec.first, why
        with self._transaction():
            self.sql.execute("INSERT INTO voids VALUES (?, ?, ?, ?)", row)

    @report_damage
    def stored(self) -> dict[tuple[Lineup, int, int], int]:
        """Return the number of every stored match's seed, by lineup, seating and first deal."""
        seeds = range(len(self.seeds()))
        found: dict[tuple[Lineup, int, int], int] = {}
        rows = self.rows("SELECT lineup, seating, first, seed FROM matches")
        for lineup, seating, first, seed in rows:
            found[decode_names(lineup), seating, first] = seed
            if seed not in seeds:
                raise ValueError(f"there is no seed {seed}")
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
            which, order = f"{which} AND faults != '[]'", "ORDER BY id"
        rows = self.rows(
            f"SELECT id, log, stderr, {COLUMNS} FROM matches JOIN logs ON match = id {which}"
            f" {order}",
            (number,),
        )
        for found, log, stderr, *row in rows:
            match = decode_match(found, tuple(row))
            yield found, match.spec, match.record(log, stderr)

    @report_damage
    def played(self, after: int = 0, last: int | None = None) -> Iterator[MatchRow]:
        """Yield the stored matches after one up to the last, by number, without their logs."""
        rows = self.rows(
            f"SELECT id, {COLUMNS} FROM matches"
            " WHERE id > :after AND (:last IS NULL OR id <= :last) ORDER BY id",
            {"after": after, "last": last},
        )
        for number, *row in rows:
            yield decode_match(number, tuple(row))

    def outlines(self, after: int = 0, last: int | None = None) -> Iterator[MatchOutline]:
        """Yield the outlines of the stored matches after one up to the last, by number."""
        return (match.outline for match in self.played(after, last))

    def outcomes(self, after: int = 0) -> "Iterator[StoredOutcome]":
        """Yield what a draw may know of the matches numbered above `after`, by number."""
        return (match.outcome for match in self.played(after))

    @report_damage
    def run_of(self, lineup: Lineup, first: int) -> list[MatchRow]:
        """Return a lineup's matches from deal `first`, in order of seating."""
        rows = self.rows(
            f"SELECT id, {COLUMNS} FROM matches WHERE lineup = ? AND first = ? ORDER BY seating",
            (encode_json(lineup), first),
        )
        return [decode_match(number, tuple(row)) for number, *row in rows]

    def blocks(
        self, terms: Terms | None = None, played: Iterable[MatchRow] | None = None
    ) -> list[Block]:
        """Return the complete runs of deals, void ones too, of all matches or those `played`.

        Bots are numbered in order of name, by the `terms`: the record's, or those it is to continue
        with.
        """
        terms = terms or self.terms()
        matches = self.played() if played is None else played
        with self.reading():
            return complete_blocks(
                matches, sorted(terms.bots), terms.config.seats_of, terms.session
            )

    @report_damage
    def owed(self) -> list[VoidMatch]:
        """Return the void matches not played since."""
        rows = self.rows(
            "SELECT lineup, seating, first, detail FROM voids WHERE NOT EXISTS (SELECT 1 FROM"
            " matches WHERE matches.lineup = voids.lineup AND matches.seating = voids.seating"
            " AND matches.first = voids.first) ORDER BY lineup, first, seating"
        )
        return [VoidMatch(decode_names(lineup), *rest) for lineup, *rest in rows]

    @report_damage
    def numbers(self) -> range:
        """Return the range from the lowest to the highest number of a stored match."""
        query = "SELECT (SELECT min(id) FROM matches), (SELECT max(id) FROM matches)"
        lowest, highest = self.row(query)
        return range(0) if lowest is None else range(lowest, highest + 1)

    @report_damage
    def number_of(self, spec: MatchSpec) -> int:
        """Return the number of a stored match."""
        key = encode_json(spec.lineup), spec.seating, spec.first
        query = "SELECT id FROM matches WHERE lineup = ? AND seating = ? AND first = ?"
        return int(self.row(query, key)[0])

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
    def logs(self) -> Iterator[tuple[Lineup, bytes]]:
        """Yield the bots by seat and the log of every match."""
        for seats, log in self.rows("SELECT seats, log FROM matches JOIN logs ON match = id"):
            yield decode_names(seats), log

    # --- what matches add up to ---

    @report_damage
    def dates(self) -> tuple[str, str] | None:
        """Return the moments at which the first and the last match were stored, in UTC."""
        first, last = self.row("SELECT min(at), max(at) FROM matches")
        return None if first is None else (first, last)

    @report_damage
    def decisions(self) -> int:
        """Return the number of decisions in all stored matches."""
        return int(self.row("SELECT total(decisions) FROM matches")[0])

    @report_damage
    def isolation(self) -> dict[str, int]:
        """Return the number of stored matches at each level of isolation."""
        query = "SELECT isolation, count(*) FROM matches GROUP BY isolation ORDER BY isolation"
        return dict(self.rows(query))

    def faults(self, after: int = 0, last: int | None = None) -> dict[str, dict[str, int]]:
        """Return each bot's number of faults by kind, in matches after one up to the last.

        Deals that a bot forfeits because it has ended are no further faults.
        """
        told: dict[tuple[str, str], set[tuple[int, int]]] = {}
        for place, (match, bot, entry) in enumerate(self.each_fault(after, last)):
            one = -1 if ends_program(entry.fault) else place
            told.setdefault((bot, entry.fault.kind), set()).add((match, one))
        found: dict[str, dict[str, int]] = {}
        for (bot, kind), faults in sorted(told.items()):
            found.setdefault(bot, {})[kind] = len(faults)
        return found

    @report_damage
    def each_fault(
        self, after: int = 0, last: int | None = None
    ) -> Iterator[tuple[int, str, DealFault]]:
        """Yield all faults in matches after one up to the last: number of the match, bot, fault."""
        rows = self.rows(
            "SELECT id, seats, faults FROM matches WHERE faults != '[]'"
            " AND id > :after AND (:last IS NULL OR id <= :last) ORDER BY id",
            {"after": after, "last": last},
        )
        for number, seats, faults in rows:
            for entry in decode_faults(faults):
                yield number, decode_names(seats)[entry.fault.seat], entry

    # --- writing ---

    def _begin(self, facts: Facts, entries: Sequence[Submission], ledger: Sequence[Entry]) -> None:
        with transaction(self.sql):
            for statement in SCHEMA.split(";"):
                self.sql.execute(statement)
            first = [("format", FORMAT), ("facts", encode_json(facts))]
            self.sql.executemany("INSERT INTO league VALUES (?, ?)", first)
            self._set_entries(entries)
            self._append(ledger)

    def _set(self, changes: Mapping[str, Any]) -> None:
        if changes:
            facts = msgspec.structs.replace(self.facts(), **changes)
            query = "UPDATE league SET value = ? WHERE key = 'facts'"
            self.sql.execute(query, (encode_json(facts),))

    def _set_entries(self, entries: Iterable[Submission]) -> None:
        self.sql.executemany(
            "INSERT INTO submissions VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET submission = excluded.submission",
            [(entry.name, encode_json(entry)) for entry in entries],
        )

    def _append(self, entries: Iterable[Entry]) -> list[Line]:
        lines = lines_after(self._last_line(), _now(), entries)
        rows = [msgspec.structs.astuple(line) for line in lines]
        self.sql.executemany("INSERT INTO ledger VALUES (?, ?, ?)", rows)
        return lines

    def _last_line(self) -> Line | None:
        row = self.row("SELECT number, text, hash FROM ledger ORDER BY number DESC LIMIT 1")
        return None if row is None else Line(*row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with file_errors(RECORD, self.path), transaction(self.sql):
            yield


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _name(draft: Path, path: Path) -> None:
    """Give the finished record its name. Raises `ArenaError` if another process was quicker."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise _made_meanwhile(path) from None
    except OSError:  # this file system has no hard links
        if path.exists():
            raise _made_meanwhile(path) from None
        draft.rename(path)


def _made_meanwhile(path: Path) -> ArenaError:
    return ArenaError(Mistake("another process has just made this", str(path)))


def _take(path: Path) -> int:
    """Lock the file at this path. Raises `BlockingIOError` if another holds it, `OSError`."""
    import fcntl  # here, since Windows, which has none, reads records too

    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)  # network file systems need writing
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), path.stat()):
                os.ftruncate(file, 0)
                os.write(file, b"%d" % os.getpid())
                return file
        except FileNotFoundError:
            pass
        except BlockingIOError:
            os.close(file)
            raise
        os.close(file)  # its last user has just removed it


def _holder(path: Path) -> str:
    """Return who holds the lock of a file, in words."""
    try:
        return f"process {int(path.read_text())}"
    except (OSError, ValueError):  # it is just taken, or given back
        return "another arena"
