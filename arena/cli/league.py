"""The command that plays a league."""

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.base.isolation_levels import IsolationLevel
from arena.cli.executors import ExecutorOf, cluster_option, read_executor
from arena.cli.options import (
    FILE,
    Whole,
    isolation_option,
    jobs_option,
    json_option,
    no_timeout_option,
    print_json,
    seed_option,
)
from arena.engine.runner import Interrupted, run
from arena.reports.check import tell_isolation
from arena.reports.progress import LeagueProgress
from arena.tasks.opening import open_league

if TYPE_CHECKING:  # a league loads what plays its own format
    from arena.tasks.closed_league import ClosedLeague
    from arena.tasks.open_league import OpenLeague


@click.command(epilog="Example:  arena league leagues/spring.toml --jobs 2", no_args_is_help=True)
@click.argument("file", type=FILE, metavar="LEAGUE.toml")
@seed_option
@jobs_option
@click.option(
    "--begin", is_flag=True, help="Create the record and the bots' copies, but play nothing."
)
@cluster_option
@click.option(
    "--orders",
    type=Whole(1),
    metavar="N",
    help="In an open league, stop after N orders, of six matches each.",
)
@no_timeout_option
@isolation_option
@json_option
def league(
    file: Path,
    seed: int | None,
    jobs: int | None,
    begin: bool,
    cluster: str | None,
    orders: int | None,
    no_timeout: bool,
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Play a league: begin it, or go on with what is missing.

    Everything is kept in one file beside the league's: spring.toml has spring.db. Stop it whenever
    you like; the same command goes on. Bots or deals may be added to the league's file later.
    An open league plays on until it is stopped, and sees bots that are submitted or withdrawn.
    """
    executor_of = read_executor(jobs, cluster)
    with open_league(file, seed, level, orders) as opened:
        play_league(opened, executor_of, not no_timeout, as_json, begin)


def play_league(
    league: "ClosedLeague | OpenLeague",
    executor_of: ExecutorOf,
    timed: bool,
    as_json: bool,
    begin: bool = False,
) -> None:
    """Play a league until it is over or stopped, or only `begin` it. Raises `MachineError`."""
    tell_isolation(league.roster.isolation)
    with LeagueProgress(league, plays=not begin) as progress:
        if begin:
            progress.created()
        else:
            progress.begin()
        league.say = progress.say
        league.begin()
        try:
            if not begin:
                with closing(executor_of(league.roster, progress.say)) as executor:
                    for jobs in league.runs(timed):
                        for event in run(jobs, executor):
                            league.take(event)
                            progress.show(event)
        except Interrupted as stop:
            progress.interrupted()
            sys.exit(stop.code)
    from arena.record.summary import summarize  # the first match does not wait for statistics
    from arena.reports.standings import show_summary

    result = summarize(league.store)
    if as_json:
        print_json(result)
    else:
        show_summary(result, league.store)
