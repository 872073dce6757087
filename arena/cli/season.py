"""Commands that end a season of an open league and begin the next one."""

from pathlib import Path

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.cli.executors import cluster_option, read_executor
from arena.cli.league import play_league
from arena.cli.options import (
    FILE,
    isolation_option,
    jobs_option,
    json_option,
    no_timeout_option,
    print_json,
    say,
)
from arena.tasks.asked_league import ask_league
from arena.tasks.next_season import next_season
from arena.tasks.open_league import resume_open


@click.group(epilog="Example:  arena season close leagues/ladder.toml", no_args_is_help=True)
def season() -> None:
    """End a season of an open league with its final, and begin the next one."""


@season.command(epilog="Example:  arena season close leagues/ladder.toml", no_args_is_help=True)
@click.argument("file", type=FILE, metavar="LEAGUE.toml")
@jobs_option
@cluster_option
@no_timeout_option
@isolation_option
@json_option
def close(
    file: Path,
    jobs: int | None,
    cluster: str | None,
    no_timeout: bool,
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Close a season: play its final among the best, show its last secret, seal its record.

    From then on bots neither come nor go. The best of the live table play every table of theirs, on
    equally many deals, in all seatings; the league's file says how many bots and deals, as it has
    since the season began. Nothing is written to the record after that. If it is stopped, the same
    command goes on.
    """
    executor_of = read_executor(jobs, cluster)
    with resume_open(ask_league(file), level, ends=True) as league:
        play_league(league, executor_of, not no_timeout, as_json)


@season.command(
    "next",
    epilog="Example:  arena season next leagues/ladder.toml --stay mine --stay yours.3",
    no_args_is_help=True,
)
@click.argument("file", type=FILE, metavar="LEAGUE.toml")
@click.option("--stay", metavar="NAME", multiple=True, help="A submitted bot that plays on.")
@click.option("--all", "everyone", is_flag=True, help="All submitted bots play on.")
@json_option
def begin_next(file: Path, stay: tuple[str, ...], everyone: bool, as_json: bool) -> None:
    """Begin the season after one that is over, with the submitted bots that stay.

    The record of the season that is over stays beside it: ladder.db of the first one as
    ladder.season-1.db. Bots of the league's file play while it names them. The others can be
    submitted again. If it is stopped, run it again.
    """
    if bool(stay) == everyone:
        what = "name the bots that stay with --stay NAME, or all of them with --all"
        raise ArenaError(Mistake(what))
    begun = next_season(file, None if everyone else stay)
    if as_json:
        print_json(begun)
    else:
        say(f"season {begun.season} begins with {', '.join(begun.bots) or 'no submitted bot'}")
        say(f"the record of the last one is kept as {begun.kept}", err=True)
