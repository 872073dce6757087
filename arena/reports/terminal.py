"""Results as tables for a terminal."""

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.exhibition import Exhibition
from arena.sandbox.isolation import HELD, Isolation
from arena.season import Summary
from arena.standings import Standing

_NARROWEST = 100


def console(stderr: bool = False) -> Console:
    """A console that does not fold tables where there is no terminal."""
    out = Console(stderr=stderr, highlight=False)
    return out if out.is_terminal else Console(stderr=stderr, highlight=False, width=_NARROWEST)


def show_summary(summary: Summary, record: Path) -> None:
    """Standings with what one must know to read them, and where to go from there."""
    out = console()
    out.print(standings_table(summary))
    for line in _remarks(summary):
        out.print(Text(line), soft_wrap=True)
    out.print(Text(f"Record: {record}   Check it: arena verify {record}"), soft_wrap=True)


def standings_table(summary: Summary) -> Table:
    """The standings as a table."""
    table = Table(title=_title(summary), title_justify="left", box=None, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("bot", overflow="fold")
    for name in ("stakes/deal", "95 %", "Elo", "±", "games", "sets"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("faults", overflow="fold")
    for line in summary.standings:
        table.add_row(*_cells(line))
    return table


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
            f"{total.stakes_per_deal:+.3f}",
            str(total.games),
            _faults(total.faults),
        )
    out.print(table)
    deals = len(exhibition.plan.deals)
    seed = "" if exhibition.seed is None else f", seed {exhibition.seed}"
    line = f"{deals} deals in {len(exhibition.seats)} seatings{seed}"
    out.print(Text(f"{line}, isolation {exhibition.isolation.level}"))


def tell_isolation(isolation: Isolation) -> None:
    """Say on standard error where bots are kept apart less well than they could be."""
    if isolation.level == "bubblewrap":
        return
    why = f" ({isolation.why})" if isolation.why else ""
    line = f"isolation {isolation.level}: {HELD[isolation.level]}{why}"
    console(stderr=True).print(Text(line, style="yellow"), soft_wrap=True)


def _title(summary: Summary) -> str:
    state = "complete" if summary.complete else "not complete"
    practice = ", practice deals" if summary.practice else ""
    return f"{summary.league}: {summary.sets_played} of {summary.sets} sets, {state}{practice}"


def _remarks(summary: Summary) -> list[str]:
    remarks: list[str] = []
    if summary.sets_void:
        remarks.append(f"{summary.sets_void} sets are void: a bot was disqualified in them.")
    if any(line.elo_bound for line in summary.standings):
        remarks.append("An Elo with >, < or ~ is a bound: the results are too one-sided for more.")
    if any(line.sets and line.ci95 is None for line in summary.standings):
        remarks.append("Intervals need 10 sets and more than one free set.")
    if summary.isolation:
        levels = [f"{level} in {number}" for level, number in summary.isolation.items()]
        said = ", ".join(levels) if len(levels) > 1 else next(iter(summary.isolation))
        remarks.append(f"Isolation: {said}")
    if summary.earlier_seeds:
        remarks.append(f"Seeds of earlier sets: {', '.join(summary.earlier_seeds)}")
    if summary.seed is None:
        remarks.append(f"Seed committed to: SHA-256 {summary.commitment}")
    elif summary.practice:
        remarks.append(f"Practice seed: {summary.seed}")
    else:
        remarks.append(f"Seed: {summary.seed} (SHA-256 {summary.commitment})")
    return remarks


def _cells(line: Standing) -> tuple[str | Text, ...]:
    return (
        "-" if line.stakes_per_deal is None else str(line.rank),
        Text(line.bot),
        "-" if line.stakes_per_deal is None else f"{line.stakes_per_deal:+.3f}",
        "-" if line.ci95 is None else f"{line.ci95[0]:+.3f} to {line.ci95[1]:+.3f}",
        "-" if line.elo is None else f"{line.elo_bound or ''}{line.elo:.0f}",
        "-" if line.elo_pm is None else f"{line.elo_pm:.0f}",
        str(line.games),
        str(line.sets) + (f" ({line.void_sets} void)" if line.void_sets else ""),
        _faults(line.faults),
    )


def _faults(faults: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "none"
