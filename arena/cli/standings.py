"""The command that shows the standings of a league, and other tables from its sets."""

from pathlib import Path

import click

from arena.base.errors import ArenaError, Mistake
from arena.cli.options import FILE, json_option, open_record, print_json, print_text
from arena.league.config import TournamentConfig
from arena.record.summary import summarize_fully
from arena.reports.analysis import analysis_table, show_analysis
from arena.reports.standings import show_summary, standings_table


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
    flags = {"crosstable": crosstable, "roles": roles, "seats": seats, "company": company}
    named = [name for name, flag in flags.items() if flag]
    if as_csv and (as_json or everything or len(named) > 1):
        what = "--csv prints one table"
        raise ArenaError(Mistake(what, "", "name one of the tables, and neither --all nor --json"))
    store = open_record(league)
    once = isinstance(store.terms().config, TournamentConfig)
    if once and named:
        what = "a tournament has no such table: each of its tables plays a deal once"
        raise ArenaError(Mistake(what, str(store.path)))
    found = summarize_fully(store)
    if as_json:
        print_json(found)
    elif as_csv:
        table = analysis_table(found.analysis, named[0]) if named else standings_table(found)
        print_text(table.csv())
    else:
        if everything or not named:
            show_summary(found, store)
        for name in flags if everything and not once else named:
            show_analysis(found, name)
