"""Matches played outside a league, as a table of the bots' totals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from arena.reports.terminal import console, faults_text

if TYPE_CHECKING:
    from arena.tasks.friendly import Friendly, Total


def show_friendly(friendly: "Friendly", totals: "Sequence[Total]") -> None:
    """A line for each bot, then what was played."""
    out = console()
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", overflow="fold")
    for name in ("stakes", "stakes/deal", "games"):
        table.add_column(name, justify="right")
    table.add_column("faults")
    for total in totals:
        table.add_row(
            Text(total.bot),
            f"{total.stakes:+d}",
            f"{total.stakes_per_deal:+z.3f}",
            str(total.games),
            faults_text(total.faults),
        )
    out.print(table)
    deals = len(friendly.plan.deals)
    seed = "" if friendly.seed is None else f", seed {friendly.seed}"
    line = f"{deals} deals in {len(friendly.seats)} seatings{seed}"
    out.print(Text(f"{line}, isolation {friendly.isolation.level}"))
