"""Jobs: what was asked of a site's processes, done by one of them at a time under a lease.

Uploads and requests are jobs. A job is `waiting` until its bot has `entered` the league, it was
`answered`, or it has `failed`. A process that dies over it loses the lease in time, and another
begins it anew.
"""

import secrets
import sqlite3
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final, Generic, TypeVar

import msgspec

from arena.site.processes import DRAWING_ORDERS, UPLOADS
from arena.site.registry.accounts import Account, account_of_number
from arena.site.registry.audit import SITE, note
from arena.site.registry.file import Registry
from arena.site.registry.quotas import DAY_S
from arena.site.registry.stops import stopped

LEASE_S: Final = 60.0
"""Seconds until a job is taken from a process that does not renew its lease."""

MOST_TRIES: Final = 3
"""The number of times that a job is begun before it is given up: it may be what kills processes."""

PAUSED_WITH: Final = {"upload": UPLOADS, "challenge": DRAWING_ORDERS}
"""The kinds of jobs that are not taken while a part of the site is paused."""

_A = TypeVar("_A", bound=msgspec.Struct)


class JobSeen(msgspec.Struct, frozen=True):
    """A job as whoever asked for it sees it.

    `number` orders an account's; `at` and `ended` are moments, the latter None until it is done.
    """

    id: str
    number: int
    at: float
    ended: float | None


class LeaseLost(Exception):
    """Another process has the job by now, or nobody wants it any more: leave it."""


class Taken(msgspec.Struct, Generic[_A], frozen=True):
    """A job of an account, to be done by the holder of its lease."""

    id: str
    number: int
    account: Account
    about: _A
    lease: str


def kind_of(about: type[msgspec.Struct] | msgspec.Struct) -> str:
    """Return the name, in the file, of jobs about such a thing."""
    return str(about.__struct_config__.tag)


def take(registry: Registry, kinds: Sequence[type[_A]]) -> Taken[_A] | None:
    """Take the job of some kinds that has waited longest, or was left; None if there is none.

    It stays taken as long as `keep_lease` is called at least every `LEASE_S` seconds. Challenges
    take long, so accounts take turns with them.
    """
    now = registry.now()
    with registry.writing() as sql:
        _give_up(sql, now)
        paused = {kind for kind, part in PAUSED_WITH.items() if stopped(sql, part) is not None}
        tags = [tag for tag in map(kind_of, kinds) if tag not in paused]
        query = _NEXT.format(kinds=", ".join("?" for _ in tags))
        while (row := sql.execute(query, (now, *tags, now - DAY_S)).fetchone()) is not None:
            id, number, owner, text = row
            try:
                about: _A = msgspec.json.decode(text, type=reduce(or_, kinds))
            except msgspec.MsgspecError:  # no web process of ours has written it
                finish(sql, number, now, "failed", answer="this cannot be asked")
                continue
            lease = secrets.token_urlsafe(16)
            change = "lease = ?, until = ?, tries = tries + 1, entering = NULL"
            values = (lease, now + LEASE_S, number)
            sql.execute(f"UPDATE jobs SET {change} WHERE number = ?", values)
            sql.execute("DELETE FROM steps WHERE job = ?", (number,))
            return Taken(id, number, account_of_number(sql, owner), about, lease)
        return None


def take_back(registry: Registry, kinds: Sequence[type[_A]]) -> list[int]:
    """Let jobs of some kinds be taken anew at once: the processes that had them are dead.

    Returns their numbers.
    """
    marks = ", ".join("?" for _ in kinds)
    with registry.writing() as sql:
        rows = sql.execute(
            "UPDATE jobs SET until = 0 WHERE state = 'waiting' AND until > 0"
            f" AND kind IN ({marks}) RETURNING number",
            [kind_of(each) for each in kinds],
        ).fetchall()
    return sorted(number for (number,) in rows)


def give_back(registry: Registry, taken: Taken[_A]) -> None:
    """Leave a taken job to the next process that asks, as if it had never been taken."""
    with registry.writing() as sql:
        done = sql.execute(
            "UPDATE jobs SET lease = NULL, until = NULL, tries = tries - 1, entering = NULL"
            " WHERE number = ? AND lease = ?",
            (taken.number, taken.lease),
        )
        if done.rowcount:
            sql.execute("DELETE FROM steps WHERE job = ?", (taken.number,))


def keep_lease(registry: Registry, taken: Taken[_A]) -> None:
    """Renew the lease of a job that takes long. Raises `LeaseLost`."""
    with registry.writing() as sql:
        hold(sql, taken, registry.now() + LEASE_S)


def answer(registry: Registry, taken: Taken[_A], file: str | None = None, text: str = "") -> None:
    """Answer a taken job, with a file that was cut or in words. Raises `LeaseLost`."""
    with registry.writing() as sql:
        hold(sql, taken)
        finish(sql, taken.number, registry.now(), "answered", file=file, answer=text)


def decline(registry: Registry, taken: Taken[_A], why: str) -> None:
    """End a taken job as failed, and say why. Raises `LeaseLost`."""
    with registry.writing() as sql:
        hold(sql, taken)
        finish(sql, taken.number, registry.now(), "failed", answer=why[:1000])


def hold(sql: sqlite3.Connection, taken: Taken[_A], until: float | None = None) -> None:
    """Raise `LeaseLost` unless the lease is held; with `until`, renew it until then."""
    done = sql.execute(
        "UPDATE jobs SET until = coalesce(?, until) WHERE number = ? AND lease = ?",
        (until, taken.number, taken.lease),
    )
    if not done.rowcount:
        raise LeaseLost


def finish(
    sql: sqlite3.Connection,
    number: int,
    now: float,
    state: str,
    *,
    file: str | None = None,
    name: str | None = None,
    answer: str = "",
) -> None:
    """End a job, in a transaction under way."""
    sql.execute(
        "UPDATE jobs SET state = ?, file = ?, name = ?, answer = ?, ended = ?, lease = NULL,"
        " until = NULL, entering = NULL WHERE number = ?",
        (state, file, name, answer, now, number),
    )


def _give_up(sql: sqlite3.Connection, now: float) -> None:
    """End the jobs that were begun too often."""
    why = f"the site itself failed {MOST_TRIES} times over it; tell the organiser"
    for number, kind, name in sql.execute(_BEGUN_TOO_OFTEN, (now, MOST_TRIES)).fetchall():
        finish(sql, number, now, "failed", answer=why)
        note(sql, now, SITE, "gave up", f"{kind} {number} of {name or 'nobody'}")


_TURN: Final = """
(SELECT count(*) FROM jobs AS sooner WHERE sooner.account = jobs.account
 AND sooner.kind = jobs.kind AND sooner.at > ? AND sooner.number < jobs.number)
"""
"""The number of challenges that an account had asked for in the last 24 hours before this one."""

_NEXT: Final = f"""
SELECT id, number, account, about FROM jobs
WHERE state = 'waiting' AND (lease IS NULL OR until <= ?) AND kind IN ({{kinds}})
ORDER BY CASE kind WHEN 'challenge' THEN {_TURN} ELSE 0 END, number LIMIT 1
"""
_BEGUN_TOO_OFTEN: Final = """
SELECT jobs.number, kind, accounts.name FROM jobs LEFT JOIN accounts ON accounts.number = account
WHERE state = 'waiting' AND until <= ? AND tries >= ?
"""
