"""A traveller in a terminal: the cards, a line for each seating, and each bot's stakes."""

from rich.table import Table
from rich.text import Text

from arena.base.words import deal_name, in_words
from arena.league.played import Traveller, TravellerLine
from arena.reports.cards import cards
from arena.reports.language import ENGLISH, Language
from arena.reports.sheet_words import place, remarks_on_deal
from arena.reports.terminal import console, show_prose, show_table


def show_traveller(sheet: Traveller) -> None:
    """Print the whole sheet, and the command that replays a line of it."""
    out, english = console(), Language(ENGLISH)
    out.print(Text(heading(sheet), "bold"), soft_wrap=True)
    for seat, hand in enumerate(sheet.hands):
        line = Text.assemble(f"  seat {seat}  ", cards(".".join(hand)))
        out.print(line.append(f"  {english.said(place(sheet, seat))}", "dim"), soft_wrap=True)
    out.print(Text.assemble("  talon   ", cards(".".join(sheet.talon))), soft_wrap=True)
    out.print()
    show_table(out, _lines(sheet), ("laid aside", "points"))
    show_prose(out, _legend(sheet))
    out.print()
    out.print(Text("What each made, in mean stakes a game", "bold"), soft_wrap=True)
    show_table(out, _stakes(sheet))
    for remark in remarks_on_deal(sheet):
        show_prose(out, english.said(remark))
    out.print(Text(f"Replay a line: {sheet.lines[0].replay}"), soft_wrap=True)


def heading(sheet: Traveller) -> str:
    """The league, the deal and its bots."""
    return f"{sheet.league}: {deal_name(sheet.deal)} of {', '.join(sheet.lineup)}"


def points_text(line: TravellerLine) -> str:
    """The declarer's card points and tricks, or `won` or `lost` by a fault; a dash without one."""
    if line.declarer is None or line.result is None:
        return "-"
    if line.forfeited:
        return "won" if line.payments[line.declarer] > 0 else "lost"
    return f"{line.result.points.declarer} in {line.result.tricks.declarer}"


def fault_text(line: TravellerLine) -> str:
    """The bot and kind of the deal's fault; empty without one."""
    return "" if line.fault is None else f"{line.bots[line.fault.seat]} {line.fault.fault}"


def _lines(sheet: Traveller) -> Table:
    faulty = any(line.fault for line in sheet.lines)
    declared = any(line.declarer is not None for line in sheet.lines)
    discards = any(line.result and line.result.discards for line in sheet.lines)
    table = Table(box=None, pad_edge=False)
    table.add_column("match", justify="right", no_wrap=True)
    table.add_column("contract", no_wrap=True)
    for seat in range(len(sheet.hands)):
        table.add_column(f" seat {seat}", overflow="fold", min_width=8)
    if declared:
        table.add_column("points", justify="right", no_wrap=True)
    if discards:
        table.add_column("laid aside", no_wrap=True)
    if faulty:
        table.add_column("fault", overflow="fold", min_width=8)
    for line in sheet.lines:
        table.add_row(
            str(line.match),
            in_words(line.contract or "none"),
            *(_seat(line, seat) for seat in range(len(line.bots))),
            *([points_text(line)] if declared else []),
            *([cards(".".join(line.result.discards))] if discards and line.result else []),
            *([Text(fault_text(line), "red")] if faulty else []),
        )
    return table


def _legend(sheet: Traveller) -> str:
    """The meaning of the marks and numbers in the lines."""
    parts = ["Beside each bot are its stakes"]
    if any(line.declarer is not None for line in sheet.lines):
        parts.append("* declares, and points are the declarer's, with its number of tricks")
    if any(line.fault for line in sheet.lines):
        parts.append("! is at fault")
    if any(line.forfeited and line.declarer is not None for line in sheet.lines):
        parts.append(
            "lost or won: a fault of the declarer loses the deal, one of a defender wins it"
        )
    return f"{'; '.join(parts)}."


def _seat(line: TravellerLine, seat: int) -> Text:
    """The bot that sat there, and its stakes."""
    at_fault = line.fault is not None and line.fault.seat == seat
    mark = ("*" if seat == line.declarer else "") + ("!" if at_fault else "")
    style = "red" if at_fault else "bold" if seat == line.declarer else ""
    return Text(f"{mark or ' '}{line.bots[seat]} {line.payments[seat]:+d}", style)


def _stakes(sheet: Traveller) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", overflow="fold", min_width=8)
    for seat in range(len(sheet.hands)):
        table.add_column(f"seat {seat}", justify="right", no_wrap=True)
    table.add_column("all", justify="right", no_wrap=True)
    for each in sheet.stakes:
        table.add_row(Text(each.bot), *map(stakes_text, (*each.by_seat, each.mean)))
    return table


def stakes_text(value: float | None) -> str:
    """Mean stakes of a few games; a dash for none."""
    return "-" if value is None else f"{value:+z.2f}"
