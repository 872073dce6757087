"""Writes the record of a league: each match or entry in one transaction."""

import os
import shlex
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import msgspec

from arena.base.database import file_errors, note_known, transaction
from arena.base.errors import ArenaError, Mistake
from arena.base.files import closed_on_error, made_aside, sweep_drafts
from arena.bots.manifest import Bot
from arena.league.config import TournamentConfig
from arena.league.ledger import Entry, Line, lines_after
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.record.facts import FIRST_AT, LAST_AT, RESUMED, read_resumed
from arena.record.rows import MATCH, VoidMatch, encode_json, encode_match, encode_void
from arena.record.store import IN_MEMORY, Store
from arena.record.submissions import Submission, ask_to_resume, enter_bot, withdraw_bot
from arena.record.tables import FORMAT, RECORD, SCHEMA


class Writer:
    """A record open for writing. Its `store` reads it, even within a transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @classmethod
    def create(
        cls,
        path: Path | None,
        facts: Mapping[str, str],
        entries: Sequence[Submission] = (),
        ledger: Sequence[Entry] = (),
    ) -> Self:
        """Create a record with some facts and submissions, and a ledger. Raises `ArenaError`.

        A file is written aside and named when it is whole: an interruption leaves nothing. Without
        a `path` the record is in memory.
        """
        if path is None:
            writer = cls(Store(IN_MEMORY, sqlite3.connect(":memory:", isolation_level=None)))
            writer._begin(facts, entries, ledger)
            return writer
        if not path.parent.is_dir():
            raise ArenaError(Mistake("there is no such folder", str(path.parent)))
        with made_aside(path) as draft:
            with file_errors(RECORD, path), closing(_made(draft, path)) as store:
                store.sql.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
                cls(store)._begin(facts, entries, ledger)
            _name(draft, path)
        note_known(path)
        return cls.open(path, own=True)

    @classmethod
    def open(cls, path: Path, own: bool = False) -> Self:
        """Open an existing record for writing. Raises `ArenaError` as `Store.open` does.

        The record of a season that is over raises `ArenaError`, too.
        """
        sweep_drafts(path)
        store = Store.open(path, reading=False, own=own)
        with closed_on_error(store):
            season = store.sealed()
            if season is not None:
                what = f"season {season} is over and its record is sealed"
                command = shlex.join(("arena", "season", "next", str(path)))
                raise ArenaError(Mistake(what, str(path), f"begin the next one with {command}"))
        return cls(store)

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def set_facts(self, facts: Mapping[str, str]) -> None:
        """Store facts, replacing those of the same name."""
        with self._transaction():
            self._set(facts)

    def append(
        self,
        entries: Iterable[Entry],
        facts: Mapping[str, str] | None = None,
        check: Callable[[Line], None] | None = None,
    ) -> list[Line]:
        """Append entries to the ledger and store facts, all or nothing; return the new lines.

        Nothing is stored if `check`, which is called with each line, raises an exception.
        """
        with self._transaction():
            self._set(facts or {})
            lines = self._append(entries)
            if check is not None:
                for line in lines:
                    check(line)
            return lines

    def add(self, spec: MatchSpec, record: MatchRecord, number: int | None = None) -> None:
        """Store a match with its log, faults and stderr, and its time; all or nothing.

        Without a `number` it gets the next one.
        """
        now = _now()
        with self._transaction():
            self._add(spec, record, number)
            self._set({LAST_AT: now})
            self.store.sql.execute("INSERT OR IGNORE INTO league VALUES (?, ?)", (FIRST_AT, now))

    def add_void(self, spec: MatchSpec, why: str) -> None:
        """Note that a match is void by the arena's own fault."""
        with self._transaction():
            void = VoidMatch(spec.lineup, spec.seating, spec.first, why)
            self.store.sql.execute("INSERT INTO voids VALUES (?, ?, ?, ?)", encode_void(void))

    def submit(
        self,
        bot: Bot,
        digest: str,
        at: str,
        others: Collection[str],
        any_author: bool = False,
        inviter: str = "",
        late: bool = False,
    ) -> str:
        """Enter a bot under a name that neither the record nor `others` has; return the name.

        It replaces an older version of the same bot; one that comes `late` waits for the next
        season. Raises `ArenaError` if the very same bot is
        playing, or, unless `any_author` is set, if the name is another author's.
        """
        with self._transaction():
            refuse_closed(self.store, late)
            before = self.store.submissions()
            changed = enter_bot(before, bot, digest, at, others, any_author, inviter, late)
            self._set_entries(changed)
        return changed[-1].name

    def withdraw(self, name: str) -> None:
        """Take a bot out of the field. Raises `ArenaError` if it is not there."""
        with self._transaction():
            refuse_closed(self.store)
            self._set_entries([withdraw_bot(self.store.submissions(), name, str(self.store.path))])

    def resume(self, name: str) -> None:
        """Ask for a benched bot to play again, once. Raises `ArenaError` if it may not."""
        with self._transaction():
            refuse_closed(self.store)
            field, before = self.store.fold().field, read_resumed(self.store.facts())
            asked = ask_to_resume(field, before, name, str(self.store.path))
            self._set({RESUMED: encode_json(asked)})

    def _begin(
        self, facts: Mapping[str, str], entries: Sequence[Submission], ledger: Sequence[Entry]
    ) -> None:
        """Make the tables, with a record's first rows."""
        with transaction(self.store.sql):
            for statement in SCHEMA.split(";"):
                self.store.sql.execute(statement)
            self._set({"format": FORMAT, **facts})
            self._set_entries(entries)
            self._append(ledger)

    def _append(self, entries: Iterable[Entry]) -> list[Line]:
        lines = lines_after(self.store.last_line(), _now(), entries)
        self.store.sql.executemany(
            "INSERT INTO ledger VALUES (?, ?, ?)", [msgspec.structs.astuple(it) for it in lines]
        )
        return lines

    def _set(self, facts: Mapping[str, str]) -> None:
        rows = list(facts.items())
        self.store.sql.executemany("INSERT OR REPLACE INTO league VALUES (?, ?)", rows)

    def _set_entries(self, entries: Iterable[Submission]) -> None:
        self.store.sql.executemany(
            "INSERT INTO submissions VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET submission = excluded.submission",
            [(entry.name, encode_json(entry)) for entry in entries],
        )

    def _add(self, spec: MatchSpec, record: MatchRecord, number: int | None) -> None:
        row = (number, *encode_match(spec, record))
        places = ", ".join("?" for _ in row)
        cursor = self.store.sql.execute(f"INSERT INTO matches (id, {MATCH}) VALUES ({places})", row)
        match = cursor.lastrowid
        self.store.sql.execute(
            "INSERT INTO logs VALUES (?, ?, ?)", (match, record.log, encode_json(record.stderr))
        )
        self.store.sql.executemany(
            "INSERT INTO faults VALUES (?, ?, ?, ?)",
            [
                (match, spec.seats[entry.fault.seat], entry.fault.kind, encode_json(entry))
                for entry in record.results.faults
            ],
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with file_errors(RECORD, self.store.path), transaction(self.store.sql):
            yield


def refuse_closed(store: Store, late: bool = False) -> None:
    """Raise `ArenaError` if bots may neither enter nor leave any more.

    Bots that come `late` may wait for the next season until this one is over.
    """
    if isinstance(store.terms().config, TournamentConfig) and store.numbers():
        what = "the tournament has begun: its bots neither come nor go any more"
        raise ArenaError(Mistake(what, str(store.path)))
    season = store.sealed() if late else store.closed()
    if season is not None:
        how = "over" if late else "closed"
        what = f"season {season} is {how}: its bots neither come nor go any more"
        remedy = "bots can be submitted again once the organiser has begun the next season"
        raise ArenaError(
            Mistake(what, str(store.path), remedy, organiser="arena season next begins it")
        )


def _now() -> str:
    """Return the present moment in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _made(draft: Path, path: Path) -> Store:
    """Return a store of the draft, which tells errors by the path that the record is to have."""
    sql = sqlite3.connect(draft, isolation_level=None)
    return Store(path, sql)


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
