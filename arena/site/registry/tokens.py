"""Tokens for programs and sessions for browsers, to know accounts by.

None is stored in clear. They are looked up by hash, so that the time this takes does not tell how
close a guess is.
"""

import sqlite3
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

from arena.base.refusals import Busy, Missing, OverQuota
from arena.site.registry.accounts import Account, account_of_number, refuse_if_revoked
from arena.site.registry.audit import note
from arena.site.registry.file import Registry, hash_of, new_secret
from arena.site.registry.quotas import DAY_S

Scope = Literal["read", "submit"]
"""The scopes of a token: reading what is the account's own; sending bots, withdrawing, challenging.
"""

PREFIX: Final = "zole_"
"""The beginning of every token, so that scanners find one that was published by mistake."""

MOST_TOKENS: Final = 20
MOST_SESSIONS: Final = 20
SESSION_S: Final = 30 * 86400.0
CODE_S: Final = 600.0
"""Seconds until a one-time link to a session is too old."""


class Token(msgspec.Struct, frozen=True):
    """A token as its owner sees it; `used` is the day of its last use, in UTC."""

    number: int
    scopes: tuple[str, ...]
    label: str
    at: float
    used: str | None
    revoked: float | None


def account_of(registry: Registry, token: str, scope: Scope) -> Account | None:
    """Return the account of a token with this scope; None for unknown and revoked ones alike."""
    now, hashed = registry.now(), hash_of(token)
    with registry.reading() as sql:
        row = sql.execute(
            "SELECT tokens.number, tokens.account, scopes, used FROM tokens"
            " JOIN accounts ON accounts.number = tokens.account"
            " WHERE hash = ? AND tokens.revoked IS NULL AND accounts.revoked IS NULL",
            (hashed,),
        ).fetchone()
        if row is None or scope not in row[2].split():
            return None
        found = account_of_number(sql, row[1])
    today = datetime.fromtimestamp(now, UTC).date().isoformat()
    if row[3] != today:
        with suppress(Busy), registry.writing() as sql:
            sql.execute("UPDATE tokens SET used = ? WHERE number = ?", (today, row[0]))
    return found


def new_token(
    registry: Registry, account: Account, scopes: Collection[Scope], label: str = ""
) -> str:
    """Make a token, which is told only this once. Raises `OverQuota` if there are many."""
    now = registry.now()
    with registry.writing() as sql:
        refuse_if_revoked(sql, account.number)
        query = "SELECT count(*) FROM tokens WHERE account = ? AND (revoked IS NULL OR at > ?)"
        (count,) = sql.execute(query, (account.number, now - DAY_S)).fetchone()
        if count >= MOST_TOKENS:
            what = f"there are {count} tokens already, counting revoked ones of the last day"
            raise OverQuota(what, "revoke one of them, or wait a day")
        note(sql, now, account.name, "made a token", label)
        return add_token(sql, account.number, scopes, label, now)


def tokens(registry: Registry, account: Account) -> list[Token]:
    """Return the tokens of an account that are not revoked, the newest first."""
    with registry.reading() as sql:
        rows = sql.execute(
            "SELECT number, scopes, label, at, used, revoked FROM tokens"
            " WHERE account = ? AND revoked IS NULL ORDER BY number DESC",
            (account.number,),
        ).fetchall()
    return [Token(number, tuple(scopes.split()), *rest) for number, scopes, *rest in rows]


def revoke_token(registry: Registry, account: Account, number: int, cookie: str = "") -> None:
    """End a token of an account, and all its sessions but the one of this cookie.

    Whoever had the token may have begun a session with it. Raises `Missing`.
    """
    now = registry.now()
    with registry.writing() as sql:
        done = sql.execute(
            "UPDATE tokens SET revoked = ? WHERE number = ? AND account = ? AND revoked IS NULL",
            (now, number, account.number),
        )
        if not done.rowcount:
            raise Missing("there is no such token")
        ended = "DELETE FROM sessions WHERE account = ? AND hash != ?"
        sql.execute(ended, (account.number, hash_of(cookie)))
        note(sql, now, account.name, "revoked a token", str(number))


def new_code(registry: Registry, account: Account) -> str:
    """Return the code of a link that gives a browser a session, once and soon."""
    now = registry.now()
    with registry.writing() as sql:
        refuse_if_revoked(sql, account.number)
        return _add_session(sql, account.number, now, now + CODE_S, code=True)


def session(registry: Registry, code: str) -> str:
    """Take a code; return the cookie of a session. Raises `Missing` if it is used up or too old."""
    now = registry.now()
    with registry.writing() as sql:
        row = sql.execute(
            "DELETE FROM sessions WHERE hash = ? AND code AND until > ? RETURNING account",
            (hash_of(code), now),
        ).fetchone()
        if row is None:
            raise _used_up()
        return add_session(sql, row[0], now)


def account_of_code(registry: Registry, code: str) -> Account:
    """Return the account whose session a code begins, which stays good. Raises `Missing`."""
    found = _account_of(registry, code, is_code=True)
    if found is None:
        raise _used_up()
    return found


def account_of_session(registry: Registry, cookie: str) -> Account | None:
    """Return the account of a session; None for unknown ones and those that have ended."""
    return _account_of(registry, cookie, is_code=False)


def _account_of(registry: Registry, secret: str, is_code: bool) -> Account | None:
    with registry.reading() as sql:
        row = sql.execute(
            "SELECT account FROM sessions JOIN accounts ON number = account"
            " WHERE hash = ? AND code = ? AND until > ? AND revoked IS NULL",
            (hash_of(secret), is_code, registry.now()),
        ).fetchone()
        return None if row is None else account_of_number(sql, row[0])


def _used_up() -> Missing:
    return Missing("this link is not valid, or not any more", "arena login makes another")


def end_session(registry: Registry, cookie: str) -> None:
    """End a session, if there is one."""
    with registry.writing() as sql:
        sql.execute("DELETE FROM sessions WHERE hash = ? AND NOT code", (hash_of(cookie),))


def end_all_sessions(registry: Registry) -> None:
    """End every session and every code for one: in a copy they would live on though ended here."""
    with registry.writing() as sql:
        sql.execute("DELETE FROM sessions")


def add_token(
    sql: sqlite3.Connection, account: int, scopes: Collection[Scope], label: str, now: float
) -> str:
    """Make a token in a transaction under way, and return it."""
    token = new_secret(PREFIX)
    sql.execute(
        "INSERT INTO tokens (account, hash, scopes, label, at) VALUES (?, ?, ?, ?, ?)",
        (account, hash_of(token), " ".join(sorted(scopes)), label[:80], now),
    )
    return token


def add_session(sql: sqlite3.Connection, account: int, now: float) -> str:
    """Begin a session in a transaction under way; return its cookie."""
    return _add_session(sql, account, now, now + SESSION_S, code=False)


def _add_session(
    sql: sqlite3.Connection, account: int, now: float, until: float, code: bool
) -> str:
    """Begin a session, or make the code for one. Too many of an account end the oldest."""
    secret = new_secret()
    sql.execute("DELETE FROM sessions WHERE until <= ?", (now,))
    sql.execute(
        "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions"
        " WHERE account = ? AND code = ? ORDER BY at DESC, hash LIMIT -1 OFFSET ?)",
        (account, code, MOST_SESSIONS - 1),
    )
    sql.execute(
        "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", (hash_of(secret), account, now, until, code)
    )
    return secret
