"""The confinement of bots on a machine, as a table."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from arena.reports.terminal import console, show_prose
from arena.sandbox.isolation import HELD

if TYPE_CHECKING:
    from arena.tasks.doctor import Examination

_WORDS = {True: "held", False: "OPEN", None: "not held at this level"}
_STYLES = {True: "green", False: "bold red", None: "yellow"}


def show_examination(examination: "Examination") -> None:
    """Print the levels of isolation, then each protection of the one that is used here."""
    out = console()
    for level, how in examination.levels.items():
        show_prose(out, f"{level}: {how}")
    for version, how in examination.groups.items():
        show_prose(out, f"memory by control groups, {version}: {how}")
    if examination.level is None:
        out.print("Bots can be played here only with --isolation none.")
        return
    table = Table(box=None, pad_edge=False)
    for name in ("protection", "", "result of the attempt"):
        table.add_column(name, overflow="fold")
    for found in examination.findings:
        word = Text(_WORDS[found.held], style=_STYLES[found.held])
        table.add_row(found.name, word, Text(found.said))
    out.print()
    out.print(table)
    out.print()
    verdict = "every protection holds" if examination.sound else "NOT every protection holds"
    line = f"Bots play at the level {examination.level} ({HELD[examination.level]}): {verdict}."
    show_prose(out, line)
