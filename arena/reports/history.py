"""Ratings over many leagues as tables for a terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from arena.base.words import count
from arena.record.collection import Unread
from arena.reports.terminal import console, show_prose, show_table
from arena.stats.history import History, HistoryLine, RulesTable

_SHORT = 8


def show_history(history: History) -> None:
    """Print a table for each set of rules, and the sets that do not count."""
    out = console()
    for table in history.tables:
        show_table(out, _table(table), ("leagues", "content", "sets", "±"))
        for line in _remarks(table, history.anchor):
            show_prose(out, line)
        out.print()
    if not history.tables:
        out.print("no complete sets yet")
    for each in history.left_out:
        sets = f"{count(each.sets, 'set')} of {', '.join(each.lineup)}"
        show_prose(out, f"{each.record}: {sets} left out: {each.why}")
    for names in history.aliases:
        show_prose(out, f"{' and '.join(names)} are the same bot: their content is equal")
    if history.shared_deals:
        what = "Different bots played the same deals; the intervals treat their sets as independent"
        show_prose(out, what)


def tell_unread(unread: Sequence[Unread]) -> None:
    """Print on standard error which records could not be read."""
    for each in unread:
        line = f"{each.record} is left out: {each.why}"
        show_prose(console(stderr=True), Text(line, style="yellow"))


def _table(rules: RulesTable) -> Table:
    title = f"Rules {rules.rules}: {count(rules.sets, 'set')}"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("bot", overflow="fold")
    for name in ("content", "Elo", "±", "strength", "±", "sets", "leagues"):
        table.add_column(name, justify="right", no_wrap=True)
    part = None
    for line in rules.lines:
        if part is not None and line.part != part:
            table.add_row()
        part = line.part
        table.add_row(*_cells(line))
    return table


def _cells(line: HistoryLine) -> tuple[str | Text, ...]:
    return (
        Text(line.bot),
        line.content[:_SHORT],
        "-" if line.elo is None else f"{line.elo_bound or ''}{line.elo:z.0f}",
        "-" if line.elo_pm is None else f"{line.elo_pm:.0f}",
        f"{line.strength:+z.3f}",
        "-" if line.strength_pm is None else f"{line.strength_pm:.3f}",
        str(line.sets),
        str(line.leagues),
    )


def _remarks(table: RulesTable, anchor: str) -> list[str]:
    short = anchor[:_SHORT]
    remarks: list[str] = []
    if table.parts > 1:
        what = f"Bots of the {table.parts} parts never met, not even through others"
        remarks.append(f"{what}: numbers from different parts cannot be compared")
    if table.anchored is None:
        remarks.append(f"The anchor {short} did not play by these rules: means are 1500 and 0")
    elif table.parts > 1:
        remarks.append(
            f"The first part is relative to the anchor {short}, the others to their means"
        )
    else:
        remarks.append(f"Relative to the anchor {short}, which has 1500 and 0")
    if any(line.elo_bound for line in table.lines):
        remarks.append("An Elo with >, < or ~ is a bound: the results are too one-sided for more")
    return remarks
