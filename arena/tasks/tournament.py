"""A tournament being played: begun, resumed, round by round."""

from collections.abc import Iterator
from contextlib import contextmanager

from arena.base.isolation_levels import IsolationLevel
from arena.league.terms import Terms
from arena.league.tournament import Tournament
from arena.record.store import Store
from arena.tasks.asked_league import AskedLeague, league_isolation, resumed
from arena.tasks.league_run import Jobs, LeagueRun, Roster, job_of


class TournamentLeague(LeagueRun):
    """A tournament: each round is paired by the standing once the one before is over."""

    def __init__(self, store: Store, roster: Roster, terms: Terms) -> None:
        super().__init__(store, roster)
        self.terms = terms
        self.seeds = store.seeds()
        self.deals = self._left()
        """The deals of all matches left to play when it was opened."""

    def runs(self, timed: bool = True, fixed: bool = False) -> Iterator[Jobs]:
        """Its rounds, each to its end."""
        while specs := self.standing().remaining():
            yield (
                (spec, job_of(self.terms, self.seeds, self.roster, spec, timed)) for spec in specs
            )

    def standing(self) -> Tournament:
        """The tournament as far as it is stored."""
        return Tournament(self.terms, self.seeds[-1], self.store.outlines())

    def newcomers(self) -> None:
        """Nobody comes once it has begun."""

    def _left(self) -> int:
        now = self.standing()
        rounds = len(self.terms.blocks) - len(now.rounds)
        tables = len(now.rounds[-1].tables)
        return (len(now.remaining()) + rounds * tables) * self.terms.blocks[0][1]


@contextmanager
def resume_tournament(
    asked: AskedLeague, level: IsolationLevel | None = None
) -> Iterator[TournamentLeague]:
    """Begin or resume a tournament. Raises `ArenaError` if file and record do not fit."""
    isolation = league_isolation(asked.config, level)
    with resumed(asked) as (store, terms):
        store.set_facts(terms=terms)
        yield TournamentLeague(store, asked.roster(terms, isolation), terms)
