"""Uploads: archives that authors sent, their checks, the bots that came of them, and the quotas.

An upload is `queued`, then `checking`, then `entered` under a name or `failed`. What is left of a
quota is counted from what was done, so no counter can be wrong.
"""

import math
import re
import secrets
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from arena.base.check_step import CheckStep
from arena.base.refusals import Missing, OverQuota, Refusal, TooLarge
from arena.bots.manifest import Bot
from arena.site.config import UPLOADS
from arena.site.registry.accounts import DAY_S, Account, account_of_number, refuse_if_revoked
from arena.site.registry.file import Registry, note
from arena.site.registry.jobs import JobSeen, Taken, end, refuse_if_paused

MOST_STEPS: Final = 64
# The most characters that are kept of a step's words, of its lines and of its stderr.
LONGEST_TEXT: Final = 32 << 10

# Uploads that may fail for each that may enter: checking them takes time, too.
FAILED: Final = 4

# Seconds after which it is worth asking again whether an upload has been checked.
CHECK_S: Final = 30

# What is told of a bot that will play in the next season.
LATE: Final = "it came after the deadline and waits for the next season"

_LINE: Final = 2000
_DIGEST: Final = r"\A[0-9a-f]{64}\Z"
_IN_FIELD: Final = "state IN ('playing', 'benched', 'next_season')"

UploadState = Literal["queued", "checking", "entered", "failed"]
BotState = Literal["playing", "benched", "next_season", "replaced", "withdrawn"]


class Archive(msgspec.Struct, frozen=True, tag="upload"):
    """The subject of an upload: the SHA-256 of the archive in hex, which cannot be a path."""

    digest: Annotated[str, Meta(pattern=_DIGEST)]


class Upload(JobSeen, frozen=True):
    """An upload as its owner sees it.

    `digest` is the SHA-256 of the archive in hex, `place` its place in the queue, from 1. `name` is
    that of the bot that entered the league, `why` what went wrong.
    """

    digest: str
    size: int
    state: UploadState
    place: int | None
    name: str | None
    why: str
    steps: tuple[CheckStep, ...] = ()

    @property
    def under_way(self) -> bool:
        """Whether the upload waits or is being checked."""
        return self.state in ("queued", "checking")


def is_content(text: str) -> bool:
    """Return whether a text is a SHA-256 in hex, and so cannot be a path."""
    return re.match(_DIGEST, text) is not None


def spool_file(account: Account, digest: str) -> str:
    """Return the name of an upload's archive in the spool."""
    return f"{account.number}-{digest}"


def may_upload(
    registry: Registry, account: Account, size: int | None, digest: str | None = None
) -> None:
    """Raise `Refusal` for an upload that cannot succeed, before its body is read.

    If the digest is that of a known upload, nothing is refused.
    """
    with registry.reading() as sql:
        if digest is None or _latest(sql, account.number, digest) is None:
            _refuse(sql, registry, account.number, size)


def new_upload(
    registry: Registry, account: Account, digest: str, size: int, again: bool = False
) -> tuple[Upload, bool]:
    """Queue an archive that lies in the spool; return the upload, and whether it is a new one.

    The same archive of the same account is the same upload, however often it is sent; only with
    `again` is one that has ended begun anew, as another upload. Raises `Refusal`.
    """
    if not is_content(digest):
        raise Refusal("this is not a SHA-256 in hex", "it must be that of the archive")
    with registry.writing() as sql:
        refuse_if_revoked(sql, account.number)
        known = _latest(sql, account.number, digest)
        if known is not None and (known.under_way or not again):
            return known, False
        _refuse(sql, registry, account.number, size)
        sql.execute(
            "INSERT INTO jobs (id, account, kind, about, size, at)"
            " VALUES (?, ?, 'upload', ?, ?, ?)",
            (secrets.token_urlsafe(16), account.number, _about(digest), size, registry.now()),
        )
        sent = _latest(sql, account.number, digest)
        assert sent is not None
        return sent, True


def uploads(
    registry: Registry, account: Account, before: int | None = None, most: int = 50
) -> list[Upload]:
    """Return an account's uploads without their steps, those before a number, newest first."""
    rows = registry.read(
        f"{_UPLOAD} WHERE account = :account AND kind = 'upload'"
        " AND (:before IS NULL OR number < :before) ORDER BY number DESC LIMIT :most",
        {"account": account.number, "before": before, "most": most},
    )
    return [Upload(*row) for row in rows]


def upload(registry: Registry, account: Account, id: str) -> Upload:
    """Return an account's upload with its steps. Raises `Missing`, also for those of others."""
    with registry.reading() as sql:
        query = f"{_UPLOAD} WHERE id = ? AND account = ? AND kind = 'upload'"
        row = sql.execute(query, (id, account.number)).fetchone()
        if row is None:
            raise Missing("there is no such upload")
        return _with_steps(sql, row)


