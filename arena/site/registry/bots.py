"""The bots of accounts, and what is left of an account's quotas.

What is left of a quota is counted from what was done, so no counter can be wrong.
"""

import math
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from arena.base.refusals import OverQuota
from arena.site.registry import Registry
from arena.site.registry.accounts import DAY_S, Account

BotState = Literal["playing", "benched", "next_season", "replaced", "withdrawn"]

IN_FIELD: Final = "state IN ('playing', 'benched', 'next_season')"


class OwnBot(msgspec.Struct, frozen=True):
    """A bot of an account under the name it plays by; its manifest calls it `called`."""

    name: str
    called: str
    state: BotState
    why: str
    at: float

    @property
    def in_field(self) -> bool:
        """Whether it plays, or will."""
        return self.state in ("playing", "benched", "next_season")


def bots(registry: Registry, account: Account) -> list[OwnBot]:
    """Return an account's bots, first those that play or will, then the last that left."""
    rows = registry.read(
        "SELECT name, called, state, why, at FROM bots WHERE account = ?"
        f" ORDER BY NOT {IN_FIELD}, at DESC, name LIMIT 500",
        (account.number,),
    )
    return [OwnBot(*row) for row in rows]


def note_states(registry: Registry, states: Mapping[str, tuple[BotState, str]]) -> None:
    """Note from the record the state of bots, and why: the record decides who plays."""
    rows = registry.read("SELECT name, state, why FROM bots")
    known = {name: (state, why) for name, state, why in rows}
    changed = [
        (*state, registry.now(), name)
        for name, state in states.items()
        if known.get(name, state) != state
    ]
    if changed:
        with registry.writing() as sql:
            sql.executemany("UPDATE bots SET state = ?, why = ?, at = ? WHERE name = ?", changed)


# --- quotas ---

# Bots in the field at a time; the others in any 24 hours.
QuotaName = Literal["bots", "uploads", "build_minutes", "challenges"]

# The errors when a quota is used up, and what helps.
_TOLD: Final[dict[QuotaName, tuple[str, str]]] = {
    "bots": (
        "there are {} bots of an author in the field",
        "withdraw one of yours, or send a new version of it",
    ),
    "uploads": ("you may send {} uploads in 24 hours", ""),
    "build_minutes": ("the {} minutes for building in 24 hours are used up", ""),
    "challenges": ("you may ask for {} challenges in 24 hours", ""),
}

# What an upload counts that has failed: checking it takes time, too.
FAILED: Final = 0.25


class Allowed(msgspec.Struct, frozen=True):
    """A quota: `left` of `most`.

    If nothing is left, something is again in `wait_s` seconds; None if time alone does not help.
    """

    left: int
    most: int
    wait_s: int | None = None


def quotas(registry: Registry, account: Account) -> dict[QuotaName, Allowed]:
    """Return by the names of quotas what an account may still do."""
    with registry.reading() as sql:
        return _quotas(sql, registry, account.number)


def refuse_if_none(
    sql: sqlite3.Connection, registry: Registry, account: int, *names: QuotaName
) -> None:
    """Raise `OverQuota` if nothing is left of a quota, in a transaction under way."""
    left = _quotas(sql, registry, account)
    for name in names:
        if not left[name].left:
            what, remedy = _TOLD[name]
            raise OverQuota(what.format(left[name].most), remedy, left[name].wait_s)


def _quotas(sql: sqlite3.Connection, registry: Registry, account: int) -> dict[QuotaName, Allowed]:
    most, now = registry.quotas, registry.now()
    spent: dict[str, list[tuple[float, float]]] = {"upload": [], "build": [], "challenge": []}
    for kind, at, counts, minutes in sql.execute(_SPENT, (FAILED, account, now - DAY_S)):
        spent[kind].append((at, counts))
        spent["build"].append((at, minutes))
    (bots,) = sql.execute(_BOTS, {"account": account}).fetchone()
    return {
        "bots": Allowed(max(0, most.bots - bots), most.bots),
        "uploads": _allowed(spent["upload"], most.uploads, now),
        "build_minutes": _allowed(spent["build"], most.build_minutes_a_day, now),
        "challenges": _allowed(spent["challenge"], most.challenges, now),
    }


_SPENT: Final = """
SELECT kind, at, iif(kind = 'upload' AND state = 'failed', ?, 1.0), build_s / 60 FROM jobs
WHERE account = ? AND kind IN ('upload', 'challenge') AND at > ? ORDER BY at
"""
# Counts bots in the field and the one about to join it; versions of a bot count as one.
_BOTS: Final = f"""
SELECT count(*) FROM (
    SELECT called FROM bots WHERE account = :account AND {IN_FIELD}
    UNION SELECT entering FROM jobs
    WHERE account = :account AND kind = 'upload' AND ended IS NULL AND entering IS NOT NULL
)
"""


# Return what is left in any 24 hours, by the moments and amounts that were spent.
def _allowed(spent: Sequence[tuple[float, float]], most: int, now: float) -> Allowed:
    total = sum(amount for _, amount in spent)
    if total < most:
        return Allowed(math.ceil(most - total), most)
    for at, amount in spent:
        total -= amount
        if total < most:
            return Allowed(0, most, max(1, math.ceil(at + DAY_S - now)))
    return Allowed(0, most)
