"""The command that shows the standings of a league, and other tables from its sets."""

from collections.abc import Callable
from pathlib import Path

import click

from arena.base.errors import ArenaError, Mistake
from arena.cli.options import FILE, json_option, print_json, print_text
from arena.cli.records import open_record
from arena.league.config import TournamentConfig
from arena.record.summary import standing_rows, summarize, summarize_fully
from arena.reports import analysis, sheets
from arena.reports.standings import show_summary
from arena.stats.figures import Analysis


@click.command(
    epilog="Example:  arena standings leagues/spring.toml --crosstable --roles",
    no_args_is_help=True,
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.option("--crosstable", is_flag=True, help="Every pair of bots, and who is surely better.")
@click.option("--roles", is_flag=True, help="As declarer, as defender and at the table.")
@click.option("--seats", is_flag=True, help="As forehand, middlehand and rearhand.")
@click.option("--company", is_flag=True, help="What two authors' bots gave each other, by pairs.")
@click.option("--all", "everything", is_flag=True, help="All of these tables.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print one table as comma-separated values.")
def standings(
    league: Path,
    crosstable: bool,
    roles: bool,
    seats: bool,
    company: bool,
    everything: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show the standings of a league from its record, even while it is being played.

    docs/statistics.md explains every column. --json always has everything; --csv has
    the standings, or the one table that is named.
    """
    named = (crosstable, roles, seats, company)
    if as_csv and (as_json or everything or sum(named) > 1):
        what = "--csv prints one table"
        raise ArenaError(Mistake(what, "", "name one of the tables, and neither --all nor --json"))
    store = open_record(league)
    once = isinstance(store.terms().config, TournamentConfig)
    if once and any(named):
        what = "a tournament has no such table: each of its tables plays a deal once"
        raise ArenaError(Mistake(what, str(store.path)))
    if as_json:
        print_json(summarize_fully(store))
        return
    if as_csv:
        makers: tuple[Callable[[Analysis], str], ...] = (
            lambda found: sheets.crosstable_sheet(found.pairs),
            sheets.roles_sheet,
            sheets.seats_sheet,
            sheets.company_sheet,
        )
        wanted = (make for make, flag in zip(makers, named, strict=True) if flag)
        found, sheet = summarize_fully(store), next(wanted, None)
        print_text(sheet(found.analysis) if sheet else sheets.rows_sheet(standing_rows(found)))
        return
    if once or not (everything or any(named)):
        show_summary(summarize(store), store)
        return
    found = summarize_fully(store)
    if everything:
        show_summary(found, store)
    if everything or crosstable:
        analysis.show_crosstable(found)
    if everything or roles:
        analysis.show_roles(found.analysis)
    if everything or seats:
        analysis.show_seats(found.analysis)
    if everything or company:
        analysis.show_company(found.analysis)
