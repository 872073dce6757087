"""Jobs: what authors ask of a site, each done by the one process that does jobs of its kind.

A job is `waiting`, then `taken`, then `done`, or it has `failed`. An upload that passed its check
is left by the process `work` to `play`, which enters its bot. A job that is `taken` when its
process starts was left behind by a dead one, and is taken again, up to `MOST_TRIES` times.
"""

import secrets
import sqlite3
from collections.abc import Container, Sequence
from contextlib import suppress
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta

from arena.base.check_step import CheckStep
from arena.base.refusals import Busy, Missing, OverQuota, Refusal
from arena.bots.manifest import Bot
from arena.site.config import DRAWING_ORDERS, UPLOADS
from arena.site.registry import Registry
from arena.site.registry.accounts import DAY_S, Account, account_of_number, refuse_if_revoked
from arena.site.registry.bots import IN_FIELD, quotas, refuse_if_none
from arena.site.registry.organiser import SITE, note, pauses_in

# The number of times that a job is begun before it is given up: it may be what kills processes.
MOST_TRIES: Final = 3

# The most jobs but uploads of one account that may wait at a time.
MOST_OF_ONE: Final = 20

# Seconds after which it is worth asking again whether an upload has been checked.
CHECK_S: Final = 30

MOST_STEPS: Final = 64
# The most characters of a step's words and of its stderr, and of a line; the most lines.
LONGEST_TEXT: Final = 32 << 10
_LINE: Final = 2000
_LINES: Final = 48

# The most answered logs of one account that are kept: an answer may have a megabyte.
MOST_KEPT_LOGS: Final = 3

# The most matches whose logs one answer has.
MOST_LOGS: Final = 10


class Archive(msgspec.Struct, frozen=True, tag="upload"):
    """An archive to be checked: its SHA-256 in hex, which cannot be a path."""

    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class OwnLogs(msgspec.Struct, frozen=True, tag="logs"):
    """Asks for the first `MOST_LOGS` of the last `most` matches of own bots after a number.

    They come as they can be replayed, with the words of these bots alone.
    """

    after: Annotated[int, Meta(ge=0, le=1 << 50)]
    most: Annotated[int, Meta(ge=1, le=1000)]


class ChangeBot(msgspec.Struct, frozen=True, tag="bot"):
    """Asks to withdraw a bot from the field, or to let one play on that was benched."""

    bot: str
    to: Literal["withdraw", "resume"]


class Challenge(msgspec.Struct, frozen=True, tag="challenge"):
    """Asks to play these bots at one table, on deals that count for nobody."""

    bots: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=80)], ...],
        Meta(min_length=2, max_length=5),
    ]


SiteRequest = OwnLogs | ChangeBot | Challenge
About = Archive | SiteRequest

# The requests that are answered one after another; challenges are played in parallel.
FILE_REQUESTS: Final[tuple[type[OwnLogs | ChangeBot], ...]] = (OwnLogs, ChangeBot)


# What reading a row raises that only a compromised web process writes.
_GARBAGE: Final = (msgspec.MsgspecError, RecursionError, TypeError, ValueError)

JobState = Literal["waiting", "taken", "done", "failed"]


class Challenged(msgspec.Struct, frozen=True):
    """The result of a challenge: by bot the sum of its stakes, and its faults."""

    deals: int
    matches: int
    stakes: dict[str, int]
    faults: dict[str, int]


class SiteJob(msgspec.Struct, frozen=True):
    """A job as its owner and its worker see it.

    `number` orders an account's. It was asked for `at` a moment, and has `ended` at another.
    `place` is that in the queue of its kind, from 1. The `answer` is a sentence that describes what
    went wrong, a challenge has a `result`. An upload has the `steps` of its check, and the `name`
    of the bot that entered the league.
    """

    id: str
    number: int
    owner: Account
    about: About
    state: JobState
    at: float
    ended: float | None = None
    place: int | None = None
    answer: str = ""
    result: Challenged | None = None
    name: str = ""
    steps: tuple[CheckStep, ...] = ()


