"""The crew for the matches of a league that a command plays: workers here, or a Dask cluster."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from arena.engine.job import Job
    from arena.engine.runner import Crew
    from arena.match.record import MatchRecord
    from arena.tasks.league_run import Roster

    CrewOf = Callable[[Roster, Callable[[str], None]], Crew[Job, MatchRecord]]
    """Makes the workers for the bots of a league, which tell what happens to them."""

_Command = TypeVar("_Command", bound=Callable[..., object])


def cluster_options(command: _Command) -> _Command:
    """The options that name a Dask cluster."""
    cluster = click.option(
        "--cluster",
        metavar="ADDRESS",
        help=(
            "Play on a Dask cluster: tcp://HOST:PORT or tls://HOST:PORT, or local:N starts one"
            " here."
        ),
    )
    tls = click.option(
        "--tls",
        type=(str, str, str),
        metavar="CA CERT KEY",
        help="Files to reach a tls:// scheduler with.  [default: Dask's configuration]",
    )
    return cluster(tls(command))


def read_crew(jobs: int | None, cluster: str | None, tls: tuple[str, str, str] | None) -> "CrewOf":
    """The crew by the options of a command. Raises `ArenaError` if they do not go together."""
    from arena.base.errors import ArenaError, Mistake

    if cluster is not None and jobs is not None:
        raise ArenaError(Mistake("--jobs is for this machine", "", "leave it to the workers"))
    if tls is not None and cluster is None:
        raise ArenaError(Mistake("--tls needs --cluster"))
    if cluster is None:
        from arena.engine.workers import Lanes, cores

        return lambda roster, tell: Lanes(jobs or len(cores()))
    from arena.cluster.connect import read_address, read_tls

    keys = None if tls is None else read_tls(tls)
    where = read_address(cluster)

    refused: dict[str, str] = {}  # handed from crew to crew

    def crew_of(roster: "Roster", tell: Callable[[str], None]) -> "Crew[Job, MatchRecord]":
        from arena.cluster.crew import Cluster
        from arena.cluster.link import ClientLink
        from arena.cluster.matches import MatchWork

        return Cluster(ClientLink(where, keys), MatchWork(roster), tell, refused)

    return crew_of
