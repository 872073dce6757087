"""Faults in a terminal: in a line each, or with all that is kept of them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from arena.base.words import count
from arena.record.faults import Bundle
from arena.reports.terminal import console, harmless, show_table

_LONGEST = 1000
_ENDED = ("exited", "flooded", "resource", "unready")
"""Faults after which each further deal is one, too."""
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
    for each, more in folded(bundles):
        places = (each.match, each.deal, each.ply, each.seat)
        detail = harmless(each.detail) + (f" (and in {count(more, 'more deal')})" if more else "")
        table.add_row(*map(str, places), Text(each.bot), each.kind, Text(detail))
    show_table(out, table, ("ply", "seat", "deal"))


def folded(bundles: Sequence[Bundle]) -> Iterator[tuple[Bundle, int]]:
    """Faults, each with how many followed from it alone: a program that has ended stays ended."""
    first: dict[tuple[int, int], Bundle] = {}
    more: Counter[tuple[int, int]] = Counter()
    for each in bundles:
        key = each.match, each.seat
        began = first.get(key)
        if began is not None and (began.kind, began.detail) == (each.kind, each.detail):
            more[key] += 1
        elif each.kind in _ENDED:
            first[key] = each
    kept = {id(each) for each in first.values()}
    for each in bundles:
        key = each.match, each.seat
        began = first.get(key)
        if id(each) in kept:
            yield each, more[key]
        elif began is None or (began.kind, began.detail) != (each.kind, each.detail):
            yield each, 0


def show_bundle(bundle: Bundle, more: int) -> None:
    """A fault with its last lines, stderr and the commands that lead back to it.

    `more` deals were lost by it alone.
    """
    out = console()
    for line in bundle_lines(bundle):
        out.print(line, soft_wrap=True)
    if more:
        out.print(Text(f"  and {count(more, 'more deal')}, since it had ended"), soft_wrap=True)
    out.print()


def bundle_lines(bundle: Bundle) -> Iterator[Text]:
    """A fault as lines of text."""
    where = f"match {bundle.match}, deal {bundle.deal}, ply {bundle.ply}, seat {bundle.seat}"
    yield Text(f"{bundle.bot}: {bundle.kind} in {where}", "bold")
    if bundle.detail:
        yield Text(f"  {harmless(bundle.detail)}")
    yield Text(f"  after {bundle.seconds:.6f} s, at its answer {bundle.request}")
    for exchange in bundle.lines:
        yield Text(f"  → {harmless(_short(exchange.to_bot))}")
        if exchange.from_bot is not None:
            yield Text(f"  ← {harmless(_short(exchange.from_bot))}")
    if bundle.stderr:
        lines = bundle.stderr.splitlines()
        yield Text("  the end of its stderr:" if len(lines) > _STDERR else "  its stderr:")
        for line in lines[-_STDERR:]:
            yield Text(f"  | {harmless(line)}", "dim")
    yield Text(f"  look: {bundle.replay}")
    yield Text(f"  again: {bundle.rerun}")
    if bundle.tables > 1:
        yield Text("  (it played at several tables; a rerun goes deal by deal and may differ)")


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… ({len(line)} characters)"
