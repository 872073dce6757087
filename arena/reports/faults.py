"""Faults in a terminal: in a line each, or with everything that is kept of them."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import count, deal_name, deal_number, deal_on_wire
from arena.league.schedule import MatchSpec
from arena.match.commands import Fault
from arena.match.record import MatchRecord, ends_program
from arena.record.store import Store
from arena.reports.terminal import console, show_prose, show_table

if TYPE_CHECKING:
    from arena.record.faults import Bundle

_LONGEST = 1000
_STDERR = 15
_NUMBER = re.compile(r"[0-9]+")


def show_faults(bundles: Sequence["Bundle"]) -> None:
    """Print all faults, a line each."""
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
        places = (each.match, deal_number(each.deal), each.ply, each.seat)
        detail = harmless(each.detail) + forfeited_text(more)
        table.add_row(*map(str, places), Text(each.bot), each.kind, Text(detail))
    show_table(out, table, ("ply", "seat", "deal"))
    show_prose(out, "A ply is a step of a deal, such as a card; arena replay counts them, too.")


def fault_lines(store: Store, spec: MatchSpec, record: MatchRecord) -> Iterator[str]:
    """The faults of a stored match, a line each."""
    for entry, more in record.results.counted_faults():
        bot, deal = spec.seats[entry.fault.seat], deal_name(spec.first + entry.deal)
        where = f"match {store.number_of(spec)}, {deal}"
        detail = f"{harmless(entry.fault.detail)}{forfeited_text(more)}"
        yield f"{bot}: {entry.fault.kind} in {where}: {detail}"


def forfeited_text(deals: int) -> str:
    """The number of further deals that a fault cost, in brackets after it."""
    return f" ({count(deals, 'more deal')} forfeited)" if deals else ""


def folded(bundles: Sequence["Bundle"], alike: bool = False) -> Iterator[tuple["Bundle", int]]:
    """Faults, each with the number of those that followed from it alone: a program stays ended.

    With `alike`, faults of a seat that differ only in numbers are one, too.
    """
    groups: dict[tuple[object, ...], list[Bundle]] = {}
    for number, each in enumerate(bundles):
        key: tuple[object, ...] = (number,)
        if alike or _stays(each):
            key = each.match, each.seat, each.kind, _NUMBER.sub("0", each.detail)
        groups.setdefault(key, []).append(each)
    for first, *rest in groups.values():
        yield first, len(rest)


def show_bundle(bundle: "Bundle", more: int) -> None:
    """Print a fault with its last lines, stderr and the commands that lead back to it.

    `more` others are like it, or were lost by it alone.
    """
    out = console()
    for line in bundle_lines(bundle):
        out.print(line, soft_wrap=True)
    if more:
        show_prose(out, f"  and {_more(bundle, more)}", hanging=2)
    out.print()


def bundle_lines(bundle: "Bundle") -> Iterator[Text]:
    """A fault as lines of text."""
    where = (
        f"match {bundle.match}, {deal_on_wire(bundle.deal)}, ply {bundle.ply}, seat {bundle.seat}"
    )
    yield Text(f"{bundle.bot}: {bundle.kind} in {where}", "bold")
    if bundle.detail:
        yield Text(f"  {harmless(bundle.detail)}")
    if bundle.unready:
        yield Text("  it was never ready, so it was asked nothing")
    else:
        yield Text(f"  after {bundle.seconds:.6f} s, at its answer {bundle.request}")
    for exchange in bundle.lines:
        yield Text(f"  → {harmless(_short(exchange.to_bot))}")
        if exchange.from_bot is not None:
            yield Text(f"  ← {harmless(_short(exchange.from_bot))}")
    if bundle.stderr:
        lines = bundle.stderr.splitlines()
        end = "the end of its" if len(lines) > _STDERR else "its"
        yield Text(f"  {end} stderr in the match:")
        for line in lines[-_STDERR:]:
            yield Text(f"  | {harmless(line)}", "dim")
    yield Text(f"  look: {bundle.replay}")
    yield Text(f"  again: {bundle.rerun}")
    if bundle.tables > 1:
        yield Text("  (it played at several tables; a rerun goes deal by deal and may differ)")


def _stays(bundle: "Bundle") -> bool:
    """Whether each further deal of the match is forfeited."""
    return bundle.unready or ends_program(Fault(bundle.seat, bundle.kind, bundle.detail))


def _more(bundle: "Bundle", more: int) -> str:
    if not _stays(bundle):
        return f"{more} more like it"
    why = "it was never ready" if bundle.unready else "it had ended"
    return f"{count(more, 'more deal')} forfeited, since {why}"


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… ({len(line)} characters)"
