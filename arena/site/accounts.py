"""The accounts of a site and the invitations that are open, as tables."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

import msgspec
from rich.table import Table
from rich.text import Text

from arena.base.words import count
from arena.reports.terminal import console, show_table
from arena.site.registry.accounts import Account, Invitation


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
    if not accounts and not invited:
        console().print("Nobody has been invited yet.")
    if accounts:
        grouped = any(each.account.team for each in accounts)
        groups = ("team",) if grouped else ()
        table = _table("account", *groups, "came", "last used", "bots", "state")
        for each in accounts:
            who = each.account
            state = "" if who.revoked is None else f"shut out: {who.why}".rstrip(": ")
            named = (who.name, who.team) if grouped else (who.name,)
            words = (*named, _minute(who.at, zone), each.used, ", ".join(each.bots))
            table.add_row(*map(Text, (*words, state)))
        show_table(console(), table, ("last used",))
    if invited:
        grouped = any(guest.team for guest in invited)
        groups = ("team",) if grouped else ()
        table = _table("invited", *groups, "until")
        for guest in invited:
            name = guest.name or f"whoever comes: {count(guest.places, 'place')}"
            named = (name, guest.team) if grouped else (name,)
            table.add_row(*map(Text, (*named, _minute(guest.until, zone))))
        show_table(console(), table, ())


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def _minute(at: float, zone: tzinfo) -> str:
    return datetime.fromtimestamp(at, zone).strftime("%Y-%m-%d %H:%M %Z")
