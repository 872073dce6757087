"""What a machine has to keep bots in, as a few lines."""

from typing import TYPE_CHECKING

from arena.reports.terminal import console, show_prose
from arena.sandbox.isolation import HELD

if TYPE_CHECKING:
    from arena.tasks.doctor import Examination


def show_examination(examination: "Examination") -> None:
    """Print the levels of isolation, the control groups, the clock, and the level used here."""
    out = console()
    for level, how in examination.levels.items():
        show_prose(out, f"{level}: {how}")
    show_prose(out, f"memory by control groups: {examination.groups}")
    clock = examination.clock or "a bot is not charged for waiting for its core"
    show_prose(out, f"clock: {clock}")
    if examination.level is None:
        out.print("Bots can be played here only with --isolation none.")
        return
    show_prose(out, f"Bots play at the level {examination.level} ({HELD[examination.level]}).")
