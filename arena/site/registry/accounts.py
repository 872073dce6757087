"""Accounts of authors: invitations that make them, and the tokens and sessions they are known by.

No secret is stored in clear. They are looked up by hash, so that the time this takes does not tell
how close a guess is.
"""

import sqlite3
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec

from arena.base.refusals import Busy, Conflict, Forbidden, Missing, OverQuota, Refusal
from arena.bots.names import NAME_RULE, mistake_in_name, name_key
from arena.site.registry.file import ORGANISER, Registry, hash_of, new_secret, note

# The scopes of a token: reading what is the account's own; sending bots, withdrawing,
# challenging.
Scope = Literal["read", "submit"]

# Names that no account may have; `house` is the author of the bots that come with the arena.
RESERVED: Final = frozenset(
    map(name_key, ("house", "arena", "organiser", "site", "nobody", ORGANISER))
)

# The beginning of every token, so that scanners find one that was published by mistake.
PREFIX: Final = "zole_"

DAY_S: Final = 86400.0
INVITED_S: Final = 14 * DAY_S
SESSION_S: Final = 30 * DAY_S
# Seconds until an invitation, a session, and a one-time link to a session are too old.
CODE_S: Final = 600.0

MOST_TOKENS: Final = 20
MOST_SESSIONS: Final = 20

_ACCOUNT: Final = "number, name, at, revoked, why, team"


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


def accounts(registry: Registry) -> list[Account]:
    """Return all accounts, in the order of their numbers."""
    rows = registry.read(f"SELECT {_ACCOUNT} FROM accounts ORDER BY number")
    return [Account(*row) for row in rows]


def account(registry: Registry, name: str) -> Account:
    """Return the account of a name. Raises `Missing`."""
    with registry.reading() as sql:
        return _account_named(sql, name)


def account_of_number(sql: sqlite3.Connection, number: int) -> Account:
    """Return the account of a number that other rows have, in a transaction under way."""
    query = f"SELECT {_ACCOUNT} FROM accounts WHERE number = ?"
    return Account(*sql.execute(query, (number,)).fetchone())


def refuse_if_revoked(sql: sqlite3.Connection, number: int) -> None:
    """Raise `Forbidden` if an account was shut out while its request was read."""
    if account_of_number(sql, number).revoked is not None:
        raise Forbidden("this account was shut out", "ask the organiser")


def revoke(registry: Registry, name: str, why: str) -> Account | None:
    """Shut an account out: its tokens and sessions end, and what it sent is not looked at.

    An invitation of the name ends, too. What its bots have played stays, and they play on. Returns
    the account, or None if the name was only invited. Raises `Missing` if it was not even that.
    """
    now = registry.now()
    with registry.writing() as sql:
        ended = sql.execute("DELETE FROM invitations WHERE name = ?", (name,)).rowcount
        row = sql.execute("SELECT number FROM accounts WHERE name = ?", (name,)).fetchone()
        if row is None and not ended:
            raise Missing(f"there is no account {name}", "arena serve accounts lists them")
        note(sql, now, ORGANISER, "revoked", f"{name}: {why}" if why else name)
        if row is None:
            return None
        for change in (
            "UPDATE accounts SET revoked = :now, why = :why WHERE number = :number",
            "UPDATE tokens SET revoked = :now WHERE account = :number AND revoked IS NULL",
            "DELETE FROM sessions WHERE account = :number",
            "UPDATE jobs SET state = 'failed', answer = 'the account was revoked', ended = :now,"
            " entering = NULL WHERE account = :number AND ended IS NULL",
        ):
            sql.execute(change, {"now": now, "why": why, "number": row[0]})
        return account_of_number(sql, row[0])


