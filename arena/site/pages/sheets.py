"""The tables of a site's documents that programs read as comma-separated values."""

from typing import Any

from arena.reports.columns import PAIR_COLUMNS, SO_FAR, standing_columns
from arena.reports.table import Column, Table
from arena.site.documents import CrosstableDocument, MatchesDocument, Standings
from arena.stats.figures import from_other_side


def published_standings(standings: Standings) -> Table:
    """Return the bots' lines with their authors, and their ranks in the final if there is one."""
    final = {} if standings.final is None else {it.bot: it.rank for it in standings.final.standings}
    columns: tuple[Column[Any], ...] = (
        *standing_columns(SO_FAR),
        Column("author"),
        Column("team"),
        Column("state"),
        Column("final_rank", value=lambda it: final.get(it.bot)),
    )
    return Table(columns, standings.lines)


def pairs_table(found: CrosstableDocument) -> Table:
    """Return every two bots, from both sides."""
    both = (each for pair in found.pairs for each in (pair, from_other_side(pair)))
    return Table(PAIR_COLUMNS, [*both])


def matches_table(found: MatchesDocument) -> Table:
    """Return matches, each with the stakes of its bots by seat."""
    seats = max((len(line.bots) for line in found.rows), default=0)
    columns: tuple[Column[Any], ...] = (
        Column("match"),
        Column("order"),
        Column("at"),
        Column("first"),
        Column("deals"),
        *map(_seat, range(seats)),
        Column("faults"),
        Column("counts"),
    )
    return Table(columns, found.rows)


def _seat(number: int) -> Column[Any]:
    def made(line: Any) -> tuple[str, int] | None:
        return (line.bots[number], line.stakes[number]) if number < len(line.bots) else None

    return Column(f"seat_{number}", value=made, parts=("", "stakes"))
