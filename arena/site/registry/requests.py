"""Requests to the process that may open the record, and what came of them; announcements.

The same request is made once, however many wait for it.
"""

import secrets
import sqlite3
from collections.abc import Container, Sequence
from typing import Any, Final, Literal, get_args

import msgspec

from arena.base.harmless import harmless
from arena.base.refusals import Busy, Missing, OverQuota, Refusal
from arena.site.registry.accounts import DAY_S, Account, refuse_if_revoked
from arena.site.registry.file import ORGANISER, Registry, hash_of, note
from arena.site.registry.jobs import JobSeen, kind_of
from arena.site.registry.uploads import left_of, refuse_if_none

# The most requests of one account that may wait at a time.
MOST_OF_ONE: Final = 20

MOST_OF_ALL: Final = 500
# Seconds after which a request that failed may be made anew.
ANEW_S: Final = 30.0


class OwnLog(msgspec.Struct, frozen=True, tag="own"):
    """Asks for a match of own bots as it can be replayed, with the words of these bots alone."""

    match: int


class Withdraw(msgspec.Struct, frozen=True, tag="withdraw"):
    """Asks to take a bot out of the field."""

    bot: str


class Resume(msgspec.Struct, frozen=True, tag="resume"):
    """Asks to let a bot play on that was benched because it failed."""

    bot: str


class Challenge(msgspec.Struct, frozen=True, tag="challenge"):
    """Asks to play these bots at one table, on deals that count for nobody."""

    bots: tuple[str, ...]


About = OwnLog | Withdraw | Resume | Challenge

# The requests that are answered one after another; challenges are played beside them.
FILE_REQUESTS: Final[tuple[type[OwnLog | Withdraw | Resume], ...]] = (OwnLog, Withdraw, Resume)


class SiteRequest(JobSeen, frozen=True):
    """A request. `answer` is a sentence, or JSON; that to `OwnLog` has a log."""

    about: About
    state: Literal["waiting", "answered", "failed"]
    answer: str


def request(
    registry: Registry, account: Account, about: About, key: str | None = None
) -> tuple[SiteRequest, bool]:
    """Ask for something; return the request, and whether it is a new one. Raises `Refusal`.

    A log that was asked for before is the same request, with its answer. Any other request is the
    same if it is made with the same `key`, or while the first one still waits.
    """
    now, owner = registry.now(), account.number
    text = msgspec.json.encode(about).decode()
    with registry.writing() as sql:
        if key is None and not isinstance(about, OwnLog):
            same, hashed = "about = ? AND ended IS NULL", hash_of(secrets.token_urlsafe(32))
            values: tuple[int, object] = owner, text
        else:
            same, hashed = "key = ?", hash_of(f"{owner}\n{text}\n{key or ''}")
            values = owner, hashed
        query = f"SELECT {_ROW} FROM jobs WHERE account = ? AND {same}"
        if (row := sql.execute(query, values).fetchone()) is not None:
            known = _request(row)
            if known.state != "failed" or now < (known.ended or now) + ANEW_S:
                return known, False
            sql.execute("DELETE FROM jobs WHERE number = ?", (known.number,))
        _refuse(sql, registry, owner, about)
        row = sql.execute(
            "INSERT INTO jobs (id, account, kind, about, key, at) VALUES (?, ?, ?, ?, ?, ?)"
            f" RETURNING {_ROW}",
            (secrets.token_urlsafe(16), owner, kind_of(about), text, hashed, now),
        ).fetchone()
        return _request(row), True


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


def find_request(registry: Registry, account: Account, id: str) -> SiteRequest:
    """Return a request of an account. Raises `Missing`, also for those of others."""
    query = f"SELECT {_ROW} FROM jobs WHERE id = ? AND account = ? AND {_IS_REQUEST}"
    rows = registry.read(query, (id, account.number))
    if not rows:
        raise Missing("there is no such request")
    return _request(rows[0])


