"""Accounts of invited authors, with their teams. An account can be shut out."""

import sqlite3
from collections.abc import Sequence
from typing import Final

import msgspec

from arena.base.refusals import Forbidden, Missing, Refusal
from arena.bots.names import NAME_RULE, mistake_in_name, name_key
from arena.site.registry.audit import ORGANISER, note
from arena.site.registry.file import Registry

_ROW: Final = "number, name, at, revoked, why, team"


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
    with registry.reading() as sql:
        rows = sql.execute(f"SELECT {_ROW} FROM accounts ORDER BY number").fetchall()
    return [Account(*row) for row in rows]


def account(registry: Registry, name: str) -> Account:
    """Return the account of a name. Raises `Missing`."""
    with registry.reading() as sql:
        return find_account(sql, name)


def assign(registry: Registry, names: Sequence[str], team: str) -> None:
    """Put accounts into a team, or out of it by "".

    Raises `Missing` for an account that there is not; then nothing changes.
    """
    now = registry.now()
    with registry.writing() as sql:
        for name in names:
            number, known = find_account(sql, name).number, team_name(sql, team)
            sql.execute("UPDATE accounts SET team = ? WHERE number = ?", (known, number))
            note(sql, now, ORGANISER, "assigned", f"{name}: team {known or 'none'}")


def teams(registry: Registry) -> tuple[tuple[str, ...], ...]:
    """Return the names of accounts by team, of teams of two or more, in order."""
    found: dict[str, list[str]] = {}
    for each in accounts(registry):
        if each.team:
            found.setdefault(each.team, []).append(each.name)
    return tuple(tuple(sorted(names)) for _, names in sorted(found.items()) if names[1:])


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
        if row is not None:
            changes = (
                "UPDATE accounts SET revoked = :now, why = :why WHERE number = :number",
                "UPDATE tokens SET revoked = :now WHERE account = :number AND revoked IS NULL",
                "DELETE FROM sessions WHERE account = :number",
                "UPDATE jobs SET state = 'failed', answer = 'the account was revoked',"
                " ended = :now, lease = NULL, until = NULL, entering = NULL"
                " WHERE account = :number AND state = 'waiting'",
            )
            for change in changes:
                sql.execute(change, {"now": now, "why": why, "number": row[0]})
        note(sql, now, ORGANISER, "revoked", f"{name}: {why}" if why else name)
        return None if row is None else find_account(sql, name)


def find_account(sql: sqlite3.Connection, name: str) -> Account:
    """Return the account of a name, in a transaction under way. Raises `Missing`."""
    row = sql.execute(f"SELECT {_ROW} FROM accounts WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise Missing(f"there is no account {name}")
    return Account(*row)


def team_names(registry: Registry) -> list[str]:
    """Return the teams that there are, those of invitations too, in order."""
    with registry.reading() as sql:
        return sorted(filter(None, _team_names(sql)))


def team_name(sql: sqlite3.Connection, name: str) -> str:
    """Return a team's name in the spelling that it has already. "" is none.

    Raises `Refusal` if no team may have this name.
    """
    if not name:
        return ""
    if wrong := mistake_in_name(name):
        raise Refusal(f"team {name}: {wrong}", NAME_RULE)
    known = _team_names(sql)
    return next((each for each in known if name_key(each) == name_key(name)), name)


def _team_names(sql: sqlite3.Connection) -> list[str]:
    query = "SELECT team FROM accounts UNION SELECT team FROM invitations"
    return [each for (each,) in sql.execute(query)]


def refuse_if_revoked(sql: sqlite3.Connection, number: int) -> None:
    """Raise `Forbidden` if an account was shut out while its request was read."""
    query = "SELECT revoked IS NOT NULL FROM accounts WHERE number = ?"
    if sql.execute(query, (number,)).fetchone()[0]:
        raise Forbidden("this account was shut out", "ask the organiser")


def account_of_number(sql: sqlite3.Connection, number: int) -> Account:
    """Return the account of a number that other rows have, in a transaction under way."""
    return Account(
        *sql.execute(f"SELECT {_ROW} FROM accounts WHERE number = ?", (number,)).fetchone()
    )
