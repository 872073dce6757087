"""Workers of a site's process that is heard of as long as it looks after them."""

from collections.abc import Callable

from arena.engine.workers import Lanes
from arena.site.life import Life


class HeardLanes(Lanes):
    """So many lanes of a process that tells what it is `doing` whenever it looks what is next."""

    def __init__(self, count: int, life: Life, doing: Callable[[], str]) -> None:
        super().__init__(count)
        self._life, self._doing = life, doing

    def spare(self) -> int:
        """How many more workers are ready now."""
        self._life.beat(self._doing())
        return super().spare()
