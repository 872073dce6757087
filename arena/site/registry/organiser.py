"""What the organiser does: parts and bots are stopped, things announced; and the audit of it."""

import sqlite3
from typing import Final, Literal

import msgspec

from arena.base.harmless import harmless
from arena.base.refusals import Missing, Refusal
from arena.site.registry import Registry

# The author of changes by commands on the site's machine. No account can have the name.
ORGANISER: Final = "the organiser"

# The author of changes that nobody asked for, such as giving up a job that failed too often.
SITE: Final = "the site"


# --- who changed what ---


class AuditEvent(msgspec.Struct, frozen=True):
    """A change: who made it, what was done, and about whom or what."""

    number: int
    at: float
    who: str
    what: str
    about: str


def note(sql: sqlite3.Connection, at: float, who: str, what: str, about: str) -> None:
    """Add a line to the audit, in the transaction that makes the change."""
    sql.execute(
        "INSERT INTO audit (at, who, what, about) VALUES (?, ?, ?, ?)", (at, who, what, about[:500])
    )


def audit(registry: Registry, who: str | None = None, most: int = 100) -> list[AuditEvent]:
    """Return the last lines, those of one person if given, the newest first."""
    query = "SELECT * FROM audit WHERE ? IS NULL OR who = ? ORDER BY number DESC LIMIT ?"
    return [AuditEvent(*row) for row in registry.read(query, (who, who, most))]


# --- pauses ---

# A part of the site, or a bot that is kept from being drawn.
Stoppable = Literal["part", "bot"]


def pause(registry: Registry, kind: Stoppable, name: str, why: str) -> None:
    """Stop a part of the site, or a bot. What is under way is finished."""
    with registry.writing() as sql:
        sql.execute("INSERT OR REPLACE INTO stops VALUES (?, ?, ?)", (kind, name, why[:1000]))
        note(sql, registry.now(), ORGANISER, f"stopped a {kind}", f"{name}: {why}" if why else name)


def resume(registry: Registry, kind: Stoppable, name: str) -> bool:
    """Resume a part or a bot; return whether it was stopped."""
    with registry.writing() as sql:
        done = sql.execute("DELETE FROM stops WHERE kind = ? AND name = ?", (kind, name))
        if done.rowcount:
            note(sql, registry.now(), ORGANISER, f"resumed a {kind}", name)
    return bool(done.rowcount)


def pauses(registry: Registry, kind: Stoppable) -> dict[str, str]:
    """Return by name why parts or bots are stopped."""
    with registry.reading() as sql:
        return pauses_in(sql, kind)


def pauses_in(sql: sqlite3.Connection, kind: Stoppable) -> dict[str, str]:
    """Return by name why parts or bots are stopped, in a transaction under way."""
    query = "SELECT name, why FROM stops WHERE kind = ? ORDER BY name"
    return dict(sql.execute(query, (kind,)).fetchall())


# --- announcements ---


class Announcement(msgspec.Struct, frozen=True):
    """An announcement, made at a moment (seconds since 1970). Its `text` is Markdown, or ""."""

    number: int
    at: float
    title: str
    text: str = ""


def announce(registry: Registry, title: str, text: str = "") -> Announcement:
    """Make an announcement. Raises `Refusal` for one without a title."""
    title = harmless(" ".join(title.split()))
    if not title:
        raise Refusal("an announcement needs a title")
    with registry.writing() as sql:
        row = sql.execute(
            "INSERT INTO announcements (at, title, text) VALUES (?, ?, ?) RETURNING *",
            (registry.now(), title, text),
        ).fetchone()
        made = Announcement(*row)
        note(sql, made.at, ORGANISER, "announced", f"{made.number}: {title}")
    return made


def announcements(registry: Registry, most: int = 100) -> tuple[Announcement, ...]:
    """Return the announcements, the newest first."""
    query = "SELECT * FROM announcements ORDER BY number DESC LIMIT ?"
    return tuple(Announcement(*row) for row in registry.read(query, (most,)))


def remove_announcement(registry: Registry, number: int) -> None:
    """Remove an announcement. Raises `Missing`."""
    with registry.writing() as sql:
        if not sql.execute("DELETE FROM announcements WHERE number = ?", (number,)).rowcount:
            raise Missing(f"there is no announcement {number}", "arena serve announce lists them")
        note(sql, registry.now(), ORGANISER, "took back announcement", f"{number}")
