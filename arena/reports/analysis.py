"""The tables that compare the bots of a league besides its standings, in a terminal."""

from collections.abc import Callable, Sequence

import msgspec
from rich.text import Text

from arena.record.summary import Report
from arena.reports.columns import COMPANY_COLUMNS, PAIR_COLUMNS, SEAT_COLUMNS, role_columns
from arena.reports.language import ENGLISH, Language
from arena.reports.numbers import gap
from arena.reports.sentences import company_text
from arena.reports.standings import identical
from arena.reports.table import Column, Table
from arena.reports.terminal import console, show_lines, show_prose, show_table
from arena.stats.figures import Analysis, Gap, HeadToHead, from_other_side

_MAX_COMPANY = 40  # pairs of authors that are shown
_NAME = 16  # characters of a bot's name at the head of a row


def show_analysis(report: Report, name: str) -> None:
    """Show a table besides the standings: `crosstable`, `roles`, `seats` or `company`."""
    if name == "crosstable":
        _show_crosstable(report)
        return
    table = analysis_table(report.analysis, name)
    if name == "company":
        table = msgspec.structs.replace(table, rows=table.rows[:_MAX_COMPANY])
    show_lines("")
    show_table(table)
    if name == "company" and table.rows:
        show_prose(Language(ENGLISH).said(company_text(report.analysis.company)))


def analysis_table(found: Analysis, name: str) -> Table:
    """Such a table as programs read it, too: the crosstable has both sides of every pair."""
    match name:
        case "crosstable":
            both = (each for pair in found.pairs for each in (pair, from_other_side(pair)))
            return Table(PAIR_COLUMNS, [*both])
        case "roles":
            title = "By role: % of hands declared, % of these won, stakes per deal, % of declared"
            return Table(role_columns(found.roles), found.roles, title)
        case "seats":
            return Table(SEAT_COLUMNS, found.seats, "By seat: stakes per deal")
        case _:
            title = "By company: stakes per deal that an author's bots gained on another's"
            none = "By company: no bots of two authors have met."
            return Table(COMPANY_COLUMNS, found.company, title, none=none)


# Every two bots: stakes per deal in common sets, and how sure it is who is better
def _show_crosstable(report: Report) -> None:
    compared = set(report.analysis.bots)
    names = [line.bot for line in report.standings if line.sets and line.bot in compared]
    both = (each for pair in report.analysis.pairs for each in (pair, from_other_side(pair)))
    pairs = {(pair.bot, pair.other): pair for pair in both}
    met = "Stakes per deal of the row against the column, in the sets both sat in"
    sure = "How sure it is, from all sets, that the row is better than the column, in %"
    for heading, width, cell in ((met, 11, _met), (sure, 8, _los)):
        show_lines("", Text(heading, "italic"))
        _show_panels(names, pairs, width, cell)
    for same in report.identical:
        show_prose(f"same: {Language(ENGLISH).said(identical(same))}")
    show_prose("* the 95 % interval of the gap excludes 0: who is better is more than 97.5 % sure")


def _show_panels(
    names: Sequence[str],
    pairs: dict[tuple[str, str], HeadToHead],
    width: int,
    cell: Callable[[HeadToHead], Text],
) -> None:
    def column(name: str) -> Column[str]:
        return Column(
            "", _short(name, width), format=lambda it: cell(pairs[it, name]) if it != name else ""
        )

    step = max(1, (console().width - _NAME) // (width + 1))
    for begin in range(0, len(names), step):
        across = map(column, names[begin : begin + step])
        show_table(Table((Column("", "bot", format=str, wraps=True), *across), names))


def _short(name: str, width: int) -> str:
    return name if len(name) <= width else f"{name[: width - 1]}…"


# The row's gap to the column, marked and coloured if it is sure who is better
def _met(pair: HeadToHead) -> Text:
    if pair.identical:
        return Text("same")
    return Text("-") if pair.met is None else _marked(gap(pair.met), pair.met)


# The certainty by all sets; bots that never met get no mark
def _los(pair: HeadToHead) -> Text:
    if pair.league is None or pair.league.los is None:
        return Text("-")
    text = f"{pair.league.los * 100:.0f}"
    return _marked(text, pair.league) if pair.met is not None else Text(text, "dim")


def _marked(text: str, found: Gap) -> Text:
    if not found.decided:
        return Text(text)
    return Text(f"{text}*", "green" if found.stakes > 0 else "red")
