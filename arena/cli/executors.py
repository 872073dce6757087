"""What plays the matches of a command's league: workers here, or those of a Dask cluster."""

from collections.abc import Callable
from typing import TypeVar

import click

from arena.base.errors import ArenaError, Mistake
from arena.engine.job import Job
from arena.engine.runner import Executor
from arena.engine.workers import Players, cores
from arena.match.record import MatchRecord
from arena.tasks.league_run import Roster

ExecutorOf = Callable[[Roster, Callable[[str], None]], Executor[Job, MatchRecord]]
"""Makes the executor for the bots of a league; it tells what happens to its workers."""

_Command = TypeVar("_Command", bound=Callable[..., object])


def cluster_option(command: _Command) -> _Command:
    """The option that names a Dask cluster."""
    cluster = click.option(
        "--cluster",
        metavar="ADDRESS",
        help=(
            "Play on a Dask cluster: tcp://HOST:PORT or tls://HOST:PORT, or local:N starts one"
            " here."
        ),
    )
    return cluster(command)


def read_executor(jobs: int | None, cluster: str | None) -> ExecutorOf:
    """The executor by the options of a command. Raises `ArenaError` if they do not go together."""
    if cluster is not None and jobs is not None:
        raise ArenaError(Mistake("--jobs is for this machine", "", "leave it to the workers"))
    if cluster is None:
        return lambda roster, tell: Players(jobs or len(cores()))
    from arena.cluster.scheduler import read_address  # optional, as is all that it needs

    where = read_address(cluster)

    def executor_of(roster: Roster, tell: Callable[[str], None]) -> Executor[Job, MatchRecord]:
        from arena.cluster.executor import DaskExecutor

        return DaskExecutor(where, roster, tell)

    return executor_of
