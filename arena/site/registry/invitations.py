"""Invitations: links that make an account, or let its owner in again, each once."""

import sqlite3
from typing import Final

import msgspec

from arena.base.refusals import Conflict, Missing, Refusal
from arena.bots.names import NAME_RULE, mistake_in_name, same_person
from arena.site.registry.accounts import Account, account_of_number, find_account
from arena.site.registry.audit import ORGANISER, note
from arena.site.registry.file import Registry, hash_of, new_secret
from arena.site.registry.tokens import add_session, add_token

INVITED_S: Final = 14 * 86400.0
"""Seconds until an invitation is too old."""

RESERVED: Final = frozenset(
    map(same_person, ("house", "arena", "organiser", "site", "nobody", ORGANISER))
)
"""Names that no account may have; `house` is the author of the bots that come with the arena."""


class Invitation(msgspec.Struct, frozen=True):
    """An invitation that can still be accepted. `known` says that its account exists already."""

    name: str
    inviter: str
    until: float
    known: bool


class Accepted(msgspec.Struct, frozen=True):
    """An accepted invitation. The token and the cookie of a session are told only this once."""

    account: Account
    token: str
    session: str

    def __repr__(self) -> str:
        return f"Accepted({self.account!r})"  # whatever prints it, the secrets stay out


def invite(registry: Registry, name: str, by: str = ORGANISER) -> str:
    """Invite somebody; return the code of the link, which is told only this once.

    An earlier invitation of the name ends. For an account that exists, only the organiser may make
    one: for an owner who lost the token, or was shut out and may come in again. Raises `Refusal`.
    """
    if wrong := mistake_in_name(name):
        raise Refusal(wrong, NAME_RULE)
    likeness = same_person(name)
    if likeness in RESERVED:
        raise Refusal(f"no account may be called {name}", "choose another name")
    code, now = new_secret(), registry.now()
    with registry.writing() as sql:
        known = sql.execute(
            "SELECT number, name FROM accounts WHERE likeness = ?", (likeness,)
        ).fetchone()
        if known is not None and (known[1] != name or by != ORGANISER):
            like = "" if known[1] == name else f", which looks like {name}"
            raise Conflict(f"there is an account {known[1]}{like}", "choose another name")
        if by != ORGANISER:
            find_account(sql, by)
        sql.execute("DELETE FROM invitations WHERE likeness = ? OR until <= ?", (likeness, now))
        sql.execute(
            "INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?)",
            (hash_of(code), name, likeness, known and known[0], by, now, now + INVITED_S),
        )
        note(sql, now, by, "invited", name)
    return code


def invitation(registry: Registry, code: str) -> Invitation:
    """Return the invitation of a code. Raises `Missing` if it is unknown, taken or too old."""
    with registry.reading() as sql:
        return _find(sql, code, registry.now())[0]


def invitations(registry: Registry) -> list[Invitation]:
    """Return the invitations that can be accepted, the newest last."""
    with registry.reading() as sql:
        rows = sql.execute(
            "SELECT name, inviter, until, account IS NOT NULL FROM invitations"
            " WHERE until > ? ORDER BY at",
            (registry.now(),),
        ).fetchall()
    return [Invitation(name, by, until, bool(known)) for name, by, until, known in rows]


def accept(registry: Registry, code: str) -> Accepted:
    """Accept an invitation; return its account, a token and a session. Raises `Missing`."""
    now = registry.now()
    with registry.writing() as sql:
        found, number = _find(sql, code, now)
        sql.execute("DELETE FROM invitations WHERE hash = ?", (hash_of(code),))
        if number is None:
            made = sql.execute(
                "INSERT INTO accounts (name, likeness, inviter, at) VALUES (?, ?, ?, ?)",
                (found.name, same_person(found.name), found.inviter, now),
            )
            number = made.lastrowid
            assert number is not None
        else:
            sql.execute("UPDATE accounts SET revoked = NULL, why = '' WHERE number = ?", (number,))
        token = add_token(sql, number, ("read", "submit"), "", now)
        cookie = add_session(sql, number, now)
        note(sql, now, found.name, "came in", f"invited by {found.inviter}")
        return Accepted(account_of_number(sql, number), token, cookie)


def _find(sql: sqlite3.Connection, code: str, now: float) -> tuple[Invitation, int | None]:
    """Return an invitation, and the number of its account if that exists already."""
    row = sql.execute(
        "SELECT name, inviter, until, account FROM invitations WHERE hash = ? AND until > ?",
        (hash_of(code), now),
    ).fetchone()
    if row is None:
        raise Missing("this link is not valid, or not any more", "ask for another")
    name, inviter, until, number = row
    return Invitation(name, inviter, until, number is not None), number
