"""The bots submitted to a league, as a table."""

from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text

from arena.record.submissions import Listed, Submission
from arena.reports.terminal import console, show_table


def show_submissions(entries: Sequence[Submission], benched: Mapping[str, str]) -> None:
    """Print a line for each submission, the oldest first.

    `benched` says of each bot on the bench why it is there; those of the league's file are told
    below the table.
    """
    submitted = {entry.name for entry in entries}
    if not entries:
        console().print("Nothing has been submitted yet.")
    else:
        _show_table(entries)
    for name, why in benched.items():
        if name not in submitted:
            console().print(Text(f"{name} of the league's file is benched: {why}"))


def _show_table(entries: Sequence[Submission]) -> None:
    table = Table(box=None, pad_edge=False)
    for name in ("plays as", "version", "author", "submitted (UTC)", "content", "state"):
        table.add_column(name, overflow="fold")
    for entry in entries:
        bot = entry.manifest
        words = (entry.name, bot.version, bot.author, entry.at[:19].replace("T", " "))
        table.add_row(*map(Text, (*words, entry.digest[:16], _state(entry))))
    show_table(console(), table, ("content", "version", "author"))


def _state(entry: Submission) -> str:
    if not isinstance(entry, Listed):
        return entry.state
    if entry.why:
        return f"{entry.state}: {entry.why}"
    return "waiting for the league to be played" if entry.state == "waiting" else entry.state
