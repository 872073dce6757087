"""Parts that all reports in a terminal share: a safe console, tables that fit it, faults."""

import codecs
import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Span, Text

from arena.base.harmless import bare_stream, harmless_lines, harmless_signs

_NARROWEST = 100
_GAP = 2
"""Blanks between the columns of a table."""
_FOLDED = 12
"""The least width of columns that may fold."""

_ASCII: Final = {
    **dict(zip("♣♠♥♦┃│─┌┐└┘·▸●✓✗", "CSHD||-++++.>*+x", strict=True)),
    **dict(zip("±…→←≤≥", "+- ... -> <- <= >=".split(), strict=True)),
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{MULTIPLICATION SIGN}": "x",
}
"""Replacements for characters that the terminal's encoding lacks; others are escaped."""


class _Harmless(Console):
    """A console that styles its output, and escapes every character that would do anything else.

    It writes to the bare stream. Plain words are no markup, and a `Text` is one line.
    """

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
        """The segments of anything printed or shown live; tables are cleaned, then measured."""
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


def show_table(out: Console, table: Table, least: Sequence[str] = ()) -> None:
    """Print a table, without the columns that a narrow terminal has no room for; say which."""
    out.print(*fit(table, out, least), sep="\n")


def show_prose(out: Console, text: str | Text, hanging: int = 0) -> None:
    """Print sentences: broken between words in a terminal, in one line elsewhere.

    All lines but the first begin with `hanging` blanks.
    """
    text = Text(text) if isinstance(text, str) else text
    lines = text.wrap(out, out.width - hanging) if out.is_terminal else [text]
    for number, line in enumerate(lines):
        out.print(Text(" " * hanging if number else "") + line, soft_wrap=True)


def fit(table: Table, out: Console, least: Sequence[str] = ()) -> Iterator[RenderableType]:
    """The table without columns that do not fit, and a line that names these.

    `least` has the headers of the columns that go first; after them go the others from the right.
    The first column stays.
    """
    _clean(table)
    columns, whole = table.columns, _width(table)
    ordered = [column for name in least for column in columns if str(column.header) == name]
    ordered += [column for column in reversed(columns[1:]) if column not in ordered]
    left_out: list[str] = []
    for column in ordered[: len(columns) - 1]:
        if _width(table) <= out.width:
            break
        columns.remove(column)
        left_out.append(str(column.header))
    if table.title is not None:  # a table's own title is folded to its width
        yield Text(str(table.title), "italic")
        table.title = None
    yield table
    if left_out:
        what = f"left out for want of room: {', '.join(left_out)} ({whole} columns show them)"
        yield Text(what, "dim")


def faults_text(faults: dict[str, int]) -> str:
    """Faults by kind, in a table's cell."""
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "none"


def _clean(shown: object) -> None:
    """Make an object harmless: a text, or the texts of a table or group."""
    match shown:
        case Text():
            signs = list(harmless_signs(shown.plain))
            at = list(accumulate(map(len, signs), initial=0))
            spans = [Span(at[span.start], at[span.end], span.style) for span in shown.spans]
            shown.plain = "".join(signs)
            shown.spans = spans
        case Table():
            for column in shown.columns:
                for cell in (column.header, *column.cells):
                    _clean(cell)
        case Group():
            for part in shown.renderables:
                _clean(part)


def _width(table: Table) -> int:
    """The least width at which a table can be read: cells that may be folded are, but not much."""
    widths = [_column_width(column) for column in table.columns]
    return sum(widths) + _GAP * (len(widths) - 1)


def _column_width(column: Column) -> int:
    cells = (column.header, *column.cells)
    longest = max(cell_len(cell.plain if isinstance(cell, Text) else str(cell)) for cell in cells)
    return longest if column.no_wrap else min(longest, max(column.min_width or 0, _FOLDED))


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    """The codec error handler that replaces characters by `_ASCII`, or escapes them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    said = "".join(_ASCII.get(sign) or ascii(sign)[1:-1] for sign in signs)
    return said, error.end


codecs.register_error(_in_letters.__name__, _in_letters)
