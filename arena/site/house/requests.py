"""Requests: what somebody asked of the processes that may open the record, and what came of it.

The clerk answers those for files and about bots, the player plays the challenges. The same request
is asked once, however many wait for it; it has a lease as uploads have.
"""

import secrets
import sqlite3
from collections.abc import Collection
from typing import Final, Literal

import msgspec

from arena.site.house.accounts import Account, refuse_if_revoked
from arena.site.house.file import House, hash_of
from arena.site.house.quotas import DAY_S, left_of, refuse_if_none
from arena.site.refusals import Busy, Conflict, Missing, OverQuota

LEASE_S: Final = 60.0
MOST_TRIES: Final = 3
MOST_OF_ONE: Final = 20
"""Requests of one account that may wait at a time."""

MOST_OF_NOBODY: Final = 100
"""Requests without an account: so many wait at most, and leave room for those of authors."""

MOST_OF_ALL: Final = 500
ANEW_S: Final = 30.0
"""After so many seconds a request that failed may be asked anew."""


class Replay(msgspec.Struct, frozen=True, tag="replay"):
    """The replay of a match as all may see it."""

    match: int


View = Literal["seat", "log", "stderr", "faults"]
"""What an author can ask of a match of an own bot."""


class OwnView(msgspec.Struct, frozen=True, tag="own"):
    """What an author's own bot saw of a match, wrote to stderr, or did wrong.

    `log` is the match as it can be replayed, with the words of that bot alone.
    """

    match: int
    bot: str
    what: View


class Withdraw(msgspec.Struct, frozen=True, tag="withdraw"):
    """Take a bot out of the field."""

    bot: str


class Resume(msgspec.Struct, frozen=True, tag="resume"):
    """Let a bot play on that was benched because it failed."""

    bot: str


class Challenge(msgspec.Struct, frozen=True, tag="challenge"):
    """Play these bots at one table, on deals that count for nobody."""

    bots: tuple[str, ...]


About = Replay | OwnView | Withdraw | Resume | Challenge

CLERK: Final = ("replay", "own", "withdraw", "resume")
PLAYER: Final = ("challenge",)
"""The kinds of requests that each of them takes."""


class HouseRequest(msgspec.Struct, frozen=True):
    """A request. `file` lies among the files that were cut; `answer` is a sentence, or JSON."""

    id: str
    number: int
    about: About
    at: float
    state: Literal["waiting", "answered", "failed"]
    file: str | None
    answer: str
    ended: float | None


class TakenRequest(msgspec.Struct, frozen=True):
    """A request to be answered by whoever holds the lease; nobody's account where all may ask."""

    id: str
    number: int
    account: int | None
    about: About
    lease: str


def request(
    house: House, account: Account | None, about: About, key: str | None = None
) -> tuple[HouseRequest, bool]:
    """Ask for something; return the request, and whether it is a new one. Raises `Refusal`.

    One for a file that was asked before is that one, with its answer; another one is the same if
    it is asked by the same `key`, or while the first still waits.
    """
    now, owner = house.now(), None if account is None else account.number
    text = msgspec.json.encode(about).decode()
    with house.writing() as sql:
        hashed = hash_of(f"{owner}\n{text}\n{key or ''}")
        if key is None and not isinstance(about, Replay | OwnView):
            hashed = _waiting(sql, owner, text) or hash_of(secrets.token_urlsafe(32))
        row = sql.execute(f"SELECT {_ROW} FROM requests WHERE key = ?", (hashed,)).fetchone()
        if row is not None:
            known = _request(row)
            if known.state != "failed" or now < (known.ended or now) + ANEW_S:
                return known, False
            sql.execute("DELETE FROM requests WHERE number = ?", (known.number,))
        _refuse(sql, house, owner, about)
        sql.execute(
            "INSERT INTO requests (id, account, kind, about, key, at, state)"
            " VALUES (?, ?, ?, ?, ?, ?, 'waiting')",
            (secrets.token_urlsafe(16), owner, _kind(about), text, hashed, now),
        )
        row = sql.execute(f"SELECT {_ROW} FROM requests WHERE key = ?", (hashed,)).fetchone()
        return _request(row), True