def _account_named(sql: sqlite3.Connection, name: str) -> Account:
    row = sql.execute(f"SELECT {_ACCOUNT} FROM accounts WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise Missing(f"there is no account {name}")
    return Account(*row)


# --- teams ---


def assign(registry: Registry, names: Sequence[str], team: str) -> None:
    """Put accounts into a team, or out of it by "".

    Raises `Missing` for an account that there is not; then nothing changes.
    """
    now = registry.now()
    with registry.writing() as sql:
        for name in names:
            number, known = _account_named(sql, name).number, _team_name(sql, team)
            sql.execute("UPDATE accounts SET team = ? WHERE number = ?", (known, number))
            note(sql, now, ORGANISER, "assigned", f"{name}: team {known or 'none'}")


def teams(registry: Registry) -> tuple[tuple[str, ...], ...]:
    """Return the names of accounts by team, of teams of two or more, in order."""
    found: dict[str, list[str]] = {}
    for each in accounts(registry):
        if each.team:
            found.setdefault(each.team, []).append(each.name)
    return tuple(tuple(sorted(names)) for _, names in sorted(found.items()) if names[1:])


def team_names(registry: Registry) -> list[str]:
    """Return the teams that there are, those of invitations too, in order."""
    with registry.reading() as sql:
        return sorted(filter(None, _team_names(sql)))


# Return a team's name in the spelling that it has already. "" is none.
# Raises `Refusal` if no team may have this name.
def _team_name(sql: sqlite3.Connection, name: str) -> str:
    if name and (wrong := mistake_in_name(name)):
        raise Refusal(f"team {name}: {wrong}", NAME_RULE)
    return next((each for each in _team_names(sql) if name_key(each) == name_key(name)), name)


def _team_names(sql: sqlite3.Connection) -> list[str]:
    query = "SELECT team FROM accounts UNION SELECT team FROM invitations"
    return [each for (each,) in sql.execute(query)]


# --- invitations ---


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
    likeness, now = _likeness(name), registry.now()
    with registry.writing() as sql:
        query = "SELECT number, name FROM accounts WHERE likeness = ?"
        number, known = sql.execute(query, (likeness,)).fetchone() or (None, name)
        if known != name:
            what = f"there is an account {known}, which equals {name} but for case"
            raise Conflict(what, "choose another name")
        sql.execute("DELETE FROM invitations WHERE likeness = ? OR until <= ?", (likeness, now))
        note(sql, now, ORGANISER, "invited", name)
        return _add_invitation(sql, now, name, likeness, number, 1, team)


def invite_class(registry: Registry, places: int, team: str = "") -> str:
    """Invite whoever comes first, under names of their choice; return the code of the link.

    Without a team they name theirs themselves.
    """
    now = registry.now()
    with registry.writing() as sql:
        note(sql, now, ORGANISER, "invited", f"{places} by one link")
        return _add_invitation(sql, now, "", new_secret(), None, places, team)


def end_class_invitations(registry: Registry) -> int:
    """End all links for whoever comes; return how many there were. Accounts made by them stay."""
    with registry.writing() as sql:
        ended = sql.execute("DELETE FROM invitations WHERE name = '' AND places > 0").rowcount
        note(sql, registry.now(), ORGANISER, "ended", f"{ended} links for whoever comes")
    return ended


def invitation(registry: Registry, code: str) -> Invitation:
    """Return the invitation of a code. Raises `Missing` if it is unknown, taken or too old."""
    with registry.reading() as sql:
        return _find_invitation(sql, code, registry.now())[0]


def invitations(registry: Registry) -> list[Invitation]:
    """Return the invitations that can be accepted, the newest last."""
    rows = registry.read(
        f"SELECT {_INVITATION} FROM invitations WHERE until > ? AND places > 0 ORDER BY at",
        (registry.now(),),
    )
    return [_invitation(*row) for row in rows]


def accept(registry: Registry, code: str, name: str = "", team: str = "") -> Accepted:
    """Accept an invitation; return its account, a token and a session.

    One for whoever comes needs the `name` of the account, which may enter a `team` by this. Raises
    `Missing`, or `Refusal` for a name that no new account may have.
    """
    now = registry.now()
    with registry.writing() as sql:
        found, number = _find_invitation(sql, code, now)
        if found.name:
            name, team = found.name, found.team
        else:
            _refuse_taken(sql, name)
            team = found.team or _team_name(sql, team)
        sql.execute("UPDATE invitations SET places = places - 1 WHERE hash = ?", (hash_of(code),))
        if number is None:
            number = sql.execute(
                "INSERT INTO accounts (name, likeness, at, team) VALUES (?, ?, ?, ?)",
                (name, name_key(name), now, team),
            ).lastrowid
            assert number is not None
        sql.execute("UPDATE accounts SET revoked = NULL, why = '' WHERE number = ?", (number,))
        token = _add_token(sql, number, ("read", "submit"), "", now)
        cookie = _add_session(sql, number, now)
        note(sql, now, name, "came in", "by invitation")
        return Accepted(account_of_number(sql, number), token, cookie)


_INVITATION: Final = "name, until, account, places, team"


def _invitation(name: str, until: float, account: int | None, *rest: Any) -> Invitation:
    return Invitation(name, until, account is not None, *rest)


def _add_invitation(
    sql: sqlite3.Connection,
    now: float,
    name: str,
    likeness: str,
    account: int | None,
    places: int,
    team: str,
) -> str:
    code = new_secret()
    values = hash_of(code), name, likeness, account, now, now + INVITED_S, places
    row = (*values, _team_name(sql, team))
    sql.execute("INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    return code


# Return an invitation, and the number of its account if that exists already.
# One that was used up stays until it is too old, so that who has its link is told.
def _find_invitation(
    sql: sqlite3.Connection, code: str, now: float
) -> tuple[Invitation, int | None]:
    query = f"SELECT {_INVITATION} FROM invitations WHERE hash = ? AND until > ?"
    row = sql.execute(query, (hash_of(code), now)).fetchone()
    if row is None:
        raise Missing("this link is not valid, or not any more", "ask for another")
    found = _invitation(*row)
    if not found.places:
        used = "this link was used already" if found.name else "all places of this link are taken"
        raise Missing(used, "ask for another")
    return found, row[2]


# Return what tells a name from others. Raises `Refusal` if no account may have it.
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


# --- tokens ---


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
    today = datetime.fromtimestamp(registry.now(), UTC).date().isoformat()
    with registry.reading() as sql:
        row = sql.execute(
            "SELECT tokens.number, tokens.account, scopes, used FROM tokens"
            " JOIN accounts ON accounts.number = tokens.account"
            " WHERE hash = ? AND tokens.revoked IS NULL AND accounts.revoked IS NULL",
            (hash_of(token),),
        ).fetchone()
        if row is None or scope not in row[2].split():
            return None
        found = account_of_number(sql, row[1])
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
        return _add_token(sql, account.number, scopes, label, now)


def tokens(registry: Registry, account: Account) -> list[Token]:
    """Return the tokens of an account that are not revoked, the newest first."""
    rows = registry.read(
        "SELECT number, scopes, label, at, used, revoked FROM tokens"
        " WHERE account = ? AND revoked IS NULL ORDER BY number DESC",
        (account.number,),
    )
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


def _add_token(
    sql: sqlite3.Connection, account: int, scopes: Collection[Scope], label: str, now: float
) -> str:
    token = new_secret(PREFIX)
    sql.execute(
        "INSERT INTO tokens (account, hash, scopes, label, at) VALUES (?, ?, ?, ?, ?)",
        (account, hash_of(token), " ".join(sorted(scopes)), label[:80], now),
    )
    return token


# --- sessions ---


def new_code(registry: Registry, account: Account) -> str:
    """Return the code of a link that gives a browser a session, once and soon."""
    with registry.writing() as sql:
        refuse_if_revoked(sql, account.number)
        return _add_session(sql, account.number, registry.now(), CODE_S, True)


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
        return _add_session(sql, row[0], now)


def account_of_code(registry: Registry, code: str) -> Account:
    """Return the account whose session a code begins, which stays good. Raises `Missing`."""
    found = _account_of_session(registry, code, is_code=True)
    if found is None:
        raise _used_up()
    return found


def account_of_session(registry: Registry, cookie: str) -> Account | None:
    """Return the account of a session; None for unknown ones and those that have ended."""
    return _account_of_session(registry, cookie, is_code=False)


def end_session(registry: Registry, cookie: str) -> None:
    """End a session, if there is one."""
    with registry.writing() as sql:
        sql.execute("DELETE FROM sessions WHERE hash = ? AND NOT code", (hash_of(cookie),))


def end_all_sessions(registry: Registry) -> None:
    """End every session and every code for one: in a copy they would live on though ended here."""
    with registry.writing() as sql:
        sql.execute("DELETE FROM sessions")


def _account_of_session(registry: Registry, secret: str, is_code: bool) -> Account | None:
    with registry.reading() as sql:
        row = sql.execute(
            "SELECT account FROM sessions JOIN accounts ON number = account"
            " WHERE hash = ? AND code = ? AND until > ? AND revoked IS NULL",
            (hash_of(secret), is_code, registry.now()),
        ).fetchone()
        return None if row is None else account_of_number(sql, row[0])


def _used_up() -> Missing:
    return Missing("this link is not valid, or not any more", "arena login makes another")


# Begin a session, or make the code for one. Too many of an account end the oldest.
def _add_session(
    sql: sqlite3.Connection,
    account: int,
    now: float,
    lasts_s: float = SESSION_S,
    code: bool = False,
) -> str:
    secret = new_secret()
    sql.execute("DELETE FROM sessions WHERE until <= ?", (now,))
    sql.execute(
        "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions"
        " WHERE account = ? AND code = ? ORDER BY at DESC, hash LIMIT -1 OFFSET ?)",
        (account, code, MOST_SESSIONS - 1),
    )
    row = hash_of(secret), account, now, now + lasts_s, code
    sql.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", row)
    return secret
