"""A table drawn in lines of text, as wide and high as a screen."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from rich.text import Text

from arena.base.words import count, in_words
from arena.match.wire import AskDiscard, Result
from arena.people.terminal_face import Face
from arena.people.terminal_table import Table, sides, turn
from arena.people.terminal_words import (
    cards_of,
    pools_words,
    request_words,
    result_words,
    stakes,
    totals_words,
    who,
)
from arena.reports.cards import card
from arena.zole.deal import Seat

_LARGE: Final = 34
"""Rows from which cards are drawn large."""
_KEYS: Final = "1234567890"
_INDENT: Final = 4
"""Blanks before the rest of a line that is folded."""


class _Shown(msgspec.Struct, frozen=True):
    """A card as it is drawn: what stands below it, and how it looks."""

    name: str
    below: str = ""
    frame: str = ""
    face: str = ""


def picture(face: Face, width: int, height: int, now: float) -> list[Text]:
    """All that a person sees, in exactly so many rows: the question below, the table above."""
    if face.table is None or face.table.seat is None:
        above: list[Text] = [Text("Waiting for the first deal ...", "dim")]
        below: list[Text] = []
    elif face.table.result is not None:
        above = list(_result(face.table, face.table.result))
        below = []
    else:
        above = list(_table(face, face.table, height))
        below = [*_trick(face.table, width, height), *_hand(face, face.table, width, height)]
    above = [part for line in above for part in _folded(line, width)]
    below += [part for line in _question(face, width, now) for part in _folded(line, width)]
    below = below[-height:]
    room = height - len(below)
    above = above[:1] + above[1:][-max(0, room - 1) :] if len(above) > room else above
    above = above[:room]
    return [*above, *[Text()] * (room - len(above)), *below]


def _folded(line: Text, width: int) -> Sequence[Text]:
    """A line broken between words where it is too long."""
    if line.cell_len <= width:
        return (line,)
    parts, rest = [], line
    while rest.cell_len > width:
        at = rest.plain.rfind(" ", _INDENT + 1, width + 1)
        at = at if at > 0 else width
        parts.append(rest[:at])
        rest = Text.assemble(" " * _INDENT, rest[at + (rest.plain[at] == " ") :])
    return (*parts, rest)


def _title(table: Table) -> Text:
    dealer = "you deal" if table.dealer == table.seat else f"seat {table.dealer} deals"
    return Text(f"deal {table.deal + 1}, {dealer}; you sit in seat {table.seat}", "bold reverse")


def _table(face: Face, table: Table, height: int) -> Iterator[Text]:
    """The table above the cards: seats, contract, the last trick, what happened."""
    yield _title(table)
    yield from _seats(table, turn(table) if face.asked is None else table.seat)
    yield Text(_contract(table), "bold" if table.contract else "dim")
    if count_line := sides(table):
        yield Text(count_line, "dim")
    if pools := pools_words(table, table.pools):
        yield Text(pools, "dim")
    if table.last:
        laid = Text(", ").join(
            Text.assemble(f"{who(table, each.seat)} ", card(each.card)) for each in table.last
        )
        taken = f" to {who(table, table.winner)}" if table.winner is not None else ""
        end = f":{taken}, {count(table.last_points, 'point')}"
        yield Text.assemble(("last trick: ", "dim"), laid, (end, "dim"))
    room = 3 if height < _LARGE else 6
    yield from (Text(f"  {said}", "dim") for said in list(face.log)[-room:])


def _seats(table: Table, now: Seat | None) -> Iterator[Text]:
    """A line for each seat: whether its turn is now, what it bid, what it has taken, its stakes."""
    said = dict(table.said)
    for seat in range(table.rules.players):
        bid = in_words(said.get(seat, "")) if seat in table.active else "sits out"
        taken = ""
        if seat in table.active and table.contract is not None:
            taken = f"{count(table.tricks[seat], 'trick')}, {table.points[seat]} points"
        line = Text.assemble(
            ("▸ " if seat == now else "  ", "bold yellow"),
            (f"{who(table, seat):7}", "bold" if seat == table.declarer else ""),
            f"{bid:11}",
            (f"{taken:20}", "dim"),
            f"{table.totals[seat]:+4d} stakes",
        )
        yield line


def _contract(table: Table) -> str:
    if table.contract is None:
        return "the auction"
    if table.declarer is None:
        return "all passed: everybody plays alone, few tricks are good"
    return f"{in_words(table.contract)}, declared by {who(table, table.declarer)}"


def _trick(table: Table, width: int, height: int) -> Iterator[Text]:
    """The cards of this trick, each above the player's name."""
    trick = [_Shown(each.card, who(table, each.seat)) for each in table.trick]
    if trick:
        yield from _drawn(trick, width, height >= _LARGE, 3)


