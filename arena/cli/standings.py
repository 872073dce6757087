"""The command that shows the standings of a league, and other tables from its sets."""

from pathlib import Path

import click

from arena.base.errors import ArenaError, Mistake
from arena.cli.options import FILE, json_option, print_json, print_text
from arena.cli.records import open_record
from arena.league.config import TournamentConfig
from arena.record.summary import Report, summarize, summarize_fully
from arena.reports import analysis
from arena.reports.columns import COMPANY_COLUMNS, PAIR_COLUMNS, SEAT_COLUMNS, role_columns
from arena.reports.standings import show_summary, standings_table
from arena.reports.table import Table
from arena.stats.figures import from_other_side


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
        print_text(_named_table(summarize_fully(store), named).csv())
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


def _named_table(found: Report, named: tuple[bool, ...]) -> Table:
    """The table that is named, or the standings."""
    figures = found.analysis
    match named.index(True) if any(named) else None:
        case 0:
            both = (each for pair in figures.pairs for each in (pair, from_other_side(pair)))
            return Table(PAIR_COLUMNS, [*both])
        case 1:
            return Table(role_columns(figures.roles), figures.roles)
        case 2:
            return Table(SEAT_COLUMNS, figures.seats)
        case 3:
            return Table(COMPANY_COLUMNS, figures.company)
    return standings_table(found)
