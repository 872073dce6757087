"""What was played, in a terminal: matches, deals in all their seatings, and faults."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import (
    count,
    deal_name,
    deal_number,
    deal_numbers,
    deal_on_wire,
    forfeited_text,
    in_words,
    is_or_are,
)
from arena.league.played import MatchOutline, StakesBySeat, Traveller, TravellerLine
from arena.match.replay import HIDDEN, Moment, SeenDeal, SeenMatch
from arena.match.wire import ContractMade, Offered, Surrendered, TrickTaken
from arena.record.deals import DealLines, HandLine, HandLines, deal_command
from arena.record.faults import Bundle
from arena.reports.bots import shortened
from arena.reports.language import ENGLISH, Language
from arena.reports.sentences import place, remarks_on_deal
from arena.reports.tables import Column, Table, faults_text, signed
from arena.reports.terminal import (
    answer_as_text,
    cards,
    show_lines,
    show_prose,
    show_table,
    with_signs,
)
from arena.stats.figures import HandSpread

# --- matches ---


def show_matches(matches: Sequence[MatchOutline]) -> None:
    """Print all matches of a league, a line each."""
    columns: tuple[Column[MatchOutline], ...] = (
        Column("match", "match"),
        Column(
            "bots", "bots and stakes", format=lambda it: _stakes(it.bots, it.stakes), wraps=True
        ),
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


def show_deal(match: SeenMatch, deal: SeenDeal) -> None:
    """Print a whole deal, one step below the other."""
    where = f"match {match.match}, " if match.match is not None else ""
    title = Text(f"{where}{deal_name(deal.deal)}: {match.bots[deal.dealer]} deals", "bold")
    talon = Text.assemble("  talon ", cards(deal.begin.talon))
    steps = (line for step in enumerate(deal.moments, 1) for line in _step(match, *step))
    show_lines(title, *_hands(match, deal), talon, *steps, *_result(match, deal), "")


# A line for each seat with its mark and its cards
def _hands(match: SeenMatch, deal: SeenDeal) -> Iterator[Text]:
    width = max(map(len, match.bots))
    for seat, bot in enumerate(match.bots):
        mark = "*" if seat == deal.begin.declarer else " "
        line = Text.assemble(f"{mark} {seat} {bot:{width}}  ", cards(deal.begin.hands[seat]))
        if seat not in deal.active:
            line.append("sits out", "dim")
        yield line


# A moment in a line, and its consequences in lines below
def _step(match: SeenMatch, number: int, moment: Moment) -> Iterator[Text]:
    bot = match.bots[moment.seat]
    said = answer_as_text(moment.answer)
    if moment.fault is not None and moment.told is not None and HIDDEN not in moment.told:
        said = Text.assemble(said, " → ", answer_as_text(moment.told))
    line = Text.assemble(f"{number:4} {moment.seat} {bot}: {moment.ask} ", said)
    if moment.seconds is not None:
        line.append(f"   {moment.seconds * 1000:,.2f} ms", "dim")
    yield line
    if moment.note is not None:
        yield Text(f"       note: {moment.note!r}", "cyan")
    for words in moment.stderr.splitlines():
        yield Text(f"       | {harmless(words)}", "dim")
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
                who = winner if isinstance(winner, str) else match.bots[winner]
                yield Text(f"       trick {trick} to {who}, {points} points")
            case Surrendered(seat):
                yield Text(f"       {match.bots[seat]} surrenders", "bold")
            case Offered(seat, accepted):
                end = "accepted" if accepted else "not accepted"
                yield Text(f"       {match.bots[seat]} offers surrender: {end}", "bold")
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


# --- deals ---


def show_traveller(sheet: Traveller) -> None:
    """Print the whole sheet, and the command that replays a line of it."""
    english = Language(ENGLISH)
    title = f"{sheet.league}: {deal_name(sheet.deal)} of {', '.join(sheet.lineup)}"
    hands = (
        Text.assemble(f"  seat {seat}  ", cards(hand), f"  {english.said(place(sheet, seat))}")
        for seat, hand in enumerate(sheet.hands)
    )
    show_lines(Text(title, "bold"), *hands, Text.assemble("  talon   ", cards(sheet.talon)), "")
    show_table(Table((*_TRAVELLER[:2], *_by_seat(sheet, _seat), *_TRAVELLER[2:]), sheet.lines))
    show_prose(_LEGEND)
    show_lines("")
    columns: tuple[Column[StakesBySeat], ...] = (
        Column("bot", "bot", wraps=True),
        *_by_seat(sheet, lambda seat, made: signed(made.by_seat[seat], 2)),
        Column("mean", "all", format=lambda it: signed(it.mean, 2)),
    )
    show_table(Table(columns, sheet.stakes, "What each made, in mean stakes a game"))
    for remark in remarks_on_deal(sheet):
        show_prose(english.said(remark))
    show_lines(f"Replay a line: {sheet.lines[0].replay}")


def show_deals(found: DealLines | HandLines, league: str) -> None:
    """Print deals or hands, the number left out, and the command that shows the first.

    `league` names it in commands.
    """
    columns = _HANDS if isinstance(found, HandLines) else _SPREADS
    show_table(Table(columns, found.lines, none="There is nothing to compare."))
    if isinstance(found, HandLines):
        all_of = f"{count(found.hands, 'hand')} of {found.bot}, in mean stakes a game"
    else:
        all_of = f"{count(found.deals, 'deal')}; the spread is that of the seat where it is largest"
    show_prose(f"{len(found.lines)} of {all_of}")
    if found.void:
        show_prose(f"{count(found.void, 'deal')} of void sets {is_or_are(found.void)} not counted.")
    for first in found.lines[:1]:
        show_lines(f"Look at the first: {deal_command(league, first.deal, first.lineup)}")


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
        format=lambda it: f"{it.worst} {signed(it.worst_stakes, 2)}",
        priority=1,
        wraps=True,
    ),
    Column(
        "best",
        "made most",
        format=lambda it: f"{it.best} {signed(it.best_stakes, 2)}",
        priority=2,
        wraps=True,
    ),
)

_HANDS: Final[tuple[Column[HandLine], ...]] = (
    _DEAL,
    _LINEUP,
    Column("seat", "seat"),
    Column("stakes", "made", format=lambda it: signed(it.stakes, 2)),
    Column("others", "others made", format=lambda it: signed(it.others, 2)),
    Column("gap", "gap", format=lambda it: signed(it.gap, 2)),
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
    Column(
        "fault",
        "fault",
        format=lambda it: f"{it.bots[it.fault.seat]} {it.fault.fault}" if it.fault else "",
        wraps=True,
    ),
)

_LEGEND: Final = (
    "Beside each bot are its stakes; * declares, and points are the declarer's, with its number of"
    " tricks; ! is at fault: lost by the declarer's, won by a defender's."
)


def _by_seat(sheet: Traveller, cell: Callable[[int, Any], object]) -> list[Column[Any]]:
    return [
        Column("", f"seat {seat}", format=partial(cell, seat), priority=9, wraps=True)
        for seat in range(len(sheet.hands))
    ]


# The declarer's card points and tricks, or `won` or `lost` by a fault; a dash without one
def _points(line: TravellerLine) -> str:
    if line.declarer is None or line.result is None:
        return "-"
    if line.forfeited:
        return "won" if line.payments[line.declarer] > 0 else "lost"
    return f"{line.result.points.declarer} in {line.result.tricks.declarer}"


# The bot that sat there, and its stakes
def _seat(seat: int, line: TravellerLine) -> Text:
    at_fault = line.fault is not None and line.fault.seat == seat
    mark = ("*" if seat == line.declarer else "") + ("!" if at_fault else "")
    style = "red" if at_fault else "bold" if seat == line.declarer else ""
    return Text(f"{mark or ' '}{line.bots[seat]} {line.payments[seat]:+d}", style)


# --- faults ---

_STDERR = 15  # lines that are shown
_MOST_FAULTS = 5  # of a match, in full

_FAULTS: Final[tuple[Column[Bundle], ...]] = (
    Column("match", "match"),
    Column("deal", "deal", format=lambda it: deal_number(it.deal), priority=3),
    Column("ply", "ply", priority=1),
    Column("seat", "seat", priority=2),
    Column("bot", "bot", wraps=True),
    Column("kind", "fault", wraps=True),
    Column(
        "detail",
        "detail",
        format=lambda it: f"{it.detail}{forfeited_text(it.forfeited)}",
        wraps=True,
    ),
)


def show_faults(found: Sequence[Bundle]) -> None:
    """Print all faults, a line each."""
    show_table(Table(_FAULTS, found, none="no faults"))


def show_bundles(found: Sequence[Bundle]) -> None:
    """Print the first faults of a match in full: last lines, stderr, and the way back to them."""
    for bundle in found[:_MOST_FAULTS]:
        show_lines(*bundle_lines(bundle), "")
    if left := len(found[_MOST_FAULTS:]):
        show_prose(f"{count(left, 'more fault')}: without the match's number all are listed.")
    if not found:
        show_faults(found)


def bundle_lines(bundle: Bundle) -> Iterator[Text]:
    """A fault as lines of text."""
    where = f"match {bundle.match}, {deal_on_wire(bundle.deal)}, ply {bundle.ply}"
    yield Text(f"{bundle.bot}: {bundle.kind} in {where}, seat {bundle.seat}", "bold")
    yield Text(f"  {harmless(bundle.detail)}{forfeited_text(bundle.forfeited)}")
    if bundle.unready:
        yield Text("  it was never ready, so it was asked nothing")
    else:
        yield Text(f"  after {bundle.seconds:.6f} s, at its answer {bundle.request}")
    yield Text(f"  {bundle.asked}")
    for each in bundle.lines:
        for sign, line in (("→", each.to_bot), ("←", each.from_bot)):
            if line is not None:
                yield Text(f"  {sign} {harmless(shortened(line))}")
    if bundle.stderr:
        yield Text("  the end of its stderr in the match:")
    for line in bundle.stderr.splitlines()[-_STDERR:]:
        yield Text(f"  | {harmless(line)}", "dim")
    yield Text(f"  look: {bundle.replay}")
    yield Text(f"  again: {bundle.rerun}")
    if bundle.tables > 1:
        yield Text("  (it played at several tables; a rerun goes deal by deal and may differ)")
