"""Tables from the sets of a league besides its standings, for a terminal."""

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.base.words import in_words
from arena.record.summary import Report
from arena.reports.language import ENGLISH, Language
from arena.reports.numbers import (
    chance,
    company_text,
    contracts,
    gap,
    part_of,
    portion,
    share,
)
from arena.reports.standings import identical
from arena.reports.terminal import console, show_prose, show_table
from arena.stats.figures import HANDS, Analysis, Gap, HeadToHead, from_other_side

_ROWS = 40
"""The most pairs of authors that are shown."""

_NAME = 16
"""The most characters of a bot's name at the head of a row."""


def show_crosstable(report: Report) -> None:
    """Show every two bots: stakes per deal in common sets, and how sure it is who is better."""
    compared = set(report.analysis.bots)
    names = [line.bot for line in report.standings if line.sets and line.bot in compared]
    pairs = {(pair.bot, pair.other): pair for pair in report.analysis.pairs}
    pairs |= {(pair.other, pair.bot): from_other_side(pair) for pair in report.analysis.pairs}
    heading = "Stakes per deal of the row against the column, in the sets both sat in"
    _panels(heading, names, pairs, 11, _met)
    _panels(
        "How sure it is, from all sets, that the row is better than the column, in %",
        names,
        pairs,
        8,
        _los,
    )
    out, english = console(), Language(ENGLISH)
    told = "* the 95 % interval of the gap leaves out 0: who is better is more than 97.5 % sure"
    lines = [f"same: {english.said(identical(same))}" for same in report.identical]
    for line in (*lines, told):
        show_prose(out, line)


def show_roles(analysis: Analysis) -> None:
    """Show the bots' declarations, and their winnings in each role."""
    lines = analysis.roles
    sit = any(line.sitting_out.of for line in lines)
    names = ("declares", "wins", "as declarer", "as defender", "at table")
    out = _begun("By role: % of hands declared, % of these won, stakes per deal, % of declared")
    table = _table()
    for name in (*names, *(("sitting out",) if sit else ()), *map(in_words, contracts(lines))):
        table.add_column(name, justify="right", no_wrap=True)
    for line in lines:
        shares = (line.declarer, line.defender, line.table, *((line.sitting_out,) if sit else ()))
        table.add_row(
            _name(line.bot),
            portion(line.declares),
            portion(line.wins),
            *map(share, shares),
            *(part_of(line, contract) for contract in contracts(lines)),
        )
    show_table(out, table)


def show_seats(analysis: Analysis) -> None:
    """Show stakes per deal by place from the dealer."""
    lines = analysis.seats
    sit = any(line.sitting_out.of for line in lines)
    out = _begun("By seat: stakes per deal")
    table = _table()
    for name in (*HANDS, *(("sitting out",) if sit else ())):
        table.add_column(name, justify="right", no_wrap=True)
    for line in lines:
        shares = (line.forehand, line.middlehand, line.rearhand)
        table.add_row(_name(line.bot), *map(share, (*shares, line.sitting_out)[: 3 + sit]))
    show_table(out, table)


def show_company(analysis: Analysis) -> None:
    """Show what authors gave each other: all pairs that met, or the least probable ones."""
    every = analysis.company
    out = _begun("By company: stakes per deal that an author's bots gained on another's")
    if not every:
        out.print("No bots of two authors have met.")
        return
    table = _table()
    for name in ("from", "gained", "sets", "chance"):
        table.add_column(name, justify="right" if name != "from" else "left")
    for each in every[:_ROWS]:
        table.add_row(
            Text(f"{each.taker} from {each.giver}"),
            gap(each),
            str(each.sets),
            chance(each.chance),
        )
    show_table(out, table)
    show_prose(out, Language(ENGLISH).said(company_text(every)))


def _panels(
    heading: str,
    names: Sequence[str],
    pairs: dict[tuple[str, str], HeadToHead],
    width: int,
    cell: Callable[[HeadToHead], Text],
) -> None:
    """Print a square table in as many pieces as the terminal's width requires."""
    out = _begun(heading)
    step = max(1, (out.width - _NAME) // (width + 1))
    for begin in range(0, len(names), step):
        across = names[begin : begin + step]
        table = _table()
        for name in across:
            table.add_column(Text(name), justify="right", no_wrap=True, max_width=width)
        for down in names:
            cells = [
                cell(pairs[down, name]) if down != name else Text("", "dim") for name in across
            ]
            table.add_row(Text(down), *cells)
        out.print(table)


def _begun(heading: str) -> Console:
    """A console with a table's heading on it."""
    out = console()
    out.print()
    show_prose(out, Text(heading, "italic"))
    return out


def _table() -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", overflow="fold", max_width=_NAME * 2)
    return table


def _met(pair: HeadToHead) -> Text:
    """The row's gap to the column, marked and coloured if it is sure who is better."""
    if pair.identical:
        return Text("same")
    return Text("-") if pair.met is None else _marked(gap(pair.met), pair.met)


def _los(pair: HeadToHead) -> Text:
    """The certainty by all sets; bots that never met get no mark."""
    if pair.league is None or pair.league.los is None:
        return Text("-")
    text = f"{pair.league.los * 100:.0f}"
    return _marked(text, pair.league) if pair.met is not None else Text(text, "dim")


def _marked(text: str, found: Gap) -> Text:
    if not found.decided:
        return Text(text)
    return Text(f"{text}*", "green" if found.stakes > 0 else "red")


def _name(bot: str | None) -> Text:
    return Text("all", "italic") if bot is None else Text(bot)
