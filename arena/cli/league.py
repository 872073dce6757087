"""Commands that play a league, close its season and begin the next one."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.cli.options import (
    FILE,
    Whole,
    isolation_option,
    jobs_option,
    json_option,
    no_timeout_option,
    print_result,
    say,
    seed_option,
)
from arena.engine.job import Job
from arena.engine.runner import Executor
from arena.engine.workers import Players, cores
from arena.match.record import MatchRecord
from arena.reports.bots import warn_about_isolation
from arena.reports.progress import LeagueProgress
from arena.tasks.league_run import Roster
from arena.tasks.opening import open_league

if TYPE_CHECKING:  # a league loads what plays its own format
    from arena.tasks.closed_league import ClosedLeague
    from arena.tasks.next_season import NextSeason
    from arena.tasks.open_league import OpenLeague

# Makes the executor for the bots of a league; it reports what happens to its workers
ExecutorOf = Callable[[Roster, Callable[[str], None]], Executor[Job, MatchRecord]]

_cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster: tcp://HOST:PORT or tls://HOST:PORT, or local:N starts one here.",
)


@click.command(epilog="Example:  arena league leagues/spring.toml --jobs 2", no_args_is_help=True)
@click.argument("file", type=FILE, metavar="LEAGUE.toml")
@seed_option
@jobs_option
@click.option(
    "--begin", is_flag=True, help="Create the record and the bots' copies, but play nothing."
)
@_cluster_option
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
    """Play a league, or continue it.

    Everything is kept in one file next to the league's: spring.db for spring.toml. Stop it at any
    time, and run the same command to continue. Bots or deals may be added to the file later. An
    open league plays until it is stopped, and sees bots that are submitted or withdrawn.
    """
    executor_of = _executor_of(jobs, cluster)
    with open_league(file, seed, level, orders) as opened:
        play_league(opened, executor_of, not no_timeout, as_json, begin)


@click.group(epilog="Example:  arena season close leagues/ladder.toml", no_args_is_help=True)
def season() -> None:
    """Close a season, or begin the next one."""


@season.command(epilog="Example:  arena season close leagues/ladder.toml", no_args_is_help=True)
@click.argument("file", type=FILE, metavar="LEAGUE.toml")
@jobs_option
@_cluster_option
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
    """Play the final, reveal the secret, seal the record.

    From then on bots neither come nor go. The best of the live table play every table of theirs, on
    equally many deals, in all seatings; the league's file sets how many bots and deals, as it has
    since the season began. Nothing is written to the record after that. If it is stopped, the same
    command continues.
    """
    from arena.tasks.league_request import request_league
    from arena.tasks.open_league import resume_open  # a closed league needs none of it

    executor_of = _executor_of(jobs, cluster)
    with resume_open(request_league(file), level, ends=True) as league:
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
    """Begin the next season.

    The submitted bots that stay play on. The record of the season that is over stays next to it:
    ladder.db of the first one as ladder.season-1.db. Bots of the league's file play while it names
    them. The others can be submitted again. If it is stopped, run it again.
    """
    if bool(stay) == everyone:
        what = "name the bots that stay with --stay NAME, or all of them with --all"
        raise ArenaError(Mistake(what))
    from arena.tasks.next_season import next_season

    print_result(as_json, next_season(file, None if everyone else stay), _show_begun)


def play_league(
    league: "ClosedLeague | OpenLeague",
    executor_of: ExecutorOf,
    timed: bool,
    as_json: bool,
    begin: bool = False,
) -> None:
    """Play a league until it is over or stopped, or only `begin` it. Raises `MachineError`."""
    warn_about_isolation(league.roster.isolation)
    with LeagueProgress(league) as progress:
        progress.begin()
        league.say = progress.say
        league.begin()
        if not begin:
            with closing(executor_of(league.roster, progress.say)) as executor:
                for event in league.play(executor, timed):
                    progress.show(event)
    from arena.record.summary import summarize  # the first match does not wait for statistics
    from arena.reports.standings import show_summary

    result = summarize(league.store)
    print_result(as_json, result, show_summary, result, league.store)


# The executor by the options of a command. Raises `ArenaError` if they do not go together
def _executor_of(jobs: int | None, cluster: str | None) -> ExecutorOf:
    if cluster is None:
        return lambda roster, tell: Players(jobs or len(cores()))
    if jobs is not None:
        raise ArenaError(Mistake("--jobs is for this machine", "", "leave it to the workers"))
    from arena.cluster.scheduler import read_address  # optional, as is everything it needs

    where = read_address(cluster)

    def dask_executor(roster: Roster, tell: Callable[[str], None]) -> Executor[Job, MatchRecord]:
        from arena.cluster.executor import DaskExecutor

        return DaskExecutor(where, roster, tell)

    return dask_executor


def _show_begun(begun: "NextSeason") -> None:
    say(f"season {begun.season} begins with {', '.join(begun.bots) or 'no submitted bot'}")
    say(f"the record of the last one is kept as {begun.kept}", err=True)
