"""Workers of a site's process that beats for as long as it looks after them."""

from collections.abc import Callable

from arena.engine.workers import Lanes, cores
from arena.site.config import Site
from arena.site.life import Life


class HeardLanes(Lanes):
    """`count` lanes whose process beats, with what it is `doing`, whenever it looks for work."""

    def __init__(self, count: int, life: Life, doing: Callable[[], str]) -> None:
        super().__init__(count)
        self._life, self._doing = life, doing

    def spare(self) -> int:
        """Return the number of further workers that are ready now, and beat."""
        self._life.beat(self._doing())
        return super().spare()


def lanes_of(site: Site) -> int:
    """Return the number of rated matches that a site's own machine plays at a time."""
    return site.jobs or max(1, len(cores()) - 1)
