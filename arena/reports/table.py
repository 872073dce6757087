"""A table of a report: columns, which say how they are worked out and written, and rows.

A terminal prints it (`reports/terminal.py`), pages draw it (`site/pages/parts.html`), and programs
read it as comma-separated values.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TextIO, TypeVar

import msgspec

from arena.base.harmless import harmless_cell

_Row = TypeVar("_Row", contravariant=True)
Cell = str | int | float | None

_NOTHING = ("", "-")


class Column(msgspec.Struct, Generic[_Row], frozen=True):
    """A column: what programs and people read of a row.

    `value` gives what programs read, the field `key` of a row unless it is said: one value, or as
    many as there are `parts`, which end the names of their columns. A column without a `key` is not
    for programs, one without a `heading` for programs alone. Pages head it by the message
    `column-KEY` if their language has that. `format` gives the text, or a rich one for a terminal;
    "" and a dash mean nothing.

    Where room is short, columns of a lower `priority` go first; pages have none below 0, and one of
    9 is shown even if no row has anything in it. Text `wraps`, numbers do not.
    """

    key: str
    heading: str = ""
    value: Callable[[_Row], Any] | None = None
    format: Callable[[_Row], object] | None = None
    priority: int = 5
    parts: tuple[str, ...] = ("",)
    wraps: bool = False

    def cells(self, row: _Row) -> Sequence[Cell]:
        """A row's plain values, None for each part of nothing."""
        found = getattr(row, self.key) if self.value is None else self.value(row)
        if self.parts == ("",):
            return (found,)
        return (None,) * len(self.parts) if found is None else tuple(found)

    def text(self, row: _Row) -> object:
        """A row's text for people."""
        if self.format is not None:
            return self.format(row)
        found = self.cells(row)[0]
        return "-" if found is None else found if isinstance(found, str) else str(found)


class Table(msgspec.Struct, frozen=True):
    """Rows with their columns; people are told `none` if there are no rows.

    An empty line stands between rows that differ in `part`.
    """

    columns: Sequence[Column[Any]]
    rows: Sequence[Any]
    title: str = ""
    part: Callable[[Any], object] | None = None
    none: str = ""

    @property
    def shown(self) -> list[Column[Any]]:
        """The columns for people: the first, and those in which a row has anything."""
        first, *others = (column for column in self.columns if column.heading)
        return [
            first,
            *(
                column
                for column in others
                if column.priority > 8
                or any(str(column.text(row)) not in _NOTHING for row in self.rows)
            ),
        ]

    @property
    def on_pages(self) -> list[Column[Any]]:
        """The columns that a page has room for."""
        return [column for column in self.shown if column.priority >= 0]

    def plain(self) -> Iterator[dict[str, Cell]]:
        """The rows for programs, each as values by the names of columns."""
        columns, names = [column for column in self.columns if column.key], self._names()
        for row in self.rows:
            cells = (cell for column in columns for cell in column.cells(row))
            yield dict(zip(names, cells, strict=True))

    def csv(self) -> str:
        """The rows as comma-separated values, with a head even if there are none."""
        text = io.StringIO()
        write_csv(self.plain(), text, self._names())
        return text.getvalue()

    def _names(self) -> list[str]:
        return [
            f"{column.key}_{part}" if part else column.key
            for column in self.columns
            if column.key
            for part in column.parts
        ]


def write_csv(rows: Iterable[Mapping[str, object]], to: TextIO, names: Sequence[str] = ()) -> None:
    """Write rows of the same names as comma-separated values; None is an empty cell."""
    writer = csv.writer(to, lineterminator="\n")
    if names:
        writer.writerow(names)
    for number, row in enumerate(rows):
        if number == 0 and not names:
            writer.writerow(row)
        writer.writerow(map(harmless_cell, row.values()))
