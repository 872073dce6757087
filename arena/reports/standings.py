"""The standings of a league as a table for a terminal, with remarks on how to read them."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
from rich.table import Table
from rich.text import Text

from arena.base.words import are, count, deal_names
from arena.record.summary import Summary
from arena.reports.numbers import bounds, disqualified, half, ranks, signed, with_half
from arena.reports.terminal import console, faults_text, show_table
from arena.stats.figures import Standing


def show_summary(summary: Summary, record: Path) -> None:
    """Print the standings with remarks on how to read them, and what to run next.

    The table of a season's final comes before the live one.
    """
    out = console()
    final = final_of(summary)
    if final is not None:
        show_table(out, *standings_table(final))
        out.print()
    table, least = standings_table(summary)
    show_table(out, table, least)
    for line in remarks(summary):
        out.print(Text(line), soft_wrap=True)
    out.print(Text(f"Record: {record}   Check it: arena verify {record}"), soft_wrap=True)


def final_of(summary: Summary) -> Summary | None:
    """The summary of a season's final as that of a league of its own; None before there is one."""
    final = summary.final
    if final is None:
        return None
    return msgspec.structs.replace(
        summary,
        league=f"{summary.league}, final of season {final.season}",
        complete=final.sets_played + final.sets_void == final.sets,
        sets=final.sets,
        sets_played=final.sets_played,
        sets_void=final.sets_void,
        equal_schedule=final.equal_schedule,
        standings=final.standings,
        open=None,
        final=None,
    )