def queue(registry: Registry) -> int:
    """Return the number of uploads that wait or are being checked."""
    query = "SELECT count(*) FROM jobs WHERE ended IS NULL AND kind = 'upload'"
    [(count,)] = registry.read(query)
    return int(count)


def spooled(registry: Registry, kept_s: float = 3600.0) -> set[str]:
    """Return the files of the spool that are needed: of uploads not ended `kept_s` seconds ago."""
    query = "SELECT account, about FROM jobs WHERE kind = 'upload' AND (ended IS NULL OR ended > ?)"
    found = set()
    for owner, text in registry.read(query, (registry.now() - kept_s,)):
        with suppress(msgspec.MsgspecError):  # only a compromised web process writes this
            found.add(f"{owner}-{msgspec.json.decode(text, type=Archive).digest}")
    return found


_UPLOAD: Final = """
SELECT id, number, at, ended, json_extract(about, '$.digest'), size,
CASE state WHEN 'waiting' THEN 'queued' WHEN 'taken' THEN 'checking' WHEN 'checked' THEN 'checking'
    ELSE state END,
CASE WHEN ended IS NULL THEN (SELECT count(*) FROM jobs AS other WHERE other.ended IS NULL
    AND other.kind = 'upload' AND other.number <= jobs.number) END,
name, answer FROM jobs"""


def _with_steps(sql: sqlite3.Connection, row: tuple[Any, ...]) -> Upload:
    found = Upload(*row)
    texts = sql.execute("SELECT step FROM steps WHERE job = ? ORDER BY number", (found.number,))
    steps = tuple(msgspec.json.decode(text, type=CheckStep) for (text,) in texts)
    return msgspec.structs.replace(found, steps=steps)


# Return the last upload of an archive, or None.
def _latest(sql: sqlite3.Connection, account: int, digest: str) -> Upload | None:
    query = f"{_UPLOAD} WHERE account = ? AND about = ? ORDER BY number DESC LIMIT 1"
    row = sql.execute(query, (account, _about(digest))).fetchone()
    return None if row is None else _with_steps(sql, row)


def _about(digest: str) -> str:
    return msgspec.json.encode(Archive(digest)).decode()


# Raise `Refusal` if an account may not send an archive of `size` bytes now.
def _refuse(sql: sqlite3.Connection, registry: Registry, account: int, size: int | None) -> None:
    refuse_if_paused(sql, UPLOADS)
    left = left_of(sql, registry, account)
    if size is not None and size > left.archive_bytes:
        mib = left.archive_bytes >> 20
        raise TooLarge(f"an archive has at most {mib} MiB", "leave out what a build can make")
    what = "one of your uploads is still being checked"
    refuse_if_none(left.checks, what, "wait until it has ended")
    refuse_if_none(left.uploads, f"you may send {left.uploads.most} uploads in 24 hours")
    refuse_if_none(left.build_minutes, "the minutes for building in 24 hours are used up")


# --- their checks ---


class Checked(msgspec.Struct, frozen=True):
    """An upload whose bot passed its check, with the bot's manifest and the hash of its content."""

    number: int
    author: Account
    bot: Bot
    digest: str


def build_seconds(registry: Registry, taken: Taken[Archive]) -> float:
    """Return the seconds that the bot of a taken upload may build."""
    most = left(registry, taken.account).build_minutes.left
    return 60.0 * min(registry.quotas.build_minutes, most)


def add_step(registry: Registry, number: int, step: CheckStep) -> None:
    """Add a step to the upload of a number."""
    text = msgspec.json.encode(_shortened(step)).decode()
    with registry.writing() as sql:
        sql.execute(
            "INSERT INTO steps SELECT :job, count(*), :step FROM steps WHERE job = :job"
            " HAVING count(*) < :most",
            {"job": number, "step": text, "most": MOST_STEPS},
        )


def built(registry: Registry, taken: Taken[Archive], seconds: float) -> None:
    """Charge the account with the seconds of a build."""
    with registry.writing() as sql:
        charge = "UPDATE jobs SET build_s = build_s + ? WHERE number = ?"
        sql.execute(charge, (seconds, taken.number))