def requests(
    registry: Registry, account: Account, before: int | None = None, most: int = 50
) -> list[SiteRequest]:
    """Return an account's requests, or those before a number, the newest first."""
    rows = registry.read(
        f"SELECT {_ROW} FROM jobs WHERE account = :account AND {_IS_REQUEST}"
        " AND (:before IS NULL OR number < :before) ORDER BY number DESC LIMIT :most",
        {"account": account.number, "before": before, "most": most},
    )
    return list(map(_request, rows))


def forget_requests(registry: Registry, ended_s: float, most: int = 2000) -> None:
    """Drop requests that ended `ended_s` seconds ago, but no challenges of the last 24 hours."""
    now = registry.now()
    with registry.writing() as sql:
        sql.execute(
            f"DELETE FROM jobs WHERE number IN (SELECT number FROM jobs WHERE {_IS_REQUEST}"
            " AND ended <= ? AND (kind != 'challenge' OR at <= ?) ORDER BY ended LIMIT ?)",
            (now - ended_s, now - max(ended_s, DAY_S), most),
        )


def log_of(registry: Registry, account: Account, id: str) -> bytes | None:
    """Return the packed log that a request was answered with, if there is one."""
    rows = registry.read("SELECT log FROM jobs WHERE id = ? AND account = ?", (id, account.number))
    return rows[0][0] if rows else None


_ROW: Final = "id, number, at, ended, about, iif(ended IS NULL, 'waiting', state), answer"
_IS_REQUEST: Final = f"kind IN {tuple(map(kind_of, get_args(About)))}"


def _request(row: Sequence[Any]) -> SiteRequest:
    id, number, at, ended, about, *rest = row
    return SiteRequest(id, number, at, ended, msgspec.json.decode(about, type=About), *rest)


def _refuse(sql: sqlite3.Connection, registry: Registry, owner: int, about: About) -> None:
    query = "SELECT count(*), total(account = ?) FROM jobs WHERE ended IS NULL"
    count, own = sql.execute(f"{query} AND {_IS_REQUEST}", (owner,)).fetchone()
    if own >= MOST_OF_ONE:
        raise OverQuota(f"{MOST_OF_ONE} of your requests wait already", "wait for them", 10)
    if count >= MOST_OF_ALL:
        raise Busy("too many requests wait already", "try again", 30)
    if isinstance(about, Withdraw | Resume):
        row = sql.execute("SELECT account FROM bots WHERE name = ?", (about.bot,)).fetchone()
        if row is None or row[0] != owner:
            raise Missing("there is no such bot of yours")
    if isinstance(about, Challenge):
        refuse_if_revoked(sql, owner)
        left = left_of(sql, registry, owner).challenges
        refuse_if_none(left, f"you may ask for {left.most} challenges in 24 hours")


# --- announcements ---

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
    with registry.writing() as sql:
        row = sql.execute(
            "INSERT INTO announcements (at, title, text) VALUES (?, ?, ?) RETURNING *",
            (registry.now(), title, text),
        ).fetchone()
        made = Announcement(*row)
        note(sql, made.at, ORGANISER, "announced", f"{made.number}: {title}")
    return made


def announcements(registry: Registry, most: int = 100) -> tuple[Announcement, ...]:
    """Return the announcements, the newest first."""
    query = "SELECT number, at, title, text FROM announcements ORDER BY number DESC LIMIT ?"
    return tuple(Announcement(*row) for row in registry.read(query, (most,)))


def remove_announcement(registry: Registry, number: int) -> None:
    """Remove an announcement. Raises `Missing`."""
    with registry.writing() as sql:
        if not sql.execute("DELETE FROM announcements WHERE number = ?", (number,)).rowcount:
            raise Missing(f"there is no announcement {number}", "arena serve announce lists them")
        note(sql, registry.now(), ORGANISER, "took back announcement", f"{number}")
