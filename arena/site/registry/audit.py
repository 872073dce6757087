"""A log of who changed what on the site, and when. Lines are only ever added."""

import sqlite3
from typing import Final

import msgspec

from arena.site.registry.file import Registry

ORGANISER: Final = "the organiser"
"""The author of changes by commands on the site's machine. No account can have the name."""

SITE: Final = "the site"
"""The author of changes that nobody asked for, such as giving up a job that failed too often."""

_LONGEST: Final = 500


class AuditEvent(msgspec.Struct, frozen=True):
    """A change: who made it, what was done, and about whom or what."""

    number: int
    at: float
    who: str
    what: str
    about: str


def note(sql: sqlite3.Connection, at: float, who: str, what: str, about: str) -> None:
    """Add a line, in the transaction that makes the change."""
    sql.execute(
        "INSERT INTO audit (at, who, what, about) VALUES (?, ?, ?, ?)",
        (at, who, what, about[:_LONGEST]),
    )


def audit(
    registry: Registry, who: str | None = None, before: int | None = None, most: int = 100
) -> list[AuditEvent]:
    """Return lines, those of one person and before a number if given, the newest first."""
    with registry.reading() as sql:
        rows = sql.execute(
            "SELECT number, at, who, what, about FROM audit"
            " WHERE (:who IS NULL OR who = :who) AND (:before IS NULL OR number < :before)"
            " ORDER BY number DESC LIMIT :most",
            {"who": who, "before": before, "most": most},
        ).fetchall()
    return [AuditEvent(*row) for row in rows]
