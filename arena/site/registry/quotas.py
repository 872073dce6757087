"""The quotas of accounts.

What is left is counted from what was done, so no counter can be wrong.
"""

import math
import sqlite3
from typing import Final

import msgspec

from arena.base.refusals import OverQuota
from arena.site.registry.accounts import Account
from arena.site.registry.file import Registry

DAY_S: Final = 86400.0


class Allowed(msgspec.Struct, frozen=True):
    """A quota: `left` of `most`.

    If nothing is left, something is again in `wait_s` seconds; None if time alone does not help.
    """

    left: int
    most: int
    wait_s: int | None = 0


class QuotaLeft(msgspec.Struct, frozen=True):
    """The quotas of an account, which go into every answer.

    `bots` are those that may join the field, `checks` the uploads that may wait or be checked at a
    time. Uploads, minutes of building and challenges are for any 24 hours; an upload that failed
    its check counts for none, up to `FAILED` times as many as may enter.
    """

    bots: Allowed
    checks: Allowed
    uploads: Allowed
    build_minutes: Allowed
    challenges: Allowed
    archive_bytes: int


def left(registry: Registry, account: Account) -> QuotaLeft:
    """Return what an account may still do."""
    with registry.reading() as sql:
        return left_of(sql, registry, account.number)


def left_of(sql: sqlite3.Connection, registry: Registry, account: int) -> QuotaLeft:
    """Return what an account may still do, in a transaction under way."""
    most, now = registry.quotas, registry.now()
    since = now - DAY_S
    sent = sql.execute(_ASKED, (account, "upload", since)).fetchall()
    failed = [at for at, _, failed in sent if failed]
    entered = _by_day([at for at, _, failed in sent if not failed], most.uploads, now)
    tried = _by_day(failed, FAILED * most.uploads, now)
    asked = sql.execute(_ASKED, (account, "challenge", since)).fetchall()
    (checks,) = sql.execute(_CHECKS, (account,)).fetchone()
    (bots,) = sql.execute(_BOTS, {"account": account}).fetchone()
    return QuotaLeft(
        bots=Allowed(max(0, most.bots - bots), most.bots, None if bots >= most.bots else 0),
        checks=Allowed(1 - min(checks, 1), 1, CHECK_S if checks else 0),
        uploads=entered if tried.left else Allowed(0, most.uploads, tried.wait_s),
        build_minutes=_build_minutes([row[:2] for row in sent], most.build_minutes_a_day, now),
        challenges=_by_day([at for at, _, _ in asked], most.challenges, now),
        archive_bytes=most.archive_mib << 20,
    )


FAILED: Final = 4
"""Uploads that may fail for each that may enter: checking them takes time, too."""

CHECK_S: Final = 30
"""Seconds after which it is worth asking again whether an upload has been checked."""


def refuse_if_none(of: Allowed, what: str, remedy: str = "") -> None:
    """Raise `OverQuota` if nothing is left."""
    if of.left <= 0:
        raise OverQuota(what, remedy, of.wait_s)


_ASKED: Final = (
    "SELECT at, build_s, state = 'failed' FROM jobs"
    " WHERE account = ? AND kind = ? AND at > ? ORDER BY at"
)
_CHECKS: Final = (
    "SELECT count(*) FROM jobs WHERE account = ? AND kind = 'upload' AND state = 'waiting'"
)
_BOTS: Final = """
SELECT count(*) FROM (
    SELECT called FROM bots
    WHERE account = :account AND state IN ('playing', 'benched', 'next_season')
    UNION SELECT entering FROM jobs
    WHERE account = :account AND kind = 'upload' AND state = 'waiting' AND entering IS NOT NULL
)
"""
"""Counts bots in the field and the one about to join it; versions of a bot count as one."""


def _by_day(moments: list[float], most: int, now: float) -> Allowed:
    """Return what is left of `most` in any 24 hours."""
    left = max(0, most - len(moments))
    if left or not most:
        return Allowed(left, most, 0 if left else None)
    return Allowed(0, most, _seconds(moments[len(moments) - most] + DAY_S - now))


def _build_minutes(spent: list[tuple[float, float]], most: int, now: float) -> Allowed:
    total = sum(seconds for _, seconds in spent)
    left = int(most - total / 60)
    if left > 0:
        return Allowed(left, most)
    for at, seconds in spent:
        total -= seconds
        if total / 60 <= most - 1:
            return Allowed(0, most, _seconds(at + DAY_S - now))
    return Allowed(0, most, None)


def _seconds(wait_s: float) -> int:
    return max(1, math.ceil(wait_s))
