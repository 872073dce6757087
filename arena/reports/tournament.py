"""A tournament's ranking as a table for a terminal, round by round, and how to read it."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from arena.league.tournament import RoundResult, TournamentState
from arena.record.summary import Summary
from arena.reports.language import Saying
from arena.reports.numbers import signed
from arena.reports.terminal import faults_text


def tournament_table(
    summary: Summary, found: TournamentState, title: str
) -> tuple[Table, tuple[str, ...]]:
    """The ranking as a table, and its columns that a narrow terminal can do without.

    A round has the big points that it brought, `-4-` being those of a bye; `out` is disqualified.
    """
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", overflow="fold", min_width=8)
    rounds = [f"R{number}" for number in range(1, found.rounds + 1)]
    for name in ("points", "stakes", "stakes/deal", *rounds):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("faults", overflow="fold", min_width=8)
    for line, standing in zip(found.ranking, summary.standings, strict=True):
        results = [result_text(each) for each in line.results]
        table.add_row(
            str(line.rank),
            Text(line.bot),
            big_points(line.points),
            signed(line.stakes, 0),
            signed(standing.stakes_per_deal),
            *results,
            *[""] * (found.rounds - len(results)),
            faults_text(standing.faults),
        )
    return table, (*rounds, "stakes/deal", "faults")


def result_text(result: RoundResult | None) -> str:
    """The big points of a round in a few characters; nothing as long as it is being played."""
    if result is None:
        return ""
    if result.table is None:
        return f"-{big_points(result.points)}-"
    return "out" if result.place is None else big_points(result.points)


def big_points(value: float) -> str:
    """Big points, which are whole but where bots share places."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def tournament_remarks(found: TournamentState) -> Iterator[Saying]:
    """Remarks on how the bots are ranked, and why there are no intervals."""
    yield Saying("tournament-order", {"deals": found.deals})
    yield Saying("tournament-no-interval")
