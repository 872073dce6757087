"""Stops by the organiser: of parts of the site, and of bots."""

import sqlite3
from typing import Final

from arena.base.refusals import Busy, Missing
from arena.site.processes import UPLOADS
from arena.site.registry.audit import ORGANISER, note
from arena.site.registry.file import Registry

_PAUSED: Final = "paused "
_BENCHED: Final = "benched "


def pause(registry: Registry, part: str, why: str) -> None:
    """Pause a part of the site. What is under way is finished."""
    _set(registry, _PAUSED + part, why, "paused", part)


def go_on(registry: Registry, part: str) -> bool:
    """Let a part go on; return whether it was paused."""
    return _unset(registry, _PAUSED + part, "resumed", part)


def paused(registry: Registry, part: str) -> str | None:
    """Return why a part is paused; None if it is not."""
    with registry.reading() as sql:
        return stopped(sql, part)


def bench(registry: Registry, bot: str, why: str) -> None:
    """Keep a bot from being drawn; orders under way are finished."""
    _set(registry, _BENCHED + bot, why, "benched", bot)


def unbench(registry: Registry, bot: str) -> None:
    """Let a bot be drawn again that the organiser has benched. Raises `Missing`."""
    if not _unset(registry, _BENCHED + bot, "resumed", bot):
        raise Missing(f"{bot} was not benched by the organiser")


def benched(registry: Registry) -> dict[str, str]:
    """Return by name why the organiser has benched bots."""
    with registry.reading() as sql:
        rows = sql.execute(
            "SELECT substr(key, ?), value FROM facts WHERE key GLOB ? ORDER BY key",
            (len(_BENCHED) + 1, f"{_BENCHED}*"),
        ).fetchall()
    return dict(rows)


def stopped(sql: sqlite3.Connection, part: str) -> str | None:
    """Return why a part is paused, in a transaction under way; None if it is not."""
    row = sql.execute("SELECT value FROM facts WHERE key = ?", (_PAUSED + part,)).fetchone()
    return None if row is None else str(row[0])


def refuse_if_paused(sql: sqlite3.Connection, part: str) -> None:
    """Raise `Busy` if a part is paused."""
    why = stopped(sql, part)
    if why is not None:
        what = f"{part} are paused" if part == UPLOADS else f"{part} is paused"
        raise Busy(f"{what}: {why}" if why else what, "try again later", wait_s=600)


def _set(registry: Registry, key: str, why: str, what: str, about: str) -> None:
    now = registry.now()
    with registry.writing() as sql:
        sql.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (key, why[:1000]))
        note(sql, now, ORGANISER, what, f"{about}: {why}" if why else about)


def _unset(registry: Registry, key: str, what: str, about: str) -> bool:
    now = registry.now()
    with registry.writing() as sql:
        was = bool(sql.execute("DELETE FROM facts WHERE key = ?", (key,)).rowcount)
        if was:
            note(sql, now, ORGANISER, what, about)
        return was
