"""Uploads as the intake has them: one at a time under a lease, checked step by step, ended.

Whoever dies over an upload loses the lease in time, and another begins it anew.
"""

import secrets
import sqlite3
from typing import Final

import msgspec

from arena.site.house.accounts import Account, account_of_number
from arena.site.house.audit import SITE, note
from arena.site.house.file import House
from arena.site.house.quotas import left_of, refuse_if_none
from arena.site.house.stops import stopped
from arena.site.house.uploads import State, UploadStep, is_digest, spool_file
from arena.site.processes import UPLOADS
from arena.site.refusals import Conflict

LEASE_S: Final = 60.0
"""How long an upload stays with whoever took it without a word from there."""

MOST_TRIES: Final = 3
"""So often an upload is begun before it is given up, since it may be what kills the intake."""

MOST_STEPS: Final = 64
LONGEST_TEXT: Final = 32 << 10
"""The most characters of what a step says, of its lines and of its stderr; each is cut there."""

_LINE: Final = 2000


class Taken(msgspec.Struct, frozen=True):
    """An upload to be checked by whoever holds the lease, at most `build_s` seconds of building."""

    id: str
    number: int
    account: Account
    digest: str
    size: int
    lease: str
    build_s: float

    @property
    def file(self) -> str:
        """The name of its archive in the spool."""
        return spool_file(self.account, self.digest)


class LeaseLost(Conflict):
    """Somebody else has the upload by now: leave it."""


def take_upload(house: House, lease_s: float = LEASE_S) -> Taken | None:
    """Take the upload that waits longest, or one that was left; None where nothing is to be done.

    It stays taken as long as `step` or `keep` is heard of at least every `lease_s` seconds.
    """
    now = house.now()
    with house.writing() as sql:
        if stopped(sql, UPLOADS) is not None:
            return None
        for number, name in sql.execute(_GIVEN_UP, (now, MOST_TRIES)).fetchall():
            why = f"the site itself failed {MOST_TRIES} times over it; tell the organiser"
            _end(sql, number, now, "failed", None, why)
            note(sql, now, SITE, "gave up an upload", f"{number} of {name}")
        while (row := sql.execute(_NEXT, (now,)).fetchone()) is not None and not is_digest(row[3]):
            _end(sql, row[0], now, "failed", None, "this cannot be an upload")  # nor is it ours
        if row is None:
            return None
        number, id, owner, digest, size = row
        lease = secrets.token_urlsafe(16)
        sql.execute(
            "UPDATE uploads SET state = 'checking', lease = ?, until = ?, tries = tries + 1,"
            " taken = ?, entering = NULL WHERE number = ?",
            (lease, now + lease_s, now, number),
        )
        sql.execute("DELETE FROM steps WHERE upload = ?", (number,))
        minutes = min(house.quotas.build_minutes, left_of(sql, house, owner).build_minutes.left)
        account = account_of_number(sql, owner)
        return Taken(id, number, account, digest, size, lease, 60.0 * minutes)


def take_back(house: House) -> list[int]:
    """Let uploads be taken anew at once whose intake is known to be dead; their numbers."""
    with house.writing() as sql:
        rows = sql.execute(
            "UPDATE uploads SET until = 0 WHERE state = 'checking' AND until > 0 RETURNING number"
        ).fetchall()
    return sorted(number for (number,) in rows)


def give_back(house: House, taken: Taken) -> None:
    """Leave a taken upload to the next who asks, as if it had never been taken."""
    with house.writing() as sql:
        sql.execute(
            "UPDATE uploads SET state = 'queued', lease = NULL, until = NULL, tries = tries - 1,"
            " entering = NULL WHERE number = ? AND lease = ?",
            (taken.number, taken.lease),
        )
        sql.execute(
            "DELETE FROM steps WHERE upload = ? AND EXISTS"
            " (SELECT 1 FROM uploads WHERE uploads.number = steps.upload AND state = 'queued')",
            (taken.number,),
        )


def keep(house: House, taken: Taken, lease_s: float = LEASE_S) -> None:
    """Keep a taken upload while a long step goes on. Raises `LeaseLost`."""
    with house.writing() as sql:
        _renew(sql, taken, house.now() + lease_s)


def step(house: House, taken: Taken, step: UploadStep, lease_s: float = LEASE_S) -> None:
    """Add a step to a taken upload. Raises `LeaseLost`."""
    now = house.now()
    with house.writing() as sql:
        _renew(sql, taken, now + lease_s)
        query = "SELECT count(*) FROM steps WHERE upload = ?"
        (count,) = sql.execute(query, (taken.number,)).fetchone()
        if count < MOST_STEPS:
            text = msgspec.json.encode(_shortened(step)).decode()
            sql.execute("INSERT INTO steps VALUES (?, ?, ?)", (taken.number, count, text))


