"""The record of a check: its games, in the bot's own folder, to be replayed and sent again."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec.structs import asdict, astuple, replace

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot, content_hash
from arena.bots.tree import CHECKED
from arena.league.config import LeagueLimits, MatchConfig
from arena.league.schedule import MatchSpec
from arena.league.terms import Entrant, Terms
from arena.match.commands import MatchPlan
from arena.match.logged import play_again
from arena.match.record import MatchRecord
from arena.record.matches import ReplayedMatch
from arena.record.rows import first_facts
from arena.record.store import Store
from arena.zole.deal import Seat

_PARTNER: Final = "0" * 64
"""Stands for the content of the partners, which are no programs."""


class CheckRecord:
    """The record of a bot's latest check, `check.db` in its folder; `path` is None if it has none.

    A record is of one set of rules: a match by other rules is kept only if the bot failed it, and
    then takes the place of all others.
    """

    def __init__(self, bot: Bot, kept: bool) -> None:
        """Begin with no match, in memory alone unless it is to be `kept`."""
        self.path = Path(bot.folder, CHECKED) if kept else None
        self._bot = bot
        self._entrant = Entrant(content_hash(Path(bot.folder)), bot.author, bot.version)
        self._store: Store | None = None
        self._deals = 0

    def add(self, plan: MatchPlan, record: MatchRecord, seat: Seat) -> Callable[[], ReplayedMatch]:
        """Keep a match of the bot in a seat; the result replays it."""
        others = [f"partner {number}" for number in range(1, plan.rules.players)]
        names = (*others[:seat], self._bot.name, *others[seat:])
        failed = any(entry.fault.seat == seat for entry in record.results.faults)
        number = self._add(plan, record, names, failed) if self.path is not None else 0
        return lambda: ReplayedMatch(
            *astuple(play_again(plan, record.log)),
            league=None,
            number=number,
            bots=names,
            first=0,
            record=record,
        )

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()

    def _add(
        self, plan: MatchPlan, record: MatchRecord, names: tuple[str, ...], failed: bool
    ) -> int:
        """Store a match if it belongs to the record; return its number, or 0."""
        terms = self._terms(plan, names)
        try:
            if self._store is None or (failed and self._store.terms().config != terms.config):
                self._begin(terms)
            assert self._store is not None
            known = self._store.terms()
            if known.config != terms.config:
                return 0
            self._store.set_facts(terms=replace(known, bots=known.bots | terms.bots))
            lineup, deals = tuple(sorted(names)), len(plan.deals)
            seating = terms.config.seats_of(lineup).index(names)
            self._store.add(MatchSpec(lineup, self._deals, deals, seating, names), record)
        except ArenaError:  # the folder cannot be written: the check goes on without
            self.path = None
            return 0
        self._deals += deals
        return self._store.numbers()[-1]

    def _begin(self, terms: Terms) -> None:
        self.close()
        assert self.path is not None
        for end in ("", "-wal", "-shm"):
            with suppress(OSError):
                self.path.with_name(self.path.name + end).unlink()
        facts = replace(first_facts(self.path, terms, "", practice=True), seeds=())
        self._store, self._deals = Store.create(self.path, facts), 0

    def _terms(self, plan: MatchPlan, names: tuple[str, ...]) -> Terms:
        config = MatchConfig(
            name=f"check of {self._bot.name}",
            rules=plan.rules,
            limits=LeagueLimits(**asdict(plan.limits), max_faults=plan.max_faults),
        )
        bots = dict.fromkeys(names, Entrant(_PARTNER)) | {self._bot.name: self._entrant}
        return Terms(config=config, bots=bots)
