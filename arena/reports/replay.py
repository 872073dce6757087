"""A stored match in a terminal: listed, printed whole, or as one picture for every step."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Group
from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import count, deal_name, deal_number, deal_numbers, in_words
from arena.league.played import MatchOutline, TravellerLine
from arena.match.replay import HIDDEN, Layout, Moment, SeenDeal, SeenMatch, count_words
from arena.match.wire import ContractMade, Offered, Surrendered, TrickTaken
from arena.reports.table import Column, Table
from arena.reports.terminal import (
    answer_as_text,
    card,
    cards,
    show_lines,
    show_table,
    with_signs,
)

_DEALS: Final[tuple[Column[TravellerLine], ...]] = (
    Column("match", "match"),
    Column("deal", "deal", format=lambda it: deal_number(it.deal)),
    Column("contract", "contract", format=lambda it: in_words(it.contract or "none"), wraps=True),
    Column(
        "declarer",
        "declarer",
        format=lambda it: "" if it.declarer is None else it.bots[it.declarer],
        wraps=True,
    ),
    Column("", "stakes by seat", format=lambda it: _stakes(it.bots, it.payments), wraps=True),
    Column("fault", "fault", format=lambda it: it.fault.fault if it.fault else "", wraps=True),
)


def show_matches(matches: Sequence[MatchOutline], results: bool) -> None:
    """Print all matches of a league, a line each; with their stakes on request."""

    def bots(it: MatchOutline) -> str:
        return _stakes(it.bots, it.stakes) if results else ", ".join(it.bots)

    columns: tuple[Column[MatchOutline], ...] = (
        Column("match", "match"),
        Column("bots", f"bots by seat{', with their stakes' * results}", format=bots, wraps=True),
        Column(
            "deals",
            "deals",
            format=lambda it: deal_numbers(it.first, it.deals) if it.deals else "none",
        ),
        Column(
            "faults",
            "faults",
            format=lambda it: f"{it.faults}{' (disqualified)' * bool(it.disqualified)}",
        ),
        Column("decisions", "decisions", format=lambda it: f"{it.decisions:,}"),
    )
    show_table(Table(columns, matches))


def show_found_deals(deals: Sequence[TravellerLine]) -> None:
    """Print deals of a league's matches, a line each."""
    show_table(Table(_DEALS, deals, none="no such deal"))


def show_deal(match: SeenMatch, deal: SeenDeal) -> None:
    """Print a whole deal, one step below the other."""
    hands, talon = _hands(match, deal, deal.begin), cards(deal.begin.talon)
    steps = (line for step in enumerate(deal.moments, 1) for line in _step(match, *step))
    head = (_title(match, deal), *hands, Text.assemble("  talon ", talon))
    show_lines(*head, *steps, *_result(match, deal), "")


def totals_text(match: SeenMatch, deals: int) -> Text:
    """The stakes that each bot has won or lost in the first `deals` deals of a match."""
    if not deals:
        return Text()
    paid = [deal.result.payments for deal in match.deals[:deals] if deal.result is not None]
    stakes = tuple(sum(column) for column in zip(*paid, strict=True))
    return Text(f"{_stakes(match.bots, stakes)} stakes after {count(deals, 'deal')}", "dim")


def picture(match: SeenMatch, seat: int | None, rows: int) -> Group:
    """The table at the end of a match's last deal, with the last steps, in few rows.

    The match is given as far as it is to be shown; `seat` is the viewer's, None if all is seen.
    """
    deal = match.deals[-1]
    layout = deal.moments[-1].board if deal.moments else deal.begin
    aside = ("   laid aside ", cards(layout.discards)) if layout.discards else ()
    sits_out = seat not in (None, *deal.active) and deal.result is None
    lines = [
        _title(match, deal),
        *([] if seat is None else [Text(f"as seat {seat}, {match.bots[seat]}, sees it", "italic")]),
        *([Text("it sits out and hears at the end how the deal went", "italic")] * sits_out),
        *_hands(match, deal, layout, counted=True),
        Text.assemble("  talon ", cards(layout.talon), *aside),
        Text(),
        _trick(match, layout),
        Text(f"  {count_words(match.rules, layout, deal.result)}", "dim"),
    ]
    steps: list[Text] = []
    for number, moment in enumerate(deal.moments, 1):
        line, *below = _step(match, number, moment)
        now = number == len(deal.moments)
        steps += [line + Text("  ◄", "bold yellow") if now else line, *below]
    result = [] if deal.result is None else [Text(), *_result(match, deal)]
    return Group(*lines, *steps[-max(3, rows - len(lines) - 6) :], *result)