def _hand(face: Face, table: Table, width: int, height: int) -> Iterator[Text]:
    """The hand as cards; those that may be played have a key below them."""
    shown = []
    for place, name in enumerate(table.hand):
        legal = name in face.legal
        marks = "*" if isinstance(face.asked, AskDiscard) and name in table.talon else ""
        below = f"{_KEYS[place]}{marks}" if legal else ""
        look = "reverse" if name == face.cursor else "" if legal or not face.legal else "dim"
        frame = "bold" if legal else "dim"
        if name in face.picked:
            below, frame = f"[{below}]", "bold yellow"
        shown.append(_Shown(name, below, frame, look))
    if shown:
        yield from _drawn(shown, width, height >= _LARGE, 0)
    else:
        out = table.seat not in table.active
        yield Text("  you sit out" if out else "  your cards lie face down", "dim")


def _drawn(cards: Sequence[_Shown], width: int, large: bool, indent: int) -> Iterator[Text]:
    """Cards side by side, in as many rows as they need."""
    inner = min(7, max(3, (width - indent + 1) // max(len(cards), 8) - 3)) if large else 3
    least = max(len(each.below) for each in cards)
    cell = max(inner + 2, least)
    most = max(1, (width - indent + 1) // (cell + 1))
    gap, margin = Text(" "), Text(" " * indent)
    for begin in range(0, len(cards), most):
        row = cards[begin : begin + most]
        edge = "─" * inner
        lines = [[_boxed(f"┌{edge}┐", each.frame, cell) for each in row]]
        for text in ("left", "middle", "right") if large and inner > 3 else ("left",):
            lines.append([_inside(each, inner, text, cell) for each in row])
        lines.append([_boxed(f"└{edge}┘", each.frame, cell) for each in row])
        lines.append([Text(f"{each.below:^{cell}}", "bold") for each in row])
        for line in lines:
            yield margin + gap.join(line)


def _boxed(text: str, style: str, cell: int) -> Text:
    return Text.assemble((text, style), " " * (cell - len(text)))


def _inside(shown: _Shown, inner: int, place: str, cell: int) -> Text:
    """A row of a card: its rank and sign, if they stand there."""
    name = card(shown.name)
    if inner > 3 and place == "middle":
        name = Text(" " * inner)
    free = inner - name.cell_len
    before = free if place == "right" else 0
    mid = Text.assemble(" " * before, name, " " * (free - before))
    mid.stylize(shown.face)
    text = Text.assemble(("│", shown.frame), mid, ("│", shown.frame))
    return Text.assemble(text, " " * (cell - inner - 2))


def _result(table: Table, result: Result) -> Iterator[Text]:
    """How a deal ended: all hands, and what it paid."""
    yield _title(table)
    yield Text()
    for of, cards in cards_of(table, result):
        yield Text.assemble((f"  {of:11}", "bold"), Text(" ").join(map(card, cards)))
    yield Text()
    yield from (Text(f"  {said}") for said in result_words(table, result))
    yield Text(f"  {totals_words(table)}", "bold")


def _question(face: Face, width: int, now: float) -> Iterator[Text]:
    """What is asked, its choices, what was wrong, and the keys."""
    clock = _clock(face, now)
    if face.leaving:
        yield Text("Leave the match? Your seat then forfeits what is left.", "bold")
        yield Text("y leave   any other key: play on", "reverse")
        return
    table = face.table
    if table is not None and table.result is not None:
        yield Text(f"{clock}Enter: go on   q leave", "reverse")
        return
    if face.asked is None or table is None:
        now_plays = turn(table) if table is not None and not face.waits else None
        waiting = f"Waiting for {who(table, now_plays)}" if table and now_plays is not None else ""
        yield Text(waiting if now_plays != (table.seat if table else None) else "")
        yield Text("Enter: faster   q leave" if face.waits else "q leave", "reverse")
        return
    if face.offering:
        yield Text("Offer to give up, for your partner too? The declarer may refuse.", "bold")
        yield Text("y offer   any other key: back", "reverse")
        return
    yield Text(request_words(table, face.asked), "bold")
    options = Text("   ").join(
        Text(f"[{each.letter}] {each.words}", "reverse" if face.cursor == at else "")
        for at, each in enumerate(face.words)
    )
    if options:
        yield options
    yield Text(face.said, "bold yellow")
    yield Text(f"{clock}{_keys(face)}  h hint  q leave", "reverse")


def _keys(face: Face) -> str:
    if isinstance(face.asked, AskDiscard):
        done = "Enter: lay aside" if len(face.picked) == 2 else "* from the talon"
        return f"1-0, ← → Space  {done}"
    return "number, ← → Enter" if face.legal else "letter, ← → Enter"


def _clock(face: Face, now: float) -> str:
    if face.deadline is None:
        return ""
    minutes, seconds = divmod(max(0, round(face.deadline - now)), 60)
    return f"{minutes}:{seconds:02}   "


def farewell(table: Table | None) -> str:
    """What is said when all is over."""
    return "" if table is None else f"The stakes: {stakes(table, table.totals)}."