def kind_of(about: type[About] | About) -> str:
    """Return the name, in the file, of jobs about such a thing."""
    return str(about.__struct_config__.tag)


def ask_for(
    registry: Registry, account: Account, about: About, again: bool = False
) -> tuple[SiteJob, bool]:
    """Ask for a job; return it, and whether it is a new one. Raises `Refusal`.

    The same thing asked by the same account is the same job while it is under way; an archive is
    afterwards, too, unless it is to be checked `again`.
    """
    lasts = isinstance(about, Archive) and not again
    with registry.writing() as sql:
        if not isinstance(about, ChangeBot):  # the organiser withdraws bots of who is shut out
            refuse_if_revoked(sql, account.number)
        known = _last(sql, account.number, about)
        if known is not None and (known.ended is None or lasts):
            return known, False
        _refuse(sql, registry, account.number, about)
        sql.execute(
            "INSERT INTO jobs (id, account, kind, about, at) VALUES (?, ?, ?, ?, ?)",
            (
                secrets.token_urlsafe(16),
                account.number,
                kind_of(about),
                _text(about),
                registry.now(),
            ),
        )
        made = _last(sql, account.number, about)
        assert made is not None
        return made, True


def check_challenge(
    names: Sequence[str], field: Container[str], players: int, own: Container[str]
) -> None:
    """Raise `Refusal` if some bots are no challenge at a table of `players`.

    `field` are the bots that play in the league, `own` those of the account that asks.
    """
    for name in names:
        if name not in field:
            raise Refusal(f"no bot called {name} plays now")
    if len({*names}) != len(names) or not (
        len(names) == players or (len(names), players) == (2, 3)
    ):
        raise Refusal(f"a challenge is for {players} different bots")
    if not any(name in own for name in names):
        raise Refusal("one of the bots must be yours")


def find_job(registry: Registry, account: Account, id: str) -> SiteJob:
    """Return a job of an account with its steps. Raises `Missing`, also for those of others."""
    with registry.reading() as sql:
        query = f"{_WITH_STEPS} WHERE id = ? AND account = ?"
        row = sql.execute(query, (id, account.number)).fetchone()
        if row is None:
            raise Missing("there is no such job")
        return _job(sql, row)


def jobs(registry: Registry, account: Account, most: int = 50) -> list[SiteJob]:
    """Return the last jobs of an account but its logs, without steps, the newest first."""
    with registry.reading() as sql:
        query = f"{_JOB} WHERE account = ? AND kind != 'logs' ORDER BY number DESC LIMIT ?"
        return [_job(sql, row) for row in sql.execute(query, (account.number, most)).fetchall()]


def log_of(registry: Registry, account: Account, id: str) -> bytes:
    """Return the packed logs that a job was answered with. Raises `Missing`."""
    rows = registry.read("SELECT log FROM jobs WHERE id = ? AND account = ?", (id, account.number))
    if not rows or rows[0][0] is None:
        raise Missing("there is no such log")
    return bytes(rows[0][0])


def queue(registry: Registry) -> int:
    """Return the number of uploads that wait or are being checked."""
    query = "SELECT count(*) FROM jobs WHERE ended IS NULL AND kind = 'upload'"
    [(count,)] = registry.read(query)
    return int(count)


def spool_file(account: Account, digest: str) -> str:
    """Return the name of an upload's archive in the spool."""
    return f"{account.number}-{digest}"


def spooled(registry: Registry, kept_s: float = 3600.0) -> set[str]:
    """Return the files of the spool that are needed: of uploads not ended `kept_s` seconds ago."""
    query = "SELECT account, about FROM jobs WHERE kind = 'upload' AND (ended IS NULL OR ended > ?)"
    found = set()
    for owner, text in registry.read(query, (registry.now() - kept_s,)):
        with suppress(*_GARBAGE):
            found.add(f"{owner}-{msgspec.json.decode(text, type=Archive).digest}")
    return found


