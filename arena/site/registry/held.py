"""Leagues that a site holds beside its own: each once, among bots that play in its own."""

import re
from typing import Final, Literal

import msgspec

from arena.base.refusals import Conflict, Missing, Refusal
from arena.site.registry.audit import ORGANISER, SITE, note
from arena.site.registry.file import Registry

HeldState = Literal["waiting", "playing", "over", "failed"]

LEAGUE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""What the name of a league may be: it is part of an address and of a path."""

_OF_SEASONS: Final = re.compile(r"season-[0-9]+")


class LeagueAt(msgspec.Struct, frozen=True):
    """The name of a league that is held, and the moment it begins (seconds since 1970)."""

    name: str
    at: float


class HeldLeague(LeagueAt, frozen=True):
    """A league that is held as an organiser asked for it.

    The `best` bots of the table at that moment play, None for all. `why` says how it failed.
    """

    best: int | None
    state: HeldState = "waiting"
    why: str = ""


def refuse_held(registry: Registry, league: HeldLeague) -> None:
    """Raise `Refusal` for a league whose name does not do.

    The name must be able to be part of an address. That of a league that failed is free again.
    """
    name = league.name
    if not LEAGUE_NAME.fullmatch(name) or _OF_SEASONS.fullmatch(name):
        remedy = "--name of a to z, digits and hyphens; season-1 is that of a season"
        raise Refusal(f"no league can be held as {name}", remedy)
    if any(each.name == name and each.state != "failed" for each in held_leagues(registry)):
        raise Conflict(f"there is a league {name} already", "choose another --name")


def add_held(registry: Registry, league: HeldLeague) -> None:
    """Hold a league that is not refused."""
    with registry.writing() as sql:
        sql.execute(
            "INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?, ?)", msgspec.structs.astuple(league)
        )
        note(sql, registry.now(), ORGANISER, "holds", league.name)


def held_leagues(registry: Registry) -> list[HeldLeague]:
    """Return the leagues, that which begins first before the others."""
    with registry.reading() as sql:
        rows = sql.execute("SELECT * FROM held ORDER BY at, name").fetchall()
    return [HeldLeague(*row) for row in rows]


def due_league(registry: Registry) -> HeldLeague | None:
    """Return the league that is to be played now, or None."""
    now = registry.now()
    found = (it for it in held_leagues(registry) if it.state in ("playing", "waiting"))
    return next((each for each in found if each.at <= now), None)


def note_held(registry: Registry, name: str, state: HeldState, why: str = "") -> None:
    """Note what became of a league."""
    with registry.writing() as sql:
        sql.execute("UPDATE held SET state = ?, why = ? WHERE name = ?", (state, why, name))
        note(sql, registry.now(), SITE, f"league {state}", f"{name}: {why}" if why else name)


def drop_held(registry: Registry, name: str) -> None:
    """Hold a league no longer, unless it is being played. Raises `Missing` or `Conflict`."""
    with registry.writing() as sql:
        row = sql.execute("SELECT state FROM held WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise Missing(f"there is no league {name}", "arena serve held lists them")
        if row[0] == "playing":
            raise Conflict(f"{name} is being played", "wait until it is over")
        sql.execute("DELETE FROM held WHERE name = ?", (name,))
        note(sql, registry.now(), ORGANISER, "holds no longer", name)
