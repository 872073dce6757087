"""The executors of a site's matches: workers of its own machine, or of a Dask scheduler."""

from collections.abc import Callable

from arena.cluster.executor import DaskExecutor
from arena.cluster.scheduler import read_address
from arena.engine.job import Job
from arena.engine.runner import Executor
from arena.engine.workers import Players, cores
from arena.match.record import MatchRecord
from arena.site.config import Site
from arena.site.life import Life
from arena.tasks.league_run import Roster


def matches_at_once(site: Site) -> int:
    """Return the number of rated matches that a site's own machine plays at a time."""
    return site.jobs or max(1, len(cores()) - 1)


def executor_of(site: Site, roster: Roster, life: Life) -> Executor[Job, MatchRecord]:
    """Return what plays the matches of a league: the scheduler's workers, if there is one."""
    if not site.cluster:
        return Players(matches_at_once(site))
    return DaskExecutor(read_address(site.cluster), roster, life.say, patient=True)


def beat_of(
    executor: Executor[Job, MatchRecord], life: Life, doing: Callable[[], str]
) -> Callable[[], None]:
    """Return a function that tells, whenever it is called, that the process lives and what it does.

    With a scheduler it also tells what its workers do.
    """

    def beat() -> None:
        if isinstance(executor, DaskExecutor):
            life.workers = executor.known()
        life.beat(doing())

    return beat
