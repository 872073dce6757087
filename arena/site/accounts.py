"""The accounts of a site and the invitations that are open, as tables."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

import msgspec

from arena.base.words import count
from arena.reports.table import Column, Table
from arena.reports.terminal import show_line, show_table
from arena.site.registry.accounts import Account
from arena.site.registry.invitations import Invitation


class AccountLine(msgspec.Struct, frozen=True):
    """An account with the day it was last used, empty if never, and its bots in the field."""

    account: Account
    used: str
    bots: tuple[str, ...]


def show_accounts(
    accounts: Sequence[AccountLine], invited: Sequence[Invitation], zone: tzinfo
) -> None:
    """Print a line for each account in the order in which they came, then the open invitations.

    Moments are those of a time zone.
    """
    lines: tuple[Column[AccountLine], ...] = (
        Column("name", "account", format=lambda it: it.account.name, wraps=True),
        Column("team", "team", format=lambda it: it.account.team, wraps=True),
        Column("at", "came", format=lambda it: _minute(it.account.at, zone), wraps=True),
        Column("used", "last used", priority=1, wraps=True),
        Column("bots", "bots", format=lambda it: ", ".join(it.bots), wraps=True),
        Column("state", "state", format=lambda it: _state(it.account), wraps=True),
    )
    links: tuple[Column[Invitation], ...] = (
        Column("name", "invited", format=_invited, wraps=True),
        Column("team", "team", wraps=True),
        Column("until", "until", format=lambda it: _minute(it.until, zone), wraps=True),
    )
    if not accounts and not invited:
        show_line("Nobody has been invited yet.")
    if accounts:
        show_table(Table(lines, accounts))
    if invited:
        show_table(Table(links, invited))


def _state(account: Account) -> str:
    return "" if account.revoked is None else f"shut out: {account.why}".rstrip(": ")


def _invited(guest: Invitation) -> str:
    return guest.name or f"whoever comes: {count(guest.places, 'place')}"


def _minute(at: float, zone: tzinfo) -> str:
    return datetime.fromtimestamp(at, zone).strftime("%Y-%m-%d %H:%M %Z")