def find_request(house: House, account: Account | None, id: str) -> HouseRequest:
    """A request of an account, or of nobody's. Raises `Missing`, also for those of others."""
    with house.reading() as sql:
        row = sql.execute(
            f"SELECT {_ROW} FROM requests WHERE id = ? AND (account IS NULL OR account = ?)",
            (id, account and account.number),
        ).fetchone()
    if row is None:
        raise Missing("there is no such request")
    return _request(row)


def requests(
    house: House, account: Account, before: int | None = None, most: int = 50
) -> list[HouseRequest]:
    """An account's requests, the newest first, those before a number where it is given."""
    with house.reading() as sql:
        rows = sql.execute(
            f"SELECT {_ROW} FROM requests WHERE account = :account"
            " AND (:before IS NULL OR number < :before) ORDER BY number DESC LIMIT :most",
            {"account": account.number, "before": before, "most": most},
        ).fetchall()
    return list(map(_request, rows))


def take_request(
    house: House, kinds: Collection[str], lease_s: float = LEASE_S
) -> TakenRequest | None:
    """Take the request of some kinds that waits longest; None where there is none.

    Of challenges, which take long, each account has one in turn.
    """
    now = house.now()
    marks = ", ".join("?" for _ in kinds)
    with house.writing() as sql:
        sql.execute(
            "UPDATE requests SET state = 'failed', ended = :now, lease = NULL,"
            " answer = 'the site itself failed over it'"
            " WHERE state = 'waiting' AND lease IS NOT NULL AND until <= :now AND tries >= :most",
            {"now": now, "most": MOST_TRIES},
        )
        query = (
            "SELECT id, number, account, about FROM requests WHERE state = 'waiting'"
            f" AND (lease IS NULL OR until <= ?) AND kind IN ({marks})"
            f" ORDER BY CASE kind WHEN 'challenge' THEN {_TURN} ELSE 0 END, number LIMIT 1"
        )
        values = (now, *kinds, now - DAY_S)
        while (row := sql.execute(query, values).fetchone()) is not None:
            id, number, owner, text = row
            try:
                about = msgspec.json.decode(text, type=About)
            except msgspec.MsgspecError:  # no web process of ours has written it
                change = "state = 'failed', answer = 'this cannot be asked', ended = ?"
                sql.execute(f"UPDATE requests SET {change} WHERE number = ?", (now, number))
                continue
            lease = secrets.token_urlsafe(16)
            sql.execute(
                "UPDATE requests SET lease = ?, until = ?, tries = tries + 1 WHERE number = ?",
                (lease, now + lease_s, number),
            )
            return TakenRequest(id, number, owner, about, lease)
        return None


def take_back_requests(house: House, kinds: Collection[str]) -> None:
    """Let requests of some kinds be taken anew at once: whoever had them is known to be dead."""
    marks = ", ".join("?" for _ in kinds)
    with house.writing() as sql:
        query = f"state = 'waiting' AND lease IS NOT NULL AND kind IN ({marks})"
        sql.execute(f"UPDATE requests SET until = 0 WHERE {query}", tuple(kinds))


def keep_request(house: House, taken: TakenRequest, lease_s: float = LEASE_S) -> None:
    """Keep a taken request while it takes long. Raises `Conflict` where another has it by now."""
    with house.writing() as sql:
        _change(sql, taken, "until = ?", house.now() + lease_s)


def answer(house: House, taken: TakenRequest, file: str | None = None, text: str = "") -> None:
    """Answer a taken request. Raises `Conflict` where another has it by now."""
    with house.writing() as sql:
        change = "state = 'answered', lease = NULL, file = ?, answer = ?, ended = ?"
        _change(sql, taken, change, file, text, house.now())


