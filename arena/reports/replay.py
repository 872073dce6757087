"""Stored matches in a terminal: a list of them, and deals step by step."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import count, deal_name, deal_numbers, in_words
from arena.league.played import MatchOutline
from arena.match.replay import HIDDEN, Moment, SeenDeal, SeenMatch
from arena.match.wire import ContractMade, Offered, Surrendered, TrickTaken
from arena.reports.table import Column, Table
from arena.reports.terminal import answer_as_text, cards, show_lines, show_table, with_signs


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
