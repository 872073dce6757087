"""Faults in a terminal: in a line each, or with all that is kept of them."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from arena.bundles import Bundle
from arena.reports.terminal import console

_LONGEST = 1000
_STDERR = 15


def show_faults(bundles: Sequence[Bundle]) -> None:
    """All faults, a line each."""
    out = console()
    if not bundles:
        out.print("no faults")
        return
    table = Table(box=None, pad_edge=False)
    for name in ("match", "deal", "ply", "seat"):
        table.add_column(name, justify="right")
    for name in ("bot", "fault", "detail"):
        table.add_column(name, overflow="fold")
    for each in bundles:
        places = (each.match, each.deal, each.ply, each.seat)
        table.add_row(*map(str, places), Text(each.bot), each.kind, Text(each.detail))
    out.print(table)


def show_bundle(bundle: Bundle) -> None:
    """A fault with its last lines, stderr and the commands that lead back to it."""
    out = console()

    def say(line: str, style: str = "") -> None:
        out.print(Text(line, style), soft_wrap=True)

    where = f"match {bundle.match}, deal {bundle.deal}, ply {bundle.ply}, seat {bundle.seat}"
    say(f"{bundle.bot}: {bundle.kind} in {where}", "bold")
    say(f"  {bundle.detail}")
    say(f"  after {bundle.seconds:.6f} s, at its answer {bundle.request}")
    for exchange in bundle.lines:
        say(f"  → {_short(exchange.to_bot)}")
        if exchange.from_bot is not None:
            say(f"  ← {_short(exchange.from_bot)}")
    if bundle.stderr:
        lines = bundle.stderr.splitlines()
        say("  the end of its stderr:" if len(lines) > _STDERR else "  its stderr:")
        for line in lines[-_STDERR:]:
            say(f"  | {line}", "dim")
    say(f"  look: {bundle.replay}")
    say(f"  again: {bundle.rerun}")
    out.print()


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… ({len(line)} characters)"
