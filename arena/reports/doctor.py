"""What a machine can hold, as a table."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from arena.reports.terminal import console
from arena.sandbox.isolation import HELD

if TYPE_CHECKING:
    from arena.tasks.doctor import Examination

_WORDS = {True: "held", False: "OPEN", None: "not held at this level"}
_STYLES = {True: "green", False: "bold red", None: "yellow"}


def show_examination(examination: "Examination") -> None:
    """The levels of isolation, then each protection of the one that is used here."""
    out = console()
    for level, how in examination.levels.items():
        out.print(Text(f"{level}: {how}"), soft_wrap=True)
    if examination.level is None:
        out.print(Text("No bots can be played here but by --isolation none."), soft_wrap=True)
        return
    table = Table(box=None, pad_edge=False)
    for name in ("protection", "", "what was tried came to"):
        table.add_column(name, overflow="fold")
    for found in examination.findings:
        word = Text(_WORDS[found.held], style=_STYLES[found.held])
        table.add_row(found.name, word, Text(found.said))
    out.print()
    out.print(table)
    out.print()
    verdict = "all that it claims is held" if examination.sound else "NOT ALL is held"
    line = f"Bots play at the level {examination.level} ({HELD[examination.level]}): {verdict}."
    out.print(Text(line), soft_wrap=True)
