"""Tables of a league as comma-separated values, one at a time."""

import csv
import io
from collections.abc import Iterable, Sequence

from arena.base.harmless import harmless_cell
from arena.record.summary import Report, standing_rows
from arena.stats.figures import Gap, Share, from_other_side

Cell = str | int | float | None


def standings_sheet(report: Report) -> str:
    """The standings, one line for each bot; empty without any."""
    lines = standing_rows(report)
    return _sheet(list(lines[0]), (list(line.values()) for line in lines)) if lines else ""


def crosstable_sheet(report: Report) -> str:
    """Every pair of bots, each from both sides."""
    head = (
        "bot other sets deals gap gap_pm gap_los league_gap league_gap_pm league_los identical"
    ).split()
    pairs = [each for pair in report.analysis.pairs for each in (pair, from_other_side(pair))]
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
            for pair in pairs
        ),
    )


def roles_sheet(report: Report) -> str:
    """Roles; the line for all bots has no name."""
    names = ("declares", "wins", "declarer", "defender", "table", "sitting_out")
    lines = report.analysis.roles
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


def seats_sheet(report: Report) -> str:
    """Stakes by place from the dealer; the line for all bots has no name."""
    names = ("forehand", "middlehand", "rearhand", "sitting_out")
    return _sheet(
        ["bot", *(f"{name}{end}" for name in names for end in ("", "_pm", "_of"))],
        (
            (
                line.bot,
                *_shares((line.forehand, line.middlehand, line.rearhand, line.sitting_out)),
            )
            for line in report.analysis.seats
        ),
    )


def third_seats_sheet(report: Report) -> str:
    """Every pair with each third seat."""
    return _sheet(
        "bot other with sets gap gap_pm gap_los chance adjusted".split(),
        (
            (
                each.bot,
                each.other,
                " ".join(beside.others),
                beside.sets,
                *_gap(beside.gap),
                each.chance,
                each.adjusted,
            )
            for each in report.analysis.third_seats
            for beside in each.beside
        ),
    )


def company_sheet(report: Report) -> str:
    """Every two authors whose bots met, the least probable first."""
    return _sheet(
        "giver taker sets stakes pm chance".split(),
        (
            (each.giver, each.taker, each.sets, each.stakes, each.plus_minus, each.chance)
            for each in report.analysis.company
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
