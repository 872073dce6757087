"""An author's uploads to a site and the bots that came of them, as tables."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.table import Table
from rich.text import Text

from arena.reports.terminal import console, show_table


def show_uploads(uploads: Sequence[tuple[float, str, str, str, int | None, str]]) -> None:
    """Print a line for each: time, state, the bot's name, the reason, place in the queue, hash.

    Times are seconds since 1970; an upload that has ended has no place.
    """
    if not uploads:
        console().print("You have sent nothing yet.")
        return
    table = _table("sent (UTC)", "state", "plays as", "archive")
    for at, state, name, why, place, digest in uploads:
        when = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
        more = f", {place} in the queue" if state == "queued" else ""
        told = f"{state}: {why}" if why else f"{state}{more}"
        table.add_row(*map(Text, (when, told, name, digest[:16])))
    show_table(console(), table, ("archive",))


def show_bots(bots: Sequence[tuple[str, str, str]]) -> None:
    """Print a line for each bot: its name, its state, and the reason for that."""
    if bots:
        table = _table("bot", "state")
        for name, state, why in bots:
            table.add_row(Text(name), Text(f"{state}: {why}" if why else state))
        show_table(console(), table, ())


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold")
    return table
