"""Bots of the accounts: whose each is, and what became of it in the field.

The record decides who plays; here is what the web process must know of that.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from arena.site.registry.accounts import Account
from arena.site.registry.file import Registry

BotState = Literal["playing", "benched", "next_season", "replaced", "withdrawn"]


class OwnBot(msgspec.Struct, frozen=True):
    """A bot of an account under the name it plays by; its manifest calls it `called`."""

    name: str
    called: str
    state: BotState
    why: str
    at: float


def bots(registry: Registry, account: Account) -> list[OwnBot]:
    """Return an account's bots, first those that play or will, then the last that left."""
    with registry.reading() as sql:
        rows = sql.execute(
            "SELECT name, called, state, why, at FROM bots WHERE account = ?"
            " ORDER BY state NOT IN ('playing', 'benched', 'next_season'), at DESC, name LIMIT 500",
            (account.number,),
        ).fetchall()
    return [OwnBot(*row) for row in rows]


def note_states(registry: Registry, states: Mapping[str, tuple[BotState, str]]) -> None:
    """Note from the record the state of bots, and why."""
    now = registry.now()
    with registry.reading() as sql:
        known = {
            name: (state, why)
            for name, state, why in sql.execute("SELECT name, state, why FROM bots")
        }
    changed = [
        (*state, now, name) for name, state in states.items() if known.get(name, state) != state
    ]
    if changed:
        with registry.writing() as sql:
            sql.executemany("UPDATE bots SET state = ?, why = ?, at = ? WHERE name = ?", changed)
