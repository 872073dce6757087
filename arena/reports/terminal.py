"""Results as tables for a terminal."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.sandbox.isolation import HELD, Isolation
from arena.tasks.friendly import Exhibition

_NARROWEST = 100


def console(stderr: bool = False) -> Console:
    """A console that does not fold tables where there is no terminal."""
    out = Console(stderr=stderr, highlight=False)
    return out if out.is_terminal else Console(stderr=stderr, highlight=False, width=_NARROWEST)


def harmless(text: str) -> str:
    """A bot's words with every sign escaped that a terminal would obey or turn around."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def show_exhibition(exhibition: Exhibition) -> None:
    """The totals of some matches."""
    out = console()
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", overflow="fold")
    for name in ("stakes", "stakes/deal", "games"):
        table.add_column(name, justify="right")
    table.add_column("faults")
    for total in exhibition.totals():
        table.add_row(
            Text(total.bot),
            f"{total.stakes:+d}",
            f"{total.stakes_per_deal:+z.3f}",
            str(total.games),
            faults_text(total.faults),
        )
    out.print(table)
    deals = len(exhibition.plan.deals)
    seed = "" if exhibition.seed is None else f", seed {exhibition.seed}"
    line = f"{deals} deals in {len(exhibition.seats)} seatings{seed}"
    out.print(Text(f"{line}, isolation {exhibition.isolation.level}"))


def faults_text(faults: dict[str, int]) -> str:
    """Faults by kind, in a table's cell."""
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "none"


def tell_isolation(isolation: Isolation) -> None:
    """Say on standard error where bots are kept apart less well than they could be."""
    if isolation.level == "bubblewrap":
        return
    why = f" ({isolation.why})" if isolation.why else ""
    line = f"isolation {isolation.level}: {HELD[isolation.level]}{why}"
    console(stderr=True).print(Text(line, style="yellow"), soft_wrap=True)