def _title(match: SeenMatch, deal: SeenDeal) -> Text:
    where = f"match {match.match}, " if match.match is not None else ""
    return Text(f"{where}{deal_name(deal.deal)}: {match.bots[deal.dealer]} deals", "bold")


# A line for each seat: its mark, its cards and, during a deal, its tricks and points
def _hands(
    match: SeenMatch, deal: SeenDeal, layout: Layout, counted: bool = False
) -> Iterator[Text]:
    width = max(map(len, match.bots))
    for seat, bot in enumerate(match.bots):
        mark = "*" if seat == layout.declarer else " "
        line = Text.assemble(f"{mark} {seat} {bot:{width}}  ", cards(layout.hands[seat]))
        if seat not in deal.active:
            line.append("sits out", "dim")
        elif counted:
            tricks = layout.tricks[seat]
            won = f"  {count(tricks, 'trick')}, {layout.points[seat]} points"
            line = Text.assemble(line, Text(won, "dim"))
        yield line


def _trick(match: SeenMatch, layout: Layout) -> Text:
    if not layout.trick:
        return Text("  no card is played yet" if layout.contract else "  the auction", "dim")
    laid = [
        Text.assemble(f"{_who(match, placed.seat)} ", card(placed.card)) for placed in layout.trick
    ]
    line = Text.assemble("  trick  ", Text("   ").join(laid))
    if layout.winner is not None:
        line.append(f"   taken by {_who(match, layout.winner)}", "bold")
    return line


# A moment in a line, and its consequences in lines below
def _step(match: SeenMatch, number: int, moment: Moment) -> Iterator[Text]:
    bot = match.bots[moment.seat]
    said = answer_as_text(moment.answer)
    if moment.fault is not None and moment.told is not None and HIDDEN not in moment.told:
        said = Text.assemble(said, " → ", answer_as_text(moment.told))
    line = Text.assemble(f"{number:4} {moment.seat} {bot}: {moment.ask} ", said)
    if moment.seconds is not None:
        line.append(f"   {_time(moment.seconds)}", "dim")
    yield line
    if moment.note is not None:
        yield Text(f"       note: {moment.note!r}", "cyan")
    for what, failure in (("refused", moment.refused), ("fault", moment.fault)):
        if failure is not None:
            why = harmless(failure.detail)
            why = with_signs(why) if failure.kind == "illegal" else why
            yield Text(f"       {what}: {failure.kind}: {why}", "bold red")
    for event in moment.events:
        match event:
            case ContractMade(declarer, contract):
                of = "" if declarer is None else f", declarer {declarer} {match.bots[declarer]}"
                yield Text(f"       {in_words(contract)}{of}", "bold")
            case TrickTaken(trick, winner, points):
                yield Text(f"       trick {trick} to {_who(match, winner)}, {points} points")
            case Surrendered(who):
                yield Text(f"       {match.bots[who]} surrenders", "bold")
            case Offered(who, accepted):
                end = "accepted" if accepted else "not accepted"
                yield Text(f"       {match.bots[who]} offers surrender: {end}", "bold")
            case _:
                pass


# The contract with its count, cards laid aside, and stakes; nothing before the deal's end
def _result(match: SeenMatch, deal: SeenDeal) -> Iterator[Text]:
    result = deal.result
    if result is None:
        return
    what = Text(f"  {in_words(result.contract or 'no contract')}", "bold")
    if result.declarer is not None:
        points, tricks = result.points, result.tricks
        what.append(
            f": declarer {match.bots[result.declarer]} has {points.declarer} points in"
            f" {count(tricks.declarer or 0, 'trick')}, the defenders {points.defenders} in"
            f" {tricks.defenders}"
        )
    if result.fault is not None:
        what.append(f"; ended by {match.bots[result.fault.seat]}'s fault: {result.fault.fault}")
    yield what
    if result.discards:
        yield Text.assemble("  laid aside ", cards(".".join(result.discards)))
    yield Text(f"  stakes: {_stakes(match.bots, result.payments)}")


def _stakes(bots: Sequence[str], stakes: Sequence[int]) -> str:
    return ", ".join(f"{bot} {each:+d}" for bot, each in zip(bots, stakes, strict=True))


def _who(match: SeenMatch, seat: int | str) -> str:
    return seat if isinstance(seat, str) else match.bots[seat]


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.2f} ms"
