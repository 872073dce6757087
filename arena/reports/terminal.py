"""What all reports in a terminal share: a safe console, tables that fit it, cards."""

import codecs
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment
from rich.table import Table as RichTable
from rich.text import Span, Text

from arena.base.harmless import bare_stream, harmless, harmless_lines, harmless_signs

if TYPE_CHECKING:  # a league that is played shows no table before its end
    from arena.reports.tables import Column, Table

_NARROWEST = 100
_GAP = 2  # blanks between the columns of a table
_FOLDED = 12  # the least width of columns that wrap

_SUITS: Final = {"C": ("♣", "green"), "S": ("♠", "bold"), "H": ("♥", "red"), "D": ("♦", "blue")}
_CARD: Final = re.compile(r"\b[AKQJT987][CSHD]\b")

# Replacements for characters that the terminal's encoding lacks; others are escaped
_ASCII: Final = {
    **dict(zip("♣♠♥♦┃│─┌┐└┘·▸●✓✗", "CSHD||-++++.>*+x", strict=True)),
    **dict(zip("±…→←≤≥", "+- ... -> <- <= >=".split(), strict=True)),
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{MULTIPLICATION SIGN}": "x",
}


# A console that styles its output, and escapes every character that would do anything else.
# It writes to the bare stream. Plain words are no markup, and a `Text` is one line.
class _Harmless(Console):
    def __init__(self, stderr: bool, width: int | None = None) -> None:
        stream = bare_stream(sys.stderr if stderr else sys.stdout)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_in_letters.__name__)
        there = stream.isatty()
        # FORCE_COLOR asks for colour, which rich takes for a terminal with a cursor
        coloured = not there and bool(os.environ.get("FORCE_COLOR"))
        super().__init__(
            file=stream,
            highlight=False,
            markup=False,
            emoji=False,
            width=width,
            force_terminal=None if there else False,
            color_system="standard" if coloured else "auto",
        )

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of anything printed or shown live; texts are cleaned, then measured."""
        _clean(renderable)
        for each in super().render(renderable, options):
            own = each.control or each.text == "\n\r"  # rich's own end of a line on a whole screen
            yield each if own else Segment(harmless_lines(each.text), each.style)


def console(stderr: bool = False) -> Console:
    """A console that does not fold tables if there is no terminal.

    It prints in any encoding: suits become letters if there is no ♥.
    """
    out = _Harmless(stderr)
    return out if out.is_terminal else _Harmless(stderr, _NARROWEST)


def show_table(table: "Table", out: Console | None = None) -> None:
    """Print a table; columns that a narrow terminal has no room for are only named."""
    out = out or console()
    out.print(*fit(table, out), sep="\n")


def show_prose(text: str | Text, out: Console | None = None, hanging: int = 0) -> None:
    """Print sentences: broken between words in a terminal, in one line elsewhere.

    All lines but the first begin with `hanging` blanks.
    """
    out, text = out or console(), Text(text) if isinstance(text, str) else text
    lines = text.wrap(out, out.width - hanging) if out.is_terminal else [text]
    for number, line in enumerate(lines):
        out.print(Text(" " * hanging if number else "") + line, soft_wrap=True)


def show_lines(*lines: str | Text, style: str = "") -> None:
    """Print lines, which only the terminal itself breaks; each "" is an empty one."""
    out = console()
    for line in lines:
        out.print(Text(line, style) if isinstance(line, str) else line, soft_wrap=True)


def fit(table: "Table", out: Console) -> Iterator[RenderableType]:
    """The table without columns that do not fit, and a line that names these.

    Those of the lowest priority go first, the rightmost of equal ones. The first column stays.
    """
    if table.none and not table.rows:
        yield Text(table.none)
        return
    drawn = [
        (column, [_cell(column.heading), *(_cell(column.text(row)) for row in table.rows)])
        for column in table.shown
    ]
    kept, hidden, whole = drawn, list[str](), _width(drawn)
    least = sorted(range(1, len(drawn)), key=lambda it: (drawn[it][0].priority, -it))
    while least and _width(kept) > out.width:
        hidden.append(drawn[least[0]][0].heading)
        kept = [each for each in kept if each is not drawn[least[0]]]
        del least[0]
    found = RichTable(box=None, pad_edge=False)
    for column, (head, *_) in kept:
        if column.wraps:
            found.add_column(head, overflow="fold", min_width=8)
        else:
            found.add_column(head, justify="right", no_wrap=True)
    for number, row in enumerate(table.rows):
        if number and table.part and table.part(row) != table.part(table.rows[number - 1]):
            found.add_row()
        found.add_row(*(cells[number + 1] for _, cells in kept))
    if table.title:  # a title of rich's own is folded to the width of the table
        yield Text(table.title, "italic")
    yield found
    if hidden:
        yield Text(
            f"hidden to fit the terminal: {', '.join(hidden)} (needs {whole} columns)", "dim"
        )


def card(name: str) -> Text:
    """A card by its name, or the sign of one that is face down."""
    if name[-1:] not in _SUITS or len(name) != 2:
        return Text(name, "dim")
    sign, colour = _SUITS[name[1]]
    return Text(f"{'10' if name[0] == 'T' else name[0]}{sign}", colour)


def cards(names: str | Iterable[str]) -> Text:
    """Cards, with blanks between; in one string they are joined by dots."""
    found = names.split(".") if isinstance(names, str) else names
    return Text(" ").join(card(name) for name in found if name)


def in_colours(words: str) -> Text:
    """A sentence in which cards are written as `10♦`."""
    text = Text(words)
    for sign, colour in _SUITS.values():
        text.highlight_regex(rf"\w+{sign}", colour)
    return text


def with_signs(words: str) -> str:
    """A sentence of the arena's own, its cards written as `card` does."""
    return _CARD.sub(lambda found: card(found[0]).plain, words)


def answer_as_text(word: str | None) -> Text:
    """An answer: cards as cards, anything else as the bot wrote it, without the log's mark."""
    if word is None:
        return Text("no answer", "red")
    from arena.match.replay import HIDDEN  # a league that is played needs none of it

    parts = word.split(".")
    if all(part == HIDDEN for part in parts):
        return Text(" ".join(parts), "dim")
    if all(map(_CARD.fullmatch, parts)):
        return cards(word)
    return Text(harmless(word.removeprefix("?")))


def _cell(found: object) -> Text:
    text = found.copy() if isinstance(found, Text) else Text(str(found))
    _clean(text)
    return text


# Make a text harmless, or the texts of a group
def _clean(shown: object) -> None:
    match shown:
        case Text():
            signs = list(harmless_signs(shown.plain))
            at = list(accumulate(map(len, signs), initial=0))
            spans = [Span(at[span.start], at[span.end], span.style) for span in shown.spans]
            shown.plain = "".join(signs)
            shown.spans = spans
        case Group():
            for part in shown.renderables:
                _clean(part)


# The least width at which columns can be read: cells that wrap do, but not much
def _width(drawn: "list[tuple[Column[Any], list[Text]]]") -> int:
    widths = (
        min(longest, _FOLDED) if column.wraps else longest
        for column, cells in drawn
        for longest in (max(cell_len(cell.plain) for cell in cells),)
    )
    return sum(widths) + _GAP * (len(drawn) - 1)


# The codec error handler that replaces characters by `_ASCII`, or escapes them
def _in_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    said = "".join(_ASCII.get(sign) or ascii(sign)[1:-1] for sign in signs)
    return said, error.end


codecs.register_error(_in_letters.__name__, _in_letters)
