"""The isolation of bots, as one line before they play."""

from rich.text import Text

from arena.reports.terminal import console, show_prose
from arena.sandbox.isolation import HELD, Isolation


def tell_isolation(isolation: Isolation) -> None:
    """Print on standard error a warning if bots are kept apart less well than they could be."""
    if isolation.level == "bubblewrap":
        return
    why = f" ({isolation.why})" if isolation.why else ""
    line = f"isolation {isolation.level}: {HELD[isolation.level]}{why}"
    show_prose(console(stderr=True), Text(line, style="yellow"))
