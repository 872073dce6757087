"""Tables of a site's documents as comma-separated values."""

from collections.abc import Sequence

from arena.reports.sheets import rows_sheet
from arena.site.documents import MatchLine, Standings
from arena.stats.figures import standing_row


def published_standings_sheet(table: Standings) -> str:
    """Return the bots' lines with their authors, and their ranks in the final if there is one."""
    final = {} if table.final is None else {it.bot: it.rank for it in table.final.standings}
    return rows_sheet(
        [
            {
                **standing_row(line),
                "author": line.author,
                "team": line.team,
                "state": line.state,
                "final_rank": final.get(line.bot),
            }
            for line in table.lines
        ]
    )


def matches_sheet(lines: Sequence[MatchLine]) -> str:
    """Return the matches, each with the stakes of its bots by seat."""
    return rows_sheet(
        [
            {
                "match": line.match,
                "order": line.order,
                "at": line.at,
                "first": line.first,
                "deals": line.deals,
                **{
                    name: value
                    for seat, (bot, stakes) in enumerate(zip(line.bots, line.stakes, strict=True))
                    for name, value in ((f"seat_{seat}", bot), (f"stakes_{seat}", stakes))
                },
                "faults": line.faults,
                "counts": line.counts,
            }
            for line in lines
        ]
    )