def built(house: House, taken: Taken, seconds: float) -> None:
    """Charge the account with the seconds that a build took. Raises `LeaseLost`."""
    with house.writing() as sql:
        _renew(sql, taken, None)
        sql.execute(
            "UPDATE uploads SET build_s = build_s + ? WHERE number = ?", (seconds, taken.number)
        )


def may_enter(house: House, taken: Taken, called: str) -> None:
    """Keep a place in the field for the bot of a taken upload, by what its manifest calls it.

    Raises `OverQuota` where the account has as many other bots there as it may, and `LeaseLost`.
    """
    with house.writing() as sql:
        _renew(sql, taken, None)
        sql.execute("UPDATE uploads SET entering = NULL WHERE number = ?", (taken.number,))
        known = sql.execute(
            "SELECT 1 FROM bots"
            " WHERE account = ? AND called = ? AND state IN ('playing', 'benched')",
            (taken.account.number, called),
        ).fetchone()
        if known is None:
            left = left_of(sql, house, taken.account.number).bots
            what = f"there are {left.most} bots of an author in the field"
            refuse_if_none(left, what, "withdraw one of yours, or send a new version of it")
        sql.execute("UPDATE uploads SET entering = ? WHERE number = ?", (called, taken.number))


def failed(house: House, taken: Taken, why: str) -> None:
    """End a taken upload that entered nothing. Raises `LeaseLost`."""
    now = house.now()
    with house.writing() as sql:
        _renew(sql, taken, None)
        _end(sql, taken.number, now, "failed", None, why)


def entered(house: House, taken: Taken, name: str, called: str) -> None:
    """End a taken upload whose bot plays under a name; its manifest calls it `called`.

    An older version of it leaves the field. Raises `LeaseLost`.
    """
    now = house.now()
    with house.writing() as sql:
        _renew(sql, taken, None)
        _end(sql, taken.number, now, "entered", name, "")
        sql.execute(
            "UPDATE bots SET state = 'replaced', why = ?, at = ?"
            " WHERE account = ? AND called = ? AND name != ? AND state IN ('playing', 'benched')",
            (f"by {name}", now, taken.account.number, called, name),
        )
        sql.execute(
            "INSERT INTO bots VALUES (?, ?, ?, 'playing', '', ?) ON CONFLICT (name) DO UPDATE"
            " SET state = 'playing', why = '', at = excluded.at",
            (name, taken.account.number, called, now),
        )
        note(sql, now, taken.account.name, "entered a bot", name)


_NEXT: Final = """
SELECT number, id, account, digest, size FROM uploads
WHERE state = 'queued' OR (state = 'checking' AND until <= ?) ORDER BY number LIMIT 1
"""
_GIVEN_UP: Final = """
SELECT uploads.number, accounts.name FROM uploads JOIN accounts ON accounts.number = account
WHERE state = 'checking' AND until <= ? AND tries >= ?
"""


def _renew(sql: sqlite3.Connection, taken: Taken, until: float | None) -> None:
    """Hold the lease, until a later time where it is given. Raises `LeaseLost`."""
    done = sql.execute(
        "UPDATE uploads SET until = coalesce(?, until) WHERE number = ? AND lease = ?",
        (until, taken.number, taken.lease),
    )
    if not done.rowcount:
        raise LeaseLost("somebody else has this upload by now")


def _end(
    sql: sqlite3.Connection, number: int, now: float, state: State, name: str | None, why: str
) -> None:
    sql.execute(
        "UPDATE uploads SET state = ?, name = ?, why = ?, ended = ?, lease = NULL, until = NULL,"
        " entering = NULL WHERE number = ?",
        (state, name, why[:1000], now, number),
    )


def _shortened(step: UploadStep) -> UploadStep:
    """A step with no more text than people read; of what was printed, the end says most."""
    room, shown = LONGEST_TEXT, 0
    for line in reversed(step.show):
        room -= min(len(line), _LINE)
        if room < 0:
            break
        shown += 1
    return msgspec.structs.replace(
        step,
        name=step.name[:200],
        said=step.said[:LONGEST_TEXT],
        show=tuple(line[:_LINE] for line in step.show[len(step.show) - shown :]),
        stderr=step.stderr[-LONGEST_TEXT:],
    )
