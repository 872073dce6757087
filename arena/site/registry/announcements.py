"""Announcements of the organiser: what all who look at the site should know."""

from typing import Final

import msgspec

from arena.base.harmless import harmless
from arena.base.refusals import Missing, Refusal
from arena.site.registry.audit import ORGANISER, note
from arena.site.registry.file import Registry

_LONGEST_TITLE: Final = 120
_LONGEST_TEXT: Final = 20_000


class Announcement(msgspec.Struct, frozen=True):
    """An announcement, made at a moment (seconds since 1970). Its `text` is Markdown, or ""."""

    number: int
    at: float
    title: str
    text: str = ""


def announce(registry: Registry, title: str, text: str = "") -> Announcement:
    """Make an announcement. Raises `Refusal` for one without a title, or too long."""
    title = harmless(" ".join(title.split()))
    if not title:
        raise Refusal("an announcement needs a title")
    if len(title) > _LONGEST_TITLE or len(text) > _LONGEST_TEXT:
        what = f"at most {_LONGEST_TITLE} characters of a title and {_LONGEST_TEXT} of a text"
        raise Refusal("this is too long for an announcement", what)
    now = registry.now()
    with registry.writing() as sql:
        number = sql.execute(
            "INSERT INTO announcements (at, title, text) VALUES (?, ?, ?)", (now, title, text)
        ).lastrowid
        assert number is not None
        note(sql, now, ORGANISER, "announced", f"{number}: {title}")
    return Announcement(number, now, title, text)


def announcements(registry: Registry, most: int = 100) -> tuple[Announcement, ...]:
    """Return the announcements, the newest first."""
    with registry.reading() as sql:
        rows = sql.execute(
            "SELECT number, at, title, text FROM announcements ORDER BY number DESC LIMIT ?",
            (most,),
        ).fetchall()
    return tuple(Announcement(*row) for row in rows)


def remove_announcement(registry: Registry, number: int) -> None:
    """Remove an announcement. Raises `Missing`."""
    now = registry.now()
    with registry.writing() as sql:
        if not sql.execute("DELETE FROM announcements WHERE number = ?", (number,)).rowcount:
            raise Missing(f"there is no announcement {number}", "arena serve announce lists them")
        note(sql, now, ORGANISER, "took back announcement", f"{number}")
