"""Accounts of authors: invitations that make them, and the secrets they are known by.

An account has one token, for programs, and sessions of browsers. No secret is stored in clear. They
are looked up by hash, so that the time this takes does not reveal how close a guess is.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final

import msgspec

from arena.base.refusals import Conflict, Forbidden, Missing, Refusal
from arena.bots.names import NAME_RULE, mistake_in_name, name_key
from arena.site.registry import Registry, hash_of, new_secret
from arena.site.registry.organiser import ORGANISER, note

# Names that no account may have; `house` is the author of the bots that come with the arena.
RESERVED: Final = frozenset(
    map(name_key, ("house", "arena", "organiser", "site", "nobody", ORGANISER))
)

# The beginning of every token, so that scanners find one that was published by mistake.
PREFIX: Final = "zole_"

# Seconds until an invitation, a session, and a one-time link to a session are too old.
DAY_S: Final = 86400.0
INVITED_S: Final = 14 * DAY_S
SESSION_S: Final = 30 * DAY_S
CODE_S: Final = 600.0

MOST_SESSIONS: Final = 20


class Account(msgspec.Struct, frozen=True):
    """The account of somebody who accepted an invitation. `name` is the author of all its bots.

    `revoked` is the moment at which the account was shut out, None if it was not, and `why` the
    reason. The bots of a `team` share no table; it may be "", for none.
    """

    number: int
    name: str
    at: float
    revoked: float | None
    why: str
    team: str


_ACCOUNT: Final = "SELECT number, name, at, revoked, why, team FROM accounts"


def accounts(registry: Registry) -> list[Account]:
    """Return all accounts, in the order of their numbers."""
    return [Account(*row) for row in registry.read(f"{_ACCOUNT} ORDER BY number")]


def account_of_number(sql: sqlite3.Connection, number: int) -> Account:
    """Return the account of a number that other rows have, in a transaction under way."""
    return Account(*sql.execute(f"{_ACCOUNT} WHERE number = ?", (number,)).fetchone())


def refuse_if_revoked(sql: sqlite3.Connection, number: int) -> None:
    """Raise `Forbidden` if an account was shut out while its request was read."""
    if account_of_number(sql, number).revoked is not None:
        raise Forbidden("this account was shut out", "ask the organiser")


def revoke(registry: Registry, name: str, why: str) -> Account | None:
    """Shut an account out: its token and sessions end, and its uploads are ignored.

    An invitation of the name ends, too; the links for a class have the name "". What its bots
    have played stays, and they play on. Returns the account, or None if the name was only invited.
    Raises `Missing` if it was not even that.
    """
    now = registry.now()
    with registry.writing() as sql:
        ended = sql.execute("DELETE FROM invitations WHERE name = ?", (name,)).rowcount
        row = sql.execute("SELECT number FROM accounts WHERE name = ?", (name,)).fetchone()
        if row is None and not ended:
            what = f"there is no account {name}" if name else "there is no link for a class"
            raise Missing(what, "arena serve accounts lists them")
        about = name or "links for a class"
        note(sql, now, ORGANISER, "revoked", f"{about}: {why}" if why else about)
        if row is None:
            return None
        for change in (
            "UPDATE accounts SET revoked = :now, why = :why, token = NULL WHERE number = :number",
            "DELETE FROM sessions WHERE account = :number",
            "UPDATE jobs SET state = 'failed', answer = 'the account was revoked',"
            " ended = :now, entering = NULL WHERE account = :number AND ended IS NULL",
        ):
            sql.execute(change, {"now": now, "why": why, "number": row[0]})
        return account_of_number(sql, row[0])


def _account_named(sql: sqlite3.Connection, name: str) -> Account:
    row = sql.execute(f"{_ACCOUNT} WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise Missing(f"there is no account {name}")
    return Account(*row)


# --- teams ---


def assign(registry: Registry, names: Sequence[str], team: str) -> None:
    """Put accounts into a team, or out of it by "".

    Raises `Missing` for an account that there is not; then nothing changes.
    """
    with registry.writing() as sql:
        for name in names:
            number, known = _account_named(sql, name).number, _team_name(sql, team)
            sql.execute("UPDATE accounts SET team = ? WHERE number = ?", (known, number))
            note(sql, registry.now(), ORGANISER, "assigned", f"{name}: team {known or 'none'}")


def teams(registry: Registry) -> tuple[tuple[str, ...], ...]:
    """Return the names of accounts by team, of teams of two or more, in order."""
    found: dict[str, list[str]] = {}
    for each in accounts(registry):
        if each.team:
            found.setdefault(each.team, []).append(each.name)
    return tuple(tuple(sorted(names)) for _, names in sorted(found.items()) if names[1:])


# Return a team's name in the spelling that it has already. "" is none.
# Raises `Refusal` if no team may have this name.
def _team_name(sql: sqlite3.Connection, name: str) -> str:
    if name and (wrong := mistake_in_name(name)):
        raise Refusal(f"team {name}: {wrong}", NAME_RULE)
    known = sql.execute("SELECT team FROM accounts UNION SELECT team FROM invitations")
    return next((each for (each,) in known if name_key(each) == name_key(name)), name)


# --- invitations ---


class Invitation(msgspec.Struct, frozen=True):
    """An invitation that can still be accepted. `known` is whether its account exists already.

    Without a `name` anyone may use it, as long as there are `places`. The account that it
    makes is of its `team`, if that is not "".
    """

    name: str
    until: float
    places: int
    team: str
    known: int = 0


class Accepted(msgspec.Struct, frozen=True):
    """An accepted invitation. The token and the cookie of a session are shown only this once."""

    account: Account
    token: str
    session: str

    def __repr__(self) -> str:
        return f"Accepted({self.account!r})"  # whatever prints it, the secrets stay out


def invite(registry: Registry, name: str | None, team: str = "", places: int = 1) -> str:
    """Invite somebody; return the code of the link, which is shown only this once.

    Without a name anyone may use it, under a name of their choice; without a team, too,
    they name theirs themselves. An earlier invitation of the name ends. One for an account that
    exists is for an owner who lost the token, or was shut out and may come in again; its team stays
    what it is. Raises `Refusal`.
    """
    code, now = new_secret(), registry.now()
    likeness = "" if name is None else _likeness(name)
    with registry.writing() as sql:
        query = "SELECT name FROM accounts WHERE likeness = ? AND name != ?"
        if (other := sql.execute(query, (likeness, name)).fetchone()) is not None:
            what = f"there is an account {other[0]}, which equals {name} but for case"
            raise Conflict(what, "choose another name")
        ended = "DELETE FROM invitations WHERE until <= ? OR likeness = ? AND name != ''"
        sql.execute(ended, (now, likeness))
        row = hash_of(code), name or "", likeness, now + INVITED_S, places, _team_name(sql, team)
        sql.execute("INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?)", row)
        note(sql, now, ORGANISER, "invited", name or f"{places} by one link")
    return code


def invitation(registry: Registry, code: str) -> Invitation:
    """Return the invitation of a code. Raises `Missing` if it is unknown, taken or too old."""
    with registry.reading() as sql:
        return _invitation_of(sql, code, registry.now())


def invitations(registry: Registry) -> list[Invitation]:
    """Return the invitations that can be accepted, the newest last."""
    query = f"{_INVITATION} until > ? AND places > 0 ORDER BY until"
    return [Invitation(*row) for row in registry.read(query, (registry.now(),))]


def accept(registry: Registry, code: str, name: str = "", team: str = "") -> Accepted:
    """Accept an invitation; return its account, a token and a session.

    One for a class needs the `name` of the account, which may enter a `team` by this. The
    token and the sessions that an account had before end. Raises `Missing`, or `Refusal` for a name
    that no new account may have.
    """
    now, token = registry.now(), new_secret(PREFIX)
    with registry.writing() as sql:
        found = _invitation_of(sql, code, now)
        if found.name:
            name, team = found.name, found.team
        else:
            _refuse_taken(sql, name)
            team = found.team or _team_name(sql, team)
        sql.execute("UPDATE invitations SET places = places - 1 WHERE hash = ?", (hash_of(code),))
        (number,) = sql.execute(
            "INSERT INTO accounts (name, likeness, at, team) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET revoked = NULL, why = '' RETURNING number",
            (name, name_key(name), now, team),
        ).fetchone()
        _set_token(sql, number, token, "")
        note(sql, now, name, "came in", "by invitation")
        cookie = _add_session(sql, number, now, SESSION_S)
        return Accepted(account_of_number(sql, number), token, cookie)


_INVITATION: Final = """
SELECT name, until, places, team, EXISTS (
    SELECT 1 FROM accounts WHERE accounts.name = invitations.name
) FROM invitations WHERE"""


# One that was used up stays until it is too old, so that the owner of its link gets the reason.
def _invitation_of(sql: sqlite3.Connection, code: str, now: float) -> Invitation:
    row = sql.execute(f"{_INVITATION} hash = ? AND until > ?", (hash_of(code), now)).fetchone()
    if row is None:
        raise Missing("this link is not valid, or not any more", "ask for another")
    found = Invitation(*row)
    if not found.places:
        used = "this link was used already" if found.name else "all places of this link are taken"
        raise Missing(used, "ask for another")
    return found


# Return the form in which names are compared. Raises `Refusal` if no account may have it.
def _likeness(name: str) -> str:
    if wrong := mistake_in_name(name):
        raise Refusal(wrong, NAME_RULE)
    likeness = name_key(name)
    if likeness in RESERVED:
        raise Refusal(f"no account may be called {name}", "choose another name")
    return likeness


# Raise `Refusal` for a name that an account or an invited person has, or one like it.
def _refuse_taken(sql: sqlite3.Connection, name: str) -> None:
    row = sql.execute(
        "SELECT name FROM accounts WHERE likeness = :like UNION"
        " SELECT name FROM invitations WHERE likeness = :like AND places > 0",
        {"like": _likeness(name)},
    ).fetchone()
    if row is not None:
        like = "" if row[0] == name else f", which equals {name} but for case"
        raise Conflict(f"{row[0]} is a name in use{like}", "choose another name")


# --- the token of an account ---


def account_of(registry: Registry, token: str) -> Account | None:
    """Return the account of a token; None for unknown tokens and those that have ended alike."""
    query = f"{_ACCOUNT} WHERE token = ? AND revoked IS NULL"
    rows = registry.read(query, (hash_of(token),))
    return Account(*rows[0]) if rows else None


def new_token(registry: Registry, account: Account, cookie: str = "") -> str:
    """Replace the account's token; the new one is returned only here.

    All sessions end but the one of this cookie: a thief of the token may have begun them.
    """
    token = new_secret(PREFIX)
    with registry.writing() as sql:
        refuse_if_revoked(sql, account.number)
        _set_token(sql, account.number, token, cookie)
    return token


def _set_token(sql: sqlite3.Connection, account: int, token: str, cookie: str) -> None:
    sql.execute("UPDATE accounts SET token = ? WHERE number = ?", (hash_of(token), account))
    ended = "DELETE FROM sessions WHERE account = ? AND hash != ?"
    sql.execute(ended, (account, hash_of(cookie)))


# --- sessions ---


def new_code(registry: Registry, account: Account) -> str:
    """Return the code of a link that gives a browser a session, once and soon."""
    with registry.writing() as sql:
        refuse_if_revoked(sql, account.number)
        return _add_session(sql, account.number, registry.now(), CODE_S, is_code=True)


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
        return _add_session(sql, row[0], now, SESSION_S)


def account_of_code(registry: Registry, code: str) -> Account:
    """Return the account whose session a code begins, which stays good. Raises `Missing`."""
    found = account_of_session(registry, code, is_code=True)
    if found is None:
        raise _used_up()
    return found


def account_of_session(registry: Registry, cookie: str, is_code: bool = False) -> Account | None:
    """Return the account of a session; None for unknown ones and those that have ended."""
    rows = registry.read(
        f"{_ACCOUNT} WHERE revoked IS NULL AND number = ("
        "SELECT account FROM sessions WHERE hash = ? AND code = ? AND until > ?)",
        (hash_of(cookie), is_code, registry.now()),
    )
    return Account(*rows[0]) if rows else None


def end_session(registry: Registry, cookie: str) -> None:
    """End a session, if there is one."""
    with registry.writing() as sql:
        sql.execute("DELETE FROM sessions WHERE hash = ?", (hash_of(cookie),))


def end_all_sessions(registry: Registry) -> None:
    """End every session and every code for one: in a copy they would live on though ended here."""
    with registry.writing() as sql:
        sql.execute("DELETE FROM sessions")


def _used_up() -> Missing:
    return Missing("this link is not valid, or not any more", "arena login makes another")


# Begin a session, or make the code for one. Too many of an account end the oldest.
def _add_session(
    sql: sqlite3.Connection, account: int, now: float, lasts_s: float, is_code: bool = False
) -> str:
    secret = new_secret()
    sql.execute("DELETE FROM sessions WHERE until <= ?", (now,))
    sql.execute(
        "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions"
        " WHERE account = ? AND code = ? ORDER BY until DESC, hash LIMIT -1 OFFSET ?)",
        (account, is_code, MOST_SESSIONS - 1),
    )
    row = hash_of(secret), account, now + lasts_s, is_code
    sql.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", row)
    return secret
