"""The tables of the registry.

Times are seconds since 1970 in UTC. Of secrets only the SHA-256 is stored.
"""

from typing import Final

REGISTRY_FORMAT: Final = "5"
"""The format of the file; it grows whenever an older arena would misread a new one."""

REGISTRY_SCHEMA: Final = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;

CREATE TABLE accounts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    likeness TEXT NOT NULL UNIQUE,
    at REAL NOT NULL,
    revoked REAL,
    why TEXT NOT NULL DEFAULT '',
    team TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE invitations (
    hash BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    likeness TEXT NOT NULL UNIQUE,
    account INTEGER REFERENCES accounts,
    at REAL NOT NULL,
    until REAL NOT NULL,
    places INTEGER NOT NULL,
    team TEXT NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE tokens (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts,
    hash BLOB NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    label TEXT NOT NULL,
    at REAL NOT NULL,
    used TEXT,
    revoked REAL
) STRICT;
CREATE INDEX tokens_of ON tokens (account);

CREATE TABLE sessions (
    hash BLOB PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    at REAL NOT NULL,
    until REAL NOT NULL,
    code INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX sessions_of ON sessions (account, at);

CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account INTEGER NOT NULL REFERENCES accounts,
    kind TEXT NOT NULL,
    about TEXT NOT NULL,
    key BLOB UNIQUE,
    at REAL NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    lease TEXT,
    until REAL,
    tries INTEGER NOT NULL DEFAULT 0,
    file TEXT,
    answer TEXT NOT NULL DEFAULT '',
    ended REAL,
    size INTEGER NOT NULL DEFAULT 0,
    build_s REAL NOT NULL DEFAULT 0,
    entering TEXT,
    name TEXT
) STRICT;
CREATE INDEX jobs_of ON jobs (account, number);
CREATE INDEX jobs_of_a_day ON jobs (account, kind, at);
CREATE INDEX jobs_by_state ON jobs (state, kind, number);
CREATE INDEX jobs_by_end ON jobs (kind, ended);
CREATE INDEX jobs_with_files ON jobs (file) WHERE file IS NOT NULL;
CREATE UNIQUE INDEX one_upload ON jobs (account) WHERE kind = 'upload' AND state = 'waiting';

CREATE TABLE steps (
    job INTEGER NOT NULL REFERENCES jobs,
    number INTEGER NOT NULL,
    step TEXT NOT NULL,
    PRIMARY KEY (job, number)
) WITHOUT ROWID, STRICT;

CREATE TABLE bots (
    name TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    called TEXT NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    at REAL NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX bots_of ON bots (account, state);

CREATE TABLE announcements (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    about TEXT NOT NULL
) STRICT;
"""
