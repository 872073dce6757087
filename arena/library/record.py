"""A league's record, or that of a match, for programs that read it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from arena.base.errors import ArenaError, Mistake
from arena.base.toml import closest
from arena.record.export import TABLES
from arena.record.matches import ReplayedMatch, find_match, stored_matches
from arena.record.paths import record_path
from arena.record.store import Store
from arena.record.summary import Summary, summarize
from arena.reports.standings import standings_table
from arena.stats.figures import Standing
from arena.zole.rules import Rules

TableName = Literal["standings", "sets", "matches", "games", "moves", "faults", "reviews", "deals"]
"""A table of a record."""


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

    def rows(self, table: TableName = "standings") -> list[dict[str, Any]]:
        """The rows of a table as plain values by name, as `arena export` writes them.

        `docs/record.md` and `docs/statistics.md` explain the columns. Whatever makes a table of
        dictionaries takes them: `pandas.DataFrame(record.rows("games"))`. Raises `ArenaError` for a
        table that there is not.
        """
        if table == "standings":
            return [*standings_table(self.summary()).plain()]
        if table not in TABLES:
            remedy = closest(table, ("standings", *TABLES))
            raise ArenaError(Mistake(f"there is no table {table}", "", remedy))
        return [dict(row) for row in TABLES[table](self._store, None, False)]

    def match(self, number: int) -> ReplayedMatch:
        """The match of a number, from 1."""
        return find_match(self._store, number)
