"""Invitations: links that make an account, or let its owner in again; or some, for a class."""

import sqlite3
from typing import Any, Final

import msgspec

from arena.base.refusals import Conflict, Missing, Refusal
from arena.bots.names import NAME_RULE, mistake_in_name, name_key
from arena.site.registry.accounts import Account, account_of_number, team_name
from arena.site.registry.audit import ORGANISER, note
from arena.site.registry.file import Registry, hash_of, new_secret
from arena.site.registry.tokens import add_session, add_token

INVITED_S: Final = 14 * 86400.0
"""Seconds until an invitation is too old."""

RESERVED: Final = frozenset(
    map(name_key, ("house", "arena", "organiser", "site", "nobody", ORGANISER))
)
"""Names that no account may have; `house` is the author of the bots that come with the arena."""


class Invitation(msgspec.Struct, frozen=True):
    """An invitation that can still be accepted. `known` says that its account exists already.

    Without a `name` it is for whoever comes, as long as there are `places`. The account that it
    makes is of its `team`, if that is not "".
    """

    name: str
    until: float
    known: bool
    places: int = 1
    team: str = ""


class Accepted(msgspec.Struct, frozen=True):
    """An accepted invitation. The token and the cookie of a session are told only this once."""

    account: Account
    token: str
    session: str

    def __repr__(self) -> str:
        return f"Accepted({self.account!r})"  # whatever prints it, the secrets stay out


def invite(registry: Registry, name: str, team: str = "") -> str:
    """Invite somebody; return the code of the link, which is told only this once.

    An earlier invitation of the name ends. One for an account that exists is for an owner who lost
    the token, or was shut out and may come in again; its team stays what it is. Raises `Refusal`.
    """
    likeness = _likeness(name)
    code, now = new_secret(), registry.now()
    with registry.writing() as sql:
        known = sql.execute(
            "SELECT number, name FROM accounts WHERE likeness = ?", (likeness,)
        ).fetchone()
        if known is not None and known[1] != name:
            what = f"there is an account {known[1]}, which equals {name} but for case"
            raise Conflict(what, "choose another name")
        sql.execute("DELETE FROM invitations WHERE likeness = ? OR until <= ?", (likeness, now))
        ids = hash_of(code), name, likeness, known and known[0]
        _add(sql, (*ids, now, now + INVITED_S, 1), team)
        note(sql, now, ORGANISER, "invited", name)
    return code


def invite_class(registry: Registry, places: int, team: str = "") -> str:
    """Invite whoever comes first, under names of their choice; return the code of the link.

    Without a team they name theirs themselves.
    """
    code, now = new_secret(), registry.now()
    with registry.writing() as sql:
        ids = hash_of(code), "", hash_of(code).hex(), None
        _add(sql, (*ids, now, now + INVITED_S, places), team)
        note(sql, now, ORGANISER, "invited", f"{places} by one link")
    return code


def end_class_invitations(registry: Registry) -> int:
    """End all links for whoever comes; return how many there were. Accounts made by them stay."""
    with registry.writing() as sql:
        ended = sql.execute("DELETE FROM invitations WHERE name = '' AND places > 0").rowcount
        note(sql, registry.now(), ORGANISER, "ended", f"{ended} links for whoever comes")
    return ended


def invitation(registry: Registry, code: str) -> Invitation:
    """Return the invitation of a code. Raises `Missing` if it is unknown, taken or too old."""
    with registry.reading() as sql:
        return _find(sql, code, registry.now())[0]


def invitations(registry: Registry) -> list[Invitation]:
    """Return the invitations that can be accepted, the newest last."""
    with registry.reading() as sql:
        rows = sql.execute(
            f"SELECT {_ROW}, account FROM invitations WHERE until > ? AND places > 0 ORDER BY at",
            (registry.now(),),
        ).fetchall()
    return [_invitation(row) for row in rows]


def accept(registry: Registry, code: str, name: str = "", team: str = "") -> Accepted:
    """Accept an invitation; return its account, a token and a session.

    One for whoever comes needs the `name` of the account, which may enter a `team` by this. Raises
    `Missing`, or `Refusal` for a name that no new account may have.
    """
    now = registry.now()
    with registry.writing() as sql:
        found, number = _find(sql, code, now)
        if not found.name:
            _refuse_taken(sql, name)
            found = msgspec.structs.replace(
                found, name=name, team=found.team or team_name(sql, team)
            )
        sql.execute("UPDATE invitations SET places = places - 1 WHERE hash = ?", (hash_of(code),))
        if number is None:
            made = sql.execute(
                "INSERT INTO accounts (name, likeness, at, team) VALUES (?, ?, ?, ?)",
                (found.name, name_key(found.name), now, found.team),
            )
            number = made.lastrowid
            assert number is not None
        else:
            sql.execute("UPDATE accounts SET revoked = NULL, why = '' WHERE number = ?", (number,))
        token = add_token(sql, number, ("read", "submit"), "", now)
        cookie = add_session(sql, number, now)
        note(sql, now, found.name, "came in", "by invitation")
        return Accepted(account_of_number(sql, number), token, cookie)


def _likeness(name: str) -> str:
    """Return what tells a name from others. Raises `Refusal` if no account may have it."""
    if wrong := mistake_in_name(name):
        raise Refusal(wrong, NAME_RULE)
    likeness = name_key(name)
    if likeness in RESERVED:
        raise Refusal(f"no account may be called {name}", "choose another name")
    return likeness


def _refuse_taken(sql: sqlite3.Connection, name: str) -> None:
    """Raise `Refusal` for a name that an account or an invited person has, or one like it."""
    likeness = _likeness(name)
    for among in ("accounts WHERE", "invitations WHERE places > 0 AND"):
        query = f"SELECT name FROM {among} likeness = ?"
        row = sql.execute(query, (likeness,)).fetchone()
        if row is not None:
            like = "" if row[0] == name else f", which equals {name} but for case"
            raise Conflict(f"{row[0]} is a name in use{like}", "choose another name")


def _find(sql: sqlite3.Connection, code: str, now: float) -> tuple[Invitation, int | None]:
    """Return an invitation, and the number of its account if that exists already.

    One that was used up stays until it is too old, so that who has its link is told.
    """
    row = sql.execute(
        f"SELECT {_ROW}, account FROM invitations WHERE hash = ? AND until > ?",
        (hash_of(code), now),
    ).fetchone()
    if row is None:
        raise Missing("this link is not valid, or not any more", "ask for another")
    found = _invitation(row)
    if not found.places:
        used = "this link was used already" if found.name else "all places of this link are taken"
        raise Missing(used, "ask for another")
    return found, row[-1]


_ROW: Final = "name, until, account IS NOT NULL, places, team"


def _invitation(row: tuple[Any, ...]) -> Invitation:
    name, until, known, places, team, _ = row
    return Invitation(name, until, bool(known), places, team)


def _add(sql: sqlite3.Connection, row: tuple[object, ...], team: str) -> None:
    """Store an invitation, of all columns but its team, with this."""
    values = (*row, team_name(sql, team))
    sql.execute("INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