def forget(registry: Registry, ended_s: float, most: int = 2000) -> None:
    """Drop requests that ended `ended_s` seconds ago, but no challenges of the last 24 hours."""
    now = registry.now()
    with registry.writing() as sql:
        sql.execute(
            f"DELETE FROM jobs WHERE number IN (SELECT number FROM jobs WHERE {_IS_REQUEST}"
            " AND ended <= ? AND (kind != 'challenge' OR at <= ?) ORDER BY ended LIMIT ?)",
            (now - ended_s, now - max(ended_s, DAY_S), most),
        )


_JOB: Final = """
SELECT id, number, account, about, iif(state = 'checked', 'taken', state), at, ended,
iif(ended IS NULL, (SELECT count(*) FROM jobs AS other WHERE other.ended IS NULL
    AND other.kind = jobs.kind AND other.number <= jobs.number), NULL),
answer, result, name, '[]' FROM jobs"""
_WITH_STEPS: Final = _JOB.replace("'[]'", "steps")
_IS_REQUEST: Final = f"kind IN {tuple(map(kind_of, get_args(SiteRequest)))}"


def _job(sql: sqlite3.Connection, row: Sequence[Any]) -> SiteJob:
    id, number, owner, about, state, at, ended, place, answer, result, name, steps = row
    return SiteJob(
        id,
        number,
        account_of_number(sql, owner),
        msgspec.json.decode(about, type=About),
        state,
        at,
        ended,
        place,
        answer,
        msgspec.json.decode(result, type=Challenged | None),
        name,
        msgspec.json.decode(steps, type=tuple[CheckStep, ...]),
    )


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


# Return the last job of an account about the same, or None.
def _last(sql: sqlite3.Connection, account: int, about: About) -> SiteJob | None:
    query = f"{_WITH_STEPS} WHERE account = ? AND about = ? ORDER BY number DESC LIMIT 1"
    row = sql.execute(query, (account, _text(about))).fetchone()
    return None if row is None else _job(sql, row)


def _refuse(sql: sqlite3.Connection, registry: Registry, owner: int, about: About) -> None:
    if isinstance(about, Archive):
        if (why := pauses_in(sql, "part").get(UPLOADS)) is not None:
            raise Busy(f"uploads are paused{why and f': {why}'}", "try again later", wait_s=600)
        query = "SELECT 1 FROM jobs WHERE account = ? AND kind = 'upload' AND ended IS NULL"
        if sql.execute(query, (owner,)).fetchone() is not None:
            what = "one of your uploads is still being checked"
            raise OverQuota(what, "wait until it has ended", CHECK_S)
        refuse_if_none(sql, registry, owner, "uploads", "build_minutes")
        return
    query = "SELECT count(*) FROM jobs WHERE account = ? AND ended IS NULL"
    (waiting,) = sql.execute(f"{query} AND kind != 'upload'", (owner,)).fetchone()
    if waiting >= MOST_OF_ONE:
        raise OverQuota(f"{MOST_OF_ONE} of your requests wait already", "wait for them", 10)
    if isinstance(about, ChangeBot):
        query = "SELECT 1 FROM bots WHERE name = ? AND account = ?"
        if sql.execute(query, (about.bot, owner)).fetchone() is None:
            raise Missing("there is no such bot of yours")
    if isinstance(about, Challenge):
        refuse_if_none(sql, registry, owner, "challenges")


# --- doing them ---

# The kinds of jobs that are not taken while a part of the site is paused.
_PAUSED_WITH: Final = {"upload": UPLOADS, "challenge": DRAWING_ORDERS}

# The number of challenges that an account had asked for in the last 24 hours before this one.
_TURN: Final = """
(SELECT count(*) FROM jobs AS sooner WHERE sooner.account = jobs.account
 AND sooner.kind = jobs.kind AND sooner.at > ? AND sooner.number < jobs.number)
"""

_NEXT: Final = f"""
{_JOB} WHERE state IN ('waiting', 'taken') AND kind IN ({{kinds}})
ORDER BY CASE kind WHEN 'challenge' THEN {_TURN} ELSE 0 END, number LIMIT 1
"""


