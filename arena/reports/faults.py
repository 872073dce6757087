"""Faults in a terminal: in a line each, or with all that is kept of them."""

from collections.abc import Iterator, Sequence

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
    for line in bundle_lines(bundle):
        out.print(line, soft_wrap=True)
    out.print()


def bundle_lines(bundle: Bundle) -> Iterator[Text]:
    """A fault as lines of text."""
    where = f"match {bundle.match}, deal {bundle.deal}, ply {bundle.ply}, seat {bundle.seat}"
    yield Text(f"{bundle.bot}: {bundle.kind} in {where}", "bold")
    if bundle.detail:
        yield Text(f"  {bundle.detail}")
    yield Text(f"  after {bundle.seconds:.6f} s, at its answer {bundle.request}")
    for exchange in bundle.lines:
        yield Text(f"  → {_short(exchange.to_bot)}")
        if exchange.from_bot is not None:
            yield Text(f"  ← {_short(exchange.from_bot)}")
    if bundle.stderr:
        lines = bundle.stderr.splitlines()
        yield Text("  the end of its stderr:" if len(lines) > _STDERR else "  its stderr:")
        for line in lines[-_STDERR:]:
            yield Text(f"  | {line}", "dim")
    yield Text(f"  look: {bundle.replay}")
    yield Text(f"  again: {bundle.rerun}")


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… ({len(line)} characters)"
