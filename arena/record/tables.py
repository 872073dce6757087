"""The tables of a record's file, and the words to tell people of it."""

from typing import Final

from arena.base.database import FileKind

FORMAT: Final = "7"
"""The format that is written, and the only one that opens."""

SCHEMA: Final = """
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
    held_s TEXT NOT NULL,
    faults TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (lineup, seating, first)
) STRICT;
CREATE TABLE logs (
    match INTEGER PRIMARY KEY REFERENCES matches,
    log BLOB NOT NULL,
    stderr TEXT NOT NULL
) STRICT;
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
CREATE TABLE ledger (
    number INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
"""

RECORD: Final = FileKind(
    noun="record",
    whole="the record of a league",
    schema=SCHEMA,
    facts="league",
    format=FORMAT,
    if_damaged="go on with a copy of it from before",
    if_full="what was stored before is safe; make room and run the same command again",
)
