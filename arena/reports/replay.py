"""A stored match in a terminal: listed, printed whole, or as one picture for every step."""

from collections.abc import Iterable, Iterator

from rich.console import Group
from rich.table import Table
from rich.text import Text

from arena.match.replay import Board, Moment, SeenDeal, SeenMatch, seen_by
from arena.match.wire import ContractMade, Offered, Surrendered, TrickTaken
from arena.record.rows import MatchOutline
from arena.reports.cards import answer, card, cards
from arena.reports.terminal import console, harmless


def show_matches(matches: Iterable[MatchOutline]) -> None:
    """All matches of a league, a line each."""
    table = Table(box=None, pad_edge=False)
    table.add_column("match", justify="right")
    table.add_column("bots by seat, with their stakes", overflow="fold")
    for name in ("deals", "faults", "decisions"):
        table.add_column(name, justify="right")
    for each in matches:
        seats = zip(each.bots, each.stakes, strict=True)
        deals = f"{each.first} to {each.first + each.deals - 1}" if each.deals else "none"
        table.add_row(
            str(each.match),
            Text(", ".join(f"{bot} {stakes:+d}" for bot, stakes in seats)),
            deals,
            str(each.faults) + (" (disqualified)" if each.disqualified else ""),
            f"{each.decisions:,}",
        )
    console().print(table)


def show_deal(match: SeenMatch, deal: SeenDeal, seat: int | None) -> None:
    """A deal printed whole, all steps below each other; `seat` is who looks, None for all."""
    out = console()
    out.print(_title(match, deal), soft_wrap=True)
    for line in _hands(match, deal, _seen(deal.begin, seat)):
        out.print(line, soft_wrap=True)
    out.print(Text.assemble("  talon ", _talon(deal, seat, deal.begin)), soft_wrap=True)
    for number, moment in enumerate(deal.moments, 1):
        for line in _step(match, number, moment, seat):
            out.print(line, soft_wrap=True)
    for line in _result(match, deal):
        out.print(line, soft_wrap=True)
    out.print()


def picture(match: SeenMatch, deal: SeenDeal, ply: int, seat: int | None, rows: int) -> Group:
    """What lies on the table after `ply` moments of a deal, with the steps around in few rows."""
    over = ply == len(deal.moments)
    board = deal.moments[ply - 1].board if ply else deal.begin
    lines = [_title(match, deal)]
    viewer = None if over else seat
    if seat is not None:
        lines.append(Text(f"as seat {seat}, {match.bots[seat]}, sees it", "italic"))
    lines += _hands(match, deal, _seen(board, viewer), board)
    lines.append(Text.assemble("  talon ", _talon(deal, viewer, board), *_aside(board, viewer)))
    lines += [Text(), _trick(match, board), Text()]
    steps: list[Text] = []
    for number, moment in enumerate(deal.moments[:ply], 1):
        line, *below = _step(match, number, moment, seat)
        steps += [line + Text("  ◄", "bold yellow") if number == ply else line, *below]
    lines += steps[-max(3, rows - len(lines) - 6) :]
    if over:
        lines += [Text(), *_result(match, deal)]
    return Group(*lines)


def _title(match: SeenMatch, deal: SeenDeal) -> Text:
    where = f"match {match.match}, " if match.match is not None else ""
    return Text(f"{where}deal {deal.deal}: {match.bots[deal.dealer]} deals", "bold")


def _hands(
    match: SeenMatch, deal: SeenDeal, board: Board, counts: Board | None = None
) -> Iterator[Text]:
    """A line for each seat: its mark, its cards and, in the middle of a deal, what it has won."""
    width = max(map(len, match.bots))
    for seat, bot in enumerate(match.bots):
        mark = "*" if seat == board.declarer else " "
        line = Text.assemble(f"{mark} {seat} {bot:{width}}  ", cards(board.hands[seat]))
        if seat not in deal.active:
            line.append("sits out", "dim")
        elif counts is not None:
            won = f"  {counts.tricks[seat]} tricks, {counts.points[seat]} points"
            line = Text.assemble(line, Text(won, "dim"))
        yield line


def _talon(deal: SeenDeal, seat: int | None, board: Board) -> Text:
    """The talon, for those who may know it."""
    known = seat is None or (board.taken and board.declarer == seat)
    return cards(".".join(deal.talon)) if known else cards("?.?")


def _aside(board: Board, seat: int | None) -> list[Text]:
    """The declarer's discards, once they are laid aside."""
    if not board.discards:
        return []
    return [Text("   laid aside "), cards(_seen(board, seat).discards)]


def _trick(match: SeenMatch, board: Board) -> Text:
    if not board.trick:
        return Text("  no card is played yet" if board.contract else "  the auction", "dim")
    laid = [
        Text.assemble(f"{_who(match, placed.seat)} ", card(placed.card)) for placed in board.trick
    ]
    line = Text.assemble("  trick  ", Text("   ").join(laid))
    if board.winner is not None:
        line.append(f"   taken by {_who(match, board.winner)}", "bold")
    return line


def _step(match: SeenMatch, number: int, moment: Moment, seat: int | None) -> Iterator[Text]:
    """A moment in a line, and what it led to in lines below."""
    bot = match.bots[moment.seat]
    said = answer(moment.answer)
    if seat not in (None, moment.seat) and moment.ask == "discard":
        said = cards("?.?")
    line = Text.assemble(f"{number:4} {moment.seat} {bot}: {moment.ask} ", said)
    line.append(f"   {_time(moment.seconds)}", "dim")
    yield line
    if moment.note is not None and seat in (None, moment.seat):
        yield Text(f"       note: {moment.note!r}", "cyan")
    for what, failure in (("refused", moment.refused), ("fault", moment.fault)):
        if failure is not None:
            yield Text(f"       {what}: {failure.kind}: {harmless(failure.detail)}", "bold red")
    for event in moment.events:
        match event:
            case ContractMade(declarer, contract):
                of = "" if declarer is None else f", declarer {declarer} {match.bots[declarer]}"
                yield Text(f"       {contract}{of}", "bold")
            case TrickTaken(trick, winner, points):
                yield Text(f"       trick {trick} to {_who(match, winner)}, {points} points")
            case Surrendered(who):
                yield Text(f"       {match.bots[who]} surrenders", "bold")
            case Offered(who, accepted):
                end = "accepted" if accepted else "not accepted"
                yield Text(f"       {match.bots[who]} offers surrender: {end}", "bold")
            case _:
                pass


def _result(match: SeenMatch, deal: SeenDeal) -> Iterator[Text]:
    """How the deal ended; at this moment everybody is told everything."""
    result = deal.result
    what = Text(f"  {result.contract or 'no contract'}", "bold")
    if result.declarer is not None:
        points, tricks = result.points, result.tricks
        what.append(
            f": declarer {match.bots[result.declarer]} has {points.declarer} points in"
            f" {tricks.declarer} tricks, the defenders {points.defenders} in {tricks.defenders}"
        )
    if result.fault is not None:
        what.append(f"; ended by {match.bots[result.fault.seat]}'s fault: {result.fault.fault}")
    yield what
    if result.discards:
        yield Text.assemble("  laid aside ", cards(".".join(result.discards)))
    paid = zip(match.bots, result.payments, strict=True)
    yield Text("  stakes: " + ", ".join(f"{bot} {stakes:+d}" for bot, stakes in paid))


def _seen(board: Board, seat: int | None) -> Board:
    return board if seat is None else seen_by(board, seat)


def _who(match: SeenMatch, seat: int | str) -> str:
    return seat if isinstance(seat, str) else match.bots[seat]


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.2f} ms"