def take(registry: Registry, kinds: Sequence[type[About]]) -> SiteJob | None:
    """Take the job of some kinds that has waited longest; None if there is none.

    Only one process takes jobs of a kind. Challenges take long, so accounts take turns with them.
    """
    job = None
    with registry.reading() as sql:
        stopped = pauses_in(sql, "part")
        tags = [tag for tag in map(kind_of, kinds) if _PAUSED_WITH.get(tag) not in stopped]
        query = _NEXT.format(kinds=", ".join("?" * len(tags)))
        row = sql.execute(query, (*tags, registry.now() - DAY_S)).fetchone()
        if row is None:
            return None
        with suppress(*_GARBAGE):
            job = _job(sql, row)
    if job is None or kind_of(job.about) not in tags:  # as only a compromised web process writes
        with registry.writing() as sql:
            _end(sql, registry.now(), row[1], "failed", "this cannot be asked")
        return take(registry, kinds)
    _set_state(registry, job, "taken")
    return job


def take_back(registry: Registry, kinds: Sequence[type[About]]) -> list[int]:
    """Return the numbers of jobs that a dead process had taken; they wait again.

    Those that were begun too often have failed. For a process that starts.
    """
    now, tags = registry.now(), [*map(kind_of, kinds)]
    with registry.writing() as sql:
        rows = sql.execute(
            "UPDATE jobs SET state = 'waiting', entering = NULL, tries = tries + 1 WHERE"
            f" state = 'taken' AND kind IN ({', '.join('?' * len(tags))})"
            " RETURNING number, kind, tries",
            tags,
        ).fetchall()
        for number, kind, tries in rows:
            if tries >= MOST_TRIES:
                why = f"the site itself failed {MOST_TRIES} times over it; tell the organiser"
                _end(sql, now, number, "failed", why)
                note(sql, now, SITE, "gave up", f"{kind} {number}")
    return sorted(number for number, _, _ in rows)


def give_back(registry: Registry, job: SiteJob) -> None:
    """Leave a taken job waiting, as if it had never been taken."""
    _set_state(registry, job, "waiting")


def finish(
    registry: Registry,
    job: SiteJob,
    state: Literal["done", "failed"],
    answer: str = "",
    log: bytes | None = None,
    result: Challenged | None = None,
) -> bool:
    """End a job; return whether it had not ended before, as when its account is revoked."""
    with registry.writing() as sql:
        if log is not None or result is not None:
            change = "UPDATE jobs SET log = ?, result = ? WHERE number = ? AND ended IS NULL"
            sql.execute(change, (log, _text(result), job.number))
        if log is not None:  # who fetches them has them before asking for more
            drop = (
                "UPDATE jobs SET log = NULL WHERE account = ? AND kind = 'logs' AND log IS NOT NULL"
                " AND number NOT IN (SELECT number FROM jobs WHERE account = ? AND kind = 'logs'"
                " AND log IS NOT NULL ORDER BY number DESC LIMIT ?)"
            )
            sql.execute(drop, (job.owner.number, job.owner.number, MOST_KEPT_LOGS))
        return _end(sql, registry.now(), job.number, state, answer)


def _end(
    sql: sqlite3.Connection, now: float, number: int, state: str, answer: str, name: str = ""
) -> bool:
    done = sql.execute(
        "UPDATE jobs SET state = ?, answer = ?, name = ?, ended = ?, entering = NULL"
        " WHERE number = ? AND ended IS NULL",
        (state, answer[:1000], name, now, number),
    )
    return bool(done.rowcount)


def add_step(registry: Registry, job: SiteJob, step: CheckStep) -> None:
    """Add a step to an upload, with no more text than people read; of output the end is kept."""
    short = msgspec.structs.replace(
        step,
        name=step.name[:200],
        finding=step.finding[:LONGEST_TEXT],
        show=tuple(line[:_LINE] for line in step.show[-_LINES:]),
        stderr=step.stderr[-LONGEST_TEXT:],
    )
    with registry.writing() as sql:
        sql.execute(
            "UPDATE jobs SET steps = json_insert(steps, '$[#]', json(?))"
            " WHERE number = ? AND json_array_length(steps) < ?",
            (_text(short), job.number, MOST_STEPS),
        )


