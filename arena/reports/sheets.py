"""Tables of a league as comma-separated values, one at a time."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from arena.base.harmless import harmless_cell
from arena.stats.figures import Gap, HeadToHead, Share, from_other_side

if TYPE_CHECKING:
    from arena.stats.figures import Analysis

Cell = str | int | float | None


def rows_sheet(rows: Sequence[Mapping[str, Cell]]) -> str:
    """Rows with the same columns, such as standings; empty without any."""
    return _sheet([*rows[0]], ([*row.values()] for row in rows)) if rows else ""


def crosstable_sheet(pairs: Iterable[HeadToHead]) -> str:
    """Every pair of bots, each from both sides."""
    head = (
        "bot other sets deals gap gap_pm gap_los league_gap league_gap_pm league_los identical"
    ).split()
    both = [each for pair in pairs for each in (pair, from_other_side(pair))]
    return _sheet(
        head,
        (
            (
                pair.bot,
                pair.other,
                pair.sets,
                pair.deals,
                *_gap(pair.met),
                *_gap(pair.league),
                "yes" if pair.identical else "no",
            )
            for pair in both
        ),
    )


def roles_sheet(found: "Analysis") -> str:
    """Roles; the line for all bots has no name."""
    names = ("declares", "wins", "declarer", "defender", "table", "sitting_out")
    lines = found.roles
    contracts = sorted({contract for line in lines for contract in line.contracts})
    return _sheet(
        [
            "bot",
            *(f"{name}{end}" for name in names for end in ("", "_pm", "_of")),
            *contracts,
            *(f"{name}_{end}" for name in names[:2] for end in ("low", "high")),
        ],
        (
            (
                line.bot,
                *_shares(
                    (
                        line.declares,
                        line.wins,
                        line.declarer,
                        line.defender,
                        line.table,
                        line.sitting_out,
                    )
                ),
                *(line.contracts.get(contract, 0) for contract in contracts),
                *(line.declares.ci95 or (None, None)),
                *(line.wins.ci95 or (None, None)),
            )
            for line in lines
        ),
    )


def seats_sheet(found: "Analysis") -> str:
    """Stakes by place from the dealer; the line for all bots has no name."""
    names = ("forehand", "middlehand", "rearhand", "sitting_out")
    return _sheet(
        ["bot", *(f"{name}{end}" for name in names for end in ("", "_pm", "_of"))],
        (
            (
                line.bot,
                *_shares((line.forehand, line.middlehand, line.rearhand, line.sitting_out)),
            )
            for line in found.seats
        ),
    )


def company_sheet(found: "Analysis") -> str:
    """Every two authors whose bots met, the least probable first."""
    return _sheet(
        "giver taker sets stakes pm chance".split(),
        (
            (each.giver, each.taker, each.sets, each.stakes, each.plus_minus, each.chance)
            for each in found.company
        ),
    )


def _gap(gap: Gap | None) -> tuple[Cell, ...]:
    return (None, None, None) if gap is None else (gap.stakes, gap.plus_minus, gap.los)


def _shares(shares: Sequence[Share]) -> Iterable[Cell]:
    for share in shares:
        yield from (share.value, share.plus_minus, share.of)


def _sheet(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Lines of comma-separated values; None is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(map(harmless_cell, row) for row in rows)
    return text.getvalue()
