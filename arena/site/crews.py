"""The crews that play a site's league: lanes on its own machine, or a Dask scheduler's workers."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from arena.base.errors import MachineError
from arena.cluster.connect import Tls, read_address
from arena.cluster.crew import Cluster
from arena.cluster.link import ClientLink
from arena.cluster.matches import MatchWork
from arena.engine.job import Job
from arena.engine.runner import Crew
from arena.match.record import MatchRecord
from arena.site.config import Site
from arena.site.lanes import HeardLanes
from arena.site.life import Life
from arena.tasks.league_run import Roster

HERE_S: Final = 300.0
"""Seconds for which the site's own machine plays before the scheduler is tried again."""

Doing = Callable[[], str]


class _HeardCluster(Cluster):
    """The workers of a scheduler, for a process that beats as `HeardLanes` do."""

    def __init__(
        self, link: ClientLink, work: MatchWork, life: Life, refused: dict[str, str], doing: Doing
    ) -> None:
        super().__init__(link, work, life.say, refused)
        self._life, self._doing = life, doing

    def spare(self) -> int:
        """Return the number of lanes that are ready, and beat. Raises `MachineError`."""
        self._life.workers = self.known()
        self._life.beat(self._doing())
        return super().spare()


class SiteCrews:
    """Makes crews of the scheduler's workers while these can play, otherwise of lanes here."""

    def __init__(self, site: Site, life: Life) -> None:
        self._keys, self._life = site.cluster, life
        self._here_until: float | None = None if site.cluster.scheduler else float("inf")
        self._refused: dict[str, str] = {}

    @property
    def is_over(self) -> bool:
        """Whether a run here is to end, since the scheduler is to be tried again."""
        return self._here_until is not None and monotonic() >= self._here_until

    def players(self, count: int, roster: Roster, doing: Doing) -> Crew[Job, MatchRecord]:
        """Return a crew that plays: the scheduler's workers, or `count` lanes here.

        Raises `MachineError` without the scheduler.
        """
        if self._here_until is not None and not self.is_over:
            return HeardLanes(count, self._life, doing)
        self._here_until = None
        keys = self._keys
        tls = Tls(keys.ca, keys.cert, keys.key) if keys.ca else None
        link = ClientLink(read_address(keys.scheduler), tls)
        return _HeardCluster(link, MatchWork(roster), self._life, self._refused, doing)

    def without(self, error: MachineError) -> None:
        """Play here for some time, if the scheduler's workers cannot. Raises the error if they can.

        Workers that were refused may try again after that.
        """
        if self._here_until is not None:
            raise error
        self._here_until = monotonic() + HERE_S
        self._refused.clear()
        self._life.say(f"falling back to local workers for {HERE_S:.0f} s: {error}", True)