# Let a job be taken or wait, without what earlier tries have noted.
def _set_state(registry: Registry, job: SiteJob, state: str) -> None:
    with registry.writing() as sql:
        sql.execute(
            "UPDATE jobs SET state = ?, entering = NULL, steps = '[]'"
            " WHERE number = ? AND ended IS NULL",
            (state, job.number),
        )


# --- uploads that are checked and enter ---

# The answer for a bot that will play in the next season.
LATE: Final = "it came after the deadline and waits for the next season"


class Passed(msgspec.Struct, frozen=True):
    """What a check leaves to the process that enters bots: a manifest, the hash of the content."""

    bot: Bot
    digest: str


def build_seconds(registry: Registry, job: SiteJob) -> float:
    """Return the seconds that the bot of an upload may build."""
    left = quotas(registry, job.owner)["build_minutes"].left
    return 60.0 * min(registry.quotas.build_minutes, left)


def built(registry: Registry, job: SiteJob, seconds: float) -> None:
    """Charge the account with the seconds of a build."""
    with registry.writing() as sql:
        charge = "UPDATE jobs SET build_s = build_s + ? WHERE number = ?"
        sql.execute(charge, (seconds, job.number))


def may_enter(registry: Registry, job: SiteJob, called: str) -> None:
    """Keep a place in the field for the bot of an upload, under its manifest's name.

    Raises `OverQuota` if the account has as many other bots there as it may.
    """
    with registry.writing() as sql:
        query = f"SELECT 1 FROM bots WHERE account = ? AND called = ? AND {IN_FIELD}"
        if sql.execute(query, (job.owner.number, called)).fetchone() is None:
            refuse_if_none(sql, registry, job.owner.number, "bots")
        keep = "UPDATE jobs SET entering = ? WHERE number = ? AND ended IS NULL"
        sql.execute(keep, (called, job.number))


def passed(registry: Registry, job: SiteJob, bot: Bot, digest: str) -> None:
    """Leave an upload that passed its check to the process that enters it."""
    with registry.writing() as sql:
        change = "UPDATE jobs SET state = 'checked', passed = ? WHERE number = ?"
        sql.execute(f"{change} AND state = 'taken'", (_text(Passed(bot, digest)), job.number))


def next_passed(registry: Registry) -> tuple[SiteJob, Passed] | None:
    """Return the upload that has waited longest to enter; None if there is none."""
    with registry.reading() as sql:
        query = "SELECT number, passed FROM jobs WHERE state = 'checked' ORDER BY number LIMIT 1"
        row = sql.execute(query).fetchone()
        if row is None:
            return None
        with suppress(*_GARBAGE):
            job = _job(sql, sql.execute(f"{_JOB} WHERE number = ?", row[:1]).fetchone())
            if isinstance(job.about, Archive):
                return job, msgspec.json.decode(row[1], type=Passed)
    with registry.writing() as sql:
        _end(sql, registry.now(), row[0], "failed", "this cannot be asked")
    return next_passed(registry)


def entered(registry: Registry, job: SiteJob, name: str, called: str, late: bool = False) -> bool:
    """End an upload whose bot plays under a name; return whether it had not ended before.

    Its manifest calls it `called`. An older version of it leaves the field, unless it is `late` and
    waits for the next season.
    """
    now, owner = registry.now(), job.owner
    state = "next_season" if late else "playing"
    old = ("next_season", "next_season") if late else ("playing", "benched")
    with registry.writing() as sql:
        if not _end(sql, now, job.number, "done", LATE if late else "", name=name):
            return False
        sql.execute(
            "UPDATE bots SET state = 'replaced', why = ?, at = ?"
            " WHERE account = ? AND called = ? AND name != ? AND state IN (?, ?)",
            (f"by {name}", now, owner.number, called, name, *old),
        )
        sql.execute(
            "INSERT INTO bots VALUES (?, ?, ?, ?, '', ?) ON CONFLICT (name) DO UPDATE"
            " SET account = excluded.account, called = excluded.called,"
            " state = excluded.state, why = '', at = excluded.at",
            (name, owner.number, called, state, now),
        )
        note(sql, now, owner.name, "entered a bot", name)
    return True