def decline(house: House, taken: TakenRequest, why: str) -> None:
    """Say why a taken request has no answer. Raises `Conflict` where another has it by now."""
    with house.writing() as sql:
        change = "state = 'failed', lease = NULL, answer = ?, ended = ?"
        _change(sql, taken, change, why[:1000], house.now())


def forget_requests(house: House, ended_s: float, most: int = 500) -> None:
    """Drop requests that ended so many seconds ago, but challenges of the last 24 hours."""
    now = house.now()
    with house.writing() as sql:
        sql.execute(
            "DELETE FROM requests WHERE number IN (SELECT number FROM requests"
            " WHERE ended <= ? AND (kind != 'challenge' OR at <= ?) ORDER BY ended LIMIT ?)",
            (now - ended_s, now - max(ended_s, 86400.0), most),
        )


def forget_cuts(house: House) -> None:
    """Drop the requests whose answers are files, where these are gone."""
    with house.writing() as sql:
        sql.execute("DELETE FROM requests WHERE file IS NOT NULL")


def cut_files(house: House) -> set[str]:
    """The files that requests still name; whatever else lies among them can go."""
    with house.reading() as sql:
        rows = sql.execute("SELECT file FROM requests WHERE file IS NOT NULL").fetchall()
    return {file for (file,) in rows}


_TURN: Final = """
(SELECT count(*) FROM requests AS sooner WHERE sooner.account = requests.account
 AND sooner.kind = requests.kind AND sooner.at > ? AND sooner.number < requests.number)
"""
"""How many challenges an account had asked for in the last 24 hours before this one."""

_ROW: Final = "id, number, about, at, state, file, answer, ended"


def _request(row: tuple[str, int, str, float, str, str | None, str, float | None]) -> HouseRequest:
    id, number, about, *rest = row
    return HouseRequest(id, number, msgspec.json.decode(about, type=About), *rest)  # type: ignore[arg-type]


def _kind(about: About) -> str:
    return str(about.__struct_config__.tag)


def _waiting(sql: sqlite3.Connection, owner: int | None, text: str) -> bytes | None:
    """The key of the same request, if it still waits."""
    row = sql.execute(
        "SELECT key FROM requests WHERE account IS ? AND about = ? AND state = 'waiting'",
        (owner, text),
    ).fetchone()
    return None if row is None else bytes(row[0])


def _refuse(sql: sqlite3.Connection, house: House, owner: int | None, about: About) -> None:
    """Raise `Refusal` where too much waits already, or the bot is not the account's."""
    query = "SELECT count(*), total(account IS ?) FROM requests WHERE state = 'waiting'"
    count, own = sql.execute(query, (owner,)).fetchone()
    if owner is not None and own >= MOST_OF_ONE:
        raise OverQuota(f"{MOST_OF_ONE} of your requests wait already", "wait for them", 10)
    if count >= MOST_OF_ALL or (owner is None and own >= MOST_OF_NOBODY):
        raise Busy("too many requests wait already", "try again", 30)
    if isinstance(about, OwnView | Withdraw | Resume):
        row = sql.execute("SELECT account FROM bots WHERE name = ?", (about.bot,)).fetchone()
        if row is None or owner is None or row[0] != owner:
            raise Missing("there is no such bot of yours")
    if isinstance(about, Challenge):
        if owner is None:
            raise Missing("there is no such bot of yours")
        refuse_if_revoked(sql, owner)
        left = left_of(sql, house, owner).challenges
        refuse_if_none(left, f"you may ask for {left.most} challenges in 24 hours")


def _change(sql: sqlite3.Connection, taken: TakenRequest, change: str, *values: object) -> None:
    done = sql.execute(
        f"UPDATE requests SET {change} WHERE number = ? AND lease = ?",
        (*values, taken.number, taken.lease),
    )
    if not done.rowcount:
        raise Conflict("somebody else has this request by now")
