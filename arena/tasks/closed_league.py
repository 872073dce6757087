"""A league with an end being played, a tournament among them: begun, resumed, extended."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from arena.base.isolation_levels import IsolationLevel
from arena.base.words import count
from arena.engine.job import Job
from arena.league.config import ClosedConfig, TournamentConfig
from arena.league.schedule import MatchSpec, new_seed
from arena.league.terms import Terms, match_plan, one_more_round, remaining, widest_interval
from arena.match.commands import MatchPlan
from arena.record.store import Store
from arena.stats.figures import Standing
from arena.tasks.league_request import LeagueRequest, league_isolation, resumed
from arena.tasks.league_run import Jobs, LeagueRun, Roster, job_of


class ClosedLeague(LeagueRun):
    """A league in which every lineup plays as many deals as every other, or a tournament."""

    def __init__(self, store: Store, roster: Roster, terms: Terms, seeds: tuple[str, ...]) -> None:
        super().__init__(store, roster)
        self.terms: Terms = terms
        self.seeds = seeds
        self.deals: int = self._count()
        """The deals of all matches left to play when it was opened, and of rounds added since."""

    def remaining(self) -> list[MatchSpec]:
        """The matches that are scheduled and not stored; of a tournament those of this round."""
        return _left(self.store, self.terms, self.seeds)[0]

    def runs(self, timed: bool = True) -> Iterator[Jobs]:
        """Its rounds: after each, another if the standings are to be more precise."""
        specs = self.remaining()
        while specs:
            yield ((spec, self.job(spec, timed)) for spec in specs)
            if self.grow():
                self.store.set_facts(terms=self.terms)
            specs = self.remaining()
            self._tell_widths(len(specs))

    def grow(self) -> bool:
        """Add a round to the terms, once all others are played, if there is to be one.

        Rounds are judged only when whole, so that a league that was killed ends like one that was
        not.
        """
        terms = _another_round(self.store, self.terms)
        if terms is not None:
            self.terms = terms
            self.deals += self._count()
        return terms is not None

    def plan(self, spec: MatchSpec) -> MatchPlan:
        """The plan of a match."""
        return match_plan(self.terms, self.seeds, spec)

    def job(self, spec: MatchSpec, timed: bool = True) -> Job:
        """A match ready to be played."""
        return job_of(self.terms, self.seeds, self.roster, spec, timed)

    def _count(self) -> int:
        specs, later = _left(self.store, self.terms, self.seeds)
        return sum(spec.deals for spec in specs) + later

    def _tell_widths(self, matches: int) -> None:
        """Report the widths of intervals if the league asks for narrow ones, and what follows."""
        config = self.terms.config
        if not isinstance(config, ClosedConfig) or config.width is None:
            return
        now = widest_interval(self.terms, _table(self.store, self.terms))
        found = "some bot has no interval yet" if now is None else f"the widest is {now:.3f}"
        more = f"another round of {count(matches, 'match')}" if matches else "no more rounds"
        self.say(f"the league asks for intervals of {config.width:g}, {found}: {more}")


@contextmanager
def resume_closed(
    asked: LeagueRequest, level: IsolationLevel | None = None
) -> Iterator[ClosedLeague]:
    """Begin or resume a league. Raises `ArenaError` if file and record do not fit."""
    isolation = league_isolation(asked.config, level)
    with resumed(asked) as (store, terms):
        seeds = store.seeds()
        shown = _is_over(store, store.terms(), seeds)
        league = ClosedLeague(store, asked.roster(terms, isolation), terms, seeds)
        if not league.remaining():
            league.grow()
        if shown and not store.facts().practice and league.remaining():
            league.seeds = (*seeds, new_seed())  # deals of a shown seed can be foreseen
        store.set_facts(terms=league.terms, seeds=tuple(league.seeds))
        yield league


def _left(store: Store, terms: Terms, seeds: Sequence[str]) -> tuple[list[MatchSpec], int]:
    """The matches that can be played now, and the deals of a tournament's later rounds."""
    if not isinstance(terms.config, TournamentConfig):
        return remaining(store.stored(), terms, seeds), 0
    from arena.league.tournament import Tournament  # pairs rounds; no other league does

    now = Tournament(terms, seeds[-1], store.outlines())
    tables = (len(terms.blocks) - len(now.rounds)) * len(now.rounds[-1].tables)
    return now.remaining(), tables * terms.config.deals


def _table(store: Store, terms: Terms) -> list[Standing]:
    from arena.stats.standings import standings  # only a league by width needs statistics

    return standings(store.blocks(terms), sorted(terms.bots), {})


def _is_over(store: Store, terms: Terms, seeds: Sequence[str]) -> bool:
    if not store.numbers() or any(_left(store, terms, seeds)):
        return False
    return _another_round(store, terms) is None


def _another_round(store: Store, terms: Terms) -> Terms | None:
    """The terms with another round, if intervals are still too wide; None if there is none."""
    config = terms.config
    if not isinstance(config, ClosedConfig) or config.width is None:
        return None
    return one_more_round(terms, _table(store, terms))
