"""Deals in a terminal: a traveller, and those where stakes from the same cards differ most."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final

from rich.text import Text

from arena.base.words import are, count, deal_name, deal_number, in_words
from arena.league.played import StakesBySeat, Traveller, TravellerLine
from arena.record.deals import DealLines, HandLine, HandLines, deal_command
from arena.reports.language import ENGLISH, Language
from arena.reports.numbers import faults_text, signed
from arena.reports.sentences import place, remarks_on_deal
from arena.reports.table import Column, Table
from arena.reports.terminal import cards, show_lines, show_prose, show_table
from arena.stats.figures import HandSpread, Lineup

_SPREAD: Final = (
    "Spread: the mean stakes of the best bot with a seat's cards less those of the worst, for the"
    " seat where this is largest."
)
_NONE: Final = "There is nothing to compare yet: no set is complete."
_VOID: Final = "There is nothing to compare: every complete set is void."


def show_traveller(sheet: Traveller) -> None:
    """Print the whole sheet, and the command that replays a line of it."""
    english = Language(ENGLISH)
    title = f"{sheet.league}: {deal_name(sheet.deal)} of {', '.join(sheet.lineup)}"
    hands = (
        Text.assemble(f"  seat {seat}  ", cards(hand), f"  {english.said(place(sheet, seat))}")
        for seat, hand in enumerate(sheet.hands)
    )
    talon = Text.assemble("  talon   ", cards(sheet.talon))
    show_lines(Text(title, "bold"), *hands, talon, "")
    show_table(
        Table((*_TRAVELLER[:2], *_by_seat(sheet, _seat, wraps=True), *_TRAVELLER[2:]), sheet.lines)
    )
    show_prose(_legend(sheet))
    show_lines("")
    columns: tuple[Column[StakesBySeat], ...] = (
        Column("bot", "bot", wraps=True),
        *_by_seat(sheet, _stakes),
        Column("mean", "all", format=lambda it: _mean(it.mean)),
    )
    show_table(Table(columns, sheet.stakes, "What each made, in mean stakes a game"))
    for remark in remarks_on_deal(sheet):
        show_prose(english.said(remark))
    show_lines(f"Replay a line: {sheet.lines[0].replay}")


def show_deals(found: DealLines, league: str) -> None:
    """Print the deals with the largest spreads, and what a spread is.

    `league` is the name by which commands find it.
    """
    if found.lines:
        show_table(Table(_SPREADS, found.lines))
        show_prose(f"{len(found.lines)} of {count(found.deals, 'deal')}. {_SPREAD}")
    else:
        show_prose(_VOID if found.void else _NONE)
    _show_end(found.void, found.lines, league)


def show_tables(found: DealLines, league: str, deal: int, lineups: Collection[Lineup]) -> None:
    """Print the deals of one number at several lineups, each with cards of its own."""
    if found.lines:
        show_table(Table(_SPREADS, found.lines))
    what = f"Each of these {len(lineups)} tables was dealt cards of its own as {deal_name(deal)}."
    show_prose(f"{what} {_SPREAD}")
    for lineup in sorted(set(lineups) - {line.lineup for line in found.lines}):
        why = "its set is void or not complete yet"
        show_prose(f"Not compared: {', '.join(lineup)}; {why}.")
    _show_end(0, found.lines, league)


def show_hands(found: HandLines, league: str, best: bool) -> None:
    """Print the hands of a bot with the largest gaps; not those with which it did the opposite."""
    lines = [each for each in found.lines if (each.gap > 0 if best else each.gap < 0)]
    hands = f"{count(found.hands, 'hand')} of {found.bot}"
    if lines:
        show_table(Table(_HANDS, lines))
        which = "those furthest above" if best else "those furthest below"
        why = "what the others made of the same cards in the same seat, in mean stakes a game."
        show_prose(f"{len(lines)} of {hands}, {which} {why}")
    elif found.hands:
        than = "more" if best else "less"
        show_prose(f"None of {hands} made {than} than the others with the same cards.")
    else:
        show_prose(_VOID if found.void else _NONE)
    _show_end(found.void, lines, league)


# Print what was left out, and the command that shows the first of the deals
def _show_end(void: int, lines: Sequence[HandSpread] | Sequence[HandLine], league: str) -> None:
    if void:
        show_prose(f"{count(void, 'deal')} of void sets {are(void)} not counted.")
    if lines:
        show_lines(f"Look at the first: {deal_command(league, lines[0].deal, lines[0].lineup)}")


def _mean(value: float | None) -> str:
    return signed(value, 2)


_DEAL: Final[Column[Any]] = Column("deal", "deal", format=lambda it: deal_number(it.deal))
_LINEUP: Final[Column[Any]] = Column(
    "lineup", "table", format=lambda it: ", ".join(it.lineup), priority=0, wraps=True
)

_SPREADS: Final[tuple[Column[HandSpread], ...]] = (
    _DEAL,
    _LINEUP,
    Column("spread", "spread", format=lambda it: f"{it.spread:.2f}"),
    Column("seat", "seat"),
    Column(
        "worst",
        "made least",
        format=lambda it: f"{it.worst} {_mean(it.worst_stakes)}",
        priority=1,
        wraps=True,
    ),
    Column(
        "best",
        "made most",
        format=lambda it: f"{it.best} {_mean(it.best_stakes)}",
        priority=2,
        wraps=True,
    ),
)

_HANDS: Final[tuple[Column[HandLine], ...]] = (
    _DEAL,
    _LINEUP,
    Column("seat", "seat"),
    Column("stakes", "made", format=lambda it: _mean(it.stakes)),
    Column("others", "others made", format=lambda it: _mean(it.others)),
    Column("gap", "gap", format=lambda it: _mean(it.gap)),
    Column("declared", "declared", format=lambda it: f"{it.declared} of {it.games}", priority=2),
    Column(
        "others_declared",
        "others declared",
        format=lambda it: f"{it.others_declared} of {it.other_games}",
        priority=1,
    ),
    Column(
        "faults",
        "faults",
        format=lambda it: faults_text(it.faults) if it.faults else "",
        wraps=True,
    ),
)

_TRAVELLER: Final[tuple[Column[TravellerLine], ...]] = (
    Column("match", "match"),
    Column("contract", "contract", format=lambda it: in_words(it.contract or "none"), wraps=True),
    Column("points", "points", format=lambda it: _points(it)),
    Column(
        "discards",
        "laid aside",
        format=lambda it: cards(it.result.discards) if it.result else "",
        priority=1,
    ),
    Column("fault", "fault", format=lambda it: Text(_fault(it), "red"), wraps=True),
)


def _by_seat(
    sheet: Traveller, cell: Callable[[int, Any], object], wraps: bool = False
) -> list[Column[Any]]:
    return [
        Column("", f"seat {seat}", format=partial(cell, seat), priority=9, wraps=wraps)
        for seat in range(len(sheet.hands))
    ]


def _stakes(seat: int, made: StakesBySeat) -> str:
    return _mean(made.by_seat[seat])


# The declarer's card points and tricks, or `won` or `lost` by a fault; a dash without one
def _points(line: TravellerLine) -> str:
    if line.declarer is None or line.result is None:
        return "-"
    if line.forfeited:
        return "won" if line.payments[line.declarer] > 0 else "lost"
    return f"{line.result.points.declarer} in {line.result.tricks.declarer}"


# The bot and kind of the deal's fault; empty without one
def _fault(line: TravellerLine) -> str:
    return "" if line.fault is None else f"{line.bots[line.fault.seat]} {line.fault.fault}"


def _legend(sheet: Traveller) -> str:
    lines = sheet.lines
    declared = [line for line in lines if line.declarer is not None]
    remarks_if = {
        "* declares, and points are the declarer's, with its number of tricks": any(declared),
        "! is at fault": any(line.fault for line in lines),
        "lost or won: a fault of the declarer loses the deal, one of a defender wins it": any(
            line.forfeited for line in declared
        ),
    }
    remarks = (remark for remark, holds in remarks_if.items() if holds)
    return f"{'; '.join(('Beside each bot are its stakes', *remarks))}."


# The bot that sat there, and its stakes
def _seat(seat: int, line: TravellerLine) -> Text:
    at_fault = line.fault is not None and line.fault.seat == seat
    mark = ("*" if seat == line.declarer else "") + ("!" if at_fault else "")
    style = "red" if at_fault else "bold" if seat == line.declarer else ""
    return Text(f"{mark or ' '}{line.bots[seat]} {line.payments[seat]:+d}", style)