def may_enter(registry: Registry, taken: Taken[Archive], called: str) -> None:
    """Keep a place in the field for the bot of a taken upload, under its manifest's name.

    Raises `OverQuota` if the account has as many other bots there as it may.
    """
    with registry.writing() as sql:
        query = f"SELECT 1 FROM bots WHERE account = ? AND called = ? AND {_IN_FIELD}"
        if sql.execute(query, (taken.account.number, called)).fetchone() is None:
            left = left_of(sql, registry, taken.account.number).bots
            what = f"there are {left.most} bots of an author in the field"
            refuse_if_none(left, what, "withdraw one of yours, or send a new version of it")
        keep = "UPDATE jobs SET entering = ? WHERE number = ? AND ended IS NULL"
        sql.execute(keep, (called, taken.number))


def checked(registry: Registry, taken: Taken[Archive], bot: Bot, digest: str) -> None:
    """Leave a taken upload that passed its check to the process that enters it."""
    with registry.writing() as sql:
        sql.execute(
            "UPDATE jobs SET state = 'checked', manifest = ?, digest = ?"
            " WHERE number = ? AND state = 'taken'",
            (msgspec.json.encode(bot).decode(), digest, taken.number),
        )


def next_checked(registry: Registry) -> Checked | None:
    """Return the upload that has waited longest to enter; None if there is none."""
    with registry.reading() as sql:
        row = sql.execute(
            "SELECT number, account, manifest, digest FROM jobs WHERE state = 'checked'"
            " AND kind = 'upload' ORDER BY number LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        number, owner, manifest, digest = row
        author = account_of_number(sql, owner)
    return Checked(number, author, msgspec.json.decode(manifest, type=Bot), digest)


def entered(
    registry: Registry, number: int, author: Account, name: str, called: str, late: bool = False
) -> bool:
    """End an upload whose bot plays under a name; return whether it had not ended before.

    Its manifest calls it `called`. An older version of it leaves the field, unless it is `late` and
    waits for the next season.
    """
    now = registry.now()
    state = "next_season" if late else "playing"
    old = ("next_season", "next_season") if late else ("playing", "benched")
    with registry.writing() as sql:
        if not end(sql, now, number, "entered", LATE if late else "", name=name):
            return False
        sql.execute(
            "UPDATE bots SET state = 'replaced', why = ?, at = ?"
            " WHERE account = ? AND called = ? AND name != ? AND state IN (?, ?)",
            (f"by {name}", now, author.number, called, name, *old),
        )
        sql.execute(
            "INSERT INTO bots VALUES (?, ?, ?, ?, '', ?) ON CONFLICT (name) DO UPDATE"
            " SET state = excluded.state, why = '', at = excluded.at",
            (name, author.number, called, state, now),
        )
        note(sql, now, author.name, "entered a bot", name)
    return True


# Return a step with no more text than people read; of output the end is kept.
def _shortened(step: CheckStep) -> CheckStep:
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


# --- the bots that came of them ---


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
        f" ORDER BY NOT {_IN_FIELD}, at DESC, name LIMIT 500",
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
    asked = sql.execute(_ASKED, (account, "challenge", since)).fetchall()
    (checks,) = sql.execute(_CHECKS, (account,)).fetchone()
    (bots,) = sql.execute(_BOTS, {"account": account}).fetchone()
    entered = _by_day([at for at, _, failed in sent if not failed], most.uploads, now)
    tried = _by_day([at for at, _, failed in sent if failed], FAILED * most.uploads, now)
    return QuotaLeft(
        bots=Allowed(max(0, most.bots - bots), most.bots, None if bots >= most.bots else 0),
        checks=Allowed(1 - min(checks, 1), 1, CHECK_S if checks else 0),
        uploads=entered if tried.left else Allowed(0, most.uploads, tried.wait_s),
        build_minutes=_build_minutes([row[:2] for row in sent], most.build_minutes_a_day, now),
        challenges=_by_day([at for at, _, _ in asked], most.challenges, now),
        archive_bytes=most.archive_mib << 20,
    )


def refuse_if_none(of: Allowed, what: str, remedy: str = "") -> None:
    """Raise `OverQuota` if nothing is left."""
    if of.left <= 0:
        raise OverQuota(what, remedy, of.wait_s)


_ASKED: Final = (
    "SELECT at, build_s, state = 'failed' FROM jobs"
    " WHERE account = ? AND kind = ? AND at > ? ORDER BY at"
)
_CHECKS: Final = "SELECT count(*) FROM jobs WHERE account = ? AND kind = 'upload' AND ended IS NULL"
# Counts bots in the field and the one about to join it; versions of a bot count as one.
_BOTS: Final = f"""
SELECT count(*) FROM (
    SELECT called FROM bots WHERE account = :account AND {_IN_FIELD}
    UNION SELECT entering FROM jobs
    WHERE account = :account AND kind = 'upload' AND ended IS NULL AND entering IS NOT NULL
)
"""


# Return what is left of `most` in any 24 hours.
def _by_day(moments: list[float], most: int, now: float) -> Allowed:
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