def standings_table(summary: Summary) -> tuple[Table, tuple[str, ...]]:
    """The standings as a table, with a line between bots that never met, or left and stayed.

    With it come its columns that a narrow terminal can do without, the first to go first.
    """
    table = Table(title=title(summary), title_justify="left", box=None, pad_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    best = "ranks so far" if summary.open else "ranks"
    table.add_column(best, justify="right", no_wrap=True)
    table.add_column("bot", overflow="fold", min_width=8)
    points: tuple[str, ...] = ("strength", "stakes/deal")
    if summary.open:
        points = ("strength so far", "at one look", "stakes/deal")
    elif summary.equal_schedule:
        points = ("stakes/deal", "95 %")
    void = ("void",) if summary.sets_void else ()
    for name in (*points, "Elo", "±", "sets", *void):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("faults", overflow="fold", min_width=8)
    group = None
    for line in summary.standings:
        if group is not None and (line.left, line.part) != group:
            table.add_row()
        group = line.left, line.part
        table.add_row(*_cells(line, summary))
    return table, ("±", "Elo", *points[2:], best, "sets", "void", points[1], "faults")


def standings_order(summary: Summary) -> list[tuple[str, float]]:
    """The bots that have played a set, the best first, with the value that orders them."""
    found: list[tuple[str, float]] = []
    for line in summary.standings:
        value = line.stakes_per_deal if summary.equal_schedule else line.strength
        if line.sets and value is not None:
            found.append((line.bot, value))
    return found


def title(summary: Summary) -> str:
    """The league's name and its `progress_text`."""
    return f"{summary.league}: {progress_text(summary)}"


def progress_text(summary: Summary) -> str:
    """The sets played, of how many if the league has an end, and whether it is complete."""
    practice = ", practice deals" if summary.practice else ""
    unit = "session" if summary.session else "set"
    if summary.open:
        void = f", {summary.sets_void} void" if summary.sets_void else ""
        return f"{count(summary.sets_played, unit)} so far{void}{practice}"
    void = f", {summary.sets_void} void" if summary.sets_void else ""
    if summary.complete and void:
        counts = "counts" if summary.sets_played == 1 else "count"
        return f"complete: {count(summary.sets_played, unit)} {counts}{void}{practice}"
    over = "complete" if summary.complete else "not complete"
    return f"{summary.sets_played} of {count(summary.sets, unit)}{void}, {over}{practice}"


def unit_text(summary: Summary) -> str:
    """The meaning of a set in this league: the unit that all statistics count."""
    what = f"a session of {count(summary.session, 'deal')}" if summary.session else "a deal"
    some, every = summary.seatings or (1, 1)
    return f"{what} played in {'every seating' if some == every else f'{some} of {every} seatings'}"


def _cells(line: Standing, summary: Summary) -> tuple[str | Text, ...]:
    stakes = signed(line.stakes_per_deal)
    points: tuple[str, ...] = (stakes, bounds(line.ci95))
    if summary.open:
        so_far = with_half(line.strength, line.anytime_ci95)
        points = (so_far, half(line.strength_ci95) or "-", stakes)
    elif not summary.equal_schedule:
        points = (with_half(line.strength, line.strength_ci95), stakes)
    void = (str(line.void_sets),) if summary.sets_void else ()
    return (
        "-" if line.ranks is None else str(line.rank),
        ranks(line.anytime_ranks if summary.open else line.ranks),
        Text(f"{line.bot}{bot_remark(line.bot, summary)}"),
        *points,
        "-" if line.elo is None else f"{line.elo_bound or ''}{line.elo:z.0f}",
        "-" if line.elo_pm is None else f"{line.elo_pm:.0f}",
        str(line.sets),
        *void,
        faults_text(line.faults) + (f", {line.disqualified} out" if line.disqualified else ""),
    )


def bot_remark(bot: str, summary: Summary) -> str:
    """The remark beside the name of a bot of an open league."""
    if summary.open is None:
        return ""
    if bot in summary.open.benched:
        return " (benched)"
    return " (house)" if bot in summary.open.house else ""


def remarks(summary: Summary) -> list[str]:
    """Remarks on how to read a league's standings, a sentence each."""
    return [*remarks_on_sets(summary), *remarks_on_seeds(summary)]


def remarks_on_sets(summary: Summary) -> list[str]:
    """Remarks on which sets count and how."""
    return [*_of_ratings(summary), *_of_matches(summary)]


def _of_ratings(summary: Summary) -> list[str]:
    lines = summary.standings
    remarks: list[str] = []
    playing = [line for line in lines if not line.left]
    parts = sorted({line.part for line in playing if line.part is not None})
    if not parts:
        remarks.append("No set is complete yet.")
    if len(parts) > 1:
        groups = (", ".join(it.bot for it in playing if it.part == part) for part in parts)
        remarks.append(f"These groups never met and are rated apart: {'; '.join(groups)}")
    if summary.open:
        remarks.append(
            "So far: ± and ranks hold however often one looks; the ± at one look is right 19 times"
            " of 20 at a time that was chosen beforehand."
        )
        remarks.append("Strength is stakes/deal against the mean of the bots that play now.")
    elif not summary.equal_schedule:
        remarks.append("Not all met equally often: strength is stakes/deal against equal company.")
    if any(line.elo_bound for line in lines):
        remarks.append("An Elo with >, < or ~ is a bound: the results are too one-sided for more.")
    remarks += elo_remarks(lines)
    if any(line.left for line in lines):
        remarks.append("Bots without ranks have left.")
    if any(line.sets and line.ci95 is None for line in lines):
        remarks.append("Intervals need 10 sets and more than one free set.")
    for same in summary.identical:
        remarks.append(f"{' and '.join(same.bots)} are identical on {count(same.deals, 'deal')}.")
    return remarks


def elo_remarks(lines: Iterable[Standing]) -> Iterator[str]:
    """A remark where Elo would give another order than the ranks; lines come in that of ranks."""
    rated = [
        (line.part, -line.elo)
        for line in lines
        if line.ranks is not None and line.elo is not None and not line.elo_bound
    ]
    if any(below[0] == above[0] and below < above for above, below in pairwise(rated)):
        yield (
            "Ranks go by stakes, Elo by who made more in a set, however much: the two may disagree,"
            " most of all where bots met others of different strength."
        )


def _of_matches(summary: Summary) -> list[str]:
    remarks: list[str] = []
    if summary.sets_void:
        number = summary.sets_void
        what = f"{count(number, 'set')} {are(number)} void"
        remarks.append(f"{what}: a bot was disqualified there.")
    for void in summary.void:
        who = disqualified(void.disqualified, void.matches)
        deals = deal_names(void.first, void.deals)
        remarks.append(f"Void: {', '.join(void.lineup)}, {deals}: {who}")
    for owed in summary.owed:
        remarks.append(f"To be played again: {', '.join(owed.lineup)}: {owed.why}")
    if summary.isolation:
        levels = [f"{level} in {number}" for level, number in summary.isolation.items()]
        said = ", ".join(levels) if len(levels) > 1 else next(iter(summary.isolation))
        remarks.append(f"Isolation: {said}")
    return remarks


def remarks_on_seeds(summary: Summary) -> list[str]:
    """Remarks on the source of the deals."""
    remarks: list[str] = []
    if summary.open and not summary.complete:
        if summary.practice:
            remarks.append(f"Practice seed: {summary.seed}")
        now = f"Epoch {summary.open.epoch}" if summary.open.epoch else "No epoch has begun"
        return [*remarks, f"{now}; SHA-256 of the next epoch's secret: {summary.commitment}"]
    if summary.earlier_seeds:
        remarks.append(f"Seeds of earlier sets: {', '.join(summary.earlier_seeds)}")
    if summary.open:
        return remarks
    if summary.seed is None:
        remarks.append(f"Commitment to the secret seed: SHA-256 {summary.commitment}")
    elif summary.practice:
        remarks.append(f"Practice seed: {summary.seed}")
    else:
        remarks.append(f"Seed: {summary.seed} (SHA-256 {summary.commitment})")
    return remarks
