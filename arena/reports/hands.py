"""Lists of deals in a terminal: those where bots' stakes from the same cards differ most."""

from collections.abc import Collection, Sequence

from rich.table import Table
from rich.text import Text

from arena.base.words import are, count, deal_name, deal_number
from arena.record.deals import DealLines, HandLine, HandLines, deal_command
from arena.reports.terminal import console, faults_text, show_prose, show_table
from arena.reports.traveller import stakes_text
from arena.stats.figures import HandSpread, Lineup

_SPREAD = (
    "Spread: the mean stakes of the best bot with a seat's cards less those of the worst, for the"
    " seat where this is largest."
)

_NONE = "There is nothing to compare yet: no set is complete."
_VOID = "There is nothing to compare: every complete set is void."


def show_deals(found: DealLines, league: str) -> None:
    """Print the deals with the largest spreads, and what a spread is.

    `league` is the name by which commands find it.
    """
    out = console()
    if found.lines:
        show_table(out, _deals(found.lines), ("made least", "made most"))
        show_prose(out, f"{len(found.lines)} of {count(found.deals, 'deal')}. {_SPREAD}")
    else:
        show_prose(out, _VOID if found.void else _NONE)
    _show_end(found.void, found.lines, league)


def show_tables(found: DealLines, league: str, deal: int, lineups: Collection[Lineup]) -> None:
    """Print the deals of one number at several lineups, each with cards of its own."""
    out = console()
    if found.lines:
        show_table(out, _deals(found.lines), ("made least", "made most"))
    what = f"Each of these {len(lineups)} tables was dealt cards of its own as {deal_name(deal)}."
    show_prose(out, f"{what} {_SPREAD}")
    told = {line.lineup for line in found.lines}
    for lineup in lineups:
        if lineup not in told:
            why = "its set is void or not complete yet"
            show_prose(out, f"Not compared: {', '.join(lineup)}; {why}.")
    _show_end(0, found.lines, league)


def show_hands(found: HandLines, league: str, best: bool) -> None:
    """Print the hands of a bot with the largest gaps; not those with which it did the opposite."""
    out = console()
    lines = [each for each in found.lines if (each.gap > 0 if best else each.gap < 0)]
    if lines:
        show_table(out, _hands(lines, found.bot), ("others declared", "declared"))
        which = "those furthest above" if best else "those furthest below"
        told = f"{len(lines)} of {count(found.hands, 'hand')} of {found.bot}, {which}"
        why = "what the others made of the same cards in the same seat, in mean stakes a game."
        show_prose(out, f"{told} {why}")
    elif found.hands:
        than = "more" if best else "less"
        hands = f"With none of {count(found.hands, 'hand')} did {found.bot} make {than}"
        show_prose(out, f"{hands} than the others with the same cards.")
    else:
        show_prose(out, _VOID if found.void else _NONE)
    _show_end(found.void, lines, league)


def _deals(lines: Sequence[HandSpread]) -> Table:
    several = len({line.lineup for line in lines}) > 1
    table = Table(box=None, pad_edge=False)
    table.add_column("deal", justify="right", no_wrap=True)
    if several:
        table.add_column("table", overflow="fold", min_width=8)
    for name in ("spread", "seat"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("made least", "made most"):
        table.add_column(name, overflow="fold", min_width=8)
    for each in lines:
        table.add_row(
            str(deal_number(each.deal)),
            *([Text(", ".join(each.lineup))] if several else []),
            f"{each.spread:.2f}",
            str(each.seat),
            Text(f"{each.worst} {stakes_text(each.worst_stakes)}"),
            Text(f"{each.best} {stakes_text(each.best_stakes)}"),
        )
    return table


def _hands(lines: Sequence[HandLine], bot: str) -> Table:
    several = len({line.lineup for line in lines}) > 1
    faulty = any(line.faults for line in lines)
    table = Table(box=None, pad_edge=False)
    table.add_column("deal", justify="right", no_wrap=True)
    if several:
        table.add_column("with", overflow="fold", min_width=8)
    for name in ("seat", "made", "others made", "gap", "declared", "others declared"):
        table.add_column(name, justify="right", no_wrap=True)
    if faulty:
        table.add_column("faults", overflow="fold", min_width=8)
    for line in lines:
        table.add_row(*_cells(line, bot, several, faulty))
    return table


def _cells(line: HandLine, bot: str, several: bool, faulty: bool) -> list[str | Text]:
    others = ", ".join(each for each in line.lineup if each != bot)
    return [
        str(deal_number(line.deal)),
        *([Text(others)] if several else []),
        str(line.seat),
        stakes_text(line.stakes),
        stakes_text(line.others),
        stakes_text(line.gap),
        f"{line.declared} of {line.games}",
        f"{line.others_declared} of {line.other_games}",
        *([faults_text(line.faults) if line.faults else ""] if faulty else []),
    ]


def _show_end(void: int, lines: Sequence[HandSpread] | Sequence[HandLine], league: str) -> None:
    """Print what was left out, and the command that shows the first of the deals."""
    out = console()
    if void:
        show_prose(out, f"{count(void, 'deal')} of void sets {are(void)} left out.")
    if lines:
        command = deal_command(league, lines[0].deal, lines[0].lineup)
        out.print(Text(f"Look at the first: {command}"), soft_wrap=True)
