"""A league's record, or that of a match, for programs that read it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

from arena.record.matches import ReplayedMatch, find_match, stored_matches
from arena.record.paths import record_path
from arena.record.store import Store
from arena.record.summary import Summary, summarize
from arena.stats.figures import Standing
from arena.zole.rules import Rules


class Record(AbstractContextManager["Record"]):
    """A record, or the league's file next to one (`spring.db`, `spring.toml`), open for reading.

    Raises `ArenaError`, as its methods do if the file is damaged.
    """

    def __init__(self, path: str | Path) -> None:
        self._store = Store.open(record_path(Path(path)))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    @property
    def rules(self) -> Rules:
        """The rules of all its matches."""
        return self._store.terms().config.rules

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots' names, in order."""
        return tuple(sorted(self._store.terms().bots))

    def standings(self) -> tuple[Standing, ...]:
        """The standings, best first; `docs/statistics.md` explains every number."""
        return tuple(self.summary().standings)

    def summary(self) -> Summary:
        """The standings and the remarks that readers need with them."""
        return summarize(self._store)

    def matches(self) -> Iterator[ReplayedMatch]:
        """Every match: its `number`, its `bots` by seat, and its `deals` as played."""
        return stored_matches(self._store)

    def match(self, number: int) -> ReplayedMatch:
        """The match of a number, from 1."""
        return find_match(self._store, number)
