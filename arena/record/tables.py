"""The tables of a record, by the format of the record."""

from typing import Final

FORMAT: Final = "4"
"""The format that is written."""

_SCHEMA: Final = """
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
    isolation TEXT NOT NULL,{processor}
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
) STRICT;{ledger}
"""

_LEDGER: Final = """
CREATE TABLE ledger (
    number INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;"""

SCHEMAS: Final = {
    "3": _SCHEMA.format(processor="", ledger=""),
    FORMAT: _SCHEMA.format(processor="\n    processor TEXT NOT NULL,", ledger=_LEDGER),
}
"""The tables of a record by its format; all of these are read."""
