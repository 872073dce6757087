"""The crews of a site's processes: lanes on its own machine, or the workers of a Dask scheduler."""

from collections.abc import Callable
from time import monotonic
from typing import Final, Literal, TypeVar

from arena.base.errors import MachineError
from arena.cluster.connect import Tls, read_address
from arena.cluster.crew import Cluster
from arena.cluster.kind import WorkKind
from arena.cluster.link import ClientLink
from arena.cluster.matches import MatchWork
from arena.engine.builds import BUILD_S
from arena.engine.runner import Crew
from arena.engine.worker import Job
from arena.match.record import MatchRecord
from arena.site.config import Site
from arena.site.lanes import HeardLanes
from arena.site.life import Life
from arena.tasks.league_run import Roster

HERE_S: Final = 300.0
"""Seconds for which the site's own machine works before the scheduler is tried again."""

PRIORITIES: Final = {"league": 3, "intake": 2, "challenges": 1, "reviews": 0}
"""Workers begin the tasks of a process with a higher number first."""

_MOST_LANES: Final = 50
"""More lanes than a process has on one machine of workers."""

_WAIT_S: Final = 2 * BUILD_S
"""Seconds that a worker may be kept by other processes of the site."""

ProcessName = Literal["league", "intake", "challenges", "reviews"]
Doing = Callable[[], str]

_Work = TypeVar("_Work")
_Result = TypeVar("_Result")


class _HeardCluster(Cluster[_Work, _Result]):
    """The workers of a scheduler, for a process that beats as `HeardLanes` do."""

    def __init__(
        self,
        link: ClientLink,
        kind: WorkKind[_Work, _Result],
        life: Life,
        refused: dict[str, str],
        doing: Doing,
        first: int,
    ) -> None:
        super().__init__(link, kind, life.say, refused, _WAIT_S, first)
        self._life, self._doing = life, doing

    def spare(self) -> int:
        """Return the number of lanes that are ready, and beat. Raises `MachineError`."""
        self._life.workers = self.known()
        self._life.beat(self._doing())
        return super().spare()


class SiteCrews:
    """Makes crews of the scheduler's workers for a process, while these can work."""

    def __init__(self, site: Site, life: Life, process: ProcessName) -> None:
        self._keys, self._life = site.cluster, life
        self._priority = PRIORITIES[process]
        self._here_until: float | None = None if site.cluster.scheduler else float("inf")
        self._refused: dict[str, str] = {}

    @property
    def there(self) -> bool:
        """Whether the next crew is to be one of the scheduler's workers."""
        return self._here_until is None or monotonic() >= self._here_until

    @property
    def is_over(self) -> bool:
        """Whether a run here is to end, since the scheduler is to be tried again."""
        return self._here_until is not None and self.there

    def workers(self, kind: WorkKind[_Work, _Result], doing: Doing) -> Cluster[_Work, _Result]:
        """Return the scheduler's workers, for some kind of work. Raises `MachineError`."""
        self._here_until = None
        keys = self._keys
        tls = Tls(keys.ca, keys.cert, keys.key) if keys.ca else None
        link = ClientLink(read_address(keys.scheduler), tls, self._priority)
        first = self._priority * _MOST_LANES
        return _HeardCluster(link, kind, self._life, self._refused, doing, first)

    def without(self, error: MachineError) -> None:
        """Work here for some time, if the scheduler's workers cannot. Raises the error if they can.

        Workers that were refused may try again after that.
        """
        if self._here_until is not None:
            raise error
        self._here_until = monotonic() + HERE_S
        self._refused.clear()
        self._life.say(f"this machine works by itself for {HERE_S:.0f} s: {error}", True)

    def players(self, count: int, roster: Roster, doing: Doing) -> Crew[Job, MatchRecord]:
        """Return a crew that plays: the scheduler's workers, or `count` lanes here.

        Raises `MachineError` without the scheduler.
        """
        if self.there:
            return self.workers(MatchWork(roster), doing)
        return HeardLanes(count, self._life, doing)
